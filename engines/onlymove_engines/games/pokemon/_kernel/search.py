"""Live search without a table: depth-limited alpha-beta with a transposition table.

If a side wins when E pieces have been placed, its score is 50 - E and the other side's score is the negative of that.
The score is 0 if the depth decides nothing. Scores are exact within the depth. E depends only on the position and the
plies to the end, so transpositions have the same scores. What is known about a position is packed into a word:

    bits 6..12     4..5   0..3
    score + 64     kind   depth
"""

from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.jit import Array, allocation_free, inlined

from .moves import ALL_IMAGES, COVER, COVERED_STATES, HASH, SIZE, WEIGHTS, boards_of, has_line, unpack, wins_now

WON = 50
ORDER = np.array([4, 0, 2, 6, 8, 1, 3, 5, 7], np.int64)
"""The order in which cells are tried: the middle, the corners, the edges."""

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
SLOTS = 1 << 18

NODES, ALLOWED = 0, 1
"""Indices in `control`: the nodes counted so far, and the nodes allowed."""


class Memory(NamedTuple):
    """The working memory of a search. `board`, `left` and `images` are as in `Node`."""

    board: Array
    left: Array
    images: Array
    keys: Array
    """int64[SLOTS]: the numbers of positions that are remembered. `infos` (int32) is what is known about them."""
    infos: Array
    control: Array
    """int64[2]: see NODES and ALLOWED."""


@inlined
def put(memory, cell, piece):
    """Change the piece that a cell shows."""
    change = piece - memory.board[cell]
    for s in range(ALL_IMAGES):
        memory.images[s] += change * WEIGHTS[s, cell]
    memory.board[cell] = piece


@allocation_free
def search(ply: int, depth: int, covered: int, alpha: int, beta: int, memory: Memory) -> int:
    """Return the score of the position on the board, in which nobody has won yet. It is exact between `alpha` and
    `beta`, and otherwise a bound. Large pieces are tried first."""
    board, left, control = memory.board, memory.left, memory.control
    seat = ply % 2
    if wins_now(board, left, seat):
        return WON - ply - 1
    if depth <= 1:
        return 0
    least = memory.images[0]
    for s in range(1, ALL_IMAGES):
        least = min(least, memory.images[s])
    key = least * COVERED_STATES + covered
    slot = (key * HASH) >> 16 & (SLOTS - 1)
    if memory.keys[slot] == key:
        info = np.int64(memory.infos[slot])
        score, kind, known = info // 64 - 64, info // 16 % 4, info % 16
        is_bound_enough = (kind == AT_LEAST and score >= beta) or (kind == AT_MOST and score <= alpha)
        if known == depth and (kind == EXACT or is_bound_enough):
            return score
    best = np.int64(-WON)
    for choice in range(27):
        cell, size = ORDER[choice // 3], 2 - choice % 3
        piece, under = 3 * seat + 1 + size, board[cell]
        if best >= beta or left[piece] == 0 or size < SIZE[under]:
            continue
        control[NODES] += 1
        if control[NODES] >= control[ALLOWED]:
            return 0
        left[piece] -= 1
        put(memory, cell, piece)
        score = -search(ply + 1, depth - 1, covered + COVER[under], -beta, -max(alpha, best), memory)
        if control[NODES] >= control[ALLOWED]:
            return 0
        put(memory, cell, under)
        left[piece] += 1
        best = max(best, score)
    score = best if best > -WON else 0  # without a legal move, the game is drawn
    kind = AT_LEAST if score >= beta else AT_MOST if score <= alpha else EXACT
    memory.keys[slot], memory.infos[slot] = key, (score + 64) * 64 + kind * 16 + depth
    return score


@allocation_free
def look(number: int, ply: int, depth: int, memory: Memory) -> int:
    """Return the score of a position, given by its plain number, for the side to move. It is exact within `depth`
    plies. Once `control` counts as many nodes as are allowed, the result is meaningless."""
    unpack(number, memory.board, memory.left)
    if has_line(memory.board):
        return -(WON - ply)
    boards_of(memory.board, memory.images)
    return search(ply, depth, number % COVERED_STATES, np.int64(-WON), np.int64(WON), memory)
