"""How much play lies between a position and the ends of the game; compiled."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from onlymove_engines.search.jit import kernel

Array: TypeAlias = npt.NDArray[Any]

WORDS = 8
"""Words of 64 bits in a set of ends."""


@kernel
def ones(word):
    """How many bits of an unsigned 64-bit word are set (Hacker's Delight, 5-1)."""
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def spread(
    first: Array, children: Array, weight: int, source: Array, grown: Array, reached: Array, growing: Array, heat: Array
) -> int:
    """One ply of heat: what a child can reach in one parity, its parent reaches in the other.

    `source[k]` and `reached[k]` are sets of ends, WORDS words of bits; ends new in `reached` add `weight` to `heat`.
    Only children that have `grown` in the ply before can bring anything new; `growing` is filled for the next ply.
    Returns how many ends were new.
    """
    fresh = 0
    union = np.empty(WORDS, np.uint64)
    for node in range(len(first) - 1):
        union[:] = 0
        growing[node] = False
        for edge in range(first[node], first[node + 1]):
            child = children[edge]
            if grown[child]:
                for word in range(WORDS):
                    union[word] |= source[child, word]
        for word in range(WORDS):
            added = ones(union[word] & ~reached[node, word])
            if added:
                reached[node, word] |= union[word]
                heat[node] += added * weight
                growing[node] = True
                fresh += added
    return fresh
