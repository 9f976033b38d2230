"""Live search without a table: depth-limited alpha-beta with a transposition table.

If a side wins when E pieces have been placed, its score is 50 - E and the other side's score is the negative of that.
The score is 0 if the depth decides nothing. Scores are exact within the depth. E depends only on the position and the
plies to the end, so transpositions have the same scores. What is known about a position is packed into a word:

    bits 6..12     4..5   0..3
    score + 64     kind   depth
"""

from typing import NamedTuple

import numpy as np

from onlymove_engines.search.jit import Array, inlined, lean

from .moves import ALL_IMAGES, COVER, COVERED_STATES, HASH, SIZE, WEIGHTS, boards_of, has_line, unpack, wins_now

WON = 50
ORDER = np.array([4, 0, 2, 6, 8, 1, 3, 5, 7], np.int64)
"""The order in which cells are tried: the middle, the corners, the edges."""

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
OPEN = 99
LEVELS = 14
SLOTS = 1 << 18

NODES, ALLOWED = 0, 1
"""Indices in `control`: the nodes counted so far, and the nodes allowed."""

ALPHA, BETA, BEST, TRIED, CELL, UNDER, KEY, SLOT = range(8)
"""Indices in a row of `frames`: the window, the best score so far, how many of the 27 choices were tried, the cell of
the move being searched and the piece that it covers, the position's number, and its slot."""


class Memory(NamedTuple):
    """The working memory of a search."""

    board: Array
    """int64[9]: the piece that each cell shows."""
    left: Array
    """int64[7]: the pieces in hand by kind. Entry 0 is not used."""
    images: Array
    """int64[8]: the board as a number, in each symmetric image."""
    frames: Array
    """int64[LEVELS, 8]: the state of the search at each level."""
    keys: Array
    """int64[SLOTS]: the numbers of positions that are remembered."""
    infos: Array
    """int32[SLOTS]: what is known about them."""
    control: Array
    """int64[2]: see NODES and ALLOWED."""


def make_memory(control: Array) -> Memory:
    return Memory(
        np.zeros(9, np.int64),
        np.zeros(7, np.int64),
        np.zeros(ALL_IMAGES, np.int64),
        np.zeros((LEVELS, 8), np.int64),
        np.zeros(SLOTS, np.int64),
        np.zeros(SLOTS, np.int32),
        control,
    )


@inlined
def score_at_once(memory, level, seat, ply, depth, covered):
    """Return the score of a position if it is known without searching its moves, and otherwise OPEN. It is known if the
    next piece wins, if the depth is used up (0), or if the transposition table remembers it."""
    if wins_now(memory.board, memory.left, seat):
        return WON - ply - 1
    if depth <= 1:
        return 0
    least = memory.images[0]
    for s in range(1, ALL_IMAGES):
        least = min(least, memory.images[s])
    key = least * COVERED_STATES + covered
    slot = (key * HASH) >> 16 & (SLOTS - 1)
    memory.frames[level, KEY], memory.frames[level, SLOT] = key, slot
    if memory.keys[slot] == key:
        info = memory.infos[slot]
        score, kind, known = info // 64 - 64, info // 16 % 4, info % 16
        is_enough = (
            kind == EXACT
            or (kind == AT_LEAST and score >= memory.frames[level, BETA])
            or (kind == AT_MOST and score <= memory.frames[level, ALPHA])
        )
        if known == depth and is_enough:
            return score
    return OPEN


@inlined
def next_move(memory, level, seat):
    """Return the cell and the piece to try next at a level, large pieces first. Return cell -1 if no move is left or
    the score already exceeds the window."""
    frames = memory.frames
    while frames[level, TRIED] < 27 and frames[level, BEST] < frames[level, BETA]:
        cell = ORDER[frames[level, TRIED] // 3]
        size = 2 - frames[level, TRIED] % 3
        frames[level, TRIED] += 1
        if memory.left[3 * seat + 1 + size] > 0 and size >= SIZE[memory.board[cell]]:
            return cell, 3 * seat + 1 + size
    return -1, 0


@inlined
def put(memory, cell, piece):
    """Change the piece that a cell shows."""
    change = piece - memory.board[cell]
    for s in range(ALL_IMAGES):
        memory.images[s] += change * WEIGHTS[s, cell]
    memory.board[cell] = piece


@lean
def look(number: int, ply: int, depth: int, memory: Memory) -> int:
    """Return the score of a position, given by its plain number, for the side to move. It is exact within `depth`
    plies.

    Once `control` counts as many nodes as are allowed, the result is meaningless. This is a loop and not a recursion,
    because numba cannot reload a recursive function from its cache (numba issue 6061).
    """
    board, left, frames, control = memory.board, memory.left, memory.frames, memory.control
    unpack(number, board, left)
    if has_line(board):
        return -(WON - ply)
    covered = number % COVERED_STATES
    boards_of(board, memory.images)
    frames[0, ALPHA], frames[0, BETA] = -WON, WON
    level, entering, score = 0, True, OPEN
    while True:
        seat = (ply + level) % 2
        if entering:
            frames[level, BEST], frames[level, TRIED] = -WON, 0
            score = score_at_once(memory, level, seat, ply + level, depth - level, covered)
        if not entering or score == OPEN:
            cell, piece = next_move(memory, level, seat)
            if cell >= 0:
                control[NODES] += 1
                if control[NODES] >= control[ALLOWED]:
                    return 0
                frames[level, CELL], frames[level, UNDER] = cell, board[cell]
                covered += COVER[board[cell]]
                left[piece] -= 1
                put(memory, cell, piece)
                level, entering = level + 1, True
                frames[level, ALPHA] = -frames[level - 1, BETA]
                frames[level, BETA] = -max(frames[level - 1, ALPHA], frames[level - 1, BEST])
                continue
            best = frames[level, BEST]
            score = best if best > -WON else 0  # without a legal move, the game is drawn
            kind = AT_LEAST if score >= frames[level, BETA] else AT_MOST if score <= frames[level, ALPHA] else EXACT
            memory.keys[frames[level, SLOT]] = frames[level, KEY]
            memory.infos[frames[level, SLOT]] = (score + 64) * 64 + kind * 16 + depth - level
        if level == 0:
            return score
        level, entering = level - 1, False
        cell = frames[level, CELL]
        left[board[cell]] += 1
        put(memory, cell, frames[level, UNDER])
        covered -= COVER[board[cell]]
        frames[level, BEST] = max(frames[level, BEST], -score)
