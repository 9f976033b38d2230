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

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from onlymove_engines.core.drawing import GROUNDS, HEADS, WORDS, Sheet, choose_layout
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Piece, Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import Shape, disc, fade, in_ascii, in_blocks, join_quarters, lozenge, ring
from onlymove_engines.core.value import other

from .notation import CELL_NAMED, NAMES
from .rules import BETWEEN, CELLS, COLUMNS, EMPTY, HOME, MIDDLE, NEUTRAL, PAWN, ROWS, SIDES, Cell, Move, Position

LEFT, UPPER = 4, 2
"""The column and row of the inside of the upper left cell."""
LINES: Final = (0, 1, 4, 5)
"""The rows, counted from the top, that have a line above them. The lines surround the home rows."""


@dataclass(frozen=True, slots=True)
class Layout(Sheet):
    """The measures of one scale, in characters. Pieces are about as high as their cell. `inset` is the distance of
    marks from the corners of a cell. `captions` are the lines beside the home row of `{owner}`."""

    cell_width: int
    cell_height: int
    piece_width: int
    inset: int
    caption_width: int
    captions: tuple[str, str]

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

    def box(self, cell: Cell) -> tuple[int, int]:
        """Return the upper left corner of a piece."""
        x, y = self.corner(cell)
        return x + (self.cell_width - self.piece_width) // 2, y

    def tint(self, cell: Cell, role: Role) -> Tint:
        return Tint(*self.corner(cell), self.cell_width, self.cell_height, role)


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
LIFTED: Final = "▒:"
PLAIN_GHOST: Final = "."
FLATS: Final = (("╭─┬╮", "├─┼┤", "├─┼┤", "╰─┴╯"), ("+-++",) * len(LINES))
"""The left end, middle, crossing and right end of each horizontal line, in Unicode and ASCII."""
WALL: Final = "│|"
JOINTS: Final = ("├┼┤", "+++")
"""The ends of vertical lines above a row without a line: at the left edge, inside, and at the right edge."""
STROKES: Final = {(0, 1): "┃|", (1, 0): "━-", (1, 1): "╲\\", (1, -1): "╱/"}
"""The characters of a path by its direction, or the opposite one, in Unicode and ASCII."""

ROLES: Final = {PAWN[0]: Role.FIRST, PAWN[1]: Role.SECOND, NEUTRAL: Role.NEUTRAL}
FRESH: Final = {PAWN[0]: Role.FIRST_FRESH, PAWN[1]: Role.SECOND_FRESH, NEUTRAL: Role.NEUTRAL}


@cache
def draw_standing(piece: str, layout: Layout) -> tuple[str, ...]:
    shape, width, height = SHAPES[piece], layout.piece_width, layout.cell_height
    if layout.ascii_only:
        return in_ascii(shape, width, height, FILLS[piece])
    return in_blocks(shape if piece == NEUTRAL else _lower(shape, height, FREE), width, height)


@cache
def draw_lifted(piece: str, layout: Layout) -> tuple[str, ...]:
    """Draw a jumped piece that has not been put down yet."""
    shape = _lower(SHAPES[piece], layout.cell_height, FREE_LIFTED)
    return in_ascii(shape, layout.piece_width, layout.cell_height, LIFTED[layout.ascii_only])


def _lower(shape: Shape, height: int, free: float) -> Shape:
    """Return the shape with its height reduced by `free` rows and centred in a box of `height` rows."""
    stretch = height / (height - free)
    return lambda x, y: shape(x, y * stretch)


@cache
def draw_piece(layout: Layout, cell: Cell, piece: str, is_fresh: bool = False) -> Sprite:
    return Sprite(*layout.box(cell), draw_standing(piece, layout), (FRESH if is_fresh else ROLES)[piece])


def draw_ghost(layout: Layout, cell: Cell, piece: str) -> Sprite:
    """Draw a faint piece where it stood before the move."""
    if layout.ascii_only:
        rows = in_ascii(SHAPES[piece], layout.piece_width, layout.cell_height, PLAIN_GHOST)
        return Sprite(*layout.box(cell), rows, Role.GHOST)
    return Sprite(*layout.box(cell), fade(draw_standing(piece, layout)), ROLES[piece])


def draw_number(layout: Layout, cell: Cell, number: int, role: Role) -> Sprite:
    """Draw the number of a piece, in the order of the picks, in its middle."""
    return Sprite(*layout.middle(cell), (str(number),), role)


@cache
def draw_way(layout: Layout, origin: Cell, end: Cell) -> tuple[Sprite, ...]:
    """Draw a pawn's straight path from its ghost to the edge of another cell. A diagonal path uses quadrant blocks. The
    places for marks stay free. A path between two cells that touch has no other space than the ghost."""
    (x, y), (to_x, to_y) = layout.middle(origin), layout.middle(end)
    width, height = to_x - x, to_y - y
    way = (width > 0) - (width < 0), (height > 0) - (height < 0)
    if layout.ascii_only or 0 in way:
        steps, stroke = abs(height) or abs(width), STROKES.get(way) or STROKES[-way[0], -way[1]]
        spots = [(x + width * step // steps, y + height * step // steps) for step in range(steps + 1)]
        glyphs = dict.fromkeys(spots, stroke[layout.ascii_only])
    else:
        steps = 2 * max(abs(width), abs(height))
        glyphs = join_quarters(
            (2 * x + 1 + 2 * width * step // steps, 2 * y + 1 + 2 * height * step // steps) for step in range(steps + 1)
        )
    places = list_places(layout)
    ghost = replace(places[origin], x=layout.box(origin)[0], width=layout.piece_width)
    outside = [spot for spot in glyphs if not places[end].contains(*spot)]
    path = [spot for spot in outside if not ghost.contains(*spot)] or outside
    if path and 0 in way:
        glyphs[path[-1]] = HEADS[way][layout.ascii_only]
    corners = {spot for place in places for spot in place.list_spots()}
    return tuple(Sprite(*spot, (glyphs[spot],), Role.MOVING) for spot in path if spot not in corners)


def draw_scene(layout: Layout, cells: str, fresh: frozenset[Cell], pieces: Iterator[Piece]) -> Scene:
    """Draw the board with the pieces on these cells, those on `fresh` cells brighter, and with other pieces."""
    standing = [draw_piece(layout, cell, piece, cell in fresh) for cell, piece in enumerate(cells) if piece != EMPTY]
    parts = (*_draw_board(layout), *standing, *pieces)
    return Scene.of(layout.width, layout.height, parts, list_places(layout))


@cache
def list_places(layout: Layout) -> tuple[Place, ...]:
    """Return the cells as targets. The marks of a cell stand beside its piece."""
    inset, size = layout.inset, (layout.cell_width, layout.cell_height)
    marks = (inset, 0), (-1 - inset, 0), (inset, -1), (-2 - inset, -1)
    return tuple(Place(NAMES[cell], *layout.corner(cell), *size, *marks) for cell in CELLS)


@cache
def _draw_board(layout: Layout) -> tuple[Piece, ...]:
    """Draw the home rows as bands, the other cells in two shades, the lines, the names of columns and rows, and the
    owner of each home row.

    Where there is no line between two rows, the walls have joints, so that cells can be told apart without colours.
    """
    sprites: list[Piece] = []
    for seat in (0, 1):
        y = layout.corner(HOME[seat][0])[1]
        sprites.append(Tint(LEFT, y, layout.board_width - 2, layout.cell_height, GROUNDS[seat]))
    sprites += [layout.tint(cell, (Role.PLACE, Role.PLACE_OTHER)[cell % 2]) for cell in MIDDLE]
    for row, (left, flat, cross, right) in zip(LINES, map(tuple, FLATS[layout.ascii_only]), strict=True):
        text = left + cross.join([flat * layout.cell_width] * COLUMNS) + right
        sprites.append(Sprite(LEFT - 1, layout.row(row) - 1, (text,), Role.GRID))
    for row in range(ROWS):
        for column in range(COLUMNS + 1):
            wall = [WALL[layout.ascii_only]] * layout.cell_height
            if row + 1 not in LINES:
                wall[-1] = JOINTS[layout.ascii_only][(column > 0) + (column == COLUMNS)]
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
    layout, chosen = choose_layout(LAYOUTS, view), tuple(CELL_NAMED[target] for target in view.chosen)
    fresh = frozenset((view.moves[-1].landing, *view.moves[-1].pawns)) if view.moves else frozenset()
    cells = _remove_moving(view.position, chosen)
    return draw_scene(layout, cells, fresh, _draw_entry(layout, view.position, chosen))


def between(view: View[Position, Move]) -> tuple[Scene, ...]:
    """Show the pawn over each piece that it jumps, and then landed, with the jumped pieces still in the air."""
    if not view.moves:
        return ()
    layout, position, move = choose_layout(LAYOUTS, view), view.positions[-2], view.moves[-1]
    frames = []
    for cell in (*BETWEEN[move.origin, move.landing], move.landing):
        flight = _draw_flight(layout, position, move.origin, cell, _list_lifted(position, (move.origin, cell)))
        frames.append(draw_scene(layout, _remove_moving(position, (move.origin, cell)), frozenset(), flight))
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


def _draw_entry(layout: Layout, position: Position, chosen: tuple[Cell, ...]) -> Iterator[Piece]:
    """Draw the chosen pawn, its path, the lifted pieces, and those already put down. While one has still to be put
    down, the lifted pieces have numbers."""
    pawn, lifted = PAWN[position.to_move], _list_lifted(position, chosen)
    yield from (layout.tint(cell, Role.LIT) for cell in chosen)
    if len(chosen) < 2:
        yield from (draw_piece(layout, cell, pawn, is_fresh=True) for cell in chosen)
        return
    origin, landing, *put_down = chosen
    yield draw_ghost(layout, origin, pawn)
    yield from (draw_ghost(layout, cell, position.cells[cell]) for cell in lifted[: len(put_down)])
    yield from _draw_flight(layout, position, origin, landing, lifted[len(put_down) :])
    is_unfinished = len(put_down) < len(lifted)
    for number, source in enumerate(lifted):
        piece = position.cells[source]
        if number >= len(put_down):
            yield draw_number(layout, source, FIRST_PUT + number, Role.MOVING)
            continue
        yield draw_piece(layout, put_down[number], piece, is_fresh=True)
        if is_unfinished:
            yield draw_number(layout, put_down[number], FIRST_PUT + number, FRESH[piece])
    if is_unfinished:
        words = ("put down", f"{len(put_down) + 1} of {len(lifted)}")
        yield Sprite(layout.caption, layout.middle(CELLS[len(CELLS) // 2])[1], words, Role.NOTE)


def _draw_flight(
    layout: Layout, position: Position, origin: Cell, end: Cell, lifted: tuple[Cell, ...]
) -> Iterator[Sprite]:
    """Draw the pawn at the end of its path. The path passes over the lifted pieces and behind its own side's pawns."""
    pawn = PAWN[position.to_move]
    for cell in lifted:
        piece = position.cells[cell]
        yield Sprite(*layout.box(cell), draw_lifted(piece, layout), ROLES[piece])
    yield from draw_way(layout, origin, end)
    for cell in BETWEEN[origin, end]:
        if position.cells[cell] == pawn:
            yield draw_piece(layout, cell, pawn)
    yield draw_piece(layout, end, pawn, is_fresh=True)
