"""Solves the game again, with code that shares nothing with the solver. The table is checked against the result.

Cells have coordinates, positions have ternary numbers in reading order, and symmetry is not used. All 10,165,779
positions are scored, beginning with the full boards.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from onlymove_engines.core.analysis import Report, Section, ignore_report
from onlymove_engines.search.cell_sets import map_sets
from onlymove_engines.search.jit import Array

from . import _kernel
from .index import CELL_COUNT, SETS, list_positions
from .rules import EXTRA_SHIFTS, READING_ORDER, RING_ORDER

CHECKS = EXTRA_SHIFTS + 1
"""How often a full board is checked for lines: after the last move's shift, and after five more."""

PIECES = 64
"""A layer is cut into this many pieces, so that all processors finish together."""

QUARTERS = 4

XY = tuple((k & 3, k >> 2) for k in range(CELL_COUNT))
"""The column and row of each cell in reading order."""


def step(x: int, y: int) -> tuple[int, int]:
    """Return where a shift takes a marble on (column, row). It moves counter-clockwise on its own ring."""
    low, high = (0, 3) if {x, y} & {0, 3} else (1, 2)
    if y == high and x > low:
        return x - 1, y
    if x == low and y > low:
        return x, y - 1
    if y == low and x < high:
        return x + 1, y
    return x, y + 1


@dataclass(frozen=True)
class Geometry:
    """What the check needs to know about the board. All arrays but `near` are indexed by a set of cells.

    `reading` converts a set from ring order to reading order. `quarter` is the set turned by 90 degrees, and `after` is
    the set one shift later. `ternary` is the sum of 3^k over its cells. `near` holds the neighbours of each cell in
    reading order.
    """

    reading: Array
    quarter: Array
    after: Array
    ternary: Array
    near: Array

    def rules(self, checks: int = CHECKS) -> tuple[Array, Array, Array, int]:
        return self.after, self.near, self.ternary, checks


@cache
def make_geometry() -> Geometry:
    """Return the geometry of the board, computed from coordinates."""
    # Columns are letters and rows are digits, so sorting by (digit, letter) gives the reading order.
    by_row = sorted(READING_ORDER, key=lambda cell: (cell[1], cell[0]))
    near = [sum(1 << k for k, (x2, y2) in enumerate(XY) if abs(x - x2) + abs(y - y2) == 1) for x, y in XY]
    return Geometry(
        reading=map_sets([by_row.index(cell) for cell in RING_ORDER]),
        quarter=map_sets([4 * x + (3 - y) for x, y in XY]),
        after=map_sets([4 * step(x, y)[1] + step(x, y)[0] for x, y in XY]),
        ternary=np.sum([(np.arange(SETS) >> k & 1) * 3**k for k in range(CELL_COUNT)], axis=0).astype(np.int32),
        near=np.array(near),
    )


def score_all(rules: tuple[Array, Array, Array, int], report: Report = ignore_report) -> Array:
    """Score every position under these rules, by ternary number. Scores follow from those of positions with one more
    marble."""
    board = np.full(3**CELL_COUNT, _kernel.cross_check.UNSET, np.int8)
    cuts = np.linspace(0, SETS, PIECES + 1).astype(int).tolist()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for marbles in range(CELL_COUNT, -1, -1):
            report("solving it again", 1 - marbles / CELL_COUNT)
            list(pool.map(partial(_kernel.cross_check.settle, marbles, board, rules), cuts[:-1], cuts[1:]))
    return board


def derive(report: Report = ignore_report) -> dict[str, Section]:
    """Return the only section, the scores of canonical positions. If the four turns of a position differ in score, it
    stays UNSET."""
    at = make_geometry()
    board = score_all(at.rules(), report)
    white, black = (at.reading[sets] for sets in list_positions())
    scores = board[at.ternary[white] + 2 * at.ternary[black]]
    for _ in range(1, QUARTERS):
        white, black = at.quarter[white], at.quarter[black]
        scores[scores != board[at.ternary[white] + 2 * at.ternary[black]]] = _kernel.cross_check.UNSET
    return {"scores": scores}
