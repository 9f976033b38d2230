"""The meaning of the table's entries. `margin` is the margin to come for the side to move, on a board with at most 3
seeds in every pit.

The margin depends on the board alone and not on earlier captures. It counts as if play went on after one side has more
than half of the seeds. The result of the game is the sign of the captured difference plus the margin, and ending the
game early does not change it. `rank` is how many plies away the next capture is, or 0 if neither side can force a
margin.
"""

from __future__ import annotations

from onlymove_engines.core.value import Outcome, Seat, Value, other, proven

from .rules import Position


def lead(captured: tuple[int, int], seat: Seat) -> int:
    return captured[seat] - captured[other(seat)]


def value_of(position: Position, margin: int) -> Value:
    final = lead(position.captured, position.to_move) + margin
    return proven(Outcome((final > 0) - (final < 0)), None, margin)
