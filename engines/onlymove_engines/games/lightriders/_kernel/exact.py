"""Exact play on a graph of at most 64 cells, compiled.

Cells are bits of one uint64. `near[c]` holds the neighbours of cell c, and `dark` one colour of the chessboard. A state
is (free cells, head 0, head 1). A memo holds the value for rider 0 of every state in which the riders can still meet.

    free   ...0110111    bit c is set if cell c is empty
    key    head0 << 6 | head1, plus 1, so that 0 marks an unused slot of the memo

The memo does not grow. If a new entry finds no free slot nearby, it overwrites the last slot that it tried.
"""

from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.bitset import ONE, ZERO, bit, lowest, popcount
from onlymove_engines.compiled.jit import Array, allocation_free

from .chambers import bound_path
from .field import ALLOWED, GAVE_UP, NODES
from .matrix import WORK_ROWS, solve_matrix

MIX1, MIX2, MIX3 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S31 = np.uint64(27), np.uint64(31)
MAX_GRAPH = 64
MAX_ROUNDS = MAX_GRAPH // 2 + 2
"""More than the number of rounds that can be left. Unless the riders collide, a round takes two cells. One more is for
the matrix of the last round."""
PROBES = 8


class Memo(NamedTuple):
    """A graph, the known values of its states, and the solver's working memory."""

    near: Array
    """uint64[MAX_GRAPH]: the neighbours of each cell."""
    dark: Array
    """uint64[1]: one colour of the chessboard."""
    keys: Array
    """uint64[n]: the free cells of the states. n is a power of two."""
    heads: Array
    """int16[n]: the heads of the states, or 0 for an unused slot."""
    values: Array
    """float64[n]: what the states are worth to rider 0."""
    stat: Array
    """int64[3], like the first entries of `Tools.stat`: the states visited, the visits allowed, and whether the search
    gave up."""
    work: Array
    """float64[MAX_ROUNDS, WORK_ROWS, 4]: the matrix of each round, and the space to solve it."""


def make_memo(entries: int) -> Memo:
    """Return an empty memo without a graph."""
    return Memo(
        near=np.zeros(MAX_GRAPH, np.uint64),
        dark=np.zeros(1, np.uint64),
        keys=np.zeros(entries, np.uint64),
        heads=np.zeros(entries, np.int16),
        values=np.zeros(entries, np.float64),
        stat=np.zeros(3, np.int64),
        work=np.zeros((MAX_ROUNDS, WORK_ROWS, 4)),
    )


@allocation_free
def find_reachable(free, head, near):
    found = near[head] & free
    front = found
    while front != ZERO:
        cell = lowest(front)
        front &= front - ONE
        new = near[cell] & free & ~found
        found |= new
        front |= new
    return found


@allocation_free
def find_longest(free, head, floor, memo):
    """Return the length of the longest path from `head` through free cells if it exceeds `floor`. Otherwise, return an
    upper bound that is at most `floor`."""
    near, stat = memo.near, memo.stat
    stat[NODES] += 1
    if stat[NODES] > stat[ALLOWED]:
        stat[GAVE_UP] = 1
        return 0
    cells = find_reachable(free, head, near)
    if cells == ZERO:
        return 0
    dark = memo.dark[0]
    bound = bound_path(popcount(cells & dark), popcount(cells & ~dark), dark & bit(head) != ZERO)
    if bound <= floor:
        return bound
    found = 0
    for ways in range(5):  # cells with the fewest ways onward first
        steps = near[head] & cells
        while steps != ZERO:
            cell = lowest(steps)
            steps &= steps - ONE
            if popcount(near[cell] & cells) != ways:
                continue
            length = 1 + find_longest(cells & ~bit(cell), cell, max(floor, found) - 1, memo)
            if stat[GAVE_UP]:
                return found
            found = max(found, length)
            if found >= bound:
                return found
    return found


@allocation_free
def _find_slot(free, key, memo):
    """Return the slot of (free, key) in the memo, or the slot to store it in: an unused one, or the last one tried."""
    h = free ^ (np.uint64(key) * MIX1)
    h = (h ^ (h >> S31)) * MIX2
    h = (h ^ (h >> S27)) * MIX3
    h ^= h >> S31
    keys, heads = memo.keys, memo.heads
    size = np.uint64(keys.shape[0] - 1)
    at = h & size
    for _ in range(PROBES):
        if heads[at] == 0 or (heads[at] == key and keys[at] == free):
            return at
        at = (at + ONE) & size
    return at


@allocation_free
def state_value(free: np.uint64, head0: int, head1: int, ply: int, memo: Memo) -> float:
    """Return the value for rider 0 by the full matrix of every round.

    A matrix is left unfinished once a row or column settles it. `ply` counts the rounds from the root position. The
    value is meaningless if `memo.stat` says that the search gave up.
    """
    near, keys, heads, stat = memo.near, memo.keys, memo.heads, memo.stat
    steps0, steps1 = near[head0] & free, near[head1] & free
    if steps0 == ZERO or steps1 == ZERO:
        return np.float64(steps0 != ZERO) - np.float64(steps1 != ZERO)
    cells = find_reachable(free, head0, near)
    if cells & steps1 == ZERO:  # the riders cannot meet, so the one that can fill longer wins
        floor = np.int64(0)  # a literal would make a second compiled form, which cannot be restored from disk
        mine, theirs = find_longest(cells, head0, floor, memo), find_longest(free & ~cells, head1, floor, memo)
        return np.float64(mine > theirs) - np.float64(mine < theirs)
    cells |= find_reachable(free, head1, near)
    sign = 1.0
    if head0 > head1:  # the memo stores each state with the riders in order
        head0, head1 = head1, head0
        sign = -1.0
    key = (head0 << 6 | head1) + 1
    at = _find_slot(cells, key, memo)
    if heads[at] == key and keys[at] == cells:
        return sign * memo.values[at]
    stat[NODES] += 1
    if stat[NODES] > stat[ALLOWED]:
        stat[GAVE_UP] = 1
        return 0.0
    steps0, steps1 = near[head0] & cells, near[head1] & cells
    rows, columns = popcount(steps0), popcount(steps1)
    payoff, x, y = memo.work[ply, :4], memo.work[ply, 4], memo.work[ply, 5]
    lost_columns = (1 << columns) - 1
    value = 2.0
    for i in range(rows):
        a = lowest(steps0)
        steps0 &= steps0 - ONE
        rest1 = steps1
        row_won = True
        for j in range(columns):
            b = lowest(rest1)
            rest1 &= rest1 - ONE
            after = 0.0
            if a != b:
                after = state_value(cells & ~bit(a) & ~bit(b), a, b, ply + 1, memo)
            if stat[GAVE_UP]:
                return 0.0
            payoff[i, j] = after
            row_won &= after == 1.0
            if after != -1.0:
                lost_columns &= ~(1 << j)
        if row_won:
            value = 1.0
            break
    if value != 1.0:
        value = -1.0 if lost_columns else solve_matrix(payoff, rows, columns, x, y, memo.work[ply + 1])
    at = _find_slot(cells, key, memo)
    heads[at] = key
    keys[at] = cells
    memo.values[at] = value
    return sign * value
