"""Verifies a table by a path of its own: reading order, ternary numbers, no symmetry (`_kernel/reading.py`).

The stored scores are spread over all 10,165,779 positions, which shows that the numbering leaves none out and that
turns of a position share a score; then every one of them is held against the best of its children by the rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from onlymove_engines.core.analysis import Report, silent

from .index import all_positions
from .notation import NOTATION
from .numbering import Sets
from .rules import READING_ORDER, RING_ORDER, Position

CHECKS = 6
"""How often a full board is looked at: after the last move's shift and five more."""

POSITIONS = 10_165_779
PIECES = 256
SHOWN = 5

XY = tuple((k & 3, k >> 2) for k in range(16))
"""File and row of a cell in reading order."""


def step(x: int, y: int) -> tuple[int, int]:
    """Where a shift takes what lies on (file, row): counter-clockwise around the centre on its own ring."""
    low, high = (0, 3) if {x, y} & {0, 3} else (1, 2)
    if y == high and x > low:
        return x - 1, y
    if x == low and y > low:
        return x, y - 1
    if y == low and x < high:
        return x + 1, y
    return x, y + 1


def moved(where: list[int]) -> Sets:
    """For every set of cells, the set with each cell k moved to where[k]."""
    sets = np.arange(1 << 16)
    found: Sets = np.sum([(sets >> k & 1) << to for k, to in enumerate(where)], axis=0).astype(np.int64)
    return found


@dataclass(frozen=True)
class Geometry:
    """What the compiled check needs to know of the board, each array indexed by a set of cells.

    `reading`: a set in ring order as one in reading order. `quarter`, `mirror`: turned by 90 degrees, left and
    right exchanged. `after`: one shift later. `ternary`: the sum of 3^k over its cells. And `near`: the
    neighbours of each cell in reading order.
    """

    reading: Sets
    quarter: Sets
    mirror: Sets
    after: Sets
    ternary: Sets
    near: Sets

    def law(self, checks: int = CHECKS) -> tuple[Sets, Sets, Sets, int]:
        """The rules as the compiled check takes them."""
        return self.after, self.near, self.ternary, checks


@cache
def geometry() -> Geometry:
    """The board by its coordinates."""
    # Files are letters and rows digits, so sorting by (digit, letter) gives the reading order.
    by_row = sorted(READING_ORDER, key=lambda cell: (cell[1], cell[0]))
    return Geometry(
        reading=moved([by_row.index(cell) for cell in RING_ORDER]),
        quarter=moved([4 * x + (3 - y) for x, y in XY]),
        mirror=moved([4 * y + (3 - x) for x, y in XY]),
        after=moved([4 * step(x, y)[1] + step(x, y)[0] for x, y in XY]),
        ternary=np.sum([(np.arange(1 << 16) >> k & 1) * 3**k for k in range(16)], axis=0).astype(np.int32),
        near=np.array([sum(1 << j for j in range(16) if _touch(XY[k], XY[j])) for k in range(16)]),
    )


def _touch(one: tuple[int, int], two: tuple[int, int]) -> bool:
    return abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1


def spread(scores: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int8], int, int]:
    """The board of scores by ternary number, how many positions it holds and how many contradict a turn."""
    from ._kernel import reading  # noqa: PLC0415 - compiled only when a table is verified

    board = np.full(3**16, reading.UNSET, np.int8)
    at = geometry()
    written, contradictions = reading.spread(*all_positions(), scores, at.reading, at.quarter, at.ternary, board)
    return board, int(written), int(contradictions)


def findings(scores: npt.NDArray[Any], report: Report = silent, checks: int = CHECKS) -> Iterator[str]:
    """What is wrong with the stored scores, a line each; of contradicting values the first few are named."""
    board, written, contradictions = spread(scores)
    if written != POSITIONS or contradictions:
        yield f"orbito: {written:,} positions are covered, {contradictions:,} contradict a turn of theirs"
    wrong: list[str] = []
    total = checked = 0
    for count, found, examples in _refuted(board, checks, report):
        checked += count
        total += found
        wrong += examples
    if checked != POSITIONS:
        yield f"orbito: {checked:,} positions were checked, there are {POSITIONS:,}"
    yield from wrong[:SHOWN]
    if total > SHOWN:
        yield f"orbito: {total:,} positions contradict their children, {SHOWN} are named"


def _refuted(board: npt.NDArray[np.int8], checks: int, report: Report) -> Iterator[tuple[int, int, list[str]]]:
    """For piece after piece of all positions: how many were checked, how many are wrong, and the first of these."""
    from ._kernel import reading  # noqa: PLC0415 - compiled only when a table is verified

    law = geometry().law(checks)
    cuts = np.linspace(0, 1 << 16, PIECES + 1).astype(int).tolist()

    def piece(k: int) -> tuple[int, int, list[str]]:
        wrong = np.zeros((SHOWN, 3), np.int64)
        checked, found = reading.refute(cuts[k], cuts[k + 1], board, law, wrong)
        return checked, found, [_sentence(board, *row) for row in wrong[:found].tolist()]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, outcome in enumerate(pool.map(piece, range(PIECES))):
            report("checking every position", (done + 1) / PIECES)
            yield outcome


def _sentence(board: npt.NDArray[np.int8], white: int, black: int, score: int) -> str:
    at = geometry()
    stored = int(board[at.ternary[white] + 2 * at.ternary[black]])
    ring = {int(image): ring_set for ring_set, image in enumerate(at.reading)}
    spelled = NOTATION.format_position(Position(ring[white], ring[black]))
    return f"orbito: {spelled} is stored as {stored}, its moves give {score}"
