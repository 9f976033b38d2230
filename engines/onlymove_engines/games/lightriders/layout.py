"""How large a field is drawn: the cells, the frame, and where the riders' counts stand.

A cell is twice as many columns wide as it is rows high: square to the eye. Knows sizes only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

FRAME: Final = 2
"""Rows, and columns, that the frame takes."""

GUTTER: Final = 5
"""Columns on each side for a count that stands beside the field: three digits, a sign and a gap."""

LEAST_WIDTH: Final = 24
"""Columns that two counts side by side need."""

WELL_FILLED: Final = 0.75
"""A field that takes this share of the height of its room, or more, leaves the rest to frame and counts."""


@dataclass(frozen=True, slots=True)
class Room:
    """What a scale has room for, and how many rows the counts under the field take, with the gap above them."""

    width: int
    height: int
    counts: int


ROOMS: Final = {1: Room(52, 20, 1), 2: Room(76, 32, 3), 3: Room(104, 42, 3)}
"""By the scale. The official field, 16 x 16, is all of 32 rows high in cells of 4 x 2."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of a picture. `cell` is the height of a cell and half its width; `rows` of cells are shown, the
    first at column `left` and row `top`. `counts` rows under the field are for the counts; where there are none they
    stand beside it."""

    width: int
    height: int
    columns: int
    rows: int
    cell: int
    left: int
    top: int
    counts: int

    @property
    def is_framed(self) -> bool:
        """Whether there are lines above and below the field; at its sides there always are."""
        return self.top > 0

    @property
    def wide(self) -> int:
        """Columns of the field, without the frame."""
        return 2 * self.cell * self.columns

    @property
    def high(self) -> int:
        """Rows of the field, without the frame."""
        return self.cell * self.rows

    def corner(self, x: int, row: int) -> tuple[int, int]:
        """Column and row on the picture where a cell begins."""
        return self.left + 2 * self.cell * x, self.top + self.cell * row


@cache
def layout(width: int, height: int, scale: int) -> Layout:
    """The measures of a field of `width` x `height` cells: the largest cells that fit, first with everything round
    the field; where much would stay empty then, with the counts beside it and a frame only if there is room for it."""
    room = ROOMS[scale]
    rows = min(height, room.height - FRAME - room.counts)
    cell = largest_cell(width, rows, room.width - FRAME, room.height - FRAME - room.counts)
    tight = largest_cell(width, rows, room.width - FRAME - 2 * GUTTER, room.height)
    if scale > 1 and tight > cell and cell * rows < WELL_FILLED * room.height:
        top = 1 if tight * rows + FRAME <= room.height else 0
        across = 2 * tight * width + FRAME + 2 * GUTTER
        return Layout(across, tight * rows + 2 * top, width, rows, tight, GUTTER + 1, top, 0)
    across = max(LEAST_WIDTH, 2 * cell * width + FRAME)
    left = (across - 2 * cell * width) // 2
    return Layout(across, cell * rows + FRAME + room.counts, width, rows, cell, left, 1, room.counts)


def largest_cell(columns: int, rows: int, wide: int, high: int) -> int:
    """The height of the largest cell of which so many fit; 1 where none does."""
    return max(1, min(wide // (2 * columns), high // rows))
