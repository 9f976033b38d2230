"""A clock for the people in a game, whose owner passes in the seconds. Engines have other limits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Final, Protocol

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat
from onlymove_engines.play.players import Players

NO_CLOCK = "off"
CHOICES = (NO_CLOCK, "10", "30", "60", "1+1", "3+2", "5+3", "15+10")
MAX_SECONDS = 24 * 3600.0
SPELLED = "seconds for each move, such as 30 or 1m, or minutes and extra seconds for each move, such as 5+3 or 90s+2s"
UNITS: Final = {"ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
"""The units of time, in seconds."""
TIME: Final = re.compile(rf"\s*(\d{{1,9}}(?:\.\d{{0,9}})?)\s*({'|'.join(UNITS)})?\s*")


def read_time(text: str, unit: str) -> float | None:
    """Return the seconds that a text such as `5m`, `0.2s` or `10` means. A number alone is in `unit`. Return `None` for
    any other text."""
    found = TIME.fullmatch(text)
    return None if found is None else float(found[1]) * UNITS[found[2] or unit]


class BadClock(OnlymoveError):
    pass


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time the players have. Without an `increment`, each move has `seconds`. With one, each player has a bank
    of `seconds` for the game and gets the increment back after each move."""

    seconds: float
    increment: float | None = None

    def format_short(self) -> str:
        """Return the time control as `30 s a move` or `5 min + 3 s`."""
        if self.increment is None:
            return f"{self.seconds:g} s a move"
        return f"{self.seconds / 60:g} min + {self.increment:g} s"

    def describe(self) -> str:
        """Return the time control as `30 seconds a move` or `5 minutes, 3 seconds more for each move`."""
        if self.increment is None:
            return f"{describe_limit(self.seconds)} a move"
        more = f", {describe_limit(self.increment)} more for each move" if self.increment else ""
        return f"{describe_limit(self.seconds)}{more}"


def read_control(text: str) -> TimeControl | None:
    """Parse a time control such as `30` or `5+3`, perhaps with units. Return `None` if there is no clock. Raises
    BadClock."""
    if text.strip() in ("", NO_CLOCK):
        return None
    bank, plus, added = text.partition("+")
    seconds, increment = read_time(bank, "m" if plus else "s"), read_time(added, "s") if plus else None
    if seconds is None or (plus and increment is None):
        raise BadClock(f"'{text}' is not a valid clock: use {SPELLED}")
    if not 1 <= seconds <= MAX_SECONDS or not 0 <= (increment or 0) <= MAX_SECONDS:
        raise BadClock(f"'{text}' is not a valid clock: use 1 second to 1 day")
    return TimeControl(seconds, increment)


def may_be_timed(game: AnyGame, players: Players) -> bool:
    """Whether this game can have a clock: two people play, or one person plays a game with simultaneous moves."""
    people = sum(player.is_human for player in players)
    return people == 2 or (people == 1 and game.facts.simultaneous)


def format_time(seconds: float) -> str:
    """Write a time as `4:58`, rounded up to seconds."""
    minutes, rest = divmod(max(0, ceil(seconds)), 60)
    return f"{minutes}:{rest:02}"


def describe_time(seconds: float) -> str:
    """Write a time as `4 minutes 58 seconds`, rounded up to seconds."""
    return describe_limit(max(0, ceil(seconds)))


def describe_limit(seconds: float) -> str:
    """Write a time limit as `1 minute` or `1.5 seconds`, with up to three decimals."""
    minutes, rest = divmod(round(seconds, 3), 60)
    units = [(f"{count:g}", unit) for count, unit in ((minutes, "minute"), (round(rest, 3), "second"))]
    parts = [f"{count} {unit}{'' if count == '1' else 's'}" for count, unit in units if count != "0"]
    return " ".join(parts) or "0 seconds"


class Clock(Protocol):
    """The part of a clock that a live game uses."""

    @property
    def control(self) -> TimeControl: ...

    @property
    def seconds_left(self) -> tuple[float, float]: ...

    @property
    def late_seat(self) -> Seat | None:
        """Return the side at this keyboard that has run out of time, or `None`."""

    def start(self, seat: Seat | None, ply: int) -> None:
        """Start the clock of `seat` after this many plies. `None` if no player at this keyboard has to choose."""

    def lose_on_time(self, seat: Seat) -> None: ...


class GameClock:
    def __init__(self, control: TimeControl, seconds: Callable[[], float], left: tuple[float, float] | None) -> None:
        self.control: Final = control
        self._seconds = seconds
        self._left = list(left or (control.seconds, control.seconds))
        self._runs: Seat | None = None
        self._since = 0.0
        self._last: tuple[Seat, int] | None = None
        self._lost: Seat | None = None
        self._increased: set[tuple[Seat, int]] = set()
        """The moves whose increments were added, each as a side and the plies before its move."""

    def start(self, seat: Seat | None, ply: int) -> None:
        """Start a clock. The side whose clock was running counts as having moved if the game went on, or if the second
        side now chooses in secret. A move that is taken back and made again gets its increment only once. If a loss on
        time is taken back, the side that lost gets its full time again."""
        self.stop()
        if self._lost is not None and seat is not None:
            self._left[self._lost], self._lost = self.control.seconds, None
        if self._last is not None:
            mover, at = self._last
            if ply > at or (ply == at and mover == 0 and seat == 1):
                if self.control.increment is None:
                    self._left[mover] = self.control.seconds
                elif (mover, at) not in self._increased:
                    self._increased.add((mover, at))
                    self._left[mover] += self.control.increment
            elif ply < at and self.control.increment is None and seat is not None:
                self._left[seat] = self.control.seconds
        if seat is not None:
            self._last, self._since = (seat, ply), self._seconds()
        elif self._last is not None and ply != self._last[1]:
            self._last = None
        self._runs = seat

    def lose_on_time(self, seat: Seat) -> None:
        self.stop()
        self._lost = seat

    def stop(self) -> None:
        self._left = list(self.seconds_left)
        self._runs = None

    @property
    def seconds_left(self) -> tuple[float, float]:
        gone = [self._seconds() - self._since if seat == self._runs else 0.0 for seat in (0, 1)]
        return self._left[0] - gone[0], self._left[1] - gone[1]

    @property
    def late_seat(self) -> Seat | None:
        return self._runs if self._runs is not None and self.seconds_left[self._runs] <= 0 else None
