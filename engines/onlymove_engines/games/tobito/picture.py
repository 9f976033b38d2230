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
from typing import Final, Literal, TypeAlias

from onlymove_engines.core.drawing import GROUNDS, HEADS, WORDS, Sheet, choose_layout, find_direction
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Piece, Place, Role, Scene, Sprite, Tint, View
from onlymove_engines.core.shapes import Rows, Shape, disc, fade, in_ascii, in_blocks, join_quarters, lozenge, ring
from onlymove_engines.core.value import other

from .notation import CELL_NAMED, NAMES
from .rules import BETWEEN, CELLS, COLUMNS, EMPTY, HOME, MIDDLE, NEUTRAL, PAWN, ROWS, SIDES, Cell, Move, Position

LEFT = 4
"""The column where the first cells begin."""


@dataclass(frozen=True, slots=True)
class Layout(Sheet):
    """The measures of one scale, in characters. `rows` are the first lines of the rows of cells, from the top. Lines
    surround the home rows. Pieces are about as high as their cell. `inset` is the distance of marks from the corners of
    a cell. `captions` are the lines beside the home row of `{owner}`. They begin at column `caption`."""

    rows: tuple[int, int, int, int, int]
    cell_width: int
    cell_height: int
    piece_width: int
    inset: int
    caption: int
    captions: tuple[str, str]

    def corner(self, cell: Cell) -> tuple[int, int]:
        """Return the column and line of the upper left corner of the inside of `cell`."""
        row, column = divmod(CELLS[-1] - cell if self.flipped else cell, COLUMNS)
        return LEFT + column * (self.cell_width + 1), self.rows[ROWS - 1 - row]

    def middle(self, cell: Cell) -> tuple[int, int]:
        x, y = self.corner(cell)
        return x + self.cell_width // 2, y + self.cell_height // 2

    def tint(self, cell: Cell, role: Role) -> Tint:
        return Tint(*self.corner(cell), self.cell_width, self.cell_height, role)


LAYOUTS: Final = (
    Layout(49, 20, (2, 6, 9, 12, 16), 11, 3, 5, 0, 41, ("home of", "{owner}")),
    Layout(74, 30, (2, 8, 13, 18, 24), 17, 5, 9, 1, 60, ("home of {owner}", "goal of {guest}")),
    Layout(98, 40, (2, 10, 17, 24, 32), 25, 7, 13, 1, 84, ("home of {owner}", "goal of {guest}")),
)


Look: TypeAlias = Literal["standing", "fresh", "lifted", "ghost"]
"""How a piece looks: as it stands, bright where it has just moved, in the air after it was jumped, or faint where it
stood before the move."""
HOLE: Final = 0.45
"""The radius of the hole in a ring."""
SWELL: Final = 1.1
"""How much larger than its box a lozenge is drawn. Cut off at its corners, it looks as large as a disc."""
SHAPES: Final[dict[str, Shape]] = {
    PAWN[0]: disc,
    PAWN[1]: ring(HOLE),
    NEUTRAL: lambda x, y: lozenge(x / SWELL, y / SWELL),
}
FREE: Final = {PAWN[0]: 0.8, PAWN[1]: 0.8, NEUTRAL: 0.0}
"""By how many rows a piece is lower than its box. With a whole row, a pawn would look flat on top."""
FREE_LIFTED: Final = 1.6
"""By how many rows lifted pieces are lower, so that those in one line stay apart."""
FILLS: Final = {PAWN[0]: "#", PAWN[1]: "O", NEUTRAL: "N"}
FLATS: Final = ("╭─┬╮", "├─┼┤", "├─┼┤", "╰─┴╯")
"""The left end, middle, crossing and right end of each horizontal line."""
JOINTS: Final = "├┼┤"
"""The ends of vertical lines above a row without a line: at the left edge, inside, and at the right edge."""
STROKES: Final = {(0, 1): "┃", (1, 0): "━", (1, 1): "╲", (1, -1): "╱"}
"""The characters of a path by its direction, or the opposite one."""
TWINS: Final = str.maketrans("╭─┬╮├┼┤╰┴╯│┃━╲╱►◄▼▲", "+-++++++++||-\\/><v^")
"""What replaces the characters of the board and of paths in ASCII."""

ROLES: Final = {PAWN[0]: Role.FIRST, PAWN[1]: Role.SECOND, NEUTRAL: Role.NEUTRAL}
FRESH: Final = {PAWN[0]: Role.FIRST_FRESH, PAWN[1]: Role.SECOND_FRESH, NEUTRAL: Role.NEUTRAL}


@cache
def shape_piece(layout: Layout, piece: str, look: Look) -> Rows:
    shape, width, height = SHAPES[piece], layout.piece_width, layout.cell_height
    stretch = height / (height - (FREE_LIFTED if look == "lifted" else FREE[piece]))

    def is_filled(x: float, y: float) -> bool:
        return shape(x, y * stretch)

    if look == "lifted":
        return in_ascii(is_filled, width, height, ":" if layout.ascii_only else "▒")
    if layout.ascii_only:
        return in_ascii(shape, width, height, "." if look == "ghost" else FILLS[piece])
    rows = in_blocks(is_filled, width, height)
    return fade(rows) if look == "ghost" else rows


@cache
def draw_piece(layout: Layout, cell: Cell, piece: str, look: Look = "standing") -> Sprite:
    x, y = layout.corner(cell)
    role = (FRESH if look == "fresh" else ROLES)[piece]
    if look == "ghost" and layout.ascii_only:
        role = Role.GHOST
    return Sprite(x + (layout.cell_width - layout.piece_width) // 2, y, shape_piece(layout, piece, look), role)


@cache
def draw_way(layout: Layout, origin: Cell, end: Cell) -> tuple[Piece, ...]:
    """Draw a pawn's straight path from its ghost to the edge of another cell. A diagonal path uses quadrant blocks. The
    places for marks stay free. A path between two cells that touch has no other space than the ghost."""
    (x, y), (to_x, to_y) = layout.middle(origin), layout.middle(end)
    width, height, way = to_x - x, to_y - y, find_direction((x, y), (to_x, to_y))
    if layout.ascii_only or 0 in way:
        steps, stroke = abs(height) or abs(width), STROKES.get(way) or STROKES[-way[0], -way[1]]
        glyphs = {(x + width * step // steps, y + height * step // steps): stroke for step in range(steps + 1)}
    else:
        steps = 2 * max(abs(width), abs(height))
        glyphs = join_quarters(
            (2 * x + 1 + 2 * width * step // steps, 2 * y + 1 + 2 * height * step // steps) for step in range(steps + 1)
        )
    places = list_places(layout)
    ghost = replace(places[origin], x=draw_piece(layout, origin, PAWN[0]).x, width=layout.piece_width)
    outside = [spot for spot in glyphs if not places[end].contains(*spot)]
    path = [spot for spot in outside if not ghost.contains(*spot)] or outside
    if path and 0 in way:
        glyphs[path[-1]] = HEADS[way]
    corners = {spot for place in places for spot in place.list_spots()}
    sprites = [Sprite(*spot, (glyphs[spot],), Role.MOVING) for spot in path if spot not in corners]
    return tuple(layout.to_text(sprites, TWINS))


def draw_scene(
    layout: Layout, position: Position, chosen: tuple[Cell, ...], fresh: frozenset[Cell], moving: Iterator[Piece]
) -> Scene:
    """Draw the board with the pieces that the chosen targets do not move, those on `fresh` cells brighter, and then the
    `moving` ones."""
    gone = {*chosen[:1], *list_lifted(position, chosen)}
    standing = [
        draw_piece(layout, cell, piece, "fresh" if cell in fresh else "standing")
        for cell, piece in enumerate(position.cells)
        if piece != EMPTY and cell not in gone
    ]
    parts = (*draw_board(layout), *standing, *moving)
    return Scene.of(layout.width, layout.height, parts, list_places(layout))


@cache
def list_places(layout: Layout) -> tuple[Place, ...]:
    """Return the cells as targets. The marks of a cell stand beside its piece."""
    inset, size = layout.inset, (layout.cell_width, layout.cell_height)
    marks = (inset, 0), (-1 - inset, 0), (inset, -1), (-2 - inset, -1)
    return tuple(Place(NAMES[cell], *layout.corner(cell), *size, *marks) for cell in CELLS)


@cache
def draw_board(layout: Layout) -> tuple[Piece, ...]:
    """Draw the home rows as bands, the other cells in two shades, the lines, the names of columns and rows, and the
    owner of each home row.

    Where there is no line between two rows, the walls have joints, so that cells can be told apart without colours.
    """
    sprites: list[Piece] = [layout.tint(cell, (Role.PLACE, Role.PLACE_OTHER)[cell % 2]) for cell in MIDDLE]
    top, second, _, fourth, last = layout.rows
    for y, (left, flat, cross, right) in zip((top, second, last, layout.height), map(tuple, FLATS), strict=True):
        text = left + cross.join([flat * layout.cell_width] * COLUMNS) + right
        sprites.append(Sprite(LEFT - 1, y - 1, (text,), Role.GRID))
    for y in layout.rows:
        for column in range(COLUMNS + 1):
            foot = JOINTS[(column > 0) + (column == COLUMNS)] if second <= y < fourth else "│"
            wall = (*["│"] * (layout.cell_height - 1), foot)
            sprites.append(Sprite(LEFT - 1 + column * (layout.cell_width + 1), y, wall, Role.GRID))
    for column in range(COLUMNS):
        sprites.append(Sprite(layout.middle(column)[0], 0, (NAMES[column][0],), Role.LABEL))
    for cell in CELLS[::COLUMNS]:
        sprites.append(Sprite(LEFT - 3, layout.middle(cell)[1], (NAMES[cell][1],), Role.LABEL))
    for seat in (0, 1):
        y = layout.corner(HOME[seat][0])[1]
        sprites.append(Tint(LEFT, y, COLUMNS * (layout.cell_width + 1) - 1, layout.cell_height, GROUNDS[seat]))
        words = tuple(line.format(owner=SIDES[seat], guest=SIDES[other(seat)]) for line in layout.captions)
        y += layout.cell_height // 2 - 1 + layout.inset
        sprites.append(Sprite(layout.caption, y, words, WORDS[seat]))
    return tuple(layout.to_text(sprites, TWINS))


def scene(view: View[Position, Move]) -> Scene:
    layout, chosen = choose_layout(LAYOUTS, view), tuple(CELL_NAMED[target] for target in view.chosen)
    fresh = frozenset((view.moves[-1].landing, *view.moves[-1].pawns)) if view.moves else frozenset()
    return draw_scene(layout, view.position, chosen, fresh, draw_entry(layout, view.position, chosen))


def between(view: View[Position, Move]) -> tuple[Scene, ...]:
    """Show the pawn over each piece that it jumps, and then landed, with the jumped pieces still in the air."""
    if not view.moves:
        return ()
    layout, position, (origin, landing, *_) = choose_layout(LAYOUTS, view), view.positions[-2], view.moves[-1]
    return tuple(
        draw_scene(layout, position, (origin, cell), frozenset(), draw_flight(layout, position, origin, cell))
        for cell in (*BETWEEN[origin, landing], landing)
    )


def trace(position: Position, move: Move) -> tuple[Target, ...]:
    return (NAMES[move.origin], NAMES[move.landing])


def list_lifted(position: Position, chosen: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """List the pieces lifted by the flight with which `chosen` begins, in the order in which they are put down."""
    if len(chosen) < 2:
        return ()
    own = PAWN[position.to_move]
    lifted = [cell for cell in BETWEEN[chosen[0], chosen[1]] if position.cells[cell] != own]
    return tuple(sorted(lifted, key=lambda cell: (position.cells[cell] == NEUTRAL, cell)))


FIRST_PUT = 3
"""The first jumped piece is the third target, after the pawn and the landing cell."""


def draw_entry(layout: Layout, position: Position, chosen: tuple[Cell, ...]) -> Iterator[Piece]:
    """Draw the chosen pawn, its path, the lifted pieces, and those already put down. While one has still to be put
    down, the lifted pieces have numbers."""
    pawn, cells, lifted = PAWN[position.to_move], position.cells, list_lifted(position, chosen)
    yield from (layout.tint(cell, Role.LIT) for cell in chosen)
    if len(chosen) < 2:
        yield from (draw_piece(layout, cell, pawn, "fresh") for cell in chosen)
        return
    origin, landing, *put = chosen
    moved = [*zip(lifted, put, strict=False)]
    yield draw_piece(layout, origin, pawn, "ghost")
    yield from (draw_piece(layout, source, cells[source], "ghost") for source, _ in moved)
    yield from draw_flight(layout, position, origin, landing, len(put))
    yield from (draw_piece(layout, cell, cells[source], "fresh") for source, cell in moved)
    if len(put) < len(lifted):
        numbered = [(cell, FRESH[cells[source]]) for source, cell in moved]
        numbered += [(source, Role.MOVING) for source in lifted[len(put) :]]
        for number, (cell, role) in enumerate(numbered, start=FIRST_PUT):
            yield Sprite(*layout.middle(cell), (str(number),), role)
        words = ("put down", f"{len(put) + 1} of {len(lifted)}")
        yield Sprite(layout.caption, layout.middle(CELLS[len(CELLS) // 2])[1], words, Role.NOTE)


def draw_flight(layout: Layout, position: Position, origin: Cell, end: Cell, put: int = 0) -> Iterator[Piece]:
    """Draw the pawn at the end of its path. The path passes over the lifted pieces, of which the first `put` lie
    elsewhere by now, and behind its own side's pawns."""
    pawn, cells = PAWN[position.to_move], position.cells
    for cell in list_lifted(position, (origin, end))[put:]:
        yield draw_piece(layout, cell, cells[cell], "lifted")
    yield from draw_way(layout, origin, end)
    yield from (draw_piece(layout, cell, pawn) for cell in BETWEEN[origin, end] if cells[cell] == pawn)
    yield draw_piece(layout, end, pawn, "fresh")
