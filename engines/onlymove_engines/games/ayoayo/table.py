"""The closed table: built layer by layer, counted.

Knows two sections, `margin` (int8) and `rank` (uint8), by the number of a closed board; what they say is in `codes`.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from onlymove_engines.core.analysis import Report, Section, Sections, silent
from onlymove_engines.search.jit import Array

from ._kernel import table
from .index import BOARDS, INDEX, SHARES
from .notation import format_position
from .witness import derived

LAYERS = 10
"""Closed boards hold 0, 4, ... 36 seeds."""

PIECE = 1 << 16
"""Boards of a layer that one worker looks at in one go."""


def _moves(here: Array, margins: Array, place: Array, workers: ThreadPoolExecutor) -> tuple[Array, Array, Array]:
    """What `table.expand` finds of a layer, a piece at a time."""
    quiet = np.empty((len(here), 6), np.int32)
    best, left = np.empty(len(here), np.int8), np.empty(len(here), np.int8)

    def look(begin: int) -> None:
        part = slice(begin, begin + PIECE)
        table.expand(here[part], margins, place, quiet[part], best[part], left[part])

    list(workers.map(look, range(0, len(here), PIECE)))
    return quiet, best, left


class AyoayoSolver:
    """Builds and counts the closed table."""

    encoding = "ayoayo-1"

    def build(self, jobs: int = 1, report: Report = silent) -> dict[str, Section]:
        """Both sections, boards with fewer seeds first. The moves of a layer are looked at side by side."""
        margins, ranks = np.zeros(BOARDS, np.int8), np.zeros(BOARDS, np.uint8)
        place = np.zeros(BOARDS, np.int32)
        numbers, starts = table.layers(BOARDS)
        with ThreadPoolExecutor(jobs) as workers:
            for layer in range(LAYERS):
                report(f"boards with {4 * layer} seeds", layer / LAYERS)
                here = numbers[starts[layer] : starts[layer + 1]]
                place[here] = np.arange(len(here))
                quiet, best, left = _moves(here, margins, place, workers)
                value, rank = np.zeros(len(here), np.int8), np.zeros(len(here), np.uint8)
                table.settle(best, left, *table.parents(quiet), value, rank)
                margins[here], ranks[here] = value, rank
        return {"margin": margins, "rank": ranks}

    def derive(self, report: Report = silent) -> Sections:
        """Both sections once more, by values that grow instead of attractors."""
        return derived(report)

    def spell(self, sections: Sections, name: str, entry: int) -> str:
        """The board with this number, player 0 to move, who has captured nothing."""
        return format_position(INDEX.position(entry * SHARES))

    def counts(self, sections: Sections) -> dict[str, int]:
        """Closed boards by what is to come for the side to move."""
        margins, ranks = np.asarray(sections["margin"]), np.asarray(sections["rank"])
        return {
            "boards": len(margins),
            "ahead": int((margins > 0).sum()),
            "level": int((margins == 0).sum()),
            "behind": int((margins < 0).sum()),
            "most_to_come": int(margins.max()),
            "highest_rank": int(ranks.max()),
        }
