"""Stored codes: `margin` is the margin to come for the side to move of a closed board.

A margin to come belongs to the board alone, whatever has been captured before; it is counted as if play went on after a
side has captured more than half. The result is the sign of captured difference + margin, which an early end does not
change. A `rank` is how many plies away the next capture is when a margin is forced, 0 where none is.
"""

from __future__ import annotations

from onlymove_engines.core.value import Outcome, Seat, Value, other, proven

from .rules import Position


def lead(captured: tuple[int, int], seat: Seat) -> int:
    """Seeds captured by this player minus the other's."""
    return captured[seat] - captured[other(seat)]


def value_of(position: Position, margin: int) -> Value:
    """The value for the side to move when it has `margin` to come."""
    final = lead(position.captured, position.to_move) + margin
    return proven(Outcome((final > 0) - (final < 0)), None, margin)
