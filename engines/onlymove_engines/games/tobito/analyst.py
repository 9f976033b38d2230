"""Answers from a table's codes: one look-up for a position and one for each move, in plain Python; many positions at
once by a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from onlymove_engines.core.analysis import Analysis, Columns, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Value
from onlymove_engines.search.lookup import batches, look_up, read_only

from . import _kernel
from ._kernel.masks import NONE
from .codes import WHOLE, is_reachable, value_of
from .index import TobitoIndex
from .notation import spell
from .rules import BOTTOM, CELLS, RULES, TOP, Move, Position, Variant, after

BATCH = 4096


class TobitoAnalyst:
    """Answers from `sections`. Every well-formed position has a value, also those that no game leads to."""

    def __init__(self, variant: Variant, sections: Columns) -> None:
        self._variant = variant
        self._index = TobitoIndex(variant)
        self._codes = sections["codes"]
        self._heats = (sections["heat_own"], sections["heat_other"]) if "heat_own" in sections else None

    def is_reachable(self, position: Position) -> bool:
        """Whether a game can lead here, whoever begins."""
        return is_reachable(self._code(position))

    def probe(self, position: Position) -> Value | None:
        """The value on record."""
        return value_of(self._code(position))

    def _code(self, position: Position) -> int:
        return int(self._codes[self._index.number(position)])

    def heat(self, position: Position) -> tuple[int, int] | None:
        """Top's and Bottom's heat in units of 1 / WHOLE; `None` where no heat is on record."""
        if self._heats is None:
            return None
        number = self._index.number(position)
        own, other = int(self._heats[TOP][number]), int(self._heats[BOTTOM][number])
        return (own, other) if position.to_move == TOP else (other, own)

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Move]:
        """The value, and that of every move."""
        children = [(move, after(position, move)) for move in RULES.legal_moves(position)]
        return look_up(position, children, self.probe)

    def measures(self, position: Position) -> Mapping[str, Mapping[str, float]]:
        """Both heats in Tobito, where the project's JSON has them."""
        heat = None if self._variant.neutrals else self.heat(position)
        return {} if heat is None else {"heat": {"top": heat[TOP] / WHOLE, "bottom": heat[BOTTOM] / WHOLE}}

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """Rows in order, by a kernel, a few thousand at a time."""
        for batch in batches(positions, BATCH):
            yield from self._rows(batch)

    def _rows(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """The rows of one batch."""
        size = len(positions)
        letters = "".join([position.cells for position in positions]).encode()
        cells = np.frombuffer(letters, np.uint8).reshape(size, len(CELLS))
        seats = np.array([position.to_move for position in positions], np.uint8)
        codes, counts, keeping = (np.empty(size, np.uint8) for _ in range(3))
        best, ends = np.empty(size * _kernel.law.MOST_MOVES, np.int32), np.empty(size, np.int64)
        _kernel.batch.summarise(cells, seats, read_only(self._codes), codes, counts, keeping, best, ends)
        texts = [spelled(word) for word in best[: ends[-1]].tolist()]
        start = 0
        for code, count, kept, end in zip(
            codes.tolist(), counts.tolist(), keeping.tolist(), ends.tolist(), strict=True
        ):
            value = value_of(code)
            assert value is not None
            yield Summary(value, str(count), str(kept), " ".join(sorted(texts[start:end])) or "-")
            start = end


def move_of(word: int) -> Move:
    """The move that a kernel's word stands for."""
    origin, landing, *pawns, neutral = _kernel.law.parted(word)
    return Move(origin, landing, tuple(cell for cell in pawns if cell != NONE), None if neutral == NONE else neutral)


@lru_cache(maxsize=1 << 16)
def spelled(word: int) -> str:
    """The move that a kernel's word stands for, as text."""
    return spell(move_of(word))
