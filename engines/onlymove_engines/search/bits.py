"""Sets of cells as the bits of a word, for kernels. Knows no board."""

from __future__ import annotations

import numpy as np

from .jit import inlined


@inlined
def popcount(word: int) -> np.int64:
    """How many bits of a word are set, of 64 at most (Hacker's Delight, 5-1)."""
    pairs = np.uint64(word) - ((np.uint64(word) >> np.uint64(1)) & np.uint64(0x5555555555555555))
    fours = (pairs & np.uint64(0x3333333333333333)) + ((pairs >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bytes_ = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bytes_ * np.uint64(0x0101010101010101)) >> np.uint64(56))
