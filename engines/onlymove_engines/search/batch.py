"""Batches of positions: their moves as columns, for batch analysis and statistics. Knows no game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Generic

import numpy as np

from onlymove_engines.core.analysis import Analysis, Expanded, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.rules import M, Notation, P, Rules
from onlymove_engines.core.value import Value

from .deepening import make_summary
from .jit import Array
from .lookup import SmallBatches, batches, look_up

LOST = -1000
"""Below every score."""
WORD = 8
"""Characters that are looked up together."""


@dataclass(frozen=True)
class MoveColumns:
    """The legal moves of several positions, listed one position after the other. The moves of position k end at
    `ends[k]`.

    `values` are the positions'. `scores` are the moves', for the side that plays them: the better move has the higher
    score, and a score's sign tells the outcome. `spell` turns one of the `words` into text.
    """

    values: Sequence[Value]
    ends: Array
    scores: Array
    words: Array
    spell: Callable[[int], str]
    is_sorted: bool = False
    """Whether each position's moves come in the order of their text."""

    def summaries(self) -> Iterator[Summary]:
        """Yield a row for each position."""
        size, counts = len(self.ends), np.diff(self.ends, prepend=0)
        top = np.full(size, LOST, self.scores.dtype if self.scores.dtype.itemsize > 1 else np.int16)
        if len(self.scores):
            top[counts > 0] = np.maximum.reduceat(self.scores, (self.ends - counts)[counts > 0])
        top_of_row = np.repeat(top, counts)
        row = np.repeat(np.arange(size), counts)
        keeping = np.bincount(row[np.sign(self.scores) == np.sign(top_of_row)], minlength=size)
        is_best = self.scores == top_of_row
        best_ends = np.cumsum(np.bincount(row[is_best], minlength=size))
        texts, start = [self.spell(word) for word in self.words[is_best].tolist()], 0
        columns = zip(self.values, counts.tolist(), keeping.tolist(), best_ends.tolist(), strict=True)
        for value, count, kept, end in columns:
            best = texts[start:end] if self.is_sorted else sorted(texts[start:end])
            yield Summary(value, str(count), str(kept), " ".join(best) or "-")
            start = end


class TableAnalyst(ABC, Generic[P, M]):
    """The analyst of an alternating game with a table.

    For one position it uses plain Python: one look-up for the position and one for each move. For many it uses arrays,
    which pays once there are more than `quick` positions.
    """

    batch: ClassVar[int] = 4096
    expanded_batch: ClassVar[int] = 256
    """Positions whose moves are listed together: few enough to be forgotten soon."""

    def __init__(self, rules: Rules[P, M], notation: Notation[P, M], quick: int, needs_compiler: bool = True) -> None:
        self.rules, self.notation = rules, notation
        self.small = SmallBatches(quick, needs_compiler)

    @abstractmethod
    def probe(self, position: P) -> Value | None:
        """Return the value in the table."""

    @abstractmethod
    def list_moves(self, positions: Sequence[P]) -> MoveColumns:
        """Return every move of a batch."""

    @abstractmethod
    def expand_batch(self, positions: Sequence[P]) -> Iterator[Expanded]:
        """Return every move of a batch with the position it leads to."""

    def after(self, position: P, move: M) -> P:
        return self.rules.play(position, move)

    def analyse(self, position: P, budget: Budget = UNLIMITED) -> Analysis[M]:
        """Return the value of the position and of every move; the budget is not needed."""
        children = [(move, self.after(position, move)) for move in self.rules.legal_moves(position)]
        return look_up(position, children, self.probe)

    def summarise(self, positions: Sequence[P]) -> Iterator[Summary]:
        """Return rows in order; computed by arrays if there are many positions."""
        if self.small.suffices(len(positions)):
            return (make_summary(self.notation, position, self.analyse(position)) for position in positions)
        return (row for batch in batches(positions, self.batch) for row in self.list_moves(batch).summaries())

    def expand(self, positions: Sequence[P]) -> Iterator[Expanded] | None:
        """Return every move of many positions; `None` if plain code answers sooner."""
        if self.small.suffices(len(positions)):
            return None
        return (one for batch in batches(positions, self.expanded_batch) for one in self.expand_batch(batch))


def split_values(values: Sequence[Value | None]) -> tuple[Array, Array]:
    """Return two codes: the outcome as 1, 0 or -1, and the number of plies to the end; 0 where there is no value."""
    outcomes = np.array([0 if value is None else int(value.outcome) for value in values], np.int8)
    return outcomes, np.array([0 if value is None else value.remoteness or 0 for value in values], np.int16)


class Speller:
    """Spells positions that are given as sets of cells. `template` is an empty board with a point for each cell,
    followed by the letter of the side to move. `places` gives the place of a cell's point by the cell's bit.
    """

    def __init__(self, template: str, places: Sequence[int]) -> None:
        self._line, self._places = f"{template}\n".encode(), places

    @cached_property
    def _words(self) -> tuple[Array, Array]:
        """Return the template in words of eight characters, and for each set of cells the words with ones at its
        cells."""
        size = -(-len(self._line) // WORD) * WORD
        sets = np.zeros((1 << len(self._places), size), np.uint8)
        sets[:, self._places] = np.arange(len(sets))[:, None] >> np.arange(len(self._places)) & 1
        return np.frombuffer(self._line.ljust(size), np.uint64), sets.view(np.uint64)

    def spell(self, pieces: Mapping[str, Array], to_move: Array) -> list[str]:
        """Spell each position. `pieces` are the sets of cells by letter, `to_move` the letters as bytes."""
        words, sets = self._words
        for letter, cells in pieces.items():  # sums of bytes, which are too small to carry
            words = words + sets[cells] * np.uint64(ord(letter) - ord("."))
        texts = words.view(np.uint8)[:, : len(self._line)]
        texts[:, -2] = to_move
        return texts.tobytes().decode().splitlines()
