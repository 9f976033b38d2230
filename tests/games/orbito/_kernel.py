"""Kernels that only tests use: the mirror image, and the positions that play can reach."""

from __future__ import annotations

import numpy as np
from onlymove_engines.compiled.bitset import popcount
from onlymove_engines.compiled.jit import Array, kernel
from onlymove_engines.games.orbito._kernel.cross_check import FULL, lines_up
from onlymove_engines.games.orbito._kernel.moves import MAX_MOVES, UNSET, expand, final_score
from onlymove_engines.games.orbito._kernel.table import turned


@kernel
def mirrored_differences(board: Array, mirror: Array, ternary: Array) -> int:
    """Count the positions whose score differs from that of their mirror image."""
    changed = 0
    for white in range(1 << 16):
        free = FULL & ~white
        black = free
        while True:
            at = ternary[white] + 2 * ternary[black]
            if board[at] != UNSET and board[at] != board[ternary[mirror[white]] + 2 * ternary[mirror[black]]]:
                changed += 1
            if black == 0:
                break
            black = (black - 1) & free
    return changed


@kernel
def reach(
    whites: Array, blacks: Array, begin: int, end: int, seen: Array, has_line: Array, near: Array, ternary: Array
) -> None:
    """Mark the positions after all moves of the unfinished positions numbered `begin` to `end`, if one of the
    position's turns is marked in `seen`. `seen` has a mark for each position, by the ternary number of its cells in
    ring order."""
    moves = np.empty((MAX_MOVES, 5), np.int64)
    for k in range(begin, end):
        white, black = np.int64(whites[k]), np.int64(blacks[k])
        is_seen = False
        for _ in range(4):
            is_seen = is_seen or seen[ternary[white] + 2 * ternary[black]]
            white, black = turned(white), turned(black)
        if not is_seen or final_score(white, black, has_line, 0) != UNSET:
            continue
        for m in range(expand(white, black, near, moves)):
            seen[ternary[moves[m, 3]] + 2 * ternary[moves[m, 4]]] = True


@kernel
def count_moves(whites: Array, blacks: Array, board: Array, after: Array, near: Array, ternary: Array, found: Array):
    """Count how many moves win, draw and lose for the side that plays them, in each position in reading order. A
    finished position has no moves. `board` holds the scores of all positions by ternary number. The other arrays are
    the rules of the cross-check."""
    for k in range(len(whites)):
        white, black = np.int64(whites[k]), np.int64(blacks[k])
        found[k] = 0
        if white | black == FULL or lines_up(white) or lines_up(black):
            continue
        first = popcount(white) == popcount(black)
        own, theirs = (white, black) if first else (black, white)
        mine, his = (1, 2) if first else (2, 1)
        for origin in range(-1, 16):
            if origin >= 0 and not theirs >> origin & 1:
                continue
            for to in range(16):
                moved = theirs
                if origin >= 0:
                    if not near[origin] >> to & 1 or (own | theirs) >> to & 1:
                        continue
                    moved = theirs & ~(1 << origin) | 1 << to
                for place in range(16):
                    if (own | moved) >> place & 1:
                        continue
                    score = board[mine * ternary[after[own | 1 << place]] + his * ternary[after[moved]]]
                    worth = score if first else -score
                    found[k, 0 if worth > 0 else 1 if worth == 0 else 2] += 1
                if origin < 0:
                    break
