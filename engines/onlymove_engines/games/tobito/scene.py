"""The board as a picture: discs for Top, rings for Bottom, a lozenge for the neutral pawn, home rows framed and
tinted. While a jump is entered its line, the lifted pieces and the numbered cells they go to are shown.

Knows glyphs and roles at coordinates; no colours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Place, Role, Scene, Sprite, View
from onlymove_engines.core.value import other

from .glyphs import BLOCKS, CELL_HEIGHT, CELL_WIDTH, PLAIN, Glyphs, Shape
from .notation import NAMES, cell_named
from .rules import BOTTOM, CELLS, COLUMNS, EMPTY, HOME, NEUTRAL, PAWN, ROWS, SIDES, TOP, Cell, Move, Position, between

LEFT, UPPER = 5, 2
"""Column and row of the inside of the upper left cell."""
BOARD_WIDTH = COLUMNS * (CELL_WIDTH + 1) + 1
WIDTH, HEIGHT = LEFT + BOARD_WIDTH + 13, UPPER + ROWS * (CELL_HEIGHT + 1)
CAPTION = LEFT + BOARD_WIDTH + 1

HOME_ROLES = (Role.HOME_FIRST, Role.HOME_SECOND)
ROLES = (Role.FIRST, Role.SECOND)
FRESH_ROLES = (Role.FIRST_FRESH, Role.SECOND_FRESH)


@dataclass
class Board:
    """A picture being drawn: the sprites so far, from back to front."""

    glyphs: Glyphs
    flipped: bool
    sprites: list[Sprite] = field(default_factory=list)

    def corner(self, cell: Cell) -> tuple[int, int]:
        """Column and row of the upper left corner of the inside of `cell`."""
        row, column = divmod(CELLS[-1] - cell if self.flipped else cell, COLUMNS)
        return LEFT + column * (CELL_WIDTH + 1), UPPER + (ROWS - 1 - row) * (CELL_HEIGHT + 1)

    def put(self, x: int, y: int, rows: tuple[str, ...], role: Role) -> None:
        """Draw one sprite over what is there."""
        self.sprites.append(Sprite(x, y, rows, role))

    def grid(self) -> None:
        """Grid lines, home rows framed in the colour of their owner."""
        upper, lower = HOME_ROLES[:: -1 if self.flipped else 1]
        roles = (upper, upper, Role.GRID, Role.GRID, lower, lower)
        lines = [self.glyphs.rows[index] for index in (0, 1, 2, 2, 3, 4)]
        for row, (line, role) in enumerate(zip(lines, roles, strict=True)):
            text = line.left + line.cross.join([line.flat * CELL_WIDTH] * COLUMNS) + line.right
            self.put(LEFT - 1, UPPER - 1 + row * (CELL_HEIGHT + 1), (text,), role)
        for row in range(ROWS):
            home = {0: upper, ROWS - 1: lower}.get(row)
            y = UPPER + row * (CELL_HEIGHT + 1)
            for column in range(COLUMNS + 1):
                outer = home is not None and column in (0, COLUMNS)
                glyph = self.glyphs.home_wall if outer else self.glyphs.wall
                self.put(LEFT - 1 + column * (CELL_WIDTH + 1), y, (glyph,) * CELL_HEIGHT, home or Role.GRID)

    def labels(self) -> None:
        """Column letters above, row numbers at the left, the owners of the home rows at the right."""
        for column in range(COLUMNS):
            x, _ = self.corner(column)
            self.put(x + CELL_WIDTH // 2, 0, (NAMES[column][0],), Role.LABEL)
        for row in range(ROWS):
            _, y = self.corner(row * COLUMNS)
            self.put(LEFT - 3, y, (NAMES[row * COLUMNS][1],), Role.LABEL)
        for seat in (TOP, BOTTOM):
            _, y = self.corner(HOME[seat][0])
            self.put(CAPTION, y, ("home of", SIDES[seat]), HOME_ROLES[seat])

    def tint(self, cell: Cell, role: Role, is_empty: bool) -> None:
        """Shade a cell of a home row, round its piece; the upper corners, where marks go, stay free."""
        x, y = self.corner(cell)
        shade = self.glyphs.tint
        inner = shade * (CELL_WIDTH - 2) if is_empty else " " * (CELL_WIDTH - 2)
        self.put(x, y, (" " + inner, shade + inner + shade), role)

    def piece(self, cell: Cell, shape: Shape, role: Role) -> None:
        """Draw a piece in the middle of `cell`."""
        x, y = self.corner(cell)
        self.put(x + 1, y, shape, role)

    def number(self, cell: Cell, text: str) -> None:
        """Write the order of placing in the middle of a piece."""
        x, y = self.corner(cell)
        self.put(x + CELL_WIDTH // 2, y, (text,), Role.NOTE)

    def flight(self, cells: tuple[Cell, ...]) -> None:
        """The line of a move through `cells`: an arrow on every border it crosses."""
        for start, end in pairwise(cells):
            (x, y), (to_x, to_y) = self.corner(start), self.corner(end)
            columns, rows = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
            middle = CELL_WIDTH // 2
            at_x = x + {0: middle, 1: CELL_WIDTH, -1: -1}[columns]
            at_y = y + {0: 0, 1: CELL_HEIGHT, -1: -1}[rows]
            self.put(at_x, at_y, (self.glyphs.arrows[columns, rows],), Role.MOVING)

    def shape(self, piece: str) -> Shape:
        """The shape of a pawn or of the neutral piece."""
        return self.glyphs.neutral if piece == NEUTRAL else self.glyphs.pawns[PAWN.index(piece)]

    def lifted(self, piece: str) -> Shape:
        """The shape of a piece that has been jumped and not yet put down."""
        return self.glyphs.lifted_neutral if piece == NEUTRAL else self.glyphs.lifted[PAWN.index(piece)]

    def pieces(self, position: Position, fresh: frozenset[Cell] = frozenset()) -> None:
        """Every piece, those on `fresh` cells brighter."""
        for cell, piece in enumerate(position.cells):
            if piece == NEUTRAL:
                self.piece(cell, self.glyphs.neutral, Role.NEUTRAL)
            elif piece != EMPTY:
                seat = PAWN.index(piece)
                self.piece(cell, self.shape(piece), (FRESH_ROLES if cell in fresh else ROLES)[seat])

    def places(self) -> tuple[Place, ...]:
        """Every cell is a target; values are written on the grid line under it."""
        return tuple(
            Place(NAMES[cell], *self.corner(cell), CELL_WIDTH, CELL_HEIGHT, mark=(0, 0), label=(CELL_WIDTH // 2, 2))
            for cell in CELLS
        )

    def finished(self) -> Scene:
        """The picture."""
        return Scene(WIDTH, HEIGHT, tuple(self.sprites), self.places())


class TobitoPainter:
    """The painter of both variants."""

    def scene(self, view: View[Position, Move]) -> Scene:
        """The board, with the move that is being entered drawn into it."""
        chosen = tuple(cell_named(target) for target in view.chosen)
        fresh = _touched(view.moves[-1]) if view.moves else frozenset()
        board = _empty_board(view, _occupied(view.position, chosen))
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
        """Where the pawn came from and where it landed."""
        return (NAMES[move.origin], NAMES[move.landing])


def _touched(move: Move) -> frozenset[Cell]:
    """The cells on which a move put something down."""
    return frozenset((move.landing, *move.pawns))


def _occupied(position: Position, chosen: tuple[Cell, ...]) -> frozenset[Cell]:
    """The cells that hold a piece once the chosen targets are drawn."""
    return frozenset(chosen).union(cell for cell in CELLS if position.cells[cell] != EMPTY)


def _without(position: Position, chosen: tuple[Cell, ...]) -> Position:
    """The position less the pieces that the chosen targets set in motion."""
    gone = {*chosen[:1], *_jumped(position, chosen)}
    return position._replace(cells="".join(EMPTY if cell in gone else position.cells[cell] for cell in CELLS))


def _jumped(position: Position, chosen: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """The pieces lifted by the flight that `chosen` begins with, the opponent's first as they are placed."""
    if len(chosen) < 2:
        return ()
    own = PAWN[position.to_move]
    lifted = [cell for cell in between(chosen[0], chosen[1]) if position.cells[cell] != own]
    return tuple(sorted(lifted, key=lambda cell: (position.cells[cell] == NEUTRAL, cell)))


def _empty_board(view: View[Position, Move], occupied: frozenset[Cell]) -> Board:
    """Grid, labels and tints."""
    board = Board(PLAIN if view.ascii_only else BLOCKS, view.flipped)
    board.grid()
    board.labels()
    for seat in (TOP, BOTTOM):
        for cell in HOME[seat]:
            board.tint(cell, HOME_ROLES[seat], cell not in occupied)
    return board


def _draw_entry(board: Board, position: Position, chosen: tuple[Cell, ...]) -> None:
    """The chosen pawn, its flight, the lifted pieces, and those already put down with their numbers."""
    pawn = board.shape(PAWN[position.to_move])
    if len(chosen) == 1:
        board.piece(chosen[0], pawn, Role.MOVING)
        return
    origin, landing, *put_down = chosen
    lifted = _jumped(position, chosen)
    board.piece(origin, board.lifted(PAWN[position.to_move]), Role.GHOST)
    board.piece(landing, pawn, Role.MOVING)
    for cell in lifted[len(put_down) :]:
        board.piece(cell, board.lifted(position.cells[cell]), Role.CAPTURE)
    board.flight((origin, *between(origin, landing), landing))
    for order, (cell, source) in enumerate(zip(put_down, lifted, strict=False), start=1):
        piece = position.cells[source]
        role = Role.NEUTRAL if piece == NEUTRAL else ROLES[other(position.to_move)]
        board.piece(cell, board.shape(piece), role)
        board.number(cell, str(order))
    if len(put_down) < len(lifted):
        _, y = board.corner(CELLS[-1] // 2)
        board.put(CAPTION, y, ("put down", f"{len(put_down) + 1} of {len(lifted)}"), Role.NOTE)


def _flying(view: View[Position, Move], position: Position, origin: Cell, way: tuple[Cell, ...]) -> Scene:
    """The board while the pawn from `origin` is over the last cell of `way`."""
    chosen = (origin, way[-1])
    board = _empty_board(view, _occupied(position, way[-1:]) - {origin})
    board.pieces(_without(position, chosen))
    for cell in _jumped(position, chosen):
        board.piece(cell, board.lifted(position.cells[cell]), Role.CAPTURE)
    board.flight((origin, *way))
    board.piece(way[-1], board.shape(PAWN[position.to_move]), Role.MOVING)
    return board.finished()
