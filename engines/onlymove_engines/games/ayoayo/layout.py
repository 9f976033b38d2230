"""Where everything lies on the picture of Ayòayò, at each of its sizes.

    tray of the far side      name, count, what it has captured
    numbers of the far row    with the way it is sown
    six places                a number, a round bowl, a line for values
    six places
    numbers of the near row
    tray of the near side
    a line of comment

The side that plays on this keyboard sits below: player 0 unless the view is flipped, which turns the whole board
round. So the near row is always sown to the right and the far row to the left. Draws nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from onlymove_engines.core.scene import LARGEST, Place
from onlymove_engines.core.value import Seat

from . import rules
from .notation import target_of
from .rules import Pit, Position

FAR, NEAR = 0, 1
MARGIN: Final = 2
"""Columns left and right of the pits: for the cursor's frame, and for the arrows where a sowing turns."""

GROUPS: Final = rules.SEEDS // rules.CAPTURED_AT
"""The captures of four that a tray has room for: all there are."""
WINNING: Final = rules.HALF // rules.CAPTURED_AT
"""So many of them are half of all seeds; a line in the tray stands behind them."""


@dataclass(frozen=True)
class Size:
    """The measures of one scale, in columns and rows.

    A place is `number` rows for the number, the bowl, and a line for values. `shifts` says where 1, 2, 3 and 4 seeds
    in a line stand, as columns from the middle of the bowl; their lines are `line` rows apart. `curve` makes a bowl
    round: 2 is a disc, more is fuller. `large` seeds and numbers are more than one character large. A tray is `tray`
    rows high and holds groups of four every `group` columns, each `group - gap` columns wide.
    """

    bowl_width: int
    bowl_height: int
    number: int
    tray: int
    group: int
    gap: int
    line: int
    shifts: tuple[tuple[float, ...], ...]
    curve: float
    large: bool = False

    @property
    def pitch(self) -> int:
        """From one pit to the next in a row."""
        return self.bowl_width + 1

    @property
    def width(self) -> int:
        """Of the picture."""
        return 2 * MARGIN + 6 * self.pitch - 1

    @property
    def place_height(self) -> int:
        """The number, the bowl and the line for values."""
        return self.number + self.bowl_height + 1

    @property
    def board(self) -> tuple[int, int]:
        """The first row of the board and how many it has: both rows of places, what is between, their numbers."""
        return self.tray + 1, 2 * self.place_height + 3

    @property
    def comment(self) -> int:
        """The row of the comment, the last one."""
        return self.tray_row(NEAR) + self.tray + 1

    @property
    def height(self) -> int:
        """Of the picture."""
        return self.comment + 1

    @property
    def tray_width(self) -> int:
        """Every group, the line at half of them, and a column at either end."""
        return GROUPS * self.group - self.gap + 2 + 2

    def group_at(self, number: int) -> int:
        """The column of a tray's group, counted from the first."""
        return self.width - self.tray_width + 1 + number * self.group + 2 * (number >= WINNING)

    def row(self, where: int) -> int:
        """The first row of a side's places."""
        return self.board[0] + 1 + (self.place_height + 1) * where

    def numbers_row(self, where: int) -> int:
        """The row of a side's pit numbers, at the outer edge of the board."""
        return self.row(NEAR) + self.place_height if where == NEAR else self.row(FAR) - 1

    def tray_row(self, where: int) -> int:
        """The first row of a side's tray."""
        return sum(self.board) + 1 if where == NEAR else 0

    def corner(self, pit: Pit, flipped: bool) -> tuple[int, int]:
        """The top left character of a pit's place."""
        where = side(rules.owner(pit), flipped)
        along = pit % 6 if where == NEAR else 5 - pit % 6
        return MARGIN + self.pitch * along, self.row(where)

    def bowl(self, pit: Pit, flipped: bool) -> tuple[int, int]:
        """The top left character of a pit's bowl."""
        x, y = self.corner(pit, flipped)
        return x, y + self.number

    def place(self, position: Position, pit: Pit, flipped: bool) -> Place:
        """A pit with its marks: what may be picked and the hint beside its number, the rest under its bowl."""
        x, y = self.corner(pit, flipped)
        target = target_of(position, pit)
        return Place(target, x, y, self.bowl_width, self.place_height, label=(self.bowl_width // 2, -1))


def side(seat: Seat, flipped: bool) -> int:
    """NEAR for the row that lies below, FAR for the one above."""
    return NEAR if (seat == 1) == flipped else FAR


SIZES: Final = (
    Size(7, 3, 1, 1, 3, 1, 1, ((0,), (-2, 2), (-2, 0, 2), (-2, -1, 1, 2)), 2.4),
    Size(11, 5, 1, 2, 5, 2, 1, ((0,), (-2, 2), (-2, 0, 2), (-3, -1, 1, 3)), 2.4),
    Size(15, 8, 3, 5, 7, 1, 2, ((0,), (-3, 3), (-4, 0, 4), (-4.5, -1.5, 1.5, 4.5)), 2.6, large=True),
)


def size_of(scale: int) -> Size:
    """The largest size that is not above a scale."""
    return SIZES[min(max(scale, 1), LARGEST) - 1]
