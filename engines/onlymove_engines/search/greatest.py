"""Superlatives over many positions at once: which of each position's moves have the most of something."""

from __future__ import annotations

import numpy as np

from .jit import Array


def greatest(row: Array, score: Array) -> Array:
    """Of each position's moves those with the greatest score among them; `row` says whose each move is."""
    top = np.full(int(row.max(initial=0)) + 1, np.iinfo(np.int64).min)
    np.maximum.at(top, row, score)
    found: Array = score == top[row]
    return found
