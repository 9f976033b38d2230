"""Batch analysis: one row of figures for each of many positions."""

import numpy as np

from onlymove_engines.search.jit import Array, kernel

from .law import ALL_IMAGES, COVERED_STATES, MOST_MOVES, children, packed, seat_of
from .table import DRAWN, NO_CODE, find


@kernel
def row(board, left, covered, table, buckets, shift, codes, own, out):
    """One row of batch analysis of a position whose code is `own`: out = (moves, keeping, the set of best moves, bit
    k for the move k)."""
    born = np.zeros(MOST_MOVES, np.int64)
    moves = np.zeros(MOST_MOVES, np.int64)
    boards = np.empty(ALL_IMAGES, np.int64)
    count = children(board, left, seat_of(left), covered, ALL_IMAGES, boards, born, moves)
    keeping = 0
    best_moves = 0
    for k in range(count):
        c = np.int64(codes[find(table, buckets, shift, born[k])])
        if own >= DRAWN:
            keeps = c >= DRAWN
            best = keeps
        else:
            keeps = c < DRAWN and c % 2 != own % 2
            best = keeps and c + 1 == own
        keeping += keeps
        if best:
            best_moves |= 1 << moves[k]
    out[0] = count
    out[1] = keeping
    out[2] = best_moves


@kernel
def laid_out(pieces, hand, board, left):
    """Fill `board` and `left` with 9 pieces and 6 hands in the order a A b B c C."""
    board[:] = pieces
    for t in range(1, 7):
        left[t] = hand[2 * ((t - 1) % 3) + (t - 1) // 3]


@kernel
def list_moves(
    boards: Array,
    hands: Array,
    table: Array,
    buckets: Array,
    shift: int,
    codes: Array,
    here: Array,
    words: Array,
    after: Array,
    ends: Array,
) -> None:
    """The code of each position and, of every move, the word and the code of the position after it; the moves of row k
    end at `ends[k]`. Positions as in `rows`."""
    board = np.zeros(9, np.int64)
    left = np.zeros(7, np.int64)
    born = np.zeros(MOST_MOVES, np.int64)
    moves = np.zeros(MOST_MOVES, np.int64)
    images = np.empty(ALL_IMAGES, np.int64)
    total = 0
    for n in range(len(boards)):
        laid_out(boards[n], hands[n], board, left)
        number = packed(board, left)
        at = find(table, buckets, shift, number) if number >= 0 else -1
        here[n] = NO_CODE if at < 0 else codes[at]
        count = 0
        if at >= 0:
            seat, covered = seat_of(left), number % COVERED_STATES
            count = children(board, left, seat, covered, ALL_IMAGES, images, born, moves)
        for k in range(count):
            words[total] = moves[k]
            after[total] = codes[find(table, buckets, shift, born[k])]
            total += 1
        ends[n] = total


@kernel
def rows(boards: Array, hands: Array, table: Array, buckets: Array, shift: int, codes: Array, out: Array) -> None:
    """Batch analysis. `boards` n x 9 (0..6), `hands` n x 6 in the order a A b B c C; out n x 4: code, then `row`'s.

    A position that is not in the table gets the code NO_CODE.
    """
    board = np.zeros(9, np.int64)
    left = np.zeros(7, np.int64)
    for n in range(len(boards)):
        laid_out(boards[n], hands[n], board, left)
        number = packed(board, left)
        at = find(table, buckets, shift, number) if number >= 0 else -1
        out[n, 0] = NO_CODE
        if at >= 0:
            own = np.int64(codes[at])
            out[n, 0] = own
            row(board, left, number % COVERED_STATES, table, buckets, shift, codes, own, out[n, 1:])
