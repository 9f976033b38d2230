"""What the command line decides before the app opens, and the settings in effect. Does not import Textual."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import NamedTuple

import msgspec
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat
from onlymove_engines.live.engine import Effort
from onlymove_engines.play.players import Player, PlayerKind, seat_person

from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.store import settings
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Effective, Origin, Settings, Speed, convert

FRAME_SECONDS: Mapping[Speed, float] = {Speed.SLOW: 0.3, Speed.NORMAL: 0.15, Speed.FAST: 0.07}


class Timers(NamedTuple):
    """How many seconds pass before the app does something by itself, or looks for changes again."""

    frame: Mapping[Speed, float] = FRAME_SECONDS
    """Until the next picture of an animation, at each speed."""

    reply: float = 0.8
    """How long a wrong answer to a drill is shown alone before the reply."""

    compiling: float = 2.0
    """How long a game is marked in the menu before its engine is compiled."""

    writing: float = 1.0
    """How long quitting waits for a slow disk."""

    calendar: float = 30.0
    """How often a screen with days looks at the calendar. A timer that ends at midnight would be late after the machine
    has slept, and would not notice that the clock was set."""

    record: float = 0.08
    """How often the records of a shared game are read. A move is seen within a fifth of a second."""

    rematch: float = 2.0
    """How often to check, after a shared game, whether your opponent wants to play again."""

    lobby: float = 1.0
    """How often the lobby is read while its list is open."""

    challenge: float = 0.3
    """How often the game that somebody waits for is looked at."""

    meanwhile: float = 2.0
    """How often the lobby is read while somebody waits for a game."""


TIMERS = Timers()


@dataclass(frozen=True)
class Launch:
    """How the app starts, as decided by flags, environment and settings.

    `game` opens at once. If it is empty, the menu opens, and above it the screen that `opens` names, with its
    arguments. `players` are the sides of the game. Without them, a person,
    who is to move, plays an engine with the settings' style and strength. The game has these start `options`, a
    `position` in its notation, a house rule, and a `time_control` as a player writes it. If it `is_rated`, a rated game
    of this kind that is under way goes on instead.

    `settings` are those in effect (`None`: the defaults). `games` are added to the installed ones. `profile` names the
    player among those who share the account. With `resumes`, the app opens the unfinished game that was played last. A
    `kiosk` cannot be suspended, shows no paths, and quits when idle. `clock` returns seconds. In `lobby` the player
    meets other users. It is `None` if that is not possible. `timers` are those
    of what the app does by itself.
    """

    game: str = ""
    opens: tuple[object, ...] = ()
    position: str | None = None
    players: tuple[Player, Player] | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    house_rule: str = ""
    time_control: str = ""
    training: bool | None = None
    is_rated: bool = False
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
    timers: Timers = TIMERS


class Preferences:
    """The player's settings: at first those in effect when the program started, or the defaults if there is no file."""

    def __init__(self, effective: Effective | None, timers: Timers = TIMERS) -> None:
        self._timers = timers
        self.settings: Settings = Settings() if effective is None else effective.settings
        self._effective = effective
        self._unsaved: dict[str, object] = {}
        self._saving = Lock()

    def change(self, key: str, value: object) -> None:
        """Use a setting from now on. `save` writes it to disk. Raises BadSetting for a value that is not allowed."""
        new = convert(key, value, "here", strict=False)
        self.settings = msgspec.structs.replace(self.settings, **{key: new})
        self._unsaved[key] = new

    def save(self) -> None:
        """Write the changed settings. Call it in a worker. Raises BadSetting and SettingsNotSaved."""
        with self._saving:
            # Take the changes in one step. Changes that are made from now on belong to the next save.
            changes, self._unsaved = self._unsaved, {}
            if changes and self._effective is not None:
                settings.save_settings(self._effective.path, changes)

    def origin(self, key: str) -> Origin:
        return Origin() if self._effective is None else self._effective.origin(key)

    @property
    def frame_seconds(self) -> float:
        return self._timers.frame[self.settings.speed]

    def coaching(self) -> Coaching:
        chosen = self.settings
        return Coaching(chosen.on_bad, chosen.objective, chosen.slow_by, chosen.undo_limit, chosen.hint_straight)

    def effort(self) -> Effort:
        return Effort(self.settings.think or None, self.settings.depth or None)

    def players(self, seat: Seat | None) -> tuple[Player, Player]:
        return seat_person(seat, Player(PlayerKind.ENGINE, self.settings.style, self.settings.strength))
