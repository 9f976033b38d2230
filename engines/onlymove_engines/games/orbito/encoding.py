"""Moves as numbers and positions as planes."""

from __future__ import annotations

from functools import cache

from onlymove_engines.core.encoding import Encoding
from onlymove_engines.core.value import Seat, other

from .analyst import ACTIONS
from .notation import SPELLED_BITS
from .rules import CellSet, Move, Position


@cache
def mark_cells(marbles: CellSet) -> bytes:
    """Return a plane with 1 for each cell of the set and 0 for the others, with rows from the top."""
    return bytes([marbles & bit != 0 for bit in SPELLED_BITS])


def make_planes(position: Position, seat: Seat) -> bytes:
    return mark_cells(position[seat]) + mark_cells(position[other(seat)])


ENCODING: Encoding[Position, Move] = Encoding(
    moves=(ACTIONS, ACTIONS), channels=("own marbles", "other marbles"), rows=4, columns=4, planes=make_planes
)
