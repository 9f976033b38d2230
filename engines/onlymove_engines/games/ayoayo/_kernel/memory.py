"""What a search works with: the closed table, the intervals found so far, a row for each ply of the line.

Every interval in here is proven: a board not looked at is worth something between minus and plus its seeds, a
closed board exactly what the table says.
"""

from typing import NamedTuple

import numpy as np

from onlymove_engines.search.jit import Array, lean

from .sow import all_seeds, closed_number, key

MAX_PLY = 120
"""No line is followed further. From boards that play can reach, 46 plies are enough."""

REMEMBERED = 1 << 18
"""Boards whose intervals are kept; a newer board takes the place of an older one."""

QUESTIONS = 1 << 16
"""Questions "at least t?" whose proof numbers are kept."""

NODES, LIMIT, REVERSE, DEEPEST = 0, 1, 2, 3
"""Places in `count`: boards expanded so far, how many are allowed (0 from outside ends the search), whether moves are
tried last to first (for comparing: the answers are the same), the deepest ply of a proof."""

MOVES, PICK = 0, 1
"""Places in a row of `frame`: how many moves, the one looked into. The searches name the others."""

SCATTER = -7046029254386353131
"""2^64 divided by the golden ratio, as a signed number: spreads keys over the slots (Knuth, volume 3, 6.4)."""


class Memory(NamedTuple):
    """One for each search; `make_memory` makes it."""

    margins: Array
    """int8[boards]: the closed table, the margin to come by number; empty without a table."""
    keys: Array
    """int64[n]: boards that are remembered; n is a power of two, here and in `numbers`."""
    bounds: Array
    """int8[n, 2]: their intervals."""
    after: Array
    """int64[MAX_PLY, 6, 12]: the boards after the moves at each ply."""
    gains: Array
    """int64[MAX_PLY, 6]: what these moves capture, less what they give; `pits`, `low`, `high` in the same order."""
    pits: Array
    low: Array
    """int64[MAX_PLY, 6]: what these moves are worth at least; at most in `high`."""
    high: Array
    frame: Array
    """int64[MAX_PLY, 5]: where the search of a ply stands."""
    missing: Array
    """int64[MAX_PLY, 6, 2]: the proof numbers of the boards after the moves."""
    numbers: Array
    """int64[m, 4]: proof numbers of questions, and the question."""
    count: Array
    """int64[4]: NODES, LIMIT, REVERSE, DEEPEST."""


def make_memory(margins: Array, count: Array) -> Memory:
    """An empty memory above this table."""
    return Memory(
        margins,
        np.zeros(REMEMBERED, np.int64),
        np.zeros((REMEMBERED, 2), np.int8),
        np.zeros((MAX_PLY, 6, 12), np.int64),
        *(np.zeros((MAX_PLY, 6), np.int64) for _ in ("gains", "pits", "low", "high")),
        np.zeros((MAX_PLY, 5), np.int64),
        np.zeros((MAX_PLY, 6, 2), np.int64),
        np.zeros((QUESTIONS, 4), np.int64),
        count,
    )


@lean
def slot_of(bits: int, slots: int) -> int:
    """Where something with this key is remembered; `slots` is a power of two."""
    return ((bits * SCATTER) >> 30) & (slots - 1)


@lean
def known(board: Array, memory: Memory) -> tuple[int, int]:
    """What is known of a board without looking further, as (low, high)."""
    number = closed_number(board) if len(memory.margins) else -1
    if number >= 0:
        exact = np.int64(memory.margins[number])
        return exact, exact
    total = all_seeds(board)
    bits = key(board)
    slot = slot_of(bits, len(memory.keys))
    if memory.keys[slot] == bits:
        return np.int64(memory.bounds[slot, 0]), np.int64(memory.bounds[slot, 1])
    return -total, total


@lean
def remember(board: Array, low: int, high: int, memory: Memory) -> tuple[int, int]:
    """Join an interval with what was known of a board, keep and return it."""
    old_low, old_high = known(board, memory)
    low, high = max(low, old_low), min(high, old_high)
    bits = key(board)
    slot = slot_of(bits, len(memory.keys))
    memory.keys[slot] = bits
    memory.bounds[slot, 0], memory.bounds[slot, 1] = low, high
    return low, high


@lean
def is_spent(memory: Memory) -> bool:
    """Whether the search has to end."""
    return memory.count[NODES] >= memory.count[LIMIT]
