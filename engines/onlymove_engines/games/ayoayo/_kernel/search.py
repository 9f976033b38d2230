"""The exact search above the closed table: intervals that hold the margin to come, deepened until they close.

Every interval in here is proven: a board not looked at is worth something between minus and plus its seeds, a
closed board exactly what the table says, and a parent's interval follows from its children's. A deeper search
only narrows it. Above the table play cannot circle (see docs/engines), so the search ends.
"""

import numpy as np

from onlymove_engines.search.jit import kernel

from .sow import all_seeds, children, closed_number, key, net, own_seeds

MAX_PLY = 120
"""No line is followed further. From boards that play can reach, 46 plies are enough."""

STEP = 3
"""Plies by which the search deepens."""

NODES, LIMIT = 0, 1
"""Places in `count`: boards expanded so far, and how many are allowed."""


@kernel
def known(board, margins, keys, bounds):
    """What is known of a board without looking further, as (low, high)."""
    number = closed_number(board) if len(margins) else -1
    if number >= 0:
        exact = np.int64(margins[number])
        return exact, exact
    total = all_seeds(board)
    bits = key(board)
    slot = ((bits * -7046029254386353131) >> 30) & (len(keys) - 1)
    if keys[slot] == bits:
        return np.int64(bounds[slot, 0]), np.int64(bounds[slot, 1])
    return -total, total


@kernel
def narrow(board, ply, depth, alpha, beta, margins, keys, bounds, after, gains, pits, low, high, count, stop):
    """An interval (low, high) for the margin to come of `board`, after looking `depth` >= 1 plies ahead.

    Stops when the interval is a point, lies outside alpha..beta, the depth is used up, `stop[0]` is set or the
    nodes are spent; the interval is true in any case. `after`, `gains`, `pits`, `low`, `high` have a row a ply;
    `keys` and `bounds` remember intervals, in place.
    """
    count[NODES] += 1
    moves = children(board, after[ply], gains[ply], pits[ply])
    if moves == 0:
        exact = own_seeds(board)
        return exact, exact
    best_low, best_high = np.int64(-128), np.int64(-128)
    for m in range(moves):
        gain = net(gains[ply, m])
        gains[ply, m] = gain
        child_low, child_high = known(after[ply, m], margins, keys, bounds)
        low[ply, m], high[ply, m] = gain - child_high, gain - child_low
        best_low, best_high = max(best_low, low[ply, m]), max(best_high, high[ply, m])
    searched = 0
    while depth > 1 and best_low < best_high and best_low < beta and best_high > alpha:
        if stop[0] or count[NODES] >= count[LIMIT]:
            break
        floor = max(alpha, best_low)
        pick, promise = -1, -1024
        for m in range(moves):
            open_ = searched & (1 << m) == 0 and high[ply, m] > floor and low[ply, m] < high[ply, m]
            if open_ and low[ply, m] + high[ply, m] > promise:
                pick, promise = m, low[ply, m] + high[ply, m]
        if pick < 0:
            break
        searched |= 1 << pick
        gain = gains[ply, pick]
        child_low, child_high = narrow(
            after[ply, pick], ply + 1, depth - 1, gain - beta, gain - floor,
            margins, keys, bounds, after, gains, pits, low, high, count, stop,
        )  # fmt: skip
        low[ply, pick] = max(low[ply, pick], gain - child_high)
        high[ply, pick] = min(high[ply, pick], gain - child_low)
        best_low, best_high = np.int64(-128), np.int64(-128)
        for m in range(moves):
            best_low, best_high = max(best_low, low[ply, m]), max(best_high, high[ply, m])
    old_low, old_high = known(board, margins, keys, bounds)
    best_low, best_high = max(best_low, old_low), min(best_high, old_high)
    bits = key(board)
    slot = ((bits * -7046029254386353131) >> 30) & (len(keys) - 1)
    keys[slot] = bits
    bounds[slot, 0], bounds[slot, 1] = best_low, best_high
    return best_low, best_high


@kernel
def exact(board, max_depth, margins, keys, bounds, after, gains, pits, low, high, count, stop):
    """Deepen until the margin to come of `board` is known: (low, high, depth), low == high when proven.

    Each round asks on which side of the interval's middle the margin lies; three plies a step cost least (tried
    with 1 to 4 on 3,000 boards at plies 6-20 of random play).
    """
    best_low, best_high = known(board, margins, keys, bounds)
    depth = 0
    while best_low < best_high and depth < min(max_depth, MAX_PLY - 1):
        depth = min(depth + STEP, max_depth, MAX_PLY - 1)
        middle = best_low + ((best_high - best_low) >> 1)
        best_low, best_high = narrow(
            board, 0, depth, middle, middle + 1,
            margins, keys, bounds, after, gains, pits, low, high, count, stop,
        )  # fmt: skip
        if stop[0] or count[NODES] >= count[LIMIT]:
            break
    return best_low, best_high, depth
