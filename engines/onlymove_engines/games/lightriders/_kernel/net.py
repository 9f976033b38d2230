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
from onlymove_engines.search.jit import Array, inlined, lean

from .chambers import BATTLEFRONT, worth
from .cut import ODD, TWO
from .field import SEEN_BITS, WORDS, count, is_set

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


MULTIPLY = np.uint64(0x9E3779B97F4A7C15)
S16, S32, S48, LOW16 = np.uint64(16), np.uint64(32), np.uint64(48), np.uint64(0xFFFF)


@inlined
def gather(me: int, you: int, mine: int, yours: int, tools) -> None:
    """Both riders' figures of a flooded position into `tools.figures`; `mine` and `yours` ways are open to them."""
    for rider in range(2):
        head, figures = you if rider else me, tools.figures[rider]
        if tools.own.shape[1] == WORDS:
            remembered_shape(rider, head, figures, tools)
        else:
            read_shape(rider, head, figures, tools)
        figures[WAYS], figures[STEPS] = yours if rider else mine, tools.steps[rider]


@inlined
def remembered_shape(rider, head, figures, tools):
    """The figures that a rider's territory alone decides, which may have been seen before."""
    region, touch = tools.own[rider], tools.touch[rider]
    mixed = np.uint64(head)
    for k in range(WORDS):
        mixed = (mixed ^ region[k]) * MULTIPLY
        mixed ^= mixed >> S32
        mixed = (mixed ^ touch[k]) * MULTIPLY
    seen = tools.memory[mixed >> np.uint64(64 - SEEN_BITS)]
    same = seen[8] == np.uint64(head + 1)
    for k in range(WORDS):
        same &= seen[k] == region[k] and seen[WORDS + k] == touch[k]
    if same:
        a, b = seen[9], seen[10]
        figures[REACH], figures[CELLS], figures[DEGREES] = a & LOW16, (a >> S16) & LOW16, a >> S32
        figures[FRONT], figures[ONES] = b & LOW16, (b >> S16) & LOW16
        figures[TWOS], figures[THREES] = (b >> S32) & LOW16, b >> S48
        return
    read_shape(rider, head, figures, tools)
    for k in range(WORDS):
        seen[k], seen[WORDS + k] = region[k], touch[k]
    seen[8] = np.uint64(head + 1)
    seen[9] = np.uint64(figures[REACH]) | np.uint64(figures[CELLS]) << S16 | np.uint64(figures[DEGREES]) << S32
    seen[10] = np.uint64(figures[FRONT]) | np.uint64(figures[ONES]) << S16
    seen[10] |= np.uint64(figures[TWOS]) << S32 | np.uint64(figures[THREES]) << S48


@lean
def read_shape(rider, head, figures, tools):
    """The same by counting, on a field of any size."""
    region = tools.own[rider]
    figures[REACH], figures[FRONT] = count(region), count(tools.touch[rider])
    figures[CELLS], figures[DEGREES] = worth(rider, head, BATTLEFRONT, tools)
    figures[ONES], figures[TWOS], figures[THREES] = neighbour_counts(region, tools)


@inlined
def neighbour_counts(region, tools):
    """How many cells of a territory have one, two and three neighbours in it, once it is cut."""
    ones = twos = threes = 0
    if region.shape[0] == WORDS:
        odd, two = tools.survey[ODD], tools.survey[TWO]
        for k in range(WORDS):
            ones += popcount(odd[k] & ~two[k])
            twos += popcount(two[k] & ~odd[k])
            threes += popcount(odd[k] & two[k])
        return ones, twos, threes
    for cell in range(tools.near.shape[0]):
        if is_set(region, cell):
            beside = 0
            for way in range(4):
                other = tools.near[cell, way]
                if other >= 0 and is_set(region, other):
                    beside += 1
            ones += beside == 1
            twos += beside == 2
            threes += beside == 3
    return ones, twos, threes


@inlined
def lead_of(figures: Array, net: Array, sums: Array) -> float:
    """My lead by the figures of both: the logarithm of the odds that I win. `sums` is room for the units."""
    open_cells = figures[0, REACH] + figures[1, REACH]
    share, size = 1.0 / (open_cells + FLOOR), min(open_cells, LARGEST)
    mine, yours = sums[0], sums[1]
    for unit in range(HIDDEN):
        mine[unit] = yours[unit] = net[BIAS, unit] + net[SIZE, unit] * size
    for k in range(FIGURES):
        a, b = figures[0, k] * share, figures[1, k] * share
        for unit in range(HIDDEN):
            mine[unit] += net[k, unit] * a + net[FIGURES + k, unit] * b
            yours[unit] += net[k, unit] * b + net[FIGURES + k, unit] * a
    lead = 0.0
    for unit in range(HIDDEN):
        lead += net[OUT, unit] * (max(mine[unit], 0.0) - max(yours[unit], 0.0))
    return lead
