"""Builds, checks and counts the table of Orbito: one section, `scores`, one signed byte for each position up to
quarter turns, by number, holding the first player's score.

A layer needs only the layer with one marble more, so layers are solved from the full board back, one after the other,
and a layer's pieces side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from onlymove_engines.core.analysis import Report, Section, Sections, ignore_report
from onlymove_engines.core.solution import Batch, Followed
from onlymove_engines.search.jit import Array

from . import _kernel
from .analyst import Children, OrbitoAnalyst, action_sets, is_finished, lined
from .coach import ADVICE, MovesMade
from .codes import HIGHEST, LOWEST
from .cross_check import derived
from .index import CELL_COUNT, INDEX, SIZE, all_positions, numbering, numbers, turned
from .notation import NOTATION
from .rules import EXTRA_SHIFTS, NEIGHBOURS, RING_ORDER, cells

PIECES = 8
"""A layer is cut into so many pieces a job, so that the jobs end together."""


def near() -> Array:
    return np.array([cells(NEIGHBOURS[cell]) for cell in RING_ORDER], np.int64)


class OrbitoSolver:
    encoding = "orbito-1"

    def build(self, jobs: int = 1, report: Report = ignore_report) -> dict[str, Section]:
        return {"scores": solved(jobs, report)}

    def derive(self, report: Report = ignore_report) -> Sections:
        """The scores once more, without symmetry and in reading order."""
        return derived(report)

    def spell(self, sections: Sections, name: str, entry: int) -> str:
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
    sums: Array = np.zeros(1, np.int32)
    for k in range(CELL_COUNT):
        sums = np.concatenate((sums, sums + np.int32(3**k)))
    return sums


def solved(jobs: int = 1, report: Report = ignore_report, extra: int = EXTRA_SHIFTS) -> Array:
    """The score of every canonical position when a full board makes `extra` extra shifts."""
    whites, blacks = all_positions()
    layers, board = numbering().layers, _kernel.table.Board(lined(), near(), ternary_sums())
    scores, known = np.zeros(SIZE, np.int8), np.empty(3**CELL_COUNT, np.int8)

    def piece(bounds: tuple[int, int]) -> None:
        _kernel.table.solve(whites, blacks, *bounds, extra, scores, known, board)

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


ROWS = 1 << 10
"""Positions looked at together: a few megabytes of moves."""

OUTER, INNER = 12, 4
MIRRORED = "positions whose mirror image is worth something else, of all that can be written"


def reflected(marbles: Array) -> Array:
    """Sets of cells with the rings the other way round: files a to d exchanged."""
    found = np.zeros_like(marbles)
    for k in range(OUTER):
        found |= (marbles >> k & 1) << (OUTER - 3 - k) % OUTER
    for k in range(INNER):
        found |= (marbles >> OUTER + k & 1) << OUTER + INNER - 1 - k
    return found


def list_batches(sections: Sections) -> Iterator[Batch]:
    """Every position that a game can lead to, fewest marbles first: the moves to a layer come before it."""
    scores = np.asarray(sections["scores"])
    analyst, weight = OrbitoAnalyst(scores), weights().astype(np.int64)
    white, black = all_positions()
    changed = scores[numbers(reflected(white.astype(np.int32)), reflected(black.astype(np.int32)))] != scores
    reached = np.zeros(SIZE, bool)
    reached[0] = True
    for marbles, (begin, end) in enumerate(pairwise(numbering().layers)):
        facts = {MIRRORED: int(weight[begin:end][changed[begin:end]].sum())}
        for start in range(begin, end, ROWS):
            here = start + np.flatnonzero(reached[start : min(start + ROWS, end)])
            found = analyst.children_of(white[here], black[here])
            reached[found.number] = True
            own = -scores[here] if marbles % 2 else scores[here]
            yield Batch(
                numbers=here,
                weight=weight[here],
                value=np.sign(own),
                distance=np.where(own == 0, 0, 17 - marbles - np.abs(own)),
                shown=~is_finished(white[here], black[here]),
                row=found.row,
                worth=np.sign(found.score),
                advice=followed(found, marbles % 2 == 1),
                facts=facts,
            )
            facts = {}


def followed(found: Children, by_second: bool) -> tuple[Followed, ...]:
    """Which of these moves of one side follow which advice."""
    moves, own, theirs = found.action, found.white, found.black
    placed, origin, destination = (cells[moves] for cells in action_sets())
    own, theirs = (theirs, own) if by_second else (own, theirs)
    shown = MovesMade(found.row, placed, origin, destination, own, theirs)
    return tuple(advice.mark(shown) for advice in ADVICE)
