"""The closed table: built layer by layer, compared with itself, counted.

Knows two sections, `margin` (int8) and `rank` (uint8), by the number of a closed board; what they say is in `codes`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from onlymove_engines.core.analysis import Report, Section, Sections, silent

from ._kernel import table
from .index import BOARDS

LAYERS = 10
"""Closed boards hold 0, 4, ... 36 seeds."""

CHUNK = BOARDS // 16
SAMPLED_CHUNKS = (0, 5, 10)
"""The sixteenths of the table that a quick verification looks at."""


class AyoayoSolver:
    """Builds and checks the closed table and answers from it."""

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

    def verify(self, sections: Sections, full: bool, report: Report = silent) -> Iterable[str]:
        """The boards whose margin or rank does not follow from their children's, a few of them named."""
        if any(len(sections[name]) != BOARDS for name in ("margin", "rank")):
            yield f"the table does not hold {BOARDS} boards"
            return
        chunks = range(16) if full else SAMPLED_CHUNKS
        for done, chunk in enumerate(chunks):
            report("comparing every board with its children", done / len(chunks))
            first = np.zeros(1, np.int64)
            span = (chunk * CHUNK, (chunk + 1) * CHUNK)
            wrong = table.disagreements(*span, sections["margin"], sections["rank"], first)
            if wrong:
                yield f"{wrong} of {CHUNK} boards from number {span[0]} on are wrong, the first is {first[0]}"

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
