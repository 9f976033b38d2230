"""The rules of Orbito compiled.

A position is two sets of cells, White's marbles and Black's, with a bit for each cell in the ring order of `rules.py`.
Scores are from the first player's view. If White wins, the score is 17 minus the number of marbles at the end.
"""

from __future__ import annotations

import numpy as np

from onlymove_engines.compiled.bitset import popcount
from onlymove_engines.compiled.jit import Array, inlined, kernel

FULL = 0xFFFF
UNSET = -128
MAX_MOVES = 135


@inlined
def shifted(marbles):
    """Move every marble one step along its ring."""
    outer, inner = marbles & 0xFFF, marbles >> 12
    return ((outer << 1 | outer >> 11) & 0xFFF) | ((inner << 1 | inner >> 3) & 0xF) << 12


@inlined
def final_score(white: int, black: int, has_line: Array, extra: int) -> int:
    """Return the score of a finished position, or UNSET while the game goes on. A full board makes `extra` more
    shifts."""
    marbles = popcount(white | black)
    checks = extra if marbles == 16 else 0
    for check in range(checks + 1):
        if has_line[white] or has_line[black]:
            return (17 - marbles) * (np.int64(has_line[white]) - np.int64(has_line[black]))
        if check < checks:
            white, black = shifted(white), shifted(black)
    return 0 if marbles == 16 else UNSET


@kernel
def expand(white: int, black: int, near: Array, found: Array) -> int:
    """List every legal move of an unfinished position, and return the number of moves, at most 135.

    Each row of `found` gets the pushed marble and its destination (0 for none), the placed marble, and White's and
    Black's marbles after the move. Moves without a push come first, then the others in the order of bits.
    """
    occupied = white | black
    second = popcount(occupied) & 1 == 1
    own, theirs = (black, white) if second else (white, black)
    count = 0
    pushed = 0
    rest = theirs
    while True:
        targets = near[popcount(pushed - 1)] & ~occupied if pushed else 1
        while targets:
            target = targets & -targets
            targets ^= target
            after = theirs ^ pushed ^ target if pushed else theirs
            free = FULL & ~(own | after)
            while free:
                place = free & -free
                free ^= place
                mine, other = shifted(own | place), shifted(after)
                found[count, 0], found[count, 1], found[count, 2] = pushed, target if pushed else 0, place
                found[count, 3], found[count, 4] = (other, mine) if second else (mine, other)
                count += 1
        if not rest:
            return count
        pushed = rest & -rest
        rest ^= pushed
