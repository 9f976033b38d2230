"""The line through four marbles: their own colour where it shows between them, the other colour on them. The hole of a
marble stays a hole: it tells whose the line is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from onlymove_engines.core.scene import Role, Sprite, Tint
from onlymove_engines.core.value import Seat

from .glyphs import ACROSS, DOWN, FALLING, RISING, SOLID, together
from .layout import Layout
from .rules import BIT, LINES, READING_ORDER, Cell, CellSet

COLOURS = (Role.WHITE, Role.BLACK)
HOLE, OUTSIDE = "", " "


def covered_by(marbles: Iterable[Sprite]) -> dict[tuple[int, int], str]:
    """The glyphs of marbles by where they are, HOLE for what lies between two solid parts of a row."""
    found: dict[tuple[int, int], str] = {}
    for sprite in marbles:
        for dy, row in enumerate(sprite.rows):
            solid = [dx for dx, glyph in enumerate(row) if glyph in SOLID]
            for dx, glyph in enumerate(row):
                is_hole = glyph not in SOLID and bool(solid) and solid[0] < dx < solid[-1]
                found[sprite.x + dx, sprite.y + dy] = HOLE if is_hole else glyph
    return found


def lines_of(marbles: CellSet) -> list[tuple[Cell, ...]]:
    """The complete lines of a side, each with its cells in reading order."""
    found = [line for line in LINES if marbles & line == line]
    return [tuple(cell for cell in READING_ORDER if BIT[cell] & line) for line in found]


@dataclass(frozen=True, slots=True)
class Stroke:
    """One line, from the middle of its first marble to the middle of its last, and a little beyond."""

    layout: Layout
    seat: Seat
    cells: tuple[Cell, ...]
    ascii_only: bool

    def parts(self, covered: Mapping[tuple[int, int], str]) -> Iterator[Sprite | Tint]:
        """Its glyphs and, on marbles, their grounds. `covered` are the glyphs of the marbles.

        On the edge of a marble the line grows out of it; where marks stand it has a gap.
        """
        own, other = COLOURS[self.seat], COLOURS[1 - self.seat]
        for x, y, glyph in self._glyphs():
            under = covered.get((x, y), OUTSIDE)
            if (x, y) in self.layout.kept_free() or under == HOLE:
                continue
            if under in SOLID:
                yield Tint(x, y, 1, 1, own)
                yield Sprite(x, y, (glyph,), other)
            else:
                yield Sprite(x, y, (together(glyph, under),), own)

    def _glyphs(self) -> Iterator[tuple[int, int, str]]:
        (x, y), (end_x, end_y) = sorted(self.layout.middle(cell) for cell in (self.cells[0], self.cells[-1]))
        width, height = self.layout.size.marble
        if y == end_y:
            reach = width // 2 - 1
            for column in range(int(x) - reach, int(end_x) + reach):
                yield column, int(y), ACROSS[self.ascii_only]
        elif x == end_x:
            top, bottom = sorted((int(y), int(end_y)))
            for row in range(top - height // 2, bottom + height // 2 + 1):
                for side in (0, 1):
                    yield int(x) - 1 + side, row, DOWN[self.ascii_only][side]
        else:
            yield from self._stairs(x, y, (end_y - y) / (end_x - x), end_x)

    def _stairs(self, x: float, y: float, slope: float, end_x: float) -> Iterator[tuple[int, int, str]]:
        """A slanting line, half a row thick."""
        reach = self.layout.size.marble[0] // 4
        signs = (RISING if slope < 0 else FALLING)[self.ascii_only]
        for column in range(int(x) - reach, int(end_x) + reach):
            half_rows = int(2 * (y + slope * (column + 0.5 - x)))
            yield column, half_rows // 2, signs[half_rows % 2]
