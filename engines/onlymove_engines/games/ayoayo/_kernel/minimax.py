"""Plain minimax, as in the original program.

The score is the captures of the side to move minus the other side's, at the depth limit or at the end of the game.
Pruning leaves out only branches that cannot change the choice. The working arrays `after`, `gains` and `pits` have a
row for each depth.
"""

import numpy as np

from onlymove_engines.search.jit import Array, lean

from .moves import count_own_seeds, list_children, net, pack, unpack

HALF = 24
MOST = 1000
"""Larger than any score."""


@lean
def has_majority(taken: int) -> bool:
    first, second = unpack(taken)
    return max(first, second) > HALF


@lean
def pass_turn(taken: int, gain: int) -> int:
    """Return both sides' captures after a move with this gain, beginning with the side that moves next."""
    first, second = unpack(taken + gain)
    return pack(second, first)


@lean
def score(board: Array, taken: int, depth: int, alpha: int, beta: int, after: Array, gains: Array, pits: Array) -> int:
    """Return the score of `board` after `depth` plies of best play.

    The score is exact between `alpha` and `beta`, and otherwise a bound. `taken` holds both sides' captures, beginning
    with the side to move.
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
    """Return the first pit with the best score at this depth, or -1 if there is no legal move. Pits are searched in
    ascending order, or in descending order if `is_reversed`."""
    moves = list_children(board, after[depth], gains[depth], pits[depth])
    best, pit = np.int64(-MOST), -1
    for k in range(moves):
        m = moves - 1 - k if is_reversed else k
        then = pass_turn(taken, gains[depth, m])
        found = -score(after[depth, m], then, depth - 1, np.int64(-MOST), -best, after, gains, pits)
        if found > best:
            best, pit = found, pits[depth, m]
    return pit
