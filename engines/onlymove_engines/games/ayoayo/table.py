"""The closed table: built layer by layer, counted.

Knows two sections, `margin` (int8) and `rank` (uint8), by the number of a closed board; what they say is in `codes`.
"""

from __future__ import annotations

import numpy as np

from onlymove_engines.core.analysis import Report, Section, Sections, silent

from ._kernel import table
from .index import BOARDS, INDEX, SHARES
from .notation import format_position
from .witness import derived

LAYERS = 10
"""Closed boards hold 0, 4, ... 36 seeds."""


class AyoayoSolver:
    """Builds and counts the closed table."""

    encoding = "ayoayo-1"

    def build(self, jobs: int = 1, report: Report = silent) -> dict[str, Section]:
        """Both sections, boards with fewer seeds first."""
        margins, ranks = np.zeros(BOARDS, np.int8), np.zeros(BOARDS, np.uint8)
        place = np.zeros(BOARDS, np.int32)
        numbers, starts = table.layers(BOARDS)
        for layer in range(LAYERS):
            report(f"boards with {4 * layer} seeds", layer / LAYERS)
            here = numbers[starts[layer] : starts[layer + 1]]
            quiet = np.empty((len(here), 6), np.int32)
            best, left = np.empty(len(here), np.int8), np.empty(len(here), np.int8)
            table.expand(here, margins, place, quiet, best, left)
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
