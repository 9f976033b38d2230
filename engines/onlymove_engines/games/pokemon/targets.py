"""What can be picked: a size in the hand, a cell of the board. Knows no move."""

from __future__ import annotations

from onlymove_engines.core.rules import Target

from .rules import Piece

SIZES: tuple[Target, Target, Target] = ("small", "middle", "large")
"""The targets of the hand, the same for both seats: only the side to move can pick."""

CELLS: tuple[Target, ...] = tuple(f"@{row}{column}" for row in range(3) for column in range(3))
"""The targets of the board, row and column from the top left. The sign keeps them apart from plain numbers."""

COLUMNS, ROWS = "ABC", "123"
"""What stands at the board's edges: a cell is named column and row, `A1` top left to `C3`."""
CELL_NAMES = tuple(column + row for row in ROWS for column in COLUMNS)


def size_target(piece: Piece) -> Target:
    """The target in the hand that stands for `piece`."""
    return SIZES["abc".index(piece.lower())]
