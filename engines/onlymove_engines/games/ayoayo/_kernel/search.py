"""Intervals that hold the margin to come, and a search that deepens until they close.

Every interval in here is proven: a board not looked at is worth something between minus and plus its seeds, a
closed board exactly what the table says, and a parent's interval follows from its children's. A deeper search
only narrows it. Above the table play cannot circle (see docs/engines), so the search ends.
"""

import numpy as np

from onlymove_engines.search.jit import kernel

from .sow import Ints, all_seeds, children, closed_number, key, net, own_seeds

MAX_PLY = 120
"""No line is followed further. From boards that play can reach, 46 plies are enough."""

STEP = 3
"""Plies by which the search deepens."""

NODES, LIMIT, REVERSE = 0, 1, 2
"""Places in `count`: boards expanded so far, how many are allowed, and whether moves are tried last to first, for
comparing: the answers are the same."""

ALPHA, BETA, MOVES, SEARCHED, PICK = 0, 1, 2, 3, 4
"""Places in a row of `frame`: the window, how many moves, a bit for each looked into, the current one."""

SCATTER = -7046029254386353131
"""2^64 divided by the golden ratio, as a signed number: spreads keys over the slots (Knuth, volume 3, 6.4)."""


@kernel
def known(board: Ints, margins: Ints, keys: Ints, bounds: Ints) -> tuple[int, int]:
    """What is known of a board without looking further, as (low, high)."""
    number = closed_number(board) if len(margins) else -1
    if number >= 0:
        exact = np.int64(margins[number])
        return exact, exact
    total = all_seeds(board)
    bits = key(board)
    slot = ((bits * SCATTER) >> 30) & (len(keys) - 1)
    if keys[slot] == bits:
        return np.int64(bounds[slot, 0]), np.int64(bounds[slot, 1])
    return -total, total


@kernel
def remember(board: Ints, low: int, high: int, margins: Ints, keys: Ints, bounds: Ints) -> tuple[int, int]:
    """Join an interval with what was known of a board, keep and return it."""
    old_low, old_high = known(board, margins, keys, bounds)
    low, high = max(low, old_low), min(high, old_high)
    bits = key(board)
    slot = ((bits * SCATTER) >> 30) & (len(keys) - 1)
    keys[slot] = bits
    bounds[slot, 0], bounds[slot, 1] = low, high
    return low, high


@kernel
def expand(
    board: Ints, after: Ints, gains: Ints, pits: Ints, low: Ints, high: Ints, margins: Ints, keys: Ints, bounds: Ints
) -> int:
    """Write every move of a board with the interval that is known of it; returns how many there are."""
    moves = children(board, after, gains, pits)
    for m in range(moves):
        gains[m] = net(gains[m])
        child_low, child_high = known(after[m], margins, keys, bounds)
        low[m], high[m] = gains[m] - child_high, gains[m] - child_low
    return moves


@kernel
def promising(low: Ints, high: Ints, moves: int, searched: int, floor: int, reverse: int) -> int:
    """The move to look into next: open, not yet looked into, able to be worth more than `floor`; -1 for none."""
    pick, promise = -1, -1024
    for m in range(moves):
        is_open = searched & (1 << m) == 0 and high[m] > floor and low[m] < high[m]
        worth = m if reverse else low[m] + high[m]
        if is_open and worth > promise:
            pick, promise = m, worth
    return pick


@kernel
def narrow(
    board: Ints,
    depth: int,
    alpha: int,
    beta: int,
    margins: Ints,
    keys: Ints,
    bounds: Ints,
    after: Ints,
    gains: Ints,
    pits: Ints,
    low: Ints,
    high: Ints,
    frame: Ints,
    count: Ints,
    stop: Ints,
) -> tuple[int, int]:
    """An interval for the margin to come of `board` after looking `depth` >= 1 plies ahead: alpha-beta on intervals.

    A board is left when its interval is a point or lies outside its window alpha..beta, when nothing open could
    change that, at the depth, when `stop[0]` is set or the nodes are spent; the interval is true in any case.
    `after`, `gains`, `pits`, `low`, `high`, `frame` have a row a ply; `keys` and `bounds` remember intervals.
    A loop and not a recursion: numba's cache does not bring a recursive function back to life (numba issue 6061).
    """
    ply, entering = 0, True
    here = board
    frame[0, ALPHA], frame[0, BETA] = alpha, beta
    while True:
        if entering:
            count[NODES] += 1
            moves = expand(here, after[ply], gains[ply], pits[ply], low[ply], high[ply], margins, keys, bounds)
            frame[ply, MOVES], frame[ply, SEARCHED] = moves, 0
        moves, floor = frame[ply, MOVES], frame[ply, ALPHA]
        best_low, best_high = np.int64(-128), np.int64(-128)
        if moves == 0:
            best_low = best_high = own_seeds(here)
        for m in range(moves):
            best_low, best_high = max(best_low, low[ply, m]), max(best_high, high[ply, m])
        pick = -1
        is_open = best_low < best_high and best_low < frame[ply, BETA] and best_high > floor
        if is_open and ply + 1 < depth and not stop[0] and count[NODES] < count[LIMIT]:
            floor = max(floor, best_low)
            pick = promising(low[ply], high[ply], moves, frame[ply, SEARCHED], floor, count[REVERSE])
        if pick >= 0:
            frame[ply, SEARCHED] |= 1 << pick
            frame[ply, PICK] = pick
            frame[ply + 1, ALPHA] = gains[ply, pick] - frame[ply, BETA]
            frame[ply + 1, BETA] = gains[ply, pick] - floor
            here, ply, entering = after[ply, pick], ply + 1, True
            continue
        best_low, best_high = remember(here, best_low, best_high, margins, keys, bounds)
        if ply == 0:
            return best_low, best_high
        ply, entering = ply - 1, False
        pick = frame[ply, PICK]
        low[ply, pick] = max(low[ply, pick], gains[ply, pick] - best_high)
        high[ply, pick] = min(high[ply, pick], gains[ply, pick] - best_low)
        here = board if ply == 0 else after[ply - 1, frame[ply - 1, PICK]]


@kernel
def exact(
    board: Ints,
    max_depth: int,
    margins: Ints,
    keys: Ints,
    bounds: Ints,
    after: Ints,
    gains: Ints,
    pits: Ints,
    low: Ints,
    high: Ints,
    frame: Ints,
    count: Ints,
    stop: Ints,
) -> tuple[int, int, int]:
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
            board, depth, middle, middle + 1,
            margins, keys, bounds, after, gains, pits, low, high, frame, count, stop,
        )  # fmt: skip
        if stop[0] or count[NODES] >= count[LIMIT]:
            break
    return best_low, best_high, depth
