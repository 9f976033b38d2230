"""The board as a picture: discs for Top, rings for Bottom, a lozenge for the neutral pawn, home rows as bands with
their owner's name. While a jump is entered its way, the lifted pieces and the numbered cells they go to are shown.

Knows what a moment calls for; how it is drawn is `board`'s business.
"""

from __future__ import annotations

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Role, Scene, View

from .board import FRESH, Board, empty_board
from .layout import LAYOUTS
from .notation import NAMES, cell_named
from .rules import CELLS, EMPTY, NEUTRAL, PAWN, Cell, Move, Position, between

FIRST_PUT = 3
"""The first jumped piece is the third thing picked, after the pawn and where it lands."""


class TobitoPainter:
    """The painter of both variants."""

    def scene(self, view: View[Position, Move]) -> Scene:
        """The board, with the move that is being entered drawn into it."""
        chosen = tuple(cell_named(target) for target in view.chosen)
        board = _board(view)
        fresh = _touched(view.moves[-1]) if view.moves else frozenset()
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


def _board(view: View[Position, Move]) -> Board:
    return empty_board(LAYOUTS[view.scale - 1], view.flipped, view.ascii_only)


def _touched(move: Move) -> frozenset[Cell]:
    """The cells on which a move put something down."""
    return frozenset((move.landing, *move.pawns))


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
    board = _board(view)
    board.pieces(_without(position, (origin, way[-1])))
    _draw_flight(board, position, origin, way, lifted)
    return board.finished()
