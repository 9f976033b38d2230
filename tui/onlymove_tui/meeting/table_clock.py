"""Whose time runs at a table, by the stamps of the lines: each side's own time, as in the whole house.

A stamp before what it answers counts as that moment. Between two looks nothing is counted: whoever asks says when.
"""

from __future__ import annotations

from collections.abc import Iterable

from onlymove_engines.core.value import Seat
from onlymove_engines.match.clock import TimeControl


class TableClock:
    """`runs` has the seats whose time runs, and since when. Without a control nobody's does."""

    def __init__(self, control: TimeControl | None) -> None:
        self.control = control
        self.runs: dict[Seat, float] = {}
        bank = 0.0 if control is None else control.seconds
        self._left = [bank, bank]

    def start(self, seats: Iterable[Seat], at: float) -> None:
        """It is for these to choose."""
        self.runs = {} if self.control is None else dict.fromkeys(seats, at)

    def stop(self, seat: Seat, at: float) -> float:
        """This one has chosen. Returns when that counts."""
        since = self.runs.pop(seat, at)
        at = max(at, since)
        self._left[seat] -= at - since
        return at

    def add(self, seat: Seat) -> None:
        """A move was made: what belongs to each."""
        if self.control is not None:
            each = self.control.increment
            self._left[seat] = self.control.seconds if each is None else self._left[seat] + each

    def freeze(self, at: float) -> None:
        """The game is over."""
        for seat in tuple(self.runs):
            self.stop(seat, at)

    def is_late(self, seat: Seat, at: float) -> bool:
        """Whether a side whose time runs has none any more."""
        return seat in self.runs and self.left(at)[seat] <= 0

    def has_overstepped(self, seat: Seat) -> bool:
        """Whether a side that has just chosen was too late."""
        return self.control is not None and self._left[seat] <= 0

    def left(self, at: float) -> tuple[float, float]:
        """Seconds that each side has."""
        first, second = (self._left[seat] - max(0.0, at - self.runs.get(seat, at)) for seat in (0, 1))
        return first, second
