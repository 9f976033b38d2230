"""Computes heat, a measure of how many winning ends each side can still reach and how near they are."""

import numpy as np

from onlymove_engines.compiled.bitset import popcount
from onlymove_engines.compiled.jit import Array, kernel

WORDS = 8
"""How many words of 64 bits are in a set of ends."""

TOGETHER = 64 * WORDS
"""How many ends spread heat together. This limits the memory."""

PIECE = 1 << 15
"""To how many positions one thread spreads heat at a time."""


@kernel
def spread(
    first: Array,
    children: Array,
    weight: int,
    source: Array,
    grown: Array,
    reached: Array,
    growing: Array,
    heat: Array,
    start: int,
) -> int:
    """Spread heat by one ply to PIECE nodes, beginning with `start`. If an end is at an even distance from a child, it
    is at an odd distance from the parent, and the reverse.

    `source[k]` and `reached[k]` are sets of ends as WORDS words of bits. Each end that is new in `reached` adds
    `weight` to `heat`. Only children that have `grown` in the last ply can add anything. `growing` is filled for the
    next ply. Return how many ends were new.
    """
    fresh = 0
    union = np.empty(WORDS, np.uint64)
    for node in range(start, min(start + PIECE, len(heat))):
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
