"""What the tests alone compile: the mirror, and what play can reach."""

from __future__ import annotations

import numpy as np
from onlymove_engines.games.orbito._kernel.law import MOST_MOVES, UNSET, expand, final_score
from onlymove_engines.games.orbito._kernel.table import turned
from onlymove_engines.games.orbito._kernel.witness import FULL
from onlymove_engines.search.jit import Array, kernel


@kernel
def mirrored_differences(board: Array, mirror: Array, ternary: Array) -> int:
    """How many positions have another score than their mirror image."""
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
    """Mark every child of the unfinished positions numbered `begin` to `end` that are `seen` in one of their turns.

    `seen` holds a mark for each position, by the ternary number of its cells in ring order.
    """
    moves = np.empty((MOST_MOVES, 5), np.int64)
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
