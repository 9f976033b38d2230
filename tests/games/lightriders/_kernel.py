"""Plays rounds with the compiled code of Light Riders' searches, and values positions by backward induction."""

from __future__ import annotations

import numpy as np
from onlymove_engines.compiled.bitset import ZERO
from onlymove_engines.compiled.jit import Array, allocation_free
from onlymove_engines.games.lightriders._kernel.field import Tools, clear, copy, is_set
from onlymove_engines.games.lightriders._kernel.induction import nash
from onlymove_engines.games.lightriders._kernel.search import check_leaf, play_round


@allocation_free
def ride(empty: Array, heads: Array, ways_chosen: Array, tools: Tools) -> None:
    """Play many rounds, each on its own board, with the same code as a search.

    `empty` (uint64[n, words]) and `heads` (int64[n, 2]) get the boards and heads after the rounds, with -1 for a
    crashed rider. In `ways_chosen` (int64[n, 2]), 0 to 3 are up, down, left and right, and -1 is a crash.
    """
    for n in range(empty.shape[0]):
        board = empty[n]
        for rider in range(2):
            way = ways_chosen[n, rider]
            cell = np.int64(tools.near[heads[n, rider], way]) if way >= 0 else -1
            heads[n, rider] = cell if cell >= 0 and is_set(board, cell) else -1
        mine, yours = heads[n, 0], heads[n, 1]
        if mine == yours:
            heads[n, 0] = heads[n, 1] = -1
        elif mine >= 0 and yours >= 0:
            copy(board, tools.boards[0])
            play_round(0, mine, yours, ZERO, tools)
            copy(tools.boards[1], board)
        else:
            clear(board, max(mine, yours))


@allocation_free
def find_nash_value(me: int, you: int, depth: int, mode: int, tools: Tools) -> float:
    """Return the value of the first board by backward induction. The root may be a leaf."""
    leaf, value, _, _ = check_leaf(
        np.int64(0), me, you, depth, mode, tools.lists[0, 0], tools.lists[1, 0], False, tools
    )
    return value if leaf else nash(np.int64(0), me, you, depth, mode, tools)
