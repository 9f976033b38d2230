"""Where everything of Orbito lies on a picture, for each of its sizes. Knows cells, no marbles and no glyphs.

Places lie side by side; between rows of places the cursor's frame and the arrows have room. In a place there is room
for marks beside the curve of the marble.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from onlymove_engines.core.scene import Place, Role, Tint

from .rules import NEXT, READING_ORDER, Cell

Offset: TypeAlias = tuple[int, int]
"""Columns and rows from the left and upper edge of a place, negative ones from the right and lower."""


@dataclass(frozen=True, slots=True)
class Size:
    """The measures of one scale, in characters.

    `marble` is its box, `margins` are the columns of a place left and right of that; `gap` are the rows between
    places; `pads` are the columns of the band left and right of all places and the rows above and below; `mark`,
    `hint` and `last` are corners of a place, as LABEL is; `arrow` is its length across and down.
    """

    marble: tuple[int, int]
    margins: tuple[int, int]
    gap: int
    pads: tuple[int, int, int]
    mark: Offset
    hint: Offset
    last: Offset
    arrow: tuple[int, int]

    @property
    def place(self) -> tuple[int, int]:
        """Columns and rows of a place."""
        return self.marble[0] + sum(self.margins), self.marble[1]

    @property
    def board(self) -> tuple[int, int, int, int]:
        """Column, row, width and height of the outer band with all that it encloses."""
        left, right, rows = self.pads
        width, height = self.place
        return LEFT, TOP, left + 4 * width + right, 2 * rows + 4 * height + 3 * self.gap

    @property
    def inner(self) -> tuple[int, int, int, int]:
        """Column, row, width and height of the inner band, without the half rows of an odd gap."""
        (x, y), (width, height), rows = self.origin(1, 1), self.place, self.gap // 2
        left, right = self.margins
        return x + (left - right) // 2, y - rows, 2 * width, 2 * height + self.gap + 2 * rows

    @property
    def picture(self) -> tuple[int, int]:
        """Columns and rows of the whole picture: the names of rows at the left, as much free at the right, the names
        of files above, the note below."""
        x, y, width, height = self.board
        return 2 * x + width, y + height + 1

    def origin(self, column: int, row: int) -> tuple[int, int]:
        """The top left character of the place in a column from the left and a row from the top."""
        left, _, rows = self.pads
        return LEFT + left + self.place[0] * column, TOP + rows + (self.place[1] + self.gap) * row


LEFT, TOP = 3, 1
LABEL = (-2, -1)
SIZES = (
    Size((6, 3), (1, 3), 1, (2, 1, 1), mark=(0, 0), hint=(0, -1), last=(-3, 0), arrow=(1, 1)),
    Size((10, 5), (2, 2), 2, (2, 2, 1), mark=(1, 0), hint=(-2, 0), last=(1, -1), arrow=(2, 2)),
    Size((14, 7), (2, 2), 2, (4, 4, 2), mark=(1, 0), hint=(-2, 0), last=(1, -1), arrow=(2, 2)),
)
"""By scale."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A size, seen from one side."""

    size: Size
    flipped: bool = False

    def column_and_row(self, cell: Cell) -> tuple[int, int]:
        """Where `cell` lies on the picture, counted in places from the top left."""
        column, row = ord(cell[0]) - ord("a"), 4 - int(cell[1])
        return (3 - column, 3 - row) if self.flipped else (column, row)

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The top left character of the place of `cell`."""
        return self.size.origin(*self.column_and_row(cell))

    def box(self, cell: Cell, way: float = 0.0) -> tuple[int, int]:
        """The top left character of the marble on `cell`, or a share of the way to the next cell."""
        (x, y), (next_x, next_y) = self.corner(cell), self.corner(NEXT[cell])
        return round(x + (next_x - x) * way) + self.size.margins[0], round(y + (next_y - y) * way)

    def middle(self, cell: Cell) -> tuple[float, float]:
        """The middle of the marble on `cell`."""
        (x, y), (width, height) = self.box(cell), self.size.marble
        return x + width / 2, y + height / 2

    def places(self) -> tuple[Place, ...]:
        """Every cell is a place."""
        return _places(self)

    def kept_free(self) -> frozenset[tuple[int, int]]:
        """Where marks and values stand, and no line may."""
        return _kept_free(self)

    def tints(self) -> tuple[Tint, ...]:
        """The grounds of the two rings."""
        return Tint(*self.size.board, Role.BAND), Tint(*self.size.inner, Role.BAND_INNER)


@cache
def _places(layout: Layout) -> tuple[Place, ...]:
    size = layout.size
    corners = (size.mark, size.hint, size.last, LABEL)
    return tuple(Place(cell, *layout.corner(cell), *size.place, *corners) for cell in READING_ORDER)


@cache
def _kept_free(layout: Layout) -> frozenset[tuple[int, int]]:
    values = [(x + dx, y) for x, y in (place.spot(place.label) for place in layout.places()) for dx in (-1, 0, 1)]
    marks = [place.spot(mark) for place in layout.places() for mark in (place.mark, place.hint, place.last)]
    return frozenset([*values, *marks])
