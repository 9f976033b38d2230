"""Heat: a measure of how near, and how many, the wins of both sides are; compiled."""

import numpy as np

from onlymove_engines.search.bitset import popcount
from onlymove_engines.search.jit import Array, kernel

WORDS = 8
"""Words of 64 bits in a set of ends."""


@kernel
def spread(
    start: int,
    stop: int,
    first: Array,
    children: Array,
    weight: int,
    source: Array,
    grown: Array,
    reached: Array,
    growing: Array,
    heat: Array,
) -> int:
    """Spread heat by one ply to the nodes `start`..`stop`-1: an end that a child reaches at one parity, its parent
    reaches at the other.

    `source[k]` and `reached[k]` are sets of ends, WORDS words of bits; ends new in `reached` add `weight` to `heat`.
    Only children that have `grown` in the ply before can bring anything new; `growing` is filled for the next ply.
    Returns how many ends were new.
    """
    fresh = 0
    union = np.empty(WORDS, np.uint64)
    for node in range(start, stop):
        union[:] = 0
        growing[node] = False
        for edge in range(first[node], first[node + 1]):
            child = children[edge]
            if grown[child]:
                for word in range(WORDS):
                    union[word] |= source[child, word]
        for word in range(WORDS):
            added = popcount(union[word] & ~reached[node, word])
            if added:
                reached[node, word] |= union[word]
                heat[node] += added * weight
                growing[node] = True
                fresh += added
    return fresh
