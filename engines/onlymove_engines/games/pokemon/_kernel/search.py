"""Live search without a table: depth-limited alpha-beta with a transposition table.

A score is 50 - E for the side that wins when E pieces have been placed, its negative for the other, 0 when the
depth decides nothing: within the depth it is exact. E only depends on the position and the plies to the end, so
scores of transpositions agree.
"""

import numpy as np

from onlymove_engines.search.jit import kernel

from .law import ALL_IMAGES, COVER, COVERED_STATES, LINES, SIZE, WEIGHTS, has_line, unpack

WON = 50
ORDER = np.array([4, 0, 2, 6, 8, 1, 3, 5, 7], np.int64)
"""Centre, corners, edges: likely best first."""

EXACT, AT_LEAST, AT_MOST = 1, 2, 3


@kernel
def wins_at(board, seat, i):
    """Whether a piece of `seat` on cell i completes a line."""
    for k in range(8):
        x = LINES[k, 0]
        y = LINES[k, 1]
        z = LINES[k, 2]
        if x == i or y == i or z == i:
            own = 0
            for c in (x, y, z):
                if c == i or (board[c] > 0 and (board[c] > 3) == (seat == 1)):
                    own += 1
            if own == 3:
                return True
    return False


@kernel
def negamax(board, left, code, covered, ply, depth, alpha, beta, keys, infos, control):
    """The score of a position without a finished line, exact between alpha and beta, else a bound beyond them.

    `code[s]` is image s of the board. `control` = (stop, nodes so far, node limit); once stop is set the result
    means nothing.
    """
    control[1] += 1
    if control[1] >= control[2]:
        control[0] = 1
    if control[0] != 0:
        return 0
    seat = ply % 2
    for i in range(9):
        if SIZE[board[i]] < 3 and wins_at(board, seat, i):
            for t in range(3 * seat + SIZE[board[i]] + 1, 3 * seat + 4):
                if left[t] > 0:
                    return WON - ply - 1
    if depth <= 1:
        return 0
    least = code[0]
    for s in range(1, ALL_IMAGES):
        least = min(least, code[s])
    number = least * COVERED_STATES + covered
    slot = (number * 11400714819323) >> 16 & (len(keys) - 1)
    if keys[slot] == number and infos[slot] % 16 == depth:
        score = infos[slot] // 64 - 64
        kind = infos[slot] // 16 % 4
        if kind == EXACT or (kind == AT_LEAST and score >= beta) or (kind == AT_MOST and score <= alpha):
            return score
    best = -WON
    floor = alpha
    moved = False
    for j in range(9):
        i = ORDER[j]
        o = board[i]
        for size in range(2, SIZE[o] - 1, -1):
            t = 3 * seat + size + 1
            if left[t] == 0 or best >= beta:
                continue
            moved = True
            board[i] = t
            left[t] -= 1
            for s in range(ALL_IMAGES):
                code[s] += (t - o) * WEIGHTS[s, i]
            found = -negamax(
                board, left, code, covered + COVER[o], ply + 1, depth - 1, -beta, -floor, keys, infos, control
            )
            for s in range(ALL_IMAGES):
                code[s] -= (t - o) * WEIGHTS[s, i]
            left[t] += 1
            board[i] = o
            best = max(best, found)
            floor = max(floor, found)
    if not moved:
        best = 0
    if control[0] == 0:
        kind = AT_LEAST if best >= beta else AT_MOST if best <= alpha else EXACT
        keys[slot] = number
        infos[slot] = (best + 64) * 64 + kind * 16 + depth
    return best


@kernel
def look(number, ply, depth, keys, infos, control):
    """The exact score within `depth` plies of any position, given by its plain number, for its side to move."""
    board = np.zeros(9, np.int64)
    left = np.zeros(7, np.int64)
    unpack(number, board, left)
    if has_line(board):
        return -(WON - ply)
    code = np.zeros(ALL_IMAGES, np.int64)
    for s in range(ALL_IMAGES):
        for i in range(9):
            code[s] += board[i] * WEIGHTS[s, i]
    return negamax(board, left, code, number % COVERED_STATES, ply, depth, -WON, WON, keys, infos, control)
