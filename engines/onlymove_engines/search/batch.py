"""Works on batches of positions for batch analysis and statistics. Their moves are stored in columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Generic

import numpy as np

from onlymove_engines.compiled.jit import Array, has_compiler
from onlymove_engines.core.analysis import UNKNOWN, Analysis, Column, Expanded, Section, Summary, ValueColumns
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.rules import M, Notation, P, Rules
from onlymove_engines.core.value import Value, value_before

from .deepening import make_summary

LOST = -1000
"""A score below all others."""
FARTHEST = 500
"""A number larger than the plies to the end of any game."""
ALTERNATING = (0, 1)
"""The side that plays a move and the side to move after it, in a game in which the sides always take turns."""
WORD = 8
"""How many characters are looked up together."""


@dataclass(frozen=True)
class MoveColumns:
    """The legal moves of several positions, listed one position after the other. The moves of position k end at
    `ends[k]`.

    `values` belong to the positions. `scores` belong to the moves and are seen by the side that plays them: better
    moves have higher scores, and the sign of a score is the outcome. `words` are the moves as numbers, and `to_text`
    turns one of them into text.
    """

    values: Sequence[Value]
    ends: Array
    scores: Array
    words: Array
    to_text: Callable[[int], str]

    def summaries(self) -> Iterator[Summary]:
        size, counts = len(self.ends), np.diff(self.ends, prepend=0)
        top = np.full(size, LOST, self.scores.dtype if self.scores.dtype.itemsize > 1 else np.int16)
        if len(self.scores):
            top[counts > 0] = np.maximum.reduceat(self.scores, (self.ends - counts)[counts > 0])
        top_of_row = np.repeat(top, counts)
        row = np.repeat(np.arange(size), counts)
        keeping = np.bincount(row[np.sign(self.scores) == np.sign(top_of_row)], minlength=size)
        is_best = self.scores == top_of_row
        best_ends = np.cumsum(np.bincount(row[is_best], minlength=size))
        texts, start = [self.to_text(word) for word in self.words[is_best].tolist()], 0
        columns = zip(self.values, counts.tolist(), keeping.tolist(), best_ends.tolist(), strict=True)
        for value, count, kept, end in columns:
            yield Summary(value, str(count), str(kept), " ".join(sorted(texts[start:end])) or "-")
            start = end


class TableAnalyst(ABC, Generic[P, M]):
    """The analyst of a game with a table, in which the sides always take turns.

    Plain Python, with one look-up for a position and one for each of its moves, answers the next `quick` positions. At
    first these are so many that it takes about as long as loading numpy or compiled code. After that, arrays are
    faster. If they need compiled code and there is no compiler, plain Python answers all.
    """

    batch: ClassVar[int] = 4096
    expanded_batch: ClassVar[int] = 256
    """How many positions to expand together. The number is small, so that they do not stay in memory for long."""

    def __init__(self, rules: Rules[P, M], notation: Notation[P, M], quick: int, needs_compiler: bool = True) -> None:
        self.rules, self.notation = rules, notation
        self.quick, self._needs_compiler = quick, needs_compiler

    @abstractmethod
    def probe(self, position: P) -> Value | None: ...

    @abstractmethod
    def list_moves(self, positions: Sequence[P]) -> MoveColumns: ...

    @abstractmethod
    def expand_batch(self, positions: Sequence[P]) -> Iterator[Expanded]:
        """List the moves of a batch of positions, with the positions they lead to."""

    def is_quicker_plainly(self, count: int) -> bool:
        """Whether plain code is to answer this many positions."""
        if count > self.quick and (not self._needs_compiler or has_compiler()):
            self.quick = 0
            return False
        self.quick -= count
        return True

    def play_move(self, position: P, move: M) -> P:
        return self.rules.play(position, move)

    def analyse(self, position: P, budget: Budget = UNLIMITED) -> Analysis[M]:
        """Return the value of the position and of each move. The budget is ignored, because look-ups need no search."""
        probe, play = self.probe, self.play_move
        children = ((move, probe(play(position, move))) for move in self.rules.legal_moves(position))
        values = {move: None if after is None else value_before(after, *ALTERNATING) for move, after in children}
        return Analysis(probe(position), values)

    def summarise(self, positions: Sequence[P]) -> Iterator[Summary]:
        """Return a row of batch analysis for each position, in order. Arrays are used if there are many positions."""
        if self.is_quicker_plainly(len(positions)):
            return (make_summary(self.notation, position, self.analyse(position)) for position in positions)
        return (row for batch in split_batches(positions, self.batch) for row in self.list_moves(batch).summaries())

    def expand(self, positions: Sequence[P]) -> Iterator[Expanded] | None:
        """List the moves of many positions. Return `None` if it is quicker to look at them one by one."""
        if self.is_quicker_plainly(len(positions)):
            return None
        return (one for batch in split_batches(positions, self.expanded_batch) for one in self.expand_batch(batch))


def split_batches(positions: Sequence[P], size: int) -> Iterator[Sequence[P]]:
    for start in range(0, len(positions), size):
        yield positions[start : start + size]


def read_only(section: Column) -> Section:
    """Return the section as a read-only array, for kernels that read tables.

    Tables are mapped read-only, and numba would compile a second kernel for writable arrays.
    """
    view = np.asarray(section).view()
    view.flags.writeable = False
    return view


@dataclass(frozen=True)
class CodeReader:
    """Turns the codes of a table without points into values.

    `values` are the values by code, `None` if the code means none. A draw with a code in `ends` is the end of a game.
    """

    values: Sequence[Value | None]
    ends: Collection[int] = ()

    @cached_property
    def _columns(self) -> tuple[Array, Array]:
        outcomes = [UNKNOWN if value is None else int(value.outcome) for value in self.values]
        plies = [-1 if value is None or value.remoteness is None else value.remoteness for value in self.values]
        plies = [0 if code in self.ends else left for code, left in enumerate(plies)]
        return np.array(outcomes, np.int8), np.array(plies, np.int32)

    def read(self, codes: Array) -> ValueColumns:
        outcomes, plies = self._columns
        return ValueColumns(outcomes[codes], plies[codes], None)


def find_codes(column: Column, numbers: Array, missing: int) -> Array:
    """Return the codes with these numbers, and `missing` for a number that the column does not have."""
    codes = np.asarray(column)
    inside = (numbers >= 0) & (numbers < len(codes))
    found: Array = codes[np.where(inside, numbers, 0)] if len(codes) else np.full(len(numbers), missing)
    return found if inside.all() else np.where(inside, found, missing)


def number_each(number: Callable[[P], int | None], positions: Sequence[P]) -> Array:
    """Return the number of each position, and -1 for a position that has none."""

    def find(position: P) -> int:
        try:
            found = number(position)
        except ValueError:
            return -1
        return -1 if found is None else found

    return np.array(list(map(find, positions)), np.int64)


def mark_greatest(row: Array, score: Array) -> Array:
    """Mark the moves with the greatest score among the moves of their position. `row` is the index of each move's
    position."""
    top = np.full(int(row.max(initial=0)) + 1, np.iinfo(np.int64).min)
    np.maximum.at(top, row, score)
    found: Array = score == top[row]
    return found


def split_values(values: Sequence[Value | None]) -> tuple[Array, Array]:
    """Return the outcomes of values as 1, 0 or -1, and their plies to the end. Both are 0 for `None`."""
    outcomes = np.array([0 if value is None else int(value.outcome) for value in values], np.int8)
    return outcomes, np.array([0 if value is None else value.remoteness or 0 for value in values], np.int16)


def score_moves(values: Sequence[Value | None]) -> Array:
    """For each value, return the score of a move to a position with that value. A quick win is best, and a slow loss is
    better than a quick one."""
    outcomes, plies = split_values(values)
    scores: Array = -outcomes * (FARTHEST - plies)
    return scores


class PositionWriter:
    """Writes positions that are stored as sets of cells.

    `template` is the text of an empty board with a point for each cell, followed by the letter of the side to move.
    `places` are the indices of the cells in this text, by the cell's bit.
    """

    def __init__(self, template: str, places: Sequence[int]) -> None:
        self._line, self._places = f"{template}\n".encode(), places

    @cached_property
    def _words(self) -> tuple[Array, Array]:
        """Return the characters of the template, packed into words of eight. For each set of cells, also return such
        words in which the cells of the set are 1 and all other characters 0."""
        size = -(-len(self._line) // WORD) * WORD
        sets = np.zeros((1 << len(self._places), size), np.uint8)
        sets[:, self._places] = np.arange(len(sets))[:, None] >> np.arange(len(self._places)) & 1
        return np.frombuffer(self._line.ljust(size), np.uint64), sets.view(np.uint64)

    def to_text(self, pieces: Mapping[str, Array], to_move: Array) -> list[str]:
        """Write each position. `pieces` maps letters to the sets of cells with that piece. `to_move` are the letters of
        the sides to move, as bytes."""
        words, sets = self._words
        for letter, cells in pieces.items():  # the bytes are too small to carry over
            words = words + sets[cells] * np.uint64(ord(letter) - ord("."))
        texts = words.view(np.uint8)[:, : len(self._line)]
        texts[:, -2] = to_move
        return texts.tobytes().decode().splitlines()
