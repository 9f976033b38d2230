"""Builds, checks and counts the table of Orbito. Its only section, `scores`, has the first player's score as a signed
byte for each canonical position, by number.

The scores of positions with n marbles follow from those with n + 1. So the layers are solved one after the other from
the full boards back, and the pieces of a layer in parallel.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Report, Section, Sections, ignore_report

from . import _kernel
from .analyst import find_lines, is_finished
from .codes import HIGHEST, LOWEST
from .index import CELL_COUNT, INDEX, SIZE, list_positions, make_numbering, turn
from .notation import NOTATION
from .rules import EXTRA_SHIFTS, NEIGHBOURS, RING_ORDER, cell_set

PIECES = 8
"""A layer is cut into this many pieces for each job, so that the jobs finish together."""


def list_neighbours() -> Array:
    return np.array([cell_set(NEIGHBOURS[cell]) for cell in RING_ORDER], np.int64)


class OrbitoSolver:
    encoding = "orbito-1"

    def build(self, jobs: int = 1, report: Report = ignore_report) -> dict[str, Section]:
        return {"scores": solve_layers(jobs, report)}

    def derive(self, report: Report = ignore_report) -> Sections:
        checks = EXTRA_SHIFTS + 1  # after the last move's shift, and after five more
        sections: Sections = _kernel.cross_check.derive(*list_positions(), RING_ORDER, checks, report)
        return sections

    def to_text(self, sections: Sections, name: str, entry: int) -> str:
        return NOTATION.format_position(INDEX.position(entry))

    def counts(self, sections: Sections) -> dict[str, int]:
        """Count positions, results, the first player's scores, and layers. Turned positions count separately."""
        scores, weight = sections["scores"], count_turns()
        counts = {
            "classes": len(scores),
            "positions": int(weight.sum()),
            "finished": int(weight[is_finished(*list_positions())].sum()),
            "wins": int(weight[scores > 0].sum()),
            "draws": int(weight[scores == 0].sum()),
            "losses": int(weight[scores < 0].sum()),
        }
        counts |= {f"score {score:+d}": int(weight[scores == score].sum()) for score in range(LOWEST, HIGHEST + 1)}
        return counts | {f"marbles {marbles}": count for marbles, count in enumerate(sum_layers(weight))}


def list_ternary_sums() -> Array:
    sums: Array = np.zeros(1, np.int32)
    for k in range(CELL_COUNT):
        sums = np.concatenate((sums, sums + np.int32(3**k)))
    return sums


def solve_layers(jobs: int = 1, report: Report = ignore_report, extra: int = EXTRA_SHIFTS) -> Array:
    """Score every canonical position. A full board makes `extra` extra shifts."""
    whites, blacks = list_positions()
    layers, board = make_numbering().layers, (find_lines(), list_neighbours(), list_ternary_sums())
    scores, known = np.zeros(SIZE, np.int8), np.empty(3**CELL_COUNT, np.int8)

    def piece(bounds: tuple[int, int]) -> None:
        _kernel.table.solve(whites, blacks, *bounds, extra, scores, known, *board)

    with ThreadPoolExecutor(jobs) as pool:
        for marbles in range(CELL_COUNT, -1, -1):
            begin, end = layers[marbles], layers[marbles + 1]
            cuts = np.linspace(begin, end, PIECES * jobs + 1).astype(int).tolist()
            list(pool.map(piece, pairwise(cuts)))
            report("solving the game layer by layer", 1 - begin / SIZE)
    return scores


def count_turns() -> Array:
    """Count how many different positions there are among the turns of each canonical position: 4, 2 or 1."""
    found = np.full(SIZE, 4, np.uint8)
    white, black = list_positions()
    half = (turn(turn(white)) == white) & (turn(turn(black)) == black)
    found[half] = 2
    found[half & (turn(white) == white) & (turn(black) == black)] = 1
    return found


def sum_layers(marked: Array) -> list[int]:
    """Add up a number for every canonical position in each layer."""
    return [int(marked[begin:end].sum()) for begin, end in pairwise(make_numbering().layers)]
