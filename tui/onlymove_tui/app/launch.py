"""What the command line decides before the app opens. Neither depends on screens nor imports Textual."""

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
    """How the app starts, as decided by flags, environment and settings.

    `game` opens at once. If it is empty, the menu opens. `players` are the sides of the game. Without them, a person,
    who is to move, plays an engine with the settings' style and strength. The game has these start `options`, a
    `position` in its notation, a house rule, and a `time_control` as a player writes it.

    `settings` are those in effect (`None`: the defaults). `games` are added to the installed ones. `profile` names the
    player among those who share the account. With `resumes`, the app opens the unfinished game that was played last. A
    `kiosk` cannot be suspended, shows no paths, and quits when idle. `clock` returns seconds. In `lobby` the player
    meets other users. It is `None` if that is not possible.
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
