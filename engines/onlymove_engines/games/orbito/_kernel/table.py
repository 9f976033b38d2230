"""Solves Orbito layer by layer. It uses a board of scores: an array with the score of every position, taken after a
move and before its shift.

Each of the four turns of a position is stored as it was one shift earlier. Its index is the ternary number of its cells
in ring order: the sum of 3^k over White's cells and 2 * 3^k over Black's. A move followed by a shift then changes only
the digits of the cells that the move touches. So the index after a move can be found by adding.
"""

from __future__ import annotations

import numpy as np

from onlymove_engines.compiled.bitset import popcount
from onlymove_engines.compiled.jit import Array, allocation_free, inlined

from .moves import FULL, UNSET, final_score


@inlined
def turned(marbles):
    outer, inner = marbles & 0xFFF, marbles >> 12
    return ((outer << 3 | outer >> 9) & 0xFFF) | ((inner << 1 | inner >> 3) & 0xF) << 12


@inlined
def unshifted(marbles):
    """Move every marble one step back along its ring."""
    outer, inner = marbles & 0xFFF, marbles >> 12
    return ((outer >> 1 | outer << 11) & 0xFFF) | ((inner >> 1 | inner << 3) & 0xF) << 12


@inlined
def spread(white, black, score, board, ternary):
    """Store a score for all four turns of a position, as they were one shift earlier."""
    white, black = unshifted(white), unshifted(black)
    for _ in range(4):
        board[ternary[white] + 2 * ternary[black]] = score
        white, black = turned(white), turned(black)


@inlined
def best_score(white, black, board, near, ternary):
    """Return the score of an unfinished position, computed from the scores after its moves."""
    occupied = white | black
    marbles = popcount(occupied)
    second = marbles & 1 == 1
    own, theirs = (black, white) if second else (white, black)
    sign, weight = (-1, 2) if second else (1, 1)
    most = 16 - marbles
    best = -100
    pushed = 0  # the bit of the marble to push, or 0
    rest = theirs
    while True:
        targets = near[popcount(pushed - 1)] & ~occupied if pushed else 1
        while targets:
            target = targets & -targets
            targets ^= target
            after = theirs ^ pushed ^ target if pushed else theirs
            here = weight * ternary[own] + (3 - weight) * ternary[after]
            free = FULL & ~(own | after)
            while free:
                place = free & -free
                free ^= place
                score = sign * board[here + weight * ternary[place]]
                if score > best:
                    best = score
                    if best == most:
                        return sign * best
        if not rest:
            return sign * best
        pushed = rest & -rest
        rest ^= pushed


@allocation_free
def solve(
    whites: Array,
    blacks: Array,
    begin: int,
    end: int,
    extra: int,
    scores: Array,
    known: Array,
    has_line: Array,
    near: Array,
    ternary: Array,
) -> None:
    """Score the positions numbered `begin` to `end`, which are all in one layer. `known` holds the scores of the layer
    with one more marble. A full board makes `extra` more shifts. `has_line` and `ternary` say of each set of cells
    whether it contains a line, and the sum of 3^k over it. `near` holds the neighbours of each cell."""
    for k in range(begin, end):
        white, black = np.int64(whites[k]), np.int64(blacks[k])
        score = final_score(white, black, has_line, extra)
        if score == UNSET:
            score = best_score(white, black, known, near, ternary)
        scores[k] = score
        spread(white, black, score, known, ternary)
