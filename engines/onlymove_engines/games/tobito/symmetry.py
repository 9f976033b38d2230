"""What the rules do not notice: the left-right mirror, and turning the board upside down with the sides swapped."""

from __future__ import annotations

from collections.abc import Callable

from onlymove_engines.core.game import Symmetry
from onlymove_engines.core.value import other

from .rules import BOTTOM, COLUMNS, PAWN, ROWS, TOP, Cell, Move, Position

MIRRORED = tuple(row * COLUMNS + COLUMNS - 1 - column for row in range(ROWS) for column in range(COLUMNS))
OVERTURNED = tuple((ROWS - 1 - row) * COLUMNS + column for row in range(ROWS) for column in range(COLUMNS))

_SWAPPED = str.maketrans(PAWN[TOP] + PAWN[BOTTOM], PAWN[BOTTOM] + PAWN[TOP])


def mirror(position: Position) -> Position:
    """Left and right exchanged."""
    return Position("".join([position.cells[cell] for cell in MIRRORED]), position.to_move)


def overturn(position: Position) -> Position:
    """Upside down, every pawn in the other colour, the other side to move."""
    cells = "".join([position.cells[cell] for cell in OVERTURNED])
    return Position(cells.translate(_SWAPPED), other(position.to_move))


def _moved(cell_map: tuple[Cell, ...]) -> Callable[[Move], Move]:
    """The map of moves that goes with a map of cells."""

    def mapped(move: Move) -> Move:
        neutral = None if move.neutral is None else cell_map[move.neutral]
        pawns = tuple(sorted(cell_map[cell] for cell in move.pawns))
        return Move(cell_map[move.origin], cell_map[move.landing], pawns, neutral)

    return mapped


mirror_move = _moved(MIRRORED)
overturn_move = _moved(OVERTURNED)

SYMMETRIES: tuple[Symmetry[Position, Move], ...] = (
    Symmetry("left-right mirror", mirror, mirror_move),
    Symmetry("upside down, sides swapped", overturn, overturn_move, swaps_seats=True),
)
