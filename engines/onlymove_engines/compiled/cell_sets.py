"""Maps sets of cells, stored as the bits of integers. It is apart from `bitset`, which makes arrays when it is imported
and so loads numpy where imports are lazy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from onlymove_engines.compiled.jit import Array


def map_sets(places: Sequence[int]) -> Array:
    """For every set of as many cells as there are `places`, return the set after moving each cell k to places[k]."""
    sets = np.arange(1 << len(places))
    found = np.zeros(len(sets), np.int64)
    for cell, to in enumerate(places):
        found |= (sets >> cell & 1) << to
    return found
