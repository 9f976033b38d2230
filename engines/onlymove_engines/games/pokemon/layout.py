"""Where everything on the picture lies, at each scale: the grid between the two hands.

Rows: the names, one line free for a cursor's frame, three rows of cells with a grid line between them, one line free.
Columns: one free, the left hand, the rows' numbers, three columns of cells, the right hand, one free.
A cell, and a kind's place in a hand, keeps its first row for marks, then come the rows of the largest piece, and the
last row is the base: rims on the board, the number and the count in a hand.

Knows measures, no glyphs.
"""

from __future__ import annotations

from dataclasses import dataclass

from onlymove_engines.core.value import Seat

TOP = 2
"""The row where the first cells begin."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of a scale. `pieces` are width and height of the three sizes, `rims` the widths of what a piece
    covers; marks stand `inset` columns from a place's edges; `gap` columns are free round the rows' numbers."""

    cell: tuple[int, int]
    hand: int
    pieces: tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
    rims: tuple[int, int]
    inset: int
    gap: int

    @property
    def left(self) -> int:
        """The column where the first cells begin: after the hand, its frame, the row's number and the cell's frame."""
        return 1 + self.hand + 1 + self.gap + 1 + self.gap

    @property
    def width(self) -> int:
        """Columns of the picture."""
        return self.left + 3 * self.cell[0] + 2 + 2 * self.gap + 1 + self.hand + 1

    @property
    def height(self) -> int:
        """Rows of the picture."""
        return TOP + 3 * self.cell[1] + 2 + 1

    def corner(self, cell: int, flipped: bool) -> tuple[int, int]:
        """The top left character of a cell; a flipped board is turned half round."""
        row, column = divmod(8 - cell if flipped else cell, 3)
        return self.left + column * (self.cell[0] + 1), TOP + row * (self.cell[1] + 1)

    def hand_corner(self, seat: Seat, size: int, flipped: bool) -> tuple[int, int]:
        """The top left character of a kind's place in a hand, on the height of a row of cells."""
        side = 1 - seat if flipped else seat
        return (self.width - 1 - self.hand) if side else 1, TOP + size * (self.cell[1] + 1)


LAYOUTS = (
    Layout(cell=(9, 5), hand=7, pieces=((3, 2), (5, 2), (7, 3)), rims=(3, 5), inset=0, gap=1),
    Layout(cell=(13, 8), hand=11, pieces=((5, 3), (7, 4), (11, 6)), rims=(3, 5), inset=1, gap=1),
    Layout(cell=(19, 11), hand=17, pieces=((7, 4), (11, 6), (17, 9)), rims=(5, 9), inset=1, gap=1),
)
"""By scale, the smallest first."""
