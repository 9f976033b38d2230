"""Builds, verifies and counts the table of Orbito: one section, `scores`, one signed byte for each position up to
quarter turns, by number, holding the first player's score.

A layer needs only the layer with one marble more, so layers are solved from the full board back, one after the other,
and a layer's pieces side by side. A check goes a path of its own: reading order, ternary numbers, no symmetry
(`_kernel/reading.py`). The stored scores are spread over all 10,165,779 positions, which shows that the numbering
leaves none out and that turns of a position share a score; then every one of them is held against the best of its
children by the rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from onlymove_engines.core.analysis import Report, Section, Sections, silent
from onlymove_engines.search.jit import Array

from ._kernel import reading
from ._kernel.reading import Law
from ._kernel.table import solve
from .analyst import HAS_LINE, is_finished
from .codes import HIGHEST, LOWEST
from .index import CELL_COUNT, SETS, SIZE, all_positions, numbering
from .notation import NOTATION
from .rules import EXTRA_SHIFTS, NEIGHBOURS, READING_ORDER, RING_ORDER, Position, cells
from .symmetry import turned

PIECES = 8
"""A layer is cut into so many pieces a job, so that the jobs end together."""

NEAR = np.array([cells(NEIGHBOURS[cell]) for cell in RING_ORDER], np.int64)
"""The neighbours of the cell with each bit."""

CHECKS = EXTRA_SHIFTS + 1
"""How often a full board is looked at: after the last move's shift and five more."""

POSITIONS = 10_165_779
CHECKED_PIECES = 256
SHOWN = 5

XY = tuple((k & 3, k >> 2) for k in range(CELL_COUNT))
"""File and row of a cell in reading order."""


class OrbitoSolver:
    """The table builder of Orbito."""

    encoding = "orbito-1"

    def build(self, jobs: int = 1, report: Report = silent) -> dict[str, Section]:
        """Solve every position."""
        return {"scores": solved(jobs, report)}

    def verify(self, sections: Sections, full: bool, report: Report = silent) -> Iterator[str]:
        """The shape of the table; with `full` every score of every position against the rules."""
        scores = sections.get("scores")
        if scores is None or scores.dtype != np.int8 or len(scores) != SIZE:
            yield f"orbito: the table must be one section of {SIZE:,} signed bytes, 'scores'"
            return
        outside = np.flatnonzero((scores < LOWEST) | (scores > HIGHEST))
        for number in outside[:SHOWN].tolist():
            yield f"orbito: number {number} holds {scores[number]}, outside {LOWEST}..{HIGHEST}"
        if full:
            yield from findings(scores, report)

    def counts(self, sections: Sections) -> dict[str, int]:
        """Positions, results and scores for the first player, and layers, all turns counted."""
        scores, weight = sections["scores"], weights()
        counts = {
            "classes": len(scores),
            "positions": int(weight.sum()),
            "finished": int(weight[is_finished(*all_positions())].sum()),
            "wins": int(weight[scores > 0].sum()),
            "draws": int(weight[scores == 0].sum()),
            "losses": int(weight[scores < 0].sum()),
        }
        counts |= {f"score {score:+d}": int(weight[scores == score].sum()) for score in range(LOWEST, HIGHEST + 1)}
        return counts | {f"marbles {marbles}": count for marbles, count in enumerate(by_layer(weight))}


def ternary_sums() -> Array:
    """For every set of cells the sum of 3^k over its bits."""
    sums: Array = np.zeros(1, np.int32)
    for k in range(CELL_COUNT):
        sums = np.concatenate((sums, sums + np.int32(3**k)))
    return sums


def solved(jobs: int = 1, report: Report = silent, extra: int = EXTRA_SHIFTS) -> Array:
    """The score of every canonical position when a full board makes `extra` extra shifts."""
    whites, blacks = all_positions()
    layers, law = numbering().layers, (HAS_LINE, NEAR, ternary_sums(), extra)
    scores, board = np.zeros(SIZE, np.int8), np.empty(3**CELL_COUNT, np.int8)

    def piece(bounds: tuple[int, int]) -> None:
        solve(whites, blacks, *bounds, scores, board, law)

    with ThreadPoolExecutor(jobs) as pool:
        for marbles in range(CELL_COUNT, -1, -1):
            begin, end = layers[marbles], layers[marbles + 1]
            cuts = np.linspace(begin, end, PIECES * jobs + 1).astype(int).tolist()
            list(pool.map(piece, pairwise(cuts)))
            report("solving layer by layer", 1 - begin / SIZE)
    return scores


def weights() -> Array:
    """How many different positions the turns of each canonical position are: 4, 2 or 1."""
    found = np.full(SIZE, 4, np.uint8)
    white, black = all_positions()
    half = (turned(turned(white)) == white) & (turned(turned(black)) == black)
    found[half] = 2
    found[half & (turned(white) == white) & (turned(black) == black)] = 1
    return found


def by_layer(marked: Array) -> list[int]:
    """The sums of a figure of every canonical position, layer by layer."""
    return [int(marked[begin:end].sum()) for begin, end in pairwise(numbering().layers)]


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


def touch(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Whether two cells share a side."""
    return abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1


def moved(where: list[int]) -> Array:
    """For every set of cells, the set with each cell k moved to where[k]."""
    sets = np.arange(SETS)
    found: Array = np.sum([(sets >> k & 1) << to for k, to in enumerate(where)], axis=0).astype(np.int64)
    return found


@dataclass(frozen=True)
class Geometry:
    """What the check needs to know of the board, each array indexed by a set of cells.

    `reading`: a set in ring order as one in reading order. `quarter`: turned by 90 degrees. `after`: one shift
    later. `ternary`: the sum of 3^k over its cells. And `near`: the neighbours of each cell in reading order.
    """

    reading: Array
    quarter: Array
    after: Array
    ternary: Array
    near: Array

    def law(self, checks: int = CHECKS) -> Law:
        """The rules as the kernel takes them."""
        return self.after, self.near, self.ternary, checks


@cache
def geometry() -> Geometry:
    """The board by its coordinates."""
    # Files are letters and rows digits, so sorting by (digit, letter) gives the reading order.
    by_row = sorted(READING_ORDER, key=lambda cell: (cell[1], cell[0]))
    return Geometry(
        reading=moved([by_row.index(cell) for cell in RING_ORDER]),
        quarter=moved([4 * x + (3 - y) for x, y in XY]),
        after=moved([4 * step(x, y)[1] + step(x, y)[0] for x, y in XY]),
        ternary=np.sum([(np.arange(SETS) >> k & 1) * 3**k for k in range(CELL_COUNT)], axis=0).astype(np.int32),
        near=np.array([sum(1 << j for j, other in enumerate(XY) if touch(cell, other)) for cell in XY]),
    )


def spread(scores: Array) -> tuple[Array, int, int]:
    """The board of scores by ternary number, how many positions it holds and how many contradict a turn."""
    board = np.full(3**CELL_COUNT, reading.UNSET, np.int8)
    at = geometry()
    written, contradictions = reading.spread(*all_positions(), scores, at.reading, at.quarter, at.ternary, board)
    return board, int(written), int(contradictions)


def findings(scores: Array, report: Report = silent, checks: int = CHECKS) -> Iterator[str]:
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


def _refuted(board: Array, checks: int, report: Report) -> Iterator[tuple[int, int, list[str]]]:
    """For piece after piece of all positions: how many were checked, how many are wrong, and the first of these."""
    law = geometry().law(checks)
    cuts = np.linspace(0, SETS, CHECKED_PIECES + 1).astype(int).tolist()

    def piece(bounds: tuple[int, int]) -> tuple[int, int, list[str]]:
        wrong = np.zeros((SHOWN, 3), np.int64)
        checked, found = reading.refute(*bounds, board, law, wrong)
        return checked, found, [_sentence(board, *row) for row in wrong[:found].tolist()]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, outcome in enumerate(pool.map(piece, pairwise(cuts)), start=1):
            report("checking every position", done / CHECKED_PIECES)
            yield outcome


def _sentence(board: Array, white: int, black: int, score: int) -> str:
    at = geometry()
    stored = int(board[at.ternary[white] + 2 * at.ternary[black]])
    ring = {int(image): ring_set for ring_set, image in enumerate(at.reading)}
    spelled = NOTATION.format_position(Position(ring[white], ring[black]))
    return f"orbito: {spelled} is stored as {stored}, its moves give {score}"
