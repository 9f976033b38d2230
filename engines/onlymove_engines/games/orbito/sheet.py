"""The sheet on which Orbito is drawn: where cells, arrows and marbles lie, and with which glyphs.

A place is 7 x 3 characters, the marble on it 5 x 3; places lie 8 columns and 4 rows apart, which is square to
the eye. Cells of the same ring are parted by dashes and an arrow, the rings by a solid line. The row under the
board is for a note.
"""

from __future__ import annotations

from dataclasses import dataclass

from onlymove_engines.core.scene import Place, Role, Scene, Sprite
from onlymove_engines.core.value import Seat

from .glyphs import ARROWS, BOARD, GHOST_MARBLES, LIT_MARBLES, MARBLES, PIPS, in_ascii
from .rules import BIT, LINES, NEXT, READING_ORDER, Cell, CellSet, Position

WIDTH, HEIGHT = 40, 19
LEFT, TOP = 4, 1
STEP_X, STEP_Y = 8, 4
PLAIN = (Role.FIRST, Role.SECOND)
LIT = (Role.FIRST_FRESH, Role.SECOND_FRESH)


def lined_up(marbles: CellSet) -> CellSet:
    """The marbles that are part of a line."""
    found = 0
    for line in LINES:
        if marbles & line == line:
            found |= line
    return found


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where things lie on one picture, and with which glyphs they are drawn."""

    flipped: bool
    ascii_only: bool

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The top left character of the inside of `cell`."""
        column, row = ord(cell[0]) - ord("a"), 4 - int(cell[1])
        if self.flipped:
            column, row = 3 - column, 3 - row
        return LEFT + 1 + STEP_X * column, TOP + 1 + STEP_Y * row

    def board(self) -> list[Sprite]:
        """The tracks, their arrows and the names of files and rows."""
        rows = in_ascii(BOARD) if self.ascii_only else BOARD
        sprites = [Sprite(LEFT, TOP, rows, Role.GRID)]
        for file in "abcd":
            sprites.append(Sprite(self.corner(file + "4")[0] + 3, 0, (file,), Role.LABEL))
        for row in "1234":
            sprites.append(Sprite(2, self.corner("a" + row)[1] + 1, (row,), Role.LABEL))
        return sprites + [self._arrow(cell) for cell in READING_ORDER]

    def _arrow(self, cell: Cell) -> Sprite:
        """The arrow on the border between `cell` and the next one on its ring."""
        (x, y), (next_x, next_y) = self.corner(cell), self.corner(NEXT[cell])
        direction = ((next_x > x) - (next_x < x), (next_y > y) - (next_y < y))
        glyph = ARROWS[self.ascii_only][direction]
        return Sprite((x + next_x) // 2 + 3, (y + next_y) // 2 + 1, (glyph,), Role.FLOW)

    def marble(self, cell: Cell, seat: Seat, role: Role, way: float = 0.0) -> Sprite:
        """A marble on `cell`, or a share of the way to the next cell; its role decides its shape."""
        (x, y), (next_x, next_y) = self.corner(cell), self.corner(NEXT[cell])
        at = (round(x + (next_x - x) * way) + 1, round(y + (next_y - y) * way))
        shapes = LIT_MARBLES if role in LIT else GHOST_MARBLES if role is Role.GHOST else MARBLES
        return Sprite(*at, shapes[self.ascii_only][seat], role)

    def pip(self, cell: Cell, seat: Seat) -> Sprite:
        """A small sign for a marble, in the bottom right corner of its cell."""
        x, y = self.corner(cell)
        return Sprite(x + 6, y + 2, (PIPS[self.ascii_only][seat],), PLAIN[seat])

    def note(self, text: str) -> Sprite:
        """One line of text under the board."""
        return Sprite((WIDTH - len(text)) // 2, HEIGHT - 1, (text,), Role.NOTE)

    def places(self) -> tuple[Place, ...]:
        """Every cell is a place. Marks go to its free left column, values onto the face of a marble."""
        return tuple(
            Place(cell, *self.corner(cell), width=7, height=3, mark=(0, 0), label=(3, 1)) for cell in READING_ORDER
        )

    def marbles(self, position: Position, lit: bool = True) -> list[Sprite]:
        """All marbles of `position`; with `lit`, those in a line stand out."""
        sprites = []
        for seat, marbles in enumerate(position):
            line = lined_up(marbles) if lit else 0
            for cell in READING_ORDER:
                if marbles & BIT[cell]:
                    sprites.append(self.marble(cell, seat, (LIT if line & BIT[cell] else PLAIN)[seat]))
        return sprites

    def sliding(self, position: Position, way: float) -> list[Sprite]:
        """All marbles a share of the way to where the next shift takes them."""
        return [
            self.marble(cell, seat, PLAIN[seat], way)
            for seat, marbles in enumerate(position)
            for cell in READING_ORDER
            if marbles & BIT[cell]
        ]

    def ghosts(self, now: Position) -> list[Sprite]:
        """Where every marble will lie after the next shift, lines lit up, and small signs where they are now."""
        sprites = []
        for seat, (marbles, coming) in enumerate(zip(now, now.shifted(), strict=True)):
            lit = lined_up(coming)
            for cell in READING_ORDER:
                if coming & BIT[cell]:
                    sprites.append(self.marble(cell, seat, LIT[seat] if lit & BIT[cell] else Role.GHOST))
                if marbles & BIT[cell]:
                    sprites.append(self.pip(cell, seat))
        return sprites

    def picture(self, sprites: list[Sprite]) -> Scene:
        """The board with `sprites` on it."""
        return Scene(WIDTH, HEIGHT, (*self.board(), *sprites), self.places())
