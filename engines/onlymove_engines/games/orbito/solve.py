"""The table builder of Orbito: solves every position layer by layer from the full board back, verifies, counts.

The table has one section, `scores`: one signed byte for each position up to quarter turns, by number, holding
the first player's score. A layer needs only the layer with one marble more, so layers are solved one after the
other and a layer's pieces side by side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from onlymove_engines.core.analysis import Report, Section, Sections, silent

from .index import SIZE, all_positions
from .lookahead import HAS_LINE, is_finished
from .numbering import Sets, numbering, turned
from .rules import EXTRA_SHIFTS, NEIGHBOURS, RING_ORDER, cells
from .scores import HIGHEST, LOWEST

PIECES = 8
"""A layer is cut into so many pieces a job, so that the jobs end together."""

NEAR = np.array([cells(NEIGHBOURS[cell]) for cell in RING_ORDER], np.int64)
"""The neighbours of the cell with each bit."""


def kernel_tables() -> tuple[Sets, ...]:
    """The numbering as the kernels take it."""
    tables = numbering()
    return tables.turns, tables.base, tables.fold_at, tables.rank, tables.extract, tables.fold


def solved(jobs: int = 1, report: Report = silent, extra: int = EXTRA_SHIFTS) -> npt.NDArray[np.int8]:
    """The score of every canonical position when a full board makes `extra` extra shifts."""
    from ._kernel import rings  # noqa: PLC0415 - compiled only where it is needed

    whites, blacks = all_positions()
    layers, tables = numbering().layers, kernel_tables()
    scores = np.zeros(SIZE, np.int8)

    def piece(bounds: tuple[int, int]) -> None:
        rings.solve(whites, blacks, *bounds, scores, HAS_LINE, NEAR, tables, extra)

    with ThreadPoolExecutor(jobs) as pool:
        for marbles in range(16, -1, -1):
            begin, end = layers[marbles], layers[marbles + 1]
            cuts = np.linspace(begin, end, PIECES * jobs + 1).astype(int).tolist()
            list(pool.map(piece, pairwise(cuts)))
            report("solving layer by layer", 1 - begin / SIZE)
    return scores


def weights() -> npt.NDArray[np.uint8]:
    """How many different positions the turns of each canonical position are: 4, 2 or 1."""
    found = np.full(SIZE, 4, np.uint8)
    white, black = all_positions()
    half = (turned(turned(white)) == white) & (turned(turned(black)) == black)
    found[half] = 2
    found[half & (turned(white) == white) & (turned(black) == black)] = 1
    return found


def reachable(report: Report = silent) -> npt.NDArray[np.bool_]:
    """Which canonical positions a game from the empty board can lead to."""
    from ._kernel import rings  # noqa: PLC0415 - compiled only where it is needed

    whites, blacks = all_positions()
    layers, tables = numbering().layers, kernel_tables()
    seen = np.zeros(SIZE, np.uint8)
    seen[0] = 1
    for marbles in range(16):
        rings.reach(whites, blacks, layers[marbles], layers[marbles + 1], seen, HAS_LINE, NEAR, tables)
        report("walking forward", layers[marbles + 1] / SIZE)
    return seen.astype(bool)


def by_layer(marked: npt.NDArray[Any]) -> list[int]:
    """The sums of a figure of every canonical position, layer by layer."""
    layers = numbering().layers
    return [int(marked[layers[n] : layers[n + 1]].sum()) for n in range(17)]


class OrbitoSolver:
    """Builds, verifies and counts the table of Orbito."""

    encoding = "orbito-1"

    def build(self, jobs: int = 1, report: Report = silent) -> dict[str, Section]:
        """Solve every position."""
        return {"scores": solved(jobs, report)}

    def verify(self, sections: Sections, full: bool, report: Report = silent) -> Iterable[str]:
        """The shape of the table; with `full` every score of every position against the rules."""
        scores = sections.get("scores")
        if scores is None or scores.dtype != np.int8 or len(scores) != SIZE:
            yield f"orbito: the table must be one section of {SIZE:,} signed bytes, 'scores'"
            return
        outside = np.flatnonzero((scores < LOWEST) | (scores > HIGHEST))
        for number in outside[:5].tolist():
            yield f"orbito: number {number} holds {scores[number]}, outside {LOWEST}..{HIGHEST}"
        if full:
            from .check import findings  # noqa: PLC0415 - the check is not needed to play

            yield from findings(scores, report)

    def counts(self, sections: Sections) -> dict[str, int]:
        """Positions, results and scores for the first player, and layers, all turns counted."""
        return dict(_counted(sections["scores"]))


def _counted(scores: Section) -> Iterator[tuple[str, int]]:
    weight = weights()
    white, black = all_positions()
    yield "classes", len(scores)
    yield "positions", int(weight.sum())
    yield "finished", int(weight[is_finished(white, black)].sum())
    yield "wins", int(weight[scores > 0].sum())
    yield "draws", int(weight[scores == 0].sum())
    yield "losses", int(weight[scores < 0].sum())
    for score in range(LOWEST, HIGHEST + 1):
        yield f"score {score:+d}", int(weight[scores == score].sum())
    for marbles, count in enumerate(by_layer(weight)):
        yield f"marbles {marbles}", count
