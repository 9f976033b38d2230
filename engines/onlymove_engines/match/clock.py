"""A clock for the people in a game: how much time each has, and who has run out of it.

Knows no screen and no time of day: seconds come from its owner. An engine has no clock here, it has its own limits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat
from onlymove_engines.play.players import Players

NO_CLOCK = "off"
CHOICES = (NO_CLOCK, "10", "30", "60", "1+1", "3+2", "5+3", "15+10")
LONGEST = 24 * 3600.0
SPELLED = "seconds a move, such as 30, or minutes + seconds for each move, such as 5+3"


class BadClock(OnlymoveError):
    """The text is not a time control."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """`seconds` for every move; with an `increment`, a bank of `seconds` to which each move adds it."""

    seconds: float
    increment: float | None = None

    def format_short(self) -> str:
        """`30 s a move`, `5 min + 3 s`."""
        if self.increment is None:
            return f"{self.seconds:g} s a move"
        return f"{self.seconds / 60:g} min + {self.increment:g} s"

    def describe(self) -> str:
        """`30 seconds a move`, `5 minutes, 3 seconds more for each move`."""
        if self.increment is None:
            return f"{describe_limit(self.seconds)} a move"
        more = f", {describe_limit(self.increment)} more for each move" if self.increment else ""
        return f"{describe_limit(self.seconds)}{more}"


def read_control(text: str) -> TimeControl | None:
    """`30`, `5+3`; `None` for no clock. Raises BadClock."""
    if text.strip() in ("", NO_CLOCK):
        return None
    bank, plus, added = text.partition("+")
    try:
        first, increment = float(bank), float(added) if plus else None
    except ValueError:
        raise BadClock(f"'{text}' is not a valid clock: write {SPELLED}") from None
    seconds = first if increment is None else 60 * first
    if not 1 <= seconds <= LONGEST or not 0 <= (increment or 0) <= LONGEST:
        raise BadClock(f"'{text}' is not a valid clock: use 1 second to 1 day")
    return TimeControl(seconds, increment)


def may_be_timed(game: AnyGame, players: Players) -> bool:
    """Whether a clock makes sense: two people, or a person where both move at once."""
    people = sum(player.is_human for player in players)
    return people == 2 or (people == 1 and game.facts.simultaneous)


def format_time(seconds: float) -> str:
    """`4:58`; seconds are rounded up."""
    minutes, rest = divmod(max(0, ceil(seconds)), 60)
    return f"{minutes}:{rest:02}"


def describe_time(seconds: float) -> str:
    """`4 minutes 58 seconds`; seconds are rounded up."""
    return describe_limit(max(0, ceil(seconds)))


def describe_limit(seconds: float) -> str:
    """`1 minute`, `1.5 seconds`, with up to three decimals."""
    minutes, rest = divmod(round(seconds, 3), 60)
    units = [(f"{count:g}", unit) for count, unit in ((minutes, "minute"), (round(rest, 3), "second"))]
    parts = [f"{count} {unit}{'' if count == '1' else 's'}" for count, unit in units if count != "0"]
    return " ".join(parts) or "0 seconds"


class Clock(Protocol):
    """What a match needs of its clock."""

    @property
    def control(self) -> TimeControl: ...

    @property
    def left(self) -> tuple[float, float]: ...

    @property
    def late(self) -> Seat | None:
        """The side at this keyboard that has run out of time."""
        ...

    def start(self, seat: Seat | None, ply: int) -> None:
        """`seat` is to choose after so many plies, or nobody here."""
        ...

    def lose(self, seat: Seat) -> None: ...


class GameClock:
    """Counts the time of the side to choose."""

    def __init__(self, control: TimeControl, seconds: Callable[[], float], left: tuple[float, float] | None) -> None:
        self.control = control
        self._seconds = seconds
        self._left = list(left or (control.seconds, control.seconds))
        self._runs: Seat | None = None
        self._since = 0.0
        self._last: tuple[Seat, int] | None = None
        self._lost: Seat | None = None

    def start(self, seat: Seat | None, ply: int) -> None:
        """Set whose choice it is after this many plies: `seat`'s, or nobody's here. The previous side has moved if the
        game went on, or if the second side now chooses in secret. If a loss on time is taken back, its time starts
        again."""
        self.stop()
        if self._lost is not None and seat is not None:
            self._left[self._lost], self._lost = self.control.seconds, None
        if self._last is not None:
            mover, at = self._last
            if ply > at or (ply == at and mover == 0 and seat == 1):
                self._has_moved(mover)
            elif ply < at and self.control.increment is None and seat is not None:
                self._left[seat] = self.control.seconds
        if seat is not None:
            self._last, self._since = (seat, ply), self._seconds()
        elif self._last is not None and ply != self._last[1]:
            self._last = None
        self._runs = seat

    def lose(self, seat: Seat) -> None:
        self.stop()
        self._lost = seat

    def stop(self) -> None:
        self._left = list(self.left)
        self._runs = None

    @property
    def left(self) -> tuple[float, float]:
        gone = [self._seconds() - self._since if seat == self._runs else 0.0 for seat in (0, 1)]
        return self._left[0] - gone[0], self._left[1] - gone[1]

    @property
    def late(self) -> Seat | None:
        return self._runs if self._runs is not None and self.left[self._runs] <= 0 else None

    def _has_moved(self, seat: Seat) -> None:
        if self.control.increment is None:
            self._left[seat] = self.control.seconds
        else:
            self._left[seat] += self.control.increment
