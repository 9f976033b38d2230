"""Rules of thumb on how to win, and the table's positions with all their moves, on which they are tested."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.solution import Advice, Batch
from onlymove_engines.search.batch import mark_greatest

from ._kernel import table as kernel
from .index import BOARDS, SHARES
from .rules import CAPTURED_AT, CELLS, SEEDS

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
