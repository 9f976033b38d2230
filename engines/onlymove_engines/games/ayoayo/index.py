"""Numbers the closed positions of Ayòayò, and turns the board by half a turn.

A closed position has at most 3 seeds in every pit, and captures that are multiples of four. Moves from a closed
position lead only to closed positions, because a fourth seed captures all four. A board's number has two bits for each
pit, seen by the side to move:

    bits    21 20 ... 3 2   1 0         own row first, in the direction of sowing
    pit        10 ...   1     0         the twelfth pit follows, because the number of seeds is a multiple of 4

A position's number is the board's number x 13 + the fours captured by the side to move.
"""

from __future__ import annotations

from onlymove_engines.core.game import Symmetry
from onlymove_engines.core.value import Seat, other

from .rules import CAPTURED_AT, SEEDS, Cell, Pits, Position

BOARDS = 4**11
SHARES = SEEDS // CAPTURED_AT + 1


def seen_by(pits: Pits, seat: Seat) -> Pits:
    """Return the pits in the direction of sowing, beginning with this player's row."""
    return pits if seat == 1 else pits[6:] + pits[:6]


def closed_number(board: Pits) -> int | None:
    """Return the number of a board that begins with the side to move. Return `None` if the board is not closed."""
    if max(board) >= CAPTURED_AT or sum(board) % CAPTURED_AT:
        return None
    number = 0
    for pit in range(10, -1, -1):
        number = number << 2 | board[pit]
    return number


def closed_board(number: int) -> Pits:
    """Return the closed board with this number, beginning with the side to move."""
    pits = [number >> 2 * pit & 3 for pit in range(11)]
    return (*pits, -sum(pits) % CAPTURED_AT)


class ClosedIndex:
    """Numbers for closed positions. A position and its half turn have the same number. The one with player 0 to move is
    canonical."""

    size = BOARDS * SHARES

    def number(self, position: Position) -> int:
        board = closed_number(seen_by(position.pits, position.to_move))
        own, rest = divmod(position.captured[position.to_move], CAPTURED_AT)
        if board is None or rest:
            raise ValueError("not a closed position")
        return board * SHARES + own

    def position(self, number: int) -> Position:
        board, fours = divmod(number, SHARES)
        pits, own = closed_board(board), fours * CAPTURED_AT
        theirs = SEEDS - sum(pits) - own
        if not 0 <= number < self.size or theirs < 0:
            raise ValueError(f"no position has the number {number}")
        return Position(seen_by(pits, 0), (own, theirs), 0)

    def canonical(self, position: Position) -> Position:
        """Return the position or its half turn, whichever has player 0 to move."""
        if position.to_move == 0:
            return position
        return Position(seen_by(position.pits, 0), position.captured[::-1], 0)


INDEX = ClosedIndex()


def turned(position: Position) -> Position:
    """Turn the board: every pit moves half way round in the direction of sowing, and the sides change places."""
    captured = (position.captured[1], position.captured[0])
    return Position(position.pits[6:] + position.pits[:6], captured, other(position.to_move))


def turned_move(move: Cell) -> Cell:
    return 5 - move


SYMMETRIES: tuple[Symmetry[Position, Cell], ...] = (Symmetry("half turn", turned, turned_move, swaps_seats=True),)
