"""Live search without a table: depth-limited alpha-beta with a transposition table.

A score is 50 - E for the side that wins when E pieces have been placed, its negative for the other, 0 when the
depth decides nothing: within the depth it is exact. E only depends on the position and the plies to the end, so
scores of transpositions agree. What is known of a position is a word:

    bits 6..12     4..5   0..3
    score + 64     kind   depth
"""

import numpy as np

from onlymove_engines.search.jit import Array, inlined, kernel

from .law import ALL_IMAGES, COVER, COVERED_STATES, HASH, LINES, SIZE, WEIGHTS, boards_of, has_line, parted

WON = 50
ORDER = np.array([4, 0, 2, 6, 8, 1, 3, 5, 7], np.int64)
"""Centre, corners, edges: likely best first."""

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
OPEN = 99
LEVELS = 14

NODES, ALLOWED = 0, 1
"""What the search counts, and how far it may."""


@inlined
def packed_info(score, kind, depth):
    """The word of what is known."""
    return (score + 64) * 64 + kind * 16 + depth


@inlined
def parted_info(info):
    """Score, kind and depth."""
    return info // 64 - 64, info // 16 % 4, info % 16


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
def open_node(board, left, code, covered, ply, depth, alpha, beta, keys, infos, slot):
    """The score of a position if it is known at once, else OPEN. `slot` receives its number and place in the table."""
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
    slot[0] = least * COVERED_STATES + covered
    slot[1] = (slot[0] * HASH) >> 16 & (len(keys) - 1)
    if keys[slot[1]] == slot[0]:
        score, kind, known = parted_info(infos[slot[1]])
        is_enough = kind == EXACT or (kind == AT_LEAST and score >= beta) or (kind == AT_MOST and score <= alpha)
        if known == depth and is_enough:
            return score
    return OPEN


@kernel
def shift(code, i, change):
    """Add `change` to what stands on cell i, in the board words of all images."""
    for s in range(ALL_IMAGES):
        code[s] += change * WEIGHTS[s, i]


@kernel
def look(number: int, ply: int, depth: int, keys: Array, infos: Array, control: Array) -> int:
    """The exact score within `depth` plies of any position, given by its plain number, for its side to move.

    Once `control` counts as many nodes as it allows, the result means nothing. A loop with a stack of its own, one
    entry a ply.
    """
    board = np.zeros(9, np.int64)
    left = np.zeros(7, np.int64)
    parted(number, board, left)
    if has_line(board):
        return -(WON - ply)
    covered = number % COVERED_STATES
    code = np.zeros(ALL_IMAGES, np.int64)
    boards_of(board, code)
    alphas = np.full(LEVELS, -WON, np.int64)
    floors = np.full(LEVELS, -WON, np.int64)
    betas = np.full(LEVELS, WON, np.int64)
    bests = np.full(LEVELS, -WON, np.int64)
    tried = np.zeros(LEVELS, np.int64)
    moved = np.zeros(LEVELS, np.int64)
    cells = np.zeros(LEVELS, np.int64)
    under = np.zeros(LEVELS, np.int64)
    slots = np.zeros((LEVELS, 2), np.int64)
    score = open_node(board, left, code, covered, ply, depth, -WON, WON, keys, infos, slots[0])
    if score != OPEN:
        return score
    level = 0
    while True:
        first = 3 * ((ply + level) % 2) + 1
        i = -1
        t = 0
        while tried[level] < 27 and bests[level] < betas[level]:
            i = ORDER[tried[level] // 3]
            size = 2 - tried[level] % 3
            t = first + size
            tried[level] += 1
            if left[t] > 0 and size >= SIZE[board[i]]:
                break
            i = -1
        if i >= 0:
            control[NODES] += 1
            if control[NODES] >= control[ALLOWED]:
                return 0
            cells[level] = i
            under[level] = board[i]
            moved[level] = 1
            shift(code, i, t - board[i])
            covered += COVER[board[i]]
            left[t] -= 1
            board[i] = t
            level += 1
            alphas[level] = floors[level] = -betas[level - 1]
            betas[level] = -floors[level - 1]
            bests[level] = -WON
            tried[level] = moved[level] = 0
            score = open_node(
                board,
                left,
                code,
                covered,
                ply + level,
                depth - level,
                alphas[level],
                betas[level],
                keys,
                infos,
                slots[level],
            )
            if score == OPEN:
                continue
        else:
            score = bests[level] if moved[level] else 0
            kind = AT_LEAST if score >= betas[level] else AT_MOST if score <= alphas[level] else EXACT
            keys[slots[level, 1]] = slots[level, 0]
            infos[slots[level, 1]] = packed_info(score, kind, depth - level)
            if level == 0:
                return score
        level -= 1
        i = cells[level]
        left[board[i]] += 1
        shift(code, i, under[level] - board[i])
        board[i] = under[level]
        covered -= COVER[board[i]]
        bests[level] = max(bests[level], -score)
        floors[level] = max(floors[level], -score)
