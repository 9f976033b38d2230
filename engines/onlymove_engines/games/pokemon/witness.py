"""The table once more, by code that shares nothing with the solver: what a table is held against."""

from __future__ import annotations

import numpy as np

from onlymove_engines.core.analysis import Report, Section, silent

from ._kernel import witness
from .codes import BLOCK, DRAWN, KEEPING_WEIGHT, LARGEST_STEP, OPEN_DRAW, TRAP_SCALE
from .rules import LINES
from .symmetry import IMAGES

SLOTS = 1 << 23
"""More than there are classes of positions."""

WEIGHTS = (KEEPING_WEIGHT, TRAP_SCALE, DRAWN, OPEN_DRAW)


def derived(report: Report = silent) -> dict[str, Section]:
    """Every section: positions and what they are worth, then the positions cut into blocks."""
    report("playing everything once more", 0.0)
    slots, codes, lures = np.zeros(SLOTS, np.uint32), np.zeros(SLOTS, np.uint8), np.zeros(SLOTS, np.uint8)
    witness.walk(np.array(IMAGES), np.array(LINES), WEIGHTS, slots, codes, lures)
    order = np.argsort(slots, kind="stable")[np.count_nonzero(slots == 0) :]
    numbers = slots[order] - np.uint32(1)
    is_first, steps = np.empty(len(numbers), np.bool_), np.empty(len(numbers), np.uint16)
    witness.cut(numbers, BLOCK, LARGEST_STEP, is_first, steps)
    starts = np.append(np.flatnonzero(is_first), len(numbers)).astype(np.uint32)
    return {"firsts": numbers[is_first], "starts": starts, "steps": steps, "codes": codes[order]}
