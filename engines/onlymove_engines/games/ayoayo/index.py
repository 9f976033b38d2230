"""The half turn, and the numbering of closed positions: every pit holds at most 3 seeds, captures in fours.

Once a pit has been emptied it never holds more than 3 again (a fourth seed captures them all), so from a closed
board only closed boards follow. A board's number has two bits a pit, seen by the side to move:

    bits    21 20 ... 3 2   1 0         own row first, in the direction of sowing; the twelfth pit follows
    pit        10 ...   1     0         from the others, the seeds being a multiple of 4

A position's number is the board's x 13 + the fours captured by the side to move.
"""

from __future__ import annotations

from onlymove_engines.core.game import Symmetry
from onlymove_engines.core.value import Seat, other

from .rules import CAPTURED_AT, SEEDS, Cell, Pits, Position

BOARDS = 4**11
SHARES = SEEDS // CAPTURED_AT + 1


def seen_by(pits: Pits, seat: Seat) -> Pits:
    """The pits in the direction of sowing, starting with this player's row."""
    return pits if seat == 1 else pits[6:] + pits[:6]


def closed_number(board: Pits) -> int | None:
    """The number of a closed board, the side to move first; `None` if it is not closed."""
    if max(board) >= CAPTURED_AT or sum(board) % CAPTURED_AT:
        return None
    number = 0
    for pit in range(10, -1, -1):
        number = number << 2 | board[pit]
    return number


def closed_board(number: int) -> Pits:
    """The closed board with this number, the side to move first."""
    pits = [number >> 2 * pit & 3 for pit in range(11)]
    return (*pits, -sum(pits) % CAPTURED_AT)


class ClosedIndex:
    """Numbers for closed positions up to the half turn; player 0 is to move in the canonical one."""

    size = BOARDS * SHARES

    def number(self, position: Position) -> int:
        """The number of the position's class. Raises ValueError where the table does not reach."""
        board = closed_number(seen_by(position.pits, position.to_move))
        own, rest = divmod(position.captured[position.to_move], CAPTURED_AT)
        if board is None or rest:
            raise ValueError("not a closed position")
        return board * SHARES + own

    def position(self, number: int) -> Position:
        """The canonical position with this number. Raises ValueError for a number that is not in use."""
        board, fours = divmod(number, SHARES)
        pits, own = closed_board(board), fours * CAPTURED_AT
        theirs = SEEDS - sum(pits) - own
        if not 0 <= number < self.size or theirs < 0:
            raise ValueError(f"no position has the number {number}")
        return Position(seen_by(pits, 0), (own, theirs), 0)

    def canonical(self, position: Position) -> Position:
        """The position itself or its half turn, whichever has player 0 to move."""
        if position.to_move == 0:
            return position
        return Position(seen_by(position.pits, 0), position.captured[::-1], 0)


INDEX = ClosedIndex()


def turned(position: Position) -> Position:
    """Turn the board: every pit moves half way round in the direction of sowing, and the sides change places."""
    captured = (position.captured[1], position.captured[0])
    return Position(position.pits[6:] + position.pits[:6], captured, other(position.to_move))


def turned_move(move: Cell) -> Cell:
    """Return the cell of the turned board that corresponds to this cell."""
    return 5 - move


SYMMETRIES: tuple[Symmetry[Position, Cell], ...] = (Symmetry("half turn", turned, turned_move, swaps_seats=True),)
