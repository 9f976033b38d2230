"""What the rules do not notice: a quarter turn. A mirror is none, it would turn the shift round."""

from __future__ import annotations

from typing import TypeVar

from onlymove_engines.core.game import Symmetry
from onlymove_engines.search.jit import Array

from .rules import RING_ORDER, Cell, Move, Position

SetOrSets = TypeVar("SetOrSets", int, Array)

TURNED_CELL: dict[Cell, Cell] = {
    cell: RING_ORDER[(k + 3) % 12 if k < 12 else 12 + (k - 11) % 4] for k, cell in enumerate(RING_ORDER)
}
"""Where a quarter turn counter-clockwise takes a cell: three steps on the outer ring, one on the inner."""


def turned(marbles: SetOrSets) -> SetOrSets:
    """Cell sets a quarter turn counter-clockwise."""
    outer, inner = marbles & 0xFFF, marbles >> 12
    return ((outer << 3 | outer >> 9) & 0xFFF) | ((inner << 1 | inner >> 3) & 0xF) << 12


def turned_position(position: Position) -> Position:
    """The position a quarter turn counter-clockwise."""
    return Position(turned(position.white), turned(position.black))


def turned_move(move: Move) -> Move:
    """The move a quarter turn counter-clockwise."""
    return tuple(TURNED_CELL[cell] for cell in move)


SYMMETRIES = (Symmetry("quarter turn", turned_position, turned_move),)
