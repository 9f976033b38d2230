"""Sets of cells as the bits of a word, for compiled code."""

from __future__ import annotations

import numpy as np

from .jit import inlined

ZERO, ONE = np.uint64(0), np.uint64(1)


@inlined
def popcount(word: int | np.uint64) -> np.int64:
    """Count the bits set in a word of up to 64 bits (Hacker's Delight, 5-1)."""
    pairs = np.uint64(word) - ((np.uint64(word) >> np.uint64(1)) & np.uint64(0x5555555555555555))
    fours = (pairs & np.uint64(0x3333333333333333)) + ((pairs >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bytes_ = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bytes_ * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inlined
def bit(number: int) -> np.uint64:
    return ONE << np.uint64(number)


@inlined
def lowest(word: np.uint64) -> np.int64:
    """Return the number of the lowest set bit of a word, which must not be 0."""
    return popcount((word & (~word + ONE)) - ONE)
