"""Where everything lies on the picture, at each scale. Knows no position and no glyph.

  4             cell width                      caption
  ╭───────────┬───────────┬───────────╮
5 │ home row  │           │           │  home of
  ├───────────┼───────────┼───────────┤
4 │           ┴           ┴           │     three rows without lines between them: there would be no room
  ├───────────┼───────────┼───────────┤
1 │ home row  │           │           │
  ╰───────────┴───────────┴───────────╯
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from onlymove_engines.core.scene import Place

from .notation import NAMES
from .rules import CELLS, COLUMNS, ROWS, Cell

LEFT, UPPER = 4, 2
"""Column and row of the inside of the upper left cell."""
LINES: Final = (0, 1, 4, 5)
"""Above which row, counted from the upper edge, a line is drawn: round each home row."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of one scale, in characters. Pieces are about as high as their cell;
    `inset` is how far from the corners of a cell its marks stand. `captions` are the words beside a home row."""

    cell_width: int
    cell_height: int
    piece_width: int
    inset: int
    caption_width: int
    captions: tuple[str, str]

    @property
    def width(self) -> int:
        """Columns of the whole picture."""
        return self.caption + self.caption_width

    @property
    def height(self) -> int:
        """Rows of the whole picture."""
        return UPPER - 1 + ROWS * self.cell_height + len(LINES)

    @property
    def board_width(self) -> int:
        """Columns of the board, with its border."""
        return COLUMNS * (self.cell_width + 1) + 1

    @property
    def caption(self) -> int:
        """The column in which the words beside the board begin."""
        return LEFT + self.board_width + self.inset

    def home_words(self, owner: str, guest: str) -> Sequence[str]:
        """What is said of the home row of `owner`, line by line."""
        return [line.format(owner=owner, guest=guest) for line in self.captions]

    def row(self, row: int) -> int:
        """The first line of a row of cells, counted from the upper edge; of the border for the one after the last."""
        return UPPER - 1 + row * self.cell_height + sum(line <= row for line in LINES)

    def corner(self, cell: Cell, flipped: bool) -> tuple[int, int]:
        """Column and line of the upper left corner of the inside of `cell`."""
        row, column = divmod(CELLS[-1] - cell if flipped else cell, COLUMNS)
        return LEFT + column * (self.cell_width + 1), self.row(ROWS - 1 - row)

    def middle(self, cell: Cell, flipped: bool) -> tuple[int, int]:
        """Column and line of the character in the middle of `cell`."""
        x, y = self.corner(cell, flipped)
        return x + self.cell_width // 2, y + self.cell_height // 2

    def place(self, cell: Cell, flipped: bool) -> Place:
        """A cell as a target: its marks stand beside the piece."""
        near, far = self.inset, -1 - self.inset
        return Place(
            NAMES[cell],
            *self.corner(cell, flipped),
            self.cell_width,
            self.cell_height,
            mark=(near, 0),
            hint=(far, 0),
            last=(near, -1),
            label=(-2 - self.inset, -1),
        )

    def places(self, flipped: bool) -> tuple[Place, ...]:
        """Every cell."""
        return tuple(self.place(cell, flipped) for cell in CELLS)


LAYOUTS: Final = (
    Layout(11, 3, 5, 0, 8, ("home of", "{owner}")),
    Layout(17, 5, 9, 1, 14, ("home of {owner}", "goal of {guest}")),
    Layout(25, 7, 13, 1, 14, ("home of {owner}", "goal of {guest}")),
)
"""49 x 20, 74 x 30 and 98 x 40 characters."""
