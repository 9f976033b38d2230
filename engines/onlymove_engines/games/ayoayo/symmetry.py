"""The map of the board that the rules do not notice: the half turn, which trades the two sides."""

from __future__ import annotations

from onlymove_engines.core.game import Symmetry
from onlymove_engines.core.value import other

from .rules import Cell, Position


def turned(position: Position) -> Position:
    """The board turned round: every pit goes half way along the sowing, and the sides change places."""
    captured = (position.captured[1], position.captured[0])
    return Position(position.pits[6:] + position.pits[:6], captured, other(position.to_move))


def turned_move(move: Cell) -> Cell:
    """The cell where the turned board has this cell."""
    return 5 - move


SYMMETRIES: tuple[Symmetry[Position, Cell], ...] = (Symmetry("half turn", turned, turned_move, swaps_seats=True),)
