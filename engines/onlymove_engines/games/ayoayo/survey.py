"""The closed boards, batch by batch, with every move."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.solution import Batch
from onlymove_engines.search.jit import Array

from ._kernel import survey as kernel
from .index import BOARDS, SHARES
from .proverbs import PROVERBS, Shown
from .rules import CAPTURED_AT, CELLS, SEEDS

ROWS = 1 << 14
MOST_MOVES = len(CELLS)
PITS = 2 * len(CELLS)
CAPTURES = 255
"""The low bits of what a kernel says of captures: the mover's."""

LEVEL = 2 * CAPTURED_AT
"""Where the seeds on the board are a multiple of it, both sides may have captured the same."""


def survey(sections: Sections) -> Iterator[Batch]:
    """Every closed board; shown are those that can stand with the same captured by both sides."""
    margins, ranks = np.array(sections["margin"]), np.array(sections["rank"])
    for begin in range(0, BOARDS, ROWS):
        yield batch_of(begin, margins, ranks)


def batch_of(begin: int, margins: Array, ranks: Array) -> Batch:
    """The boards from this number on."""
    part = slice(begin, begin + ROWS)
    boards, room = np.empty((ROWS, PITS), np.int8), ROWS * MOST_MOVES
    pits, gains, worth = np.empty(room, np.int8), np.empty(room, np.int32), np.empty(room, np.int8)
    sown, ends = np.empty((room, PITS), np.int8), np.empty(ROWS, np.int64)
    kernel.list_boards(begin, begin + ROWS, margins, boards, pits, gains, sown, worth, ends)
    per_row, seeds = np.diff(ends, prepend=0), boards.sum(axis=1)
    row, total = np.repeat(np.arange(ROWS), per_row), int(ends[-1])
    takes, gives = gains[:total] & CAPTURES, gains[:total] >> CAPTURES.bit_length()
    moves = Shown(row, pits[:total], boards[row, pits[:total]], takes, gives, sown[:total, :MOST_MOVES])
    captured = (SEEDS - seeds) // 2 // CAPTURED_AT
    return Batch(
        numbers=np.arange(begin, begin + ROWS) * SHARES + captured,
        weight=np.ones(ROWS, np.int64),
        value=margins[part],
        distance=ranks[part].astype(np.int16),
        shown=(per_row > 0) & (seeds % LEVEL == 0),
        row=row,
        worth=worth[:total],
        proverbs=tuple(proverb.of(moves) for proverb in PROVERBS),
    )
