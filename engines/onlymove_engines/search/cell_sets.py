"""Maps sets of cells, stored as the bits of integers. Importing it does not load numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .jit import Array


def map_sets(places: Sequence[int]) -> Array:
    """For every set of as many cells as there are `places`, return the set after moving each cell k to places[k]."""
    sets = np.arange(1 << len(places))
    found = np.zeros(len(sets), np.int64)
    for cell, to in enumerate(places):
        found |= (sets >> cell & 1) << to
    return found
