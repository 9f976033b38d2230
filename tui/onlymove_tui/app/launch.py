"""What the command line decided before the app opens. Knows no screen and imports no Textual."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic

from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.players import Player

from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Effective


@dataclass(frozen=True)
class Launch:
    """How the app starts: everything it was told by flags, environment and settings.

    `game` opens a board at once (empty: the menu), with the sides in `players` (`None`: the person is to move, against
    an engine with the settings' style and strength), the start `options`, a `position` in the game's notation, a house
    rule, and a `time_control` as it is written. `settings` are those in effect (`None`: the defaults); `games` are
    added to the installed ones. `profile` names the player among those who share the account. With `resumes`, the
    unfinished game that was played last is opened, if there is one. `kiosk`: no suspending, no paths, and quit when
    idle. `clock` returns seconds. In `lobby` the player meets other users; `None` if that is not possible.
    """

    game: str = ""
    position: str | None = None
    players: tuple[Player, Player] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    house_rule: str = ""
    time_control: str = ""
    training: bool | None = None
    seed: int | None = None
    settings: Effective | None = None
    store: GameStore | None = None
    games: tuple[AnyGame, ...] = ()
    ascii_only: bool = False
    kiosk: bool = False
    resumes: bool = False
    profile: str = ""
    lobby: Lobby | None = None
    clock: Callable[[], float] = monotonic
