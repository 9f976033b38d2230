"""Builds, checks and counts the table of Ayòayò. The table has two sections,
`margin` (int8) and `rank` (uint8), by the number of a closed board. `codes` explains them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Report, Section, Sections, ignore_report

from ._kernel import cross_check
from ._kernel import table as kernel
from .index import BOARDS, INDEX, SHARES
from .notation import format_position
from .rules import CAPTURED_AT, DROP_LIMIT

LAYERS = 10
"""Closed boards have 0, 4, ... or 36 seeds. Each number is a layer."""

PIECE = 1 << 16
"""How many boards of a layer a worker expands at a time."""


class AyoayoSolver:
    encoding = "ayoayo-1"

    def build(self, jobs: int = 1, report: Report = ignore_report) -> dict[str, Section]:
        """Build both sections, beginning with the boards with the fewest seeds. The moves of a layer are listed in
        parallel."""
        margins, ranks = np.zeros(BOARDS, np.int8), np.zeros(BOARDS, np.uint8)
        place = np.zeros(BOARDS, np.int32)
        with ThreadPoolExecutor(jobs) as workers:
            for layer, here in enumerate(list_layers()):
                report(f"boards with {4 * layer} seeds", layer / LAYERS)
                place[here] = np.arange(len(here))
                quiet, rank = np.empty((len(here), 6), np.int32), np.zeros(len(here), np.uint8)
                best, left, value = np.zeros((3, len(here)), np.int8)
                cuts = [slice(begin, begin + PIECE) for begin in range(0, len(here), PIECE)]
                pieces = [[whole[cut] for cut in cuts] for whole in (here, quiet, best, left)]
                list(workers.map(partial(kernel.expand, margins, place), *pieces))
                kernel.settle(best, left, *kernel.list_parents(quiet), value, rank)
                margins[here], ranks[here] = value, rank
        return {"margin": margins, "rank": ranks}

    def derive(self, report: Report = ignore_report) -> Sections:
        """Solve both sections again with another method, which raises values step by step."""
        sections: Sections = cross_check.derive(BOARDS, CAPTURED_AT, DROP_LIMIT, report)
        return sections

    def to_text(self, sections: Sections, name: str, entry: int) -> str:
        """Return the board with this number as text, with player 0 to move and nothing captured by player 0."""
        return format_position(INDEX.position(entry * SHARES))

    def counts(self, sections: Sections) -> dict[str, int]:
        """Count closed boards by the margin to come for the side to move."""
        margins, ranks = np.asarray(sections["margin"]), np.asarray(sections["rank"])
        return {
            "boards": len(margins),
            "ahead": int((margins > 0).sum()),
            "level": int((margins == 0).sum()),
            "behind": int((margins < 0).sum()),
            "most_to_come": int(margins.max()),
            "highest_rank": int(ranks.max()),
        }


def list_layers() -> list[Array]:
    """Return the numbers of the closed boards of each layer, in ascending order."""
    layer: Array = np.zeros(1, np.uint8)
    for _ in range(11):
        layer = np.concatenate([layer + seeds for seeds in range(4)])
    layer = layer + 3 >> 2  # the twelfth pit makes the number of seeds a multiple of four
    numbers = np.argsort(layer, kind="stable").astype(np.int32)
    return np.split(numbers, np.cumsum(np.bincount(layer))[:-1])
