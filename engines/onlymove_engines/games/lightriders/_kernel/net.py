"""What an open position is believed to be worth: a small net over nine figures of either territory; compiled.

The figures of a rider: the cells it reaches first; the cells and the neighbours of its best plan through the chambers;
its cells on the front; the free cells beside its head; how many of its cells have one, two and three neighbours in its
territory; the sum of the steps to them. Each is taken as a share of all the cells that either reaches first. The net
sees (own figures, other's figures, size) and the answer is the difference between both riders' views: a mirror image
is worth 0, and trading places changes the sign.

    9 own shares + 9 other's shares + size -> 16 units, each max(0, weighted sum) -> lead

The weights in `net.txt` are fitted to the results of the engine's games with itself (`benchmarks/fitting`).
"""

from pathlib import Path

import numpy as np

from onlymove_engines.search.bits import popcount
from onlymove_engines.search.jit import Array, inlined

from .chambers import worth
from .exact import ONE, ZERO
from .field import U63, U64, WORDS, count, is_set

FIGURES, HIDDEN = 9, 16
REACH, CELLS, DEGREES, FRONT, WAYS, ONES, TWOS, THREES, STEPS = 0, 1, 2, 3, 4, 5, 6, 7, 8
SIZE, BIAS, OUT = 2 * FIGURES, 2 * FIGURES + 1, 2 * FIGURES + 2
"""Rows of the net after those of the figures: open cells, constant, the weight of each unit in the answer."""

FLOOR = 5.0
"""Added to the number of open cells, so that shares of very few stay small."""

LARGEST = 256.0
"""More open cells than the fit has seen count as so many."""


def load_net():
    """The fitted weights, float64[21, 16]."""
    return np.loadtxt(Path(__file__).with_name("net.txt"))


@inlined
def gather(me: int, you: int, mine: int, yours: int, tools) -> None:
    """Both riders' figures of a flooded position into `tools.figures`; `mine` and `yours` ways are open to them."""
    for rider in range(2):
        figures, region = tools.figures[rider], tools.own[rider]
        cells, degrees = worth(rider, you if rider else me, tools, tools)
        figures[REACH], figures[CELLS], figures[DEGREES] = count(region), cells, degrees
        figures[FRONT], figures[WAYS] = count(tools.touch[rider]), yours if rider else mine
        figures[ONES], figures[TWOS], figures[THREES] = neighbour_counts(region, tools)
        figures[STEPS] = tools.steps[rider]


@inlined
def neighbour_counts(region, field):
    """How many cells of a territory have one, two and three neighbours in it."""
    ones = twos = threes = 0
    if region.shape[0] == WORDS:
        w, inner = np.uint64(field.size[0]), field.inner
        v = U64 - w
        for k in range(WORDS):
            r = region[k]
            below = region[k - 1] if k > 0 else ZERO
            above = region[k + 1] if k < WORDS - 1 else ZERO
            north, south = (r << w) | (below >> v), (r >> w) | (above << v)
            west, east = ((r << ONE) | (below >> U63)) & inner[0, k], ((r >> ONE) | (above << U63)) & inner[1, k]
            x, y = north ^ south, west ^ east
            odd, two = (x ^ y) & r, ((north & south) ^ (west & east) ^ (x & y)) & r
            ones += popcount(odd & ~two)
            twos += popcount(two & ~odd)
            threes += popcount(odd & two)
        return ones, twos, threes
    for cell in range(field.near.shape[0]):
        if is_set(region, cell):
            beside = 0
            for way in range(4):
                other = field.near[cell, way]
                if other >= 0 and is_set(region, other):
                    beside += 1
            ones += beside == 1
            twos += beside == 2
            threes += beside == 3
    return ones, twos, threes


@inlined
def lead_of(figures: Array, net: Array) -> float:
    """My lead by the figures of both: the logarithm of the odds that I win."""
    open_cells = figures[0, REACH] + figures[1, REACH]
    share, size = 1.0 / (open_cells + FLOOR), min(open_cells, LARGEST)
    lead = 0.0
    for unit in range(HIDDEN):
        mine = yours = net[BIAS, unit] + net[SIZE, unit] * size
        for k in range(FIGURES):
            a, b = figures[0, k] * share, figures[1, k] * share
            mine += net[k, unit] * a + net[FIGURES + k, unit] * b
            yours += net[k, unit] * b + net[FIGURES + k, unit] * a
        lead += net[OUT, unit] * (max(mine, 0.0) - max(yours, 0.0))
    return lead
