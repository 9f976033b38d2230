"""A picture of the board being drawn: the empty board, then pieces, ways and words on it.

Knows where and how each thing is drawn; which things a moment calls for is `scene`'s business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias

from onlymove_engines.core.scene import Place, Role, Scene, Sprite, Tint
from onlymove_engines.core.value import other

from .glyphs import BLOCKS, PLAIN, Lines, ghost, lifted, standing, way
from .layout import LEFT, LINES, UPPER, Layout
from .notation import NAMES
from .rules import BOTTOM, CELLS, COLUMNS, EMPTY, HOME, MIDDLE, NEUTRAL, PAWN, ROWS, SIDES, TOP, Cell

Spot: TypeAlias = tuple[int, int]

ROLES: Final = {PAWN[TOP]: Role.FIRST, PAWN[BOTTOM]: Role.SECOND, NEUTRAL: Role.NEUTRAL}
FRESH: Final = {PAWN[TOP]: Role.FIRST_FRESH, PAWN[BOTTOM]: Role.SECOND_FRESH, NEUTRAL: Role.NEUTRAL}
GROUNDS: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
WORDS: Final = (Role.HOME_FIRST, Role.HOME_SECOND)


@dataclass
class Board:
    """The sprites and grounds so far, from back to front."""

    layout: Layout
    flipped: bool
    ascii_only: bool
    sprites: list[Sprite] = field(default_factory=list)
    tints: list[Tint] = field(default_factory=list)

    def piece(self, cell: Cell, piece: str, *, fresh: bool = False) -> None:
        """A piece where it stands; a fresh one is brighter."""
        self._shape(cell, standing(piece, self.layout, self.ascii_only), (FRESH if fresh else ROLES)[piece])

    def lifted(self, cell: Cell, piece: str) -> None:
        """A piece in the air."""
        self._shape(cell, lifted(piece, self.layout, self.ascii_only), ROLES[piece])

    def ghost(self, cell: Cell, piece: str) -> None:
        """What is left where a piece stood."""
        self._shape(cell, ghost(piece, self.layout, self.ascii_only), Role.GHOST)

    def pieces(self, cells: str, fresh: frozenset[Cell] = frozenset()) -> None:
        """Every piece, those on `fresh` cells brighter."""
        for cell, piece in enumerate(cells):
            if piece != EMPTY:
                self.piece(cell, piece, fresh=cell in fresh)

    def lit(self, cell: Cell) -> None:
        """The ground of a cell that the move being entered has to do with."""
        layout = self.layout
        self.tints.append(Tint(*layout.corner(cell, self.flipped), layout.cell_width, layout.cell_height, Role.LIT))

    def number(self, cell: Cell, number: int, role: Role) -> None:
        """The order of a piece among what is picked, cut out of its middle."""
        self.sprites.append(Sprite(*self.layout.middle(cell, self.flipped), (str(number),), role))

    def flight(self, cells: tuple[Cell, ...]) -> None:
        """The way of a pawn, from the middle of the first cell to the edge of the last; marks keep their corners."""
        ends = [self.layout.middle(cell, self.flipped) for cell in (cells[0], cells[-1])]
        landing = self.layout.place(cells[-1], self.flipped)
        glyphs = _way(*ends, self._lines, self.ascii_only)
        path = [spot for spot in glyphs if not landing.contains(*spot)]
        if not path:
            return
        (x, y), (to_x, to_y) = ends
        arrow = self._lines.arrows[(to_x > x) - (to_x < x), (to_y > y) - (to_y < y)]
        kept = _corners(self.layout, self.flipped)
        for spot in path:
            if spot not in kept:
                glyph = arrow if spot == path[-1] and 0 in (x - to_x, y - to_y) else glyphs[spot]
                self.sprites.append(Sprite(*spot, (glyph,), Role.MOVING))

    def say(self, words: tuple[str, ...]) -> None:
        """Words beside the middle of the board."""
        _, y = self.layout.middle(CELLS[len(CELLS) // 2], self.flipped)
        self.sprites.append(Sprite(self.layout.caption, y, words, Role.NOTE))

    def finished(self) -> Scene:
        """The picture."""
        layout = self.layout
        return Scene(layout.width, layout.height, tuple(self.sprites), layout.places(self.flipped), tuple(self.tints))

    @property
    def _lines(self) -> Lines:
        return PLAIN if self.ascii_only else BLOCKS

    def _shape(self, cell: Cell, rows: tuple[str, ...], role: Role) -> None:
        x, y = self.layout.corner(cell, self.flipped)
        self.sprites.append(Sprite(x + (self.layout.cell_width - len(rows[0])) // 2, y, rows, role))


def empty_board(layout: Layout, flipped: bool, ascii_only: bool) -> Board:
    """The board without pieces."""
    return Board(
        layout, flipped, ascii_only, list(_furniture(layout, flipped, ascii_only)), list(_grounds(layout, flipped))
    )


@cache
def _grounds(layout: Layout, flipped: bool) -> tuple[Tint, ...]:
    """Home rows as bands, the cells between them as a checker."""
    bands = [
        Tint(LEFT, layout.corner(HOME[seat][0], flipped)[1], layout.board_width - 2, layout.cell_height, GROUNDS[seat])
        for seat in (TOP, BOTTOM)
    ]
    shades = (Role.PLACE, Role.PLACE_OTHER)
    cells = [
        Tint(*layout.corner(cell, flipped), layout.cell_width, layout.cell_height, shades[cell % 2]) for cell in MIDDLE
    ]
    return (*bands, *cells)


@cache
def _furniture(layout: Layout, flipped: bool, ascii_only: bool) -> tuple[Sprite, ...]:
    """Lines, the names of columns and rows, and whose home is where."""
    lines = PLAIN if ascii_only else BLOCKS
    return (*_level_lines(layout, lines), *_walls(layout, lines), *_names(layout, flipped), *_homes(layout, flipped))


def _level_lines(layout: Layout, lines: Lines) -> Iterator[Sprite]:
    for row, (left, flat, cross, right) in zip(LINES, lines.flats, strict=True):
        text = left + cross.join([flat * layout.cell_width] * COLUMNS) + right
        yield Sprite(LEFT - 1, layout.row(row) - 1, (text,), Role.GRID)


def _walls(layout: Layout, lines: Lines) -> Iterator[Sprite]:
    """Between two rows without a line the inner walls are broken, so that cells can be told without colours."""
    for row in range(ROWS):
        inner = [lines.wall] * layout.cell_height
        if row not in LINES:
            inner[0] = lines.begins
        if row + 1 not in LINES:
            inner[-1] = lines.ends
        for column in range(COLUMNS + 1):
            wall = [lines.wall] * layout.cell_height if column in (0, COLUMNS) else inner
            yield Sprite(LEFT - 1 + column * (layout.cell_width + 1), layout.row(row), tuple(wall), Role.GRID)


def _names(layout: Layout, flipped: bool) -> Iterator[Sprite]:
    for column in range(COLUMNS):
        yield Sprite(layout.middle(column, flipped)[0], UPPER - 2, (NAMES[column][0],), Role.LABEL)
    for cell in CELLS[::COLUMNS]:
        yield Sprite(LEFT - 3, layout.middle(cell, flipped)[1], (NAMES[cell][1],), Role.LABEL)


def _homes(layout: Layout, flipped: bool) -> Iterator[Sprite]:
    for seat in (TOP, BOTTOM):
        words = layout.home_words(SIDES[seat], SIDES[other(seat)])
        _, y = layout.middle(HOME[seat][0], flipped)
        yield Sprite(layout.caption, y - 1 + layout.inset, tuple(words), WORDS[seat])


@cache
def _corners(layout: Layout, flipped: bool) -> frozenset[Spot]:
    """Where marks and values stand."""

    def of(place: Place) -> Iterator[Spot]:
        yield from map(place.spot, (place.mark, place.hint, place.last))
        x, y = place.spot(place.label)
        yield from ((x + dx, y) for dx in (-1, 0, 1))

    return frozenset(spot for place in layout.places(flipped) for spot in of(place))


@cache
def _way(start: Spot, end: Spot, lines: Lines, ascii_only: bool) -> dict[Spot, str]:
    """The characters of a straight way between the middles of two cells, in order."""
    (x, y), (to_x, to_y) = start, end
    if x != to_x and y != to_y and not ascii_only:
        return way(start, end)
    columns, rows = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
    steps = abs(to_y - y) or abs(to_x - x)
    stroke = lines.strokes[columns, rows]
    return {(x + (to_x - x) * step // steps, y + (to_y - y) * step // steps): stroke for step in range(steps + 1)}
