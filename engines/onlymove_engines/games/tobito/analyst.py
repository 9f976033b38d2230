"""The authority on the values of both variants: a table's codes, probed in plain Python.

Many positions at once go through a kernel; nothing else here needs numba.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

import numpy as np

from onlymove_engines.core.analysis import Analysis, Sections, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Value

from .encoding import WHOLE, decode_move, is_reachable, read_only, value_of
from .index import TobitoIndex
from .notation import spell
from .rules import BOTTOM, TOP, Move, Position, TobitoRules, Variant, after

BATCH: Final = 4096
RULES: Final = TobitoRules()


class TobitoAnalyst:
    """Answers from `sections`. Every well-formed position has a value, also those that no game leads to."""

    def __init__(self, variant: Variant, sections: Sections) -> None:
        self._variant = variant
        self._index = TobitoIndex(variant)
        self._codes = read_only(sections["codes"])
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
        """The value, and that of every move; with both heats in Tobito, where the project's JSON has them."""
        moves: dict[Move, Value | None] = {}
        for move in RULES.legal_moves(position):
            value = self.probe(after(position, move))
            moves[move] = None if value is None else (-value).stepped_back()
        heat = self.heat(position)
        if heat is None or self._variant.neutrals:
            return Analysis(self.probe(position), moves)
        extras = {"heat": {"top": heat[TOP] / WHOLE, "bottom": heat[BOTTOM] / WHOLE}}
        return Analysis(self.probe(position), moves, extras=extras)

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """Rows in order, by a kernel, a few thousand at a time."""
        rest = iter(positions)
        while batch := list(islice(rest, BATCH)):
            yield from self._rows(batch)

    def _rows(self, positions: Sequence[Position]) -> Iterable[Summary]:
        """The rows of one batch."""
        from ._kernel.batch import summarise  # noqa: PLC0415 - needs numba
        from ._kernel.law import MOST_MOVES  # noqa: PLC0415

        size = len(positions)
        cells = np.frombuffer("".join([position.cells for position in positions]).encode(), np.uint8).reshape(size, 15)
        seats = np.array([position.to_move for position in positions], np.uint8)
        values, counts, keeping = (np.empty(size, np.uint8) for _ in range(3))
        best, ends = np.empty(size * MOST_MOVES, np.int32), np.empty(size, np.int64)
        summarise(cells, seats, self._codes, values, counts, keeping, best, ends)
        texts = [spell(decode_move(code)) for code in best[: ends[-1]].tolist()]
        start = 0
        columns = zip(values.tolist(), counts.tolist(), keeping.tolist(), ends.tolist(), strict=True)
        for value, count, kept, end in columns:
            known = value_of(value)
            assert known is not None
            yield Summary(known, str(count), str(kept), " ".join(sorted(texts[start:end])) or "-")
            start = end
