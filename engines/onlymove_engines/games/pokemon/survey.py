"""The whole table, batch by batch, with every move."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.solution import Batch
from onlymove_engines.search.jit import Array

from . import _kernel
from .codes import BUCKET_SHIFT, NO_CODE, Book, value_of
from .proverbs import PROVERBS, laid_out

ROWS = 1 << 14


@cache
def outcomes_and_plies() -> tuple[Array, Array]:
    """By code."""
    values = [value_of(code) for code in range(NO_CODE + 1)]
    outcomes = np.array([int(value.outcome) for value in values], np.int8)
    return outcomes, np.array([value.remoteness or 0 for value in values], np.int16)


def survey(sections: Sections) -> Iterator[Batch]:
    """Every position on record, which are all that a game can lead to."""
    book = Book(sections)
    for begin in range(0, len(book.numbers), ROWS):
        part = slice(begin, begin + ROWS)
        yield batch_of(book, book.numbers[part], book.codes[part])


def batch_of(book: Book, numbers: Array, codes: Array) -> Batch:
    """These positions and their codes."""
    outcomes, plies = outcomes_and_plies()
    size, room = len(numbers), len(numbers) * _kernel.law.MOST_MOVES
    boards, hands = np.empty((size, 9), np.int8), np.empty((size, 7), np.int8)
    weight, ends = np.empty(size, np.int64), np.empty(size, np.int64)
    words, after = np.empty(room, np.int8), np.empty(room, np.uint8)
    searched = book.numbers, book.buckets, BUCKET_SHIFT, book.codes
    _kernel.survey.list_classes(numbers, *searched, boards, hands, weight, words, after, ends)
    per_row = np.diff(ends, prepend=0)
    row = np.repeat(np.arange(size), per_row)
    moves = laid_out(boards, hands, row, words[: ends[-1]])
    return Batch(
        numbers=numbers.astype(np.int64),
        weight=weight,
        value=outcomes[codes],
        distance=plies[codes],
        shown=per_row > 0,
        row=row,
        worth=-outcomes[after[: ends[-1]]],
        proverbs=tuple(proverb.of(moves) for proverb in PROVERBS),
    )
