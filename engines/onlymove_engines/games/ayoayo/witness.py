"""The closed table once more, by code that shares nothing with the solver: what a table is held against."""

from __future__ import annotations

import numpy as np

from onlymove_engines.core.analysis import Report, Section, silent
from onlymove_engines.search.jit import Array

from ._kernel import witness
from .index import BOARDS
from .rules import CAPTURED_AT, DROP_LIMIT

LAST_PIT = 22
"""The bits of the eleven pits that make a number; the twelfth follows from the others."""


def derived(report: Report = silent) -> dict[str, Section]:
    """Both sections: boards with fewer seeds first, as captures lead to them."""
    margins, ranks = np.zeros(BOARDS, np.int8), np.zeros(BOARDS, np.uint8)
    words, totals = words_and_seeds()
    for seeds in range(0, int(totals.max()) + 1, CAPTURED_AT):
        report("solving once more", seeds / int(totals.max()))
        settle(np.flatnonzero(totals == seeds), words, margins, ranks)
    return {"margin": margins, "rank": ranks}


def words_and_seeds() -> tuple[Array, Array]:
    """Every board as the kernels take it, and its seeds, by number."""
    numbers, eleven = np.arange(BOARDS, dtype=np.int32), np.zeros(BOARDS, np.int32)
    for bits in range(0, LAST_PIT, 2):
        eleven += numbers >> bits & 3
    twelfth = -eleven % CAPTURED_AT
    return numbers | twelfth << LAST_PIT, eleven + twelfth


def settle(numbers: Array, words: Array, margins: Array, ranks: Array) -> None:
    """Margins, then ranks, of the boards with these numbers, which have equally many seeds."""
    captures, quiet = np.empty(len(numbers), np.int8), np.empty((len(numbers), 6), np.int32)
    witness.look_at(words[numbers], margins, DROP_LIMIT, captures, quiet)
    backwards = False
    while witness.improve(numbers, captures, quiet, margins, backwards):
        backwards = not backwards
    waiting, plies = np.flatnonzero(margins[numbers]), 1
    while (left := witness.rank_by(plies, waiting, numbers, captures, quiet, margins, ranks)) < len(waiting):
        waiting, plies = waiting[:left], plies + 1
