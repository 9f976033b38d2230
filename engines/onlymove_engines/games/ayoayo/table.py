"""Builds, checks and counts the table of Ayòayò, and lists its moves to test advice. The table has two sections,
`margin` (int8) and `rank` (uint8), by the number of a closed board. `codes` explains them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Report, Section, Sections, ignore_report
from onlymove_engines.core.solution import Advice, Batch
from onlymove_engines.search.batch import mark_greatest

from ._kernel import cross_check
from ._kernel import table as kernel
from .index import BOARDS, INDEX, SHARES
from .notation import format_position
from .rules import CAPTURED_AT, CELLS, DROP_LIMIT, SEEDS

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

    def spell(self, sections: Sections, name: str, entry: int) -> str:
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


ROWS = 1 << 14
CAPTURES = 255
"""Selects the mover's captures from packed captures."""

LEVEL = 2 * CAPTURED_AT
"""If the number of seeds on the board is a multiple of this, both sides can have captured equally much."""


def list_batches(sections: Sections) -> Iterator[Batch]:
    """Yield every closed board with every move. `shown` boards are those that can occur with equal captures on both
    sides."""
    margins, ranks = np.array(sections["margin"]), np.array(sections["rank"])
    for begin in range(0, BOARDS, ROWS):
        boards, ends, pits, gains, sown, after = kernel.list_moves(begin, begin + ROWS)
        per_row, seeds = np.diff(ends, prepend=0), boards.sum(axis=1)
        row = np.repeat(np.arange(ROWS), per_row)
        takes, gives = gains & CAPTURES, gains >> CAPTURES.bit_length()
        gain, theirs = takes.astype(np.int64) - gives, sown[:, : len(CELLS)]
        moves = Shown(row, pits, boards[row, pits], takes, gives, gain, theirs, theirs.sum(axis=1))
        captured = (SEEDS - seeds) // 2 // CAPTURED_AT
        yield Batch(
            numbers=np.arange(begin, begin + ROWS) * SHARES + captured,
            weight=np.ones(ROWS, np.int64),
            value=margins[begin : begin + ROWS],
            distance=ranks[begin : begin + ROWS].astype(np.int16),
            shown=(per_row > 0) & (seeds % LEVEL == 0),
            row=row,
            worth=gain - margins[after],
            advice=tuple(advice.mark(moves) for advice in ADVICE),
        )


LOADED = CAPTURED_AT - 1
"""A pit with this many seeds captures with the next seed."""


class Shown(NamedTuple):
    """Many moves at once. Each field is an array."""

    row: Array
    """The index of the board that each move is played on."""
    pit: Array
    seeds: Array
    """How many seeds were in the pit."""
    takes: Array
    """How many seeds the mover captures at once. `gives` is the number for the other side."""
    gives: Array
    gain: Array
    """The difference of `takes` and `gives`."""
    theirs: Array
    """n x 6: the other side's pits after the move. `across` is their sum."""
    across: Array


def is_quiet(moves: Shown) -> Array:
    quiet: Array = (moves.takes == 0) & (moves.gives == 0)
    return quiet


ADVICE: tuple[Advice[Shown], ...] = (
    Advice(
        "gain-then-few",
        "Make the largest net capture; among those moves, leave the fewest seeds in the other row.",
        lambda moves: mark_greatest(moves.row, SEEDS * moves.gain - moves.across),
    ),
    Advice(
        "quiet",
        "When nobody captures, leave the fewest seeds in the other row.",
        lambda moves: mark_greatest(moves.row, -moves.across - SEEDS * ~is_quiet(moves)),
        is_quiet,
    ),
    Advice(
        "few-pits",
        "Leave seeds in as few pits of the other row as you can.",
        lambda moves: mark_greatest(moves.row, -(moves.theirs > 0).sum(axis=1)),
    ),
    Advice("gain", "Make the largest net capture.", lambda moves: mark_greatest(moves.row, moves.gain)),
    Advice("left", "Sow from your leftmost pit.", lambda moves: mark_greatest(moves.row, -moves.pit)),
    Advice("capture", "Capture.", lambda moves: moves.takes > 0),
    Advice("give", "Let your opponent capture nothing.", lambda moves: moves.gives == 0),
    Advice(
        "their-threes",
        "Leave as few pits of three seeds in the other row as you can.",
        lambda moves: mark_greatest(moves.row, -(moves.theirs == LOADED).sum(axis=1)),
    ),
    Advice("own-threes", "Don't sow your pits of three seeds.", lambda moves: moves.seeds != LOADED),
)
