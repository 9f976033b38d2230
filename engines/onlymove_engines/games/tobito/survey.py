"""The whole table of either variant, batch by batch, with every move."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.solution import Batch, Survey
from onlymove_engines.search.jit import Array

from . import _kernel
from .codes import REACHABLE, VALUE, VALUES
from .proverbs import PROVERBS, laid_out
from .rules import Variant
from .table import orbit_sizes

ROWS = 1 << 14

RELUCTANT = "positions in which the side to move would rather have the other side move"
MUTUAL = "positions in which whoever moves loses"


@cache
def outcomes_and_plies() -> tuple[Array, Array]:
    """By code without its reachable bit."""
    outcomes = np.array([0 if value is None else int(value.outcome) for value in VALUES], np.int8)
    return outcomes, np.array([0 if value is None else value.remoteness or 0 for value in VALUES], np.int16)


def survey_of(variant: Variant) -> Survey:
    """How the table of a variant is shown."""

    def survey(sections: Sections) -> Iterator[Batch]:
        codes, sizes = np.array(sections["codes"]), orbit_sizes(variant)
        reached = np.flatnonzero(codes & REACHABLE)
        for begin in range(0, len(reached), ROWS):
            numbers = reached[begin : begin + ROWS]
            yield batch_of(variant, numbers, codes & VALUE, sizes[numbers].astype(np.int64))

    return survey


def batch_of(variant: Variant, numbers: Array, codes: Array, weight: Array) -> Batch:
    """These positions, by the codes of all."""
    room = len(numbers) * _kernel.law.MOST_MOVES
    boards, passed = np.empty((len(numbers), 3), np.int64), np.empty(len(numbers), np.int64)
    words, after, ends = np.empty(room, np.int32), np.empty(room, np.int64), np.empty(len(numbers), np.int64)
    _kernel.survey.list_classes(numbers, variant.neutrals > 0, boards, passed, words, after, ends)
    per_row = np.diff(ends, prepend=0)
    outcomes, plies = outcomes_and_plies()
    value = outcomes[codes[numbers]]
    other_way = -outcomes[codes[passed]]
    goes_on, row = per_row > 0, np.repeat(np.arange(len(numbers)), per_row)
    moves = laid_out(boards, row, words[: ends[-1]])
    return Batch(
        numbers=numbers,
        weight=weight,
        value=value,
        distance=plies[codes[numbers]],
        shown=goes_on,
        row=row,
        worth=-outcomes[codes[after[: ends[-1]]]],
        proverbs=tuple(proverb.of(moves) for proverb in PROVERBS),
        facts={
            RELUCTANT: int(weight[goes_on & (value < other_way)].sum()),
            MUTUAL: int(weight[goes_on & (value < 0) & (other_way > 0)].sum()),
        },
    )
