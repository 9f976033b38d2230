"""Plain minimax, as the original program plays it.

The score is the captures of the side to move minus the other side's, at the depth limit or at the end of the game. Only
branches that cannot affect the choice are pruned, so the move is the same. The arrays that the functions work in
(`after`, `gains`, `pits`) have a row for each depth.
"""

import numpy as np

from onlymove_engines.search.jit import Array, lean

from .moves import count_own_seeds, list_children, net, pack, unpack

HALF = 24
MOST = 1000
"""More than any score."""


@lean
def has_majority(taken: int) -> bool:
    """Whether one side has captured more than half of the seeds."""
    first, second = unpack(taken)
    return max(first, second) > HALF


@lean
def pass_turn(taken: int, gain: int) -> int:
    """Return both sides' captures after a move with this gain, those of the side that moves next first."""
    first, second = unpack(taken + gain)
    return pack(second, first)


@lean
def score(board: Array, taken: int, depth: int, alpha: int, beta: int, after: Array, gains: Array, pits: Array) -> int:
    """Return the score of `board` after `depth` plies of best play.

    It is exact inside alpha..beta, otherwise a bound outside it. `taken` holds both sides' captures, those of the side
    to move first.
    """
    moves = list_children(board, after[depth], gains[depth], pits[depth])
    if moves == 0:
        return net(taken) + count_own_seeds(board)
    if depth == 0 or has_majority(taken):
        return net(taken)
    for m in range(moves):
        if alpha >= beta:
            break
        then = pass_turn(taken, gains[depth, m])
        alpha = max(alpha, -score(after[depth, m], then, depth - 1, -beta, -alpha, after, gains, pits))
    return alpha


@lean
def choose(board: Array, taken: int, depth: int, is_reversed: bool, after: Array, gains: Array, pits: Array) -> int:
    """Return the first pit with the best score at this depth, searching pits in ascending order, or descending if
    `is_reversed`. -1 if no move is permitted.
    """
    moves = list_children(board, after[depth], gains[depth], pits[depth])
    best, pit = np.int64(-MOST), -1
    for k in range(moves):
        m = moves - 1 - k if is_reversed else k
        then = pass_turn(taken, gains[depth, m])
        found = -score(after[depth, m], then, depth - 1, np.int64(-MOST), -best, after, gains, pits)
        if found > best:
            best, pit = found, pits[depth, m]
    return pit
