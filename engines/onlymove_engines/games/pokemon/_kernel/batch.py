"""Batch analysis: one row of figures for each of many positions."""

import numpy as np

from onlymove_engines.search.jit import kernel

from .law import ALL_IMAGES, COVER, COVERED_STATES, MOST_MOVES, WEIGHTS, children
from .table import DRAWN, NO_CODE, find


@kernel
def row(board, left, covered, table, buckets, shift, codes, own, out):
    """One row of batch analysis of a position whose code is `own`: out = (moves, keeping, mask of best moves).

    Bit 9 x size + cell of the mask: that ascending order is the one of the moves' spellings.
    """
    born = np.zeros(MOST_MOVES, np.int64)
    moves = np.zeros(MOST_MOVES, np.int64)
    seat = left[4] + left[5] + left[6] - left[1] - left[2] - left[3]
    count = children(board, left, seat, covered, ALL_IMAGES, born, moves)
    keeping = 0
    mask = 0
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
            mask |= 1 << (9 * (moves[k] % 3) + moves[k] // 3)
    out[0] = count
    out[1] = keeping
    out[2] = mask


@kernel
def rows(boards, hands, table, buckets, shift, codes, out):
    """Batch analysis. `boards` n x 9 (0..6), `hands` n x 6 in the order a A b B c C; out n x 4: code, then `row`'s.

    A position that is not in the table gets the code NO_CODE.
    """
    board = np.zeros(9, np.int64)
    left = np.zeros(7, np.int64)
    for n in range(len(boards)):
        visible = np.zeros(7, np.int64)
        for i in range(9):
            board[i] = boards[n, i]
            visible[board[i]] += 1
        for t in range(1, 7):
            left[t] = hands[n, 2 * ((t - 1) % 3) + (t - 1) // 3]
        covered = 0
        for t in range(1, 7):
            covered += COVER[t] * (2 - left[t] - visible[t])
        least = np.int64(7**9)
        for s in range(8):
            image = np.int64(0)
            for i in range(9):
                image += board[i] * WEIGHTS[s, i]
            least = min(least, image)
        at = -1
        if visible[3] + left[3] == 2 and visible[6] + left[6] == 2:
            at = find(table, buckets, shift, least * COVERED_STATES + covered)
        out[n, 0] = NO_CODE
        if at >= 0:
            out[n, 0] = codes[at]
            row(board, left, covered, table, buckets, shift, codes, np.int64(codes[at]), out[n, 1:])
