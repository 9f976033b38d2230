"""Builds and counts the table of Orbito: one section, `scores`, one signed byte for each position up to
quarter turns, by number, holding the first player's score.

A layer needs only the layer with one marble more, so layers are solved from the full board back, one after the other,
and a layer's pieces side by side.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from onlymove_engines.core.analysis import Report, Section, Sections, silent
from onlymove_engines.search.jit import Array

from ._kernel.table import Board, solve
from .analyst import is_finished, lined
from .codes import HIGHEST, LOWEST
from .index import CELL_COUNT, INDEX, SIZE, all_positions, numbering
from .notation import NOTATION
from .rules import EXTRA_SHIFTS, NEIGHBOURS, RING_ORDER, cells
from .symmetry import turned
from .witness import derived

PIECES = 8
"""A layer is cut into so many pieces a job, so that the jobs end together."""


def near() -> Array:
    """The neighbours of the cell with each bit."""
    return np.array([cells(NEIGHBOURS[cell]) for cell in RING_ORDER], np.int64)


class OrbitoSolver:
    """The table builder of Orbito."""

    encoding = "orbito-1"

    def build(self, jobs: int = 1, report: Report = silent) -> dict[str, Section]:
        """Solve every position."""
        return {"scores": solved(jobs, report)}

    def derive(self, report: Report = silent) -> Sections:
        """The scores once more, without symmetry and in reading order."""
        return derived(report)

    def spell(self, sections: Sections, name: str, entry: int) -> str:
        """The class with this number."""
        return NOTATION.format_position(INDEX.position(entry))

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
    layers, board = numbering().layers, Board(lined(), near(), ternary_sums())
    scores, known = np.zeros(SIZE, np.int8), np.empty(3**CELL_COUNT, np.int8)

    def piece(bounds: tuple[int, int]) -> None:
        solve(whites, blacks, *bounds, extra, scores, known, board)

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
