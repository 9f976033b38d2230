"""Draws the board of Tobito and Haneto: discs for Top, rings for Bottom, and a lozenge for the neutral pawn.

Home rows are bands with their owner's name. While you enter a jump, its path, the lifted pieces and the numbered cells
on which they are put are shown.

  4             cell width                      caption
  ╭───────────┬───────────┬───────────╮
5 │ home row  │           │           │  home of
  ├───────────┼───────────┼───────────┤
4 ├           ┼           ┼           ┤     three rows, without lines between them to save space
  ├───────────┼───────────┼───────────┤
1 │ home row  │           │           │
  ╰───────────┴───────────┴───────────╯
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import Shape, Spot, disc, fade, in_ascii, in_blocks, join_quarters, lozenge, ring
from onlymove_engines.core.value import other

from .notation import CELL_NAMED, NAMES
from .rules import BETWEEN, CELLS, COLUMNS, EMPTY, HOME, MIDDLE, NEUTRAL, PAWN, ROWS, SIDES, Cell, Move, Position

LEFT, UPPER = 4, 2
"""The column and row of the inside of the upper left cell."""
LINES: Final = (0, 1, 4, 5)
"""The rows, counted from the top, that have a line above them. The lines surround the home rows."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The measures of one scale, in characters. Pieces are about as high as their cell. `inset` is the distance of
    marks from the corners of a cell. `captions` are the lines beside the home row of `{owner}`."""

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
        """Return the column in which the words beside the board begin."""
        return LEFT + self.board_width + self.inset

    def row(self, row: int) -> int:
        """Return the first line of a row of cells, counted from the top. The row after the last gives the line of the
        border."""
        return UPPER - 1 + row * self.cell_height + sum(line <= row for line in LINES)

    def corner(self, cell: Cell) -> tuple[int, int]:
        """Return the column and line of the upper left corner of the inside of `cell`."""
        row, column = divmod(CELLS[-1] - cell if self.flipped else cell, COLUMNS)
        return LEFT + column * (self.cell_width + 1), self.row(ROWS - 1 - row)

    def middle(self, cell: Cell) -> tuple[int, int]:
        x, y = self.corner(cell)
        return x + self.cell_width // 2, y + self.cell_height // 2


LAYOUTS: Final = (
    Layout(11, 3, 5, 0, 8, ("home of", "{owner}")),
    Layout(17, 5, 9, 1, 14, ("home of {owner}", "goal of {guest}")),
    Layout(25, 7, 13, 1, 14, ("home of {owner}", "goal of {guest}")),
)
"""The pictures have 49 x 20, 74 x 30 and 98 x 40 characters."""

HOLE: Final = 0.45
"""The radius of the hole in a ring."""
SWELL: Final = 1.1
"""How much larger than its box a lozenge is drawn. Cut off at its corners, it looks as large as a disc."""
FREE: Final = 0.8
"""By how many rows a pawn is lower than its box. With a whole row, it would look flat on top."""
FREE_LIFTED: Final = 1.6
"""By how many rows lifted pieces are lower, so that those in one line stay apart."""
SHAPES: Final[dict[str, Shape]] = {
    PAWN[0]: disc,
    PAWN[1]: ring(HOLE),
    NEUTRAL: lambda x, y: lozenge(x / SWELL, y / SWELL),
}
FILLS: Final = {PAWN[0]: "#", PAWN[1]: "O", NEUTRAL: "N"}
LIFTED = "▒"
PLAIN_LIFTED, PLAIN_GHOST = ":", "."


@dataclass(frozen=True, slots=True, eq=False)
class Glyphs:
    """The characters of the grid and of a pawn's path.

    `flats` are the left end, middle, crossing and right end of a horizontal line. `wall` is a vertical line. `joints`
    are its ends above a row without a line: at the left edge, inside, and at the right edge. `strokes` draw a path
    vertically, horizontally, falling and rising. `heads` are its arrows down, up, right and left.
    """

    flats: tuple[str, str, str, str]
    wall: str
    joints: str
    strokes: str
    heads: str

    def stroke(self, columns: int, rows: int) -> str:
        return self.strokes[0 if not columns else 1 if not rows else 2 if columns == rows else 3]

    def head(self, columns: int, rows: int) -> str:
        """Return the arrow at the end of a vertical or horizontal path. A diagonal path ends with a stroke instead."""
        ways = ((0, 1), (0, -1), (1, 0), (-1, 0))
        return self.heads[ways.index((columns, rows))] if (columns, rows) in ways else self.stroke(columns, rows)


BLOCKS: Final = Glyphs(("╭─┬╮", "├─┼┤", "├─┼┤", "╰─┴╯"), "│", "├┼┤", "┃━╲╱", "▼▲►◄")
PLAIN: Final = Glyphs(("+-++", "+-++", "+-++", "+-++"), "|", "+++", "|-\\/", "v^><")


@cache
def draw_standing(piece: str, layout: Layout, ascii_only: bool) -> tuple[str, ...]:
    shape, width, height = SHAPES[piece], layout.piece_width, layout.cell_height
    if ascii_only:
        return in_ascii(shape, width, height, FILLS[piece])
    return in_blocks(shape if piece == NEUTRAL else _lower(shape, height, FREE), width, height)


@cache
def draw_lifted(piece: str, layout: Layout, ascii_only: bool) -> tuple[str, ...]:
    """Draw a jumped piece that has not been put down yet."""
    shape = _lower(SHAPES[piece], layout.cell_height, FREE_LIFTED)
    return in_ascii(shape, layout.piece_width, layout.cell_height, PLAIN_LIFTED if ascii_only else LIFTED)


def _lower(shape: Shape, height: int, free: float) -> Shape:
    """Return the shape with its height reduced by `free` rows and centred in a box of `height` rows."""
    stretch = height / (height - free)
    return lambda x, y: shape(x, y * stretch)


@cache
def draw_way(start: Spot, end: Spot, ascii_only: bool) -> dict[Spot, str]:
    """Return the characters of a straight path between two spots, in order. A diagonal path uses quadrant blocks."""
    (x, y), (to_x, to_y) = start, end
    width, height = to_x - x, to_y - y
    if ascii_only or not width or not height:
        steps = abs(height) or abs(width)
        stroke = (PLAIN if ascii_only else BLOCKS).stroke((width > 0) - (width < 0), (height > 0) - (height < 0))
        return {(x + width * step // steps, y + height * step // steps): stroke for step in range(steps + 1)}
    steps = 2 * max(abs(width), abs(height))
    return join_quarters(
        (2 * x + 1 + 2 * width * step // steps, 2 * y + 1 + 2 * height * step // steps) for step in range(steps + 1)
    )


ROLES: Final = {PAWN[0]: Role.FIRST, PAWN[1]: Role.SECOND, NEUTRAL: Role.NEUTRAL}
FRESH: Final = {PAWN[0]: Role.FIRST_FRESH, PAWN[1]: Role.SECOND_FRESH, NEUTRAL: Role.NEUTRAL}
GROUNDS: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
WORDS: Final = (Role.HOME_FIRST, Role.HOME_SECOND)


class Board:
    """The sprites and backgrounds drawn so far, from back to front."""

    def __init__(self, view: View[Position, Move]) -> None:
        self.layout = replace(LAYOUTS[view.scale - 1], flipped=view.flipped)
        self.ascii_only = view.ascii_only
        self.empty = _draw_empty(self.layout, self.ascii_only)
        self.sprites, self.tints = [*self.empty.sprites], [*self.empty.tints]

    def add_piece(self, cell: Cell, piece: str, *, fresh: bool = False) -> None:
        self.add_shape(cell, draw_standing(piece, self.layout, self.ascii_only), (FRESH if fresh else ROLES)[piece])

    def add_ghost(self, cell: Cell, piece: str) -> None:
        """Draw a faint piece where it stood before the move."""
        size = self.layout.piece_width, self.layout.cell_height
        if self.ascii_only:
            self.add_shape(cell, in_ascii(SHAPES[piece], *size, PLAIN_GHOST), Role.GHOST)
        else:
            self.add_shape(cell, fade(draw_standing(piece, self.layout, False)), ROLES[piece])

    def add_pieces(self, cells: str, fresh: frozenset[Cell] = frozenset()) -> None:
        """Draw every piece. Those on `fresh` cells are brighter."""
        for cell, piece in enumerate(cells):
            if piece != EMPTY:
                self.add_piece(cell, piece, fresh=cell in fresh)

    def add_number(self, cell: Cell, number: int, role: Role) -> None:
        """Draw the number of a piece, in the order of the picks, in its middle."""
        self.sprites.append(Sprite(*self.layout.middle(cell), (str(number),), role))

    def add_flight(self, origin: Cell, end: Cell) -> None:
        """Draw a pawn's path from its ghost to the edge of another cell. The places for marks stay free. A path between
        two cells that touch has no other space than the ghost."""
        (x, y), (to_x, to_y) = self.layout.middle(origin), self.layout.middle(end)
        glyphs = dict(draw_way((x, y), (to_x, to_y), self.ascii_only))
        outside = [spot for spot in glyphs if not self.empty.places[end].contains(*spot)]
        left, _ = self._box(origin)
        ghost = replace(self.empty.places[origin], x=left, width=self.layout.piece_width)
        path = [spot for spot in outside if not ghost.contains(*spot)] or outside
        if path and (x == to_x or y == to_y):
            direction = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
            glyphs[path[-1]] = (PLAIN if self.ascii_only else BLOCKS).head(*direction)
        corners = {spot for place in self.empty.places for spot in place.list_spots()}
        self.sprites += [Sprite(*spot, (glyphs[spot],), Role.MOVING) for spot in path if spot not in corners]

    def to_scene(self) -> Scene:
        return replace(self.empty, sprites=tuple(self.sprites), tints=tuple(self.tints))

    def _box(self, cell: Cell) -> tuple[int, int]:
        """Return the column and line of the upper left corner of a piece."""
        place = self.empty.places[cell]
        return place.x + (place.width - self.layout.piece_width) // 2, place.y

    def add_shape(self, cell: Cell, rows: tuple[str, ...], role: Role) -> None:
        self.sprites.append(Sprite(*self._box(cell), rows, role))


@cache
def _draw_empty(layout: Layout, ascii_only: bool) -> Scene:
    """Draw the board without pieces. The marks of a cell stand beside its piece."""
    inset, size = layout.inset, (layout.cell_width, layout.cell_height)
    marks = (inset, 0), (-1 - inset, 0), (inset, -1), (-2 - inset, -1)
    places = tuple(Place(NAMES[cell], *layout.corner(cell), *size, *marks) for cell in CELLS)
    return Scene(layout.width, layout.height, _draw_grid(layout, ascii_only), places, _list_grounds(layout))


def _list_grounds(layout: Layout) -> tuple[Tint, ...]:
    """Colour the home rows as bands and the other cells in two shades."""
    bands = [
        Tint(LEFT, layout.corner(HOME[seat][0])[1], layout.board_width - 2, layout.cell_height, GROUNDS[seat])
        for seat in (0, 1)
    ]
    shades = (Role.PLACE, Role.PLACE_OTHER)
    cells = [Tint(*layout.corner(cell), layout.cell_width, layout.cell_height, shades[cell % 2]) for cell in MIDDLE]
    return (*bands, *cells)


def _draw_grid(layout: Layout, ascii_only: bool) -> tuple[Sprite, ...]:
    """Draw the lines, the names of columns and rows, and the owner of each home row.

    Where there is no line between two rows, the walls have joints, so that cells can be told apart without colours.
    """
    glyphs, sprites = PLAIN if ascii_only else BLOCKS, []
    for row, (left, flat, cross, right) in zip(LINES, map(tuple, glyphs.flats), strict=True):
        text = left + cross.join([flat * layout.cell_width] * COLUMNS) + right
        sprites.append(Sprite(LEFT - 1, layout.row(row) - 1, (text,), Role.GRID))
    for row in range(ROWS):
        for column in range(COLUMNS + 1):
            wall = [glyphs.wall] * layout.cell_height
            if row + 1 not in LINES:
                wall[-1] = glyphs.joints[(column > 0) + (column == COLUMNS)]
            x = LEFT - 1 + column * (layout.cell_width + 1)
            sprites.append(Sprite(x, layout.row(row), tuple(wall), Role.GRID))
    for column in range(COLUMNS):
        sprites.append(Sprite(layout.middle(column)[0], UPPER - 2, (NAMES[column][0],), Role.LABEL))
    for cell in CELLS[::COLUMNS]:
        sprites.append(Sprite(LEFT - 3, layout.middle(cell)[1], (NAMES[cell][1],), Role.LABEL))
    for seat in (0, 1):
        words = tuple(line.format(owner=SIDES[seat], guest=SIDES[other(seat)]) for line in layout.captions)
        _, y = layout.middle(HOME[seat][0])
        sprites.append(Sprite(layout.caption, y - 1 + layout.inset, words, WORDS[seat]))
    return tuple(sprites)


FIRST_PUT = 3
"""The first jumped piece is the third target, after the pawn and the landing cell."""


def scene(view: View[Position, Move]) -> Scene:
    chosen = tuple(CELL_NAMED[target] for target in view.chosen)
    board = Board(view)
    fresh = frozenset((view.moves[-1].landing, *view.moves[-1].pawns)) if view.moves else frozenset()
    board.add_pieces(_remove_moving(view.position, chosen), fresh)
    if chosen:
        _draw_entry(board, view.position, chosen)
    return board.to_scene()


def between(view: View[Position, Move]) -> tuple[Scene, ...]:
    """Show the pawn over each piece that it jumps, and then landed, with the jumped pieces still in the air."""
    if not view.moves:
        return ()
    position, move = view.positions[-2], view.moves[-1]
    frames = []
    for cell in (*BETWEEN[move.origin, move.landing], move.landing):
        board = Board(view)
        board.add_pieces(_remove_moving(position, (move.origin, cell)))
        _draw_flight(board, position, move.origin, cell, _list_lifted(position, (move.origin, cell)))
        frames.append(board.to_scene())
    return tuple(frames)


def trace(position: Position, move: Move) -> tuple[Target, ...]:
    return (NAMES[move.origin], NAMES[move.landing])


def _remove_moving(position: Position, chosen: tuple[Cell, ...]) -> str:
    """Return the cells without the pieces that the chosen targets move."""
    gone = {*chosen[:1], *_list_lifted(position, chosen)}
    return "".join(EMPTY if cell in gone else position.cells[cell] for cell in CELLS)


def _list_lifted(position: Position, chosen: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """List the pieces lifted by the flight with which `chosen` begins, in the order in which they are put down."""
    if len(chosen) < 2:
        return ()
    own = PAWN[position.to_move]
    lifted = [cell for cell in BETWEEN[chosen[0], chosen[1]] if position.cells[cell] != own]
    return tuple(sorted(lifted, key=lambda cell: (position.cells[cell] == NEUTRAL, cell)))


def _draw_entry(board: Board, position: Position, chosen: tuple[Cell, ...]) -> None:
    """Draw the chosen pawn, its path, the lifted pieces, and those already put down. While one has still to be put
    down, the lifted pieces have numbers."""
    pawn, layout = PAWN[position.to_move], board.layout
    for cell in chosen:
        board.tints.append(Tint(*layout.corner(cell), layout.cell_width, layout.cell_height, Role.LIT))
    if len(chosen) == 1:
        board.add_piece(chosen[0], pawn, fresh=True)
        return
    origin, landing, *put_down = chosen
    lifted = _list_lifted(position, chosen)
    for cell, piece in ((origin, pawn), *((cell, position.cells[cell]) for cell in lifted[: len(put_down)])):
        board.add_ghost(cell, piece)
    _draw_flight(board, position, origin, landing, lifted[len(put_down) :])
    for number, source in enumerate(lifted, start=FIRST_PUT):
        piece = position.cells[source]
        if number - FIRST_PUT < len(put_down):
            cell = put_down[number - FIRST_PUT]
            board.add_piece(cell, piece, fresh=True)
            if len(put_down) < len(lifted):
                board.add_number(cell, number, FRESH[piece])
        else:
            board.add_number(source, number, Role.MOVING)
    if len(put_down) < len(lifted):
        _, y = layout.middle(CELLS[len(CELLS) // 2])
        words = ("put down", f"{len(put_down) + 1} of {len(lifted)}")
        board.sprites.append(Sprite(layout.caption, y, words, Role.NOTE))


def _draw_flight(board: Board, position: Position, origin: Cell, end: Cell, lifted: tuple[Cell, ...]) -> None:
    """Draw the pawn at the end of its path. The path passes over the lifted pieces and behind its own side's pawns."""
    pawn = PAWN[position.to_move]
    for cell in lifted:
        piece = position.cells[cell]
        board.add_shape(cell, draw_lifted(piece, board.layout, board.ascii_only), ROLES[piece])
    board.add_flight(origin, end)
    for cell in BETWEEN[origin, end]:
        if position.cells[cell] == pawn:
            board.add_piece(cell, pawn)
    board.add_piece(end, pawn, fresh=True)
