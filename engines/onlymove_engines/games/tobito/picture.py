"""The board as a picture: discs for Top, rings for Bottom, a lozenge for the neutral pawn, home rows as bands with
their owner's name. While a jump is entered its way, the lifted pieces and the numbered cells they go to are shown.

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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, TypeAlias

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import (
    QUADRANTS,
    Place,
    Role,
    Scene,
    Shape,
    Sprite,
    Tint,
    View,
    disc,
    in_ascii,
    in_blocks,
    lozenge,
    ring,
)
from onlymove_engines.core.value import other

from .notation import CELL_NAMED, NAMES
from .rules import (
    BOTTOM,
    CELLS,
    COLUMNS,
    EMPTY,
    HOME,
    MIDDLE,
    NEUTRAL,
    PAWN,
    ROWS,
    SIDES,
    TOP,
    Cell,
    Move,
    Position,
    between,
)

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
    flipped: bool = False

    @property
    def width(self) -> int:
        return self.caption + self.caption_width

    @property
    def height(self) -> int:
        return UPPER - 1 + ROWS * self.cell_height + len(LINES)

    @property
    def board_width(self) -> int:
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

    def corner(self, cell: Cell) -> tuple[int, int]:
        """Column and line of the upper left corner of the inside of `cell`."""
        row, column = divmod(CELLS[-1] - cell if self.flipped else cell, COLUMNS)
        return LEFT + column * (self.cell_width + 1), self.row(ROWS - 1 - row)

    def middle(self, cell: Cell) -> tuple[int, int]:
        x, y = self.corner(cell)
        return x + self.cell_width // 2, y + self.cell_height // 2

    def place(self, cell: Cell) -> Place:
        """A cell as a target: its marks stand beside the piece."""
        near, far = self.inset, -1 - self.inset
        return Place(
            NAMES[cell],
            *self.corner(cell),
            self.cell_width,
            self.cell_height,
            mark=(near, 0),
            hint=(far, 0),
            last=(near, -1),
            label=(-2 - self.inset, -1),
        )

    def places(self) -> tuple[Place, ...]:
        return tuple(self.place(cell) for cell in CELLS)


LAYOUTS: Final = (
    Layout(11, 3, 5, 0, 8, ("home of", "{owner}")),
    Layout(17, 5, 9, 1, 14, ("home of {owner}", "goal of {guest}")),
    Layout(25, 7, 13, 1, 14, ("home of {owner}", "goal of {guest}")),
)
"""49 x 20, 74 x 30 and 98 x 40 characters."""


Rows: TypeAlias = tuple[str, ...]

HOLE: Final = 0.45
"""Radius of the hole in a ring."""
SWELL: Final = 1.1
"""By how much a lozenge is larger than what fits into its box: less its tips, it has a disc's mass."""
FREE: Final = 0.8
"""How many rows less than its box a pawn is high: a whole row would leave it flat on top."""
FREE_LIFTED: Final = 1.6
"""The same of pieces in the air: flatter, so that those in one line stay apart."""


def _lozenge(x: float, y: float) -> bool:
    return lozenge(x / SWELL, y / SWELL)


SHAPES: Final[dict[str, Shape]] = {PAWN[0]: disc, PAWN[1]: ring(HOLE), NEUTRAL: _lozenge}
FILLS: Final = {PAWN[0]: "#", PAWN[1]: "O", NEUTRAL: "N"}
LIFTED, GHOST = "▒", "░"
PLAIN_LIFTED, PLAIN_GHOST = ":", "."


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The glyphs of the grid: each horizontal line as left end, flat, crossing, right end; the vertical ones; their
    first and last character between two rows without a line. `strokes` make the way of a pawn by the direction
    (columns, rows) in which it flies, `arrows` its head."""

    flats: tuple[tuple[str, ...], ...]
    wall: str
    begins: str
    ends: str
    strokes: dict[tuple[int, int], str]
    arrows: dict[tuple[int, int], str]


def _both_ways(upright: str, level: str, falling: str, rising: str) -> dict[tuple[int, int], str]:
    ways = {(0, 1): upright, (1, 0): level, (1, 1): falling, (1, -1): rising}
    return ways | {(-columns, -rows): glyph for (columns, rows), glyph in ways.items()}


_STROKES = _both_ways("┃", "━", "╲", "╱")
_PLAIN_STROKES = _both_ways("|", "-", "\\", "/")
BLOCKS: Final = Lines(
    tuple(map(tuple, ("╭─┬╮", "├─┼┤", "├─┼┤", "╰─┴╯"))),
    "│",
    "┬",
    "┴",
    _STROKES,
    _STROKES | {(0, 1): "▼", (0, -1): "▲", (1, 0): "►", (-1, 0): "◄"},
)
PLAIN: Final = Lines(
    (tuple("+-++"),) * 4,
    "|",
    "+",
    "+",
    _PLAIN_STROKES,
    _PLAIN_STROKES | {(0, 1): "v", (0, -1): "^", (1, 0): ">", (-1, 0): "<"},
)


@cache
def standing(piece: str, layout: Layout, ascii_only: bool) -> Rows:
    shape, width, height = SHAPES[piece], layout.piece_width, layout.cell_height
    if ascii_only:
        return in_ascii(shape, width, height, FILLS[piece])
    return in_blocks(shape if piece == NEUTRAL else _lower(shape, height, FREE), width, height)


@cache
def lifted(piece: str, layout: Layout, ascii_only: bool) -> Rows:
    """A piece that was jumped and is not yet put down."""
    shape = _lower(SHAPES[piece], layout.cell_height, FREE_LIFTED)
    return in_ascii(shape, layout.piece_width, layout.cell_height, PLAIN_LIFTED if ascii_only else LIFTED)


@cache
def ghost(piece: str, layout: Layout, ascii_only: bool) -> Rows:
    return in_ascii(SHAPES[piece], layout.piece_width, layout.cell_height, PLAIN_GHOST if ascii_only else GHOST)


def _lower(shape: Shape, height: int, free: float) -> Shape:
    """The shape `free` rows less high than its box of `height` rows, in the middle of it."""
    stretch = height / (height - free)
    return lambda x, y: shape(x, y * stretch)


def way(start: tuple[int, int], end: tuple[int, int]) -> dict[tuple[int, int], str]:
    """A thin straight line between two characters, in quadrant blocks by their column and row."""
    (x, y), (to_x, to_y) = start, end
    steps = 2 * max(abs(to_x - x), abs(to_y - y))
    bits: dict[tuple[int, int], int] = {}
    for step in range(steps + 1):
        at_x, at_y = (
            (2 * x + 1) * (steps - step) + (2 * to_x + 1) * step,
            (2 * y + 1) * (steps - step) + (2 * to_y + 1) * step,
        )
        column, row = at_x // steps, at_y // steps
        bits[column // 2, row // 2] = bits.get((column // 2, row // 2), 0) | 1 << (column % 2 + 2 * (row % 2))
    return {spot: QUADRANTS[found] for spot, found in bits.items()}


Spot: TypeAlias = tuple[int, int]

ROLES: Final = {PAWN[TOP]: Role.FIRST, PAWN[BOTTOM]: Role.SECOND, NEUTRAL: Role.NEUTRAL}
FRESH: Final = {PAWN[TOP]: Role.FIRST_FRESH, PAWN[BOTTOM]: Role.SECOND_FRESH, NEUTRAL: Role.NEUTRAL}
GROUNDS: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
WORDS: Final = (Role.HOME_FIRST, Role.HOME_SECOND)


class Board:
    """The sprites and grounds so far, from back to front."""

    def __init__(self, view: View[Position, Move]) -> None:
        self.layout = replace(LAYOUTS[view.scale - 1], flipped=view.flipped)
        self.ascii_only = view.ascii_only
        self.sprites, self.tints = [*_furniture(self.layout, self.ascii_only)], [*_grounds(self.layout)]

    def piece(self, cell: Cell, piece: str, *, fresh: bool = False) -> None:
        self._shape(cell, standing(piece, self.layout, self.ascii_only), (FRESH if fresh else ROLES)[piece])

    def lifted(self, cell: Cell, piece: str) -> None:
        """A piece in the air."""
        self._shape(cell, lifted(piece, self.layout, self.ascii_only), ROLES[piece])

    def ghost(self, cell: Cell, piece: str) -> None:
        self._shape(cell, ghost(piece, self.layout, self.ascii_only), Role.GHOST)

    def pieces(self, cells: str, fresh: frozenset[Cell] = frozenset()) -> None:
        """Every piece, those on `fresh` cells brighter."""
        for cell, piece in enumerate(cells):
            if piece != EMPTY:
                self.piece(cell, piece, fresh=cell in fresh)

    def lit(self, cell: Cell) -> None:
        """The ground of a cell that the move being entered has to do with."""
        layout = self.layout
        self.tints.append(Tint(*layout.corner(cell), layout.cell_width, layout.cell_height, Role.LIT))

    def number(self, cell: Cell, number: int, role: Role) -> None:
        """The order of a piece among what is picked, cut out of its middle."""
        self.sprites.append(Sprite(*self.layout.middle(cell), (str(number),), role))

    def flight(self, cells: tuple[Cell, ...]) -> None:
        """The way of a pawn, from the middle of the first cell to the edge of the last; marks keep their corners."""
        ends = [self.layout.middle(cell) for cell in (cells[0], cells[-1])]
        landing = self.layout.place(cells[-1])
        glyphs = _way(*ends, self._lines, self.ascii_only)
        path = [spot for spot in glyphs if not landing.contains(*spot)]
        if not path:
            return
        (x, y), (to_x, to_y) = ends
        arrow = self._lines.arrows[(to_x > x) - (to_x < x), (to_y > y) - (to_y < y)]
        kept = _corners(self.layout)
        for spot in path:
            if spot not in kept:
                glyph = arrow if spot == path[-1] and 0 in (x - to_x, y - to_y) else glyphs[spot]
                self.sprites.append(Sprite(*spot, (glyph,), Role.MOVING))

    def say(self, words: tuple[str, ...]) -> None:
        """Words beside the middle of the board."""
        _, y = self.layout.middle(CELLS[len(CELLS) // 2])
        self.sprites.append(Sprite(self.layout.caption, y, words, Role.NOTE))

    def finished(self) -> Scene:
        layout = self.layout
        return Scene(layout.width, layout.height, tuple(self.sprites), layout.places(), tuple(self.tints))

    @property
    def _lines(self) -> Lines:
        return PLAIN if self.ascii_only else BLOCKS

    def _shape(self, cell: Cell, rows: tuple[str, ...], role: Role) -> None:
        x, y = self.layout.corner(cell)
        self.sprites.append(Sprite(x + (self.layout.cell_width - len(rows[0])) // 2, y, rows, role))


@cache
def _grounds(layout: Layout) -> tuple[Tint, ...]:
    """Home rows as bands, the cells between them as a checker."""
    bands = [
        Tint(LEFT, layout.corner(HOME[seat][0])[1], layout.board_width - 2, layout.cell_height, GROUNDS[seat])
        for seat in (TOP, BOTTOM)
    ]
    shades = (Role.PLACE, Role.PLACE_OTHER)
    cells = [Tint(*layout.corner(cell), layout.cell_width, layout.cell_height, shades[cell % 2]) for cell in MIDDLE]
    return (*bands, *cells)


@cache
def _furniture(layout: Layout, ascii_only: bool) -> tuple[Sprite, ...]:
    """Lines, the names of columns and rows, and whose home is where."""
    lines = PLAIN if ascii_only else BLOCKS
    return (*_level_lines(layout, lines), *_walls(layout, lines), *_names(layout), *_homes(layout))


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


def _names(layout: Layout) -> Iterator[Sprite]:
    for column in range(COLUMNS):
        yield Sprite(layout.middle(column)[0], UPPER - 2, (NAMES[column][0],), Role.LABEL)
    for cell in CELLS[::COLUMNS]:
        yield Sprite(LEFT - 3, layout.middle(cell)[1], (NAMES[cell][1],), Role.LABEL)


def _homes(layout: Layout) -> Iterator[Sprite]:
    for seat in (TOP, BOTTOM):
        words = layout.home_words(SIDES[seat], SIDES[other(seat)])
        _, y = layout.middle(HOME[seat][0])
        yield Sprite(layout.caption, y - 1 + layout.inset, tuple(words), WORDS[seat])


@cache
def _corners(layout: Layout) -> frozenset[Spot]:
    return frozenset(spot for place in layout.places() for spot in place.spots())


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


FIRST_PUT = 3
"""The first jumped piece is the third thing picked, after the pawn and where it lands."""


class TobitoPainter:
    def scene(self, view: View[Position, Move]) -> Scene:
        """The board, with the move that is being entered drawn into it."""
        chosen = tuple(CELL_NAMED[target] for target in view.chosen)
        board = Board(view)
        fresh = frozenset((view.moves[-1].landing, *view.moves[-1].pawns)) if view.moves else frozenset()
        board.pieces(_without(view.position, chosen), fresh)
        if chosen:
            _draw_entry(board, view.position, chosen)
        return board.finished()

    def between(self, view: View[Position, Move]) -> tuple[Scene, ...]:
        """The pawn over each piece that it jumps, then landed with the jumped pieces still in the air."""
        if not view.moves:
            return ()
        position, move = view.positions[-2], view.moves[-1]
        way = (*between(move.origin, move.landing), move.landing)
        return tuple(_flying(view, position, move.origin, way[: passed + 1]) for passed in range(len(way)))

    def trace(self, position: Position, move: Move) -> tuple[Target, ...]:
        return (NAMES[move.origin], NAMES[move.landing])


def _without(position: Position, chosen: tuple[Cell, ...]) -> str:
    """The cells less the pieces that the chosen targets set in motion."""
    gone = {*chosen[:1], *_jumped(position, chosen)}
    return "".join(EMPTY if cell in gone else position.cells[cell] for cell in CELLS)


def _jumped(position: Position, chosen: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The pieces lifted by the flight that `chosen` begins with, the opponent's first as they are placed."""
    if len(chosen) < 2:
        return ()
    own = PAWN[position.to_move]
    lifted = [cell for cell in between(chosen[0], chosen[1]) if position.cells[cell] != own]
    return tuple(sorted(lifted, key=lambda cell: (position.cells[cell] == NEUTRAL, cell)))


def _draw_entry(board: Board, position: Position, chosen: tuple[Cell, ...]) -> None:
    """The chosen pawn, its way, the lifted pieces, and those already put down with their numbers."""
    pawn = PAWN[position.to_move]
    for cell in chosen:
        board.lit(cell)
    if len(chosen) == 1:
        board.piece(chosen[0], pawn, fresh=True)
        return
    origin, landing, *put_down = chosen
    lifted = _jumped(position, chosen)
    board.ghost(origin, pawn)
    _draw_flight(board, position, origin, (*between(origin, landing), landing), lifted[len(put_down) :])
    for number, source in enumerate(lifted, start=FIRST_PUT):
        piece = position.cells[source]
        if number - FIRST_PUT < len(put_down):
            cell = put_down[number - FIRST_PUT]
            board.piece(cell, piece, fresh=True)
            board.number(cell, number, FRESH[piece])
        else:
            board.number(source, number, Role.MOVING)
    if len(put_down) < len(lifted):
        board.say(("put down", f"{len(put_down) + 1} of {len(lifted)}"))


def _draw_flight(
    board: Board, position: Position, origin: Cell, way: tuple[Cell, ...], lifted: tuple[Cell, ...]
) -> None:
    """The pawn at the end of its way: over the pieces that it lifts, behind its own that stay."""
    pawn = PAWN[position.to_move]
    for cell in lifted:
        board.lifted(cell, position.cells[cell])
    board.flight((origin, *way))
    for cell in way[:-1]:
        if position.cells[cell] == pawn:
            board.piece(cell, pawn)
    board.piece(way[-1], pawn, fresh=True)


def _flying(view: View[Position, Move], position: Position, origin: Cell, way: tuple[Cell, ...]) -> Scene:
    """The board while the pawn from `origin` is over the last cell of `way`."""
    lifted = _jumped(position, (origin, way[-1]))
    board = Board(view)
    board.pieces(_without(position, (origin, way[-1])))
    _draw_flight(board, position, origin, way, lifted)
    return board.finished()
