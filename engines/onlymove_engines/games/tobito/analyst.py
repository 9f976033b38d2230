"""Answers from a table's codes: one look-up for a position and one for each move, in plain Python; many positions at
once by a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from onlymove_engines.core.analysis import Analysis, Columns, Expanded, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Seat, Value
from onlymove_engines.search.deepening import summary_of
from onlymove_engines.search.jit import Array
from onlymove_engines.search.lookup import SmallBatches, batches, look_up, read_only

from . import _kernel
from ._kernel.masks import NONE
from .codes import VALUE, VALUES, WHOLE, is_reachable, value_of
from .index import TobitoIndex
from .notation import TobitoNotation, spell
from .rules import BOTTOM, CELLS, RULES, TOP, Move, Position, Variant, after

BATCH = 4096
EXPANDED = 256
"""Positions whose moves are listed together: few enough to be forgotten soon."""

QUICK = 1000
"""Positions that plain code answers in the time that it takes to load the kernels (docs/answering.md)."""

NO_PIECES = b".../.../.../.../... T\n"

MOVED = {
    code: ((-value).stepped_back(), value.remoteness == 0) for code, value in enumerate(VALUES) if value is not None
}
"""The value of a move and whether it ends the game, by the code of the position that it leads to."""


class TobitoAnalyst:
    """Answers from `sections`. Every well-formed position has a value, also those that no game leads to."""

    def __init__(self, variant: Variant, sections: Columns) -> None:
        self._variant = variant
        self._index, self._notation = TobitoIndex(variant), TobitoNotation(variant)
        self._sparing = SmallBatches(QUICK)
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
        return self._heat(self._index.number(position), position.to_move)

    def _heat(self, number: int, seat: Seat) -> tuple[int, int]:
        """The same of the position with this number in which this seat moves, where heat is on record."""
        assert self._heats is not None
        own, other = int(self._heats[TOP][number]), int(self._heats[BOTTOM][number])
        return (own, other) if seat == TOP else (other, own)

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Move]:
        """The value, and that of every move."""
        children = [(move, after(position, move)) for move in RULES.legal_moves(position)]
        return look_up(position, children, self.probe)

    def measures(self, position: Position) -> Mapping[str, Mapping[str, float]]:
        """Both heats."""
        heat = self.heat(position)
        return {} if heat is None else heat_told(heat)

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """Rows in order, by a kernel where there are many."""
        if self._sparing.suffices(len(positions)):
            yield from (summary_of(self._notation, position, self.analyse(position)) for position in positions)
            return
        for batch in batches(positions, BATCH):
            yield from self._rows(batch)

    def expand(self, positions: Sequence[Position]) -> Iterator[Expanded] | None:
        """Every move, by a kernel where there are many positions."""
        if self._sparing.suffices(len(positions)):
            return None
        return (one for batch in batches(positions, EXPANDED) for one in self._expanded(batch))

    def _rows(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """The rows of one batch."""
        size = len(positions)
        cells, seats = _arrays(positions)
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

    def _expanded(self, positions: Sequence[Position]) -> Iterator[Expanded]:
        """The moves of one batch."""
        size, room = len(positions), len(positions) * _kernel.law.MOST_MOVES
        cells, seats = _arrays(positions)
        here, ends = np.empty(size, np.int64), np.empty(size, np.int64)
        words, numbers = np.empty(room, np.int32), np.empty(room, np.int64)
        texts = np.empty((room, len(NO_PIECES)), np.uint8)
        texts[:] = np.frombuffer(NO_PIECES, np.uint8)
        _kernel.batch.list_moves(cells, seats, here, words, numbers, texts, ends)
        total = int(ends[-1])
        spelled_moves = [spelled(word) for word in words[:total].tolist()]
        boards = texts[:total].tobytes().decode().splitlines()
        codes = read_only(self._codes)
        after = (codes[numbers[:total]] & VALUE).tolist()
        per_row = np.diff(ends, prepend=0)
        measures = self._measures_of(numbers[:total], np.repeat(1 - seats, per_row))
        own: Sequence[int | None] = self._measures_of(here, seats) or [None] * size
        measured = self._measured
        start = 0
        for code, end, mine in zip(codes[here].tolist(), ends.tolist(), own, strict=True):
            value, part = value_of(code), slice(start, end)
            assert value is not None
            moves, codes_after = spelled_moves[part], after[part]
            yield Expanded(value, moves, boards[part], codes_after, MOVED, measures[part], mine, measured)
            start = end

    def _measures_of(self, numbers: Array, seats: Array) -> list[int]:
        """Codes for both heats of the positions with these numbers in which these seats move; none where heat is not
        measured."""
        if self._heats is None:
            return []
        codes: list[int] = (2 * numbers + seats).tolist()
        return codes

    def _measured(self, code: int) -> Mapping[str, Mapping[str, float]]:
        """What such a code stands for."""
        return heat_told(self._heat(*divmod(code, 2)))


def heat_told(heat: tuple[int, int]) -> Mapping[str, Mapping[str, float]]:
    """Both heats as the project's JSON has them."""
    return {"heat": {"top": heat[TOP] / WHOLE, "bottom": heat[BOTTOM] / WHOLE}}


def _arrays(positions: Sequence[Position]) -> tuple[Array, Array]:
    """The letters and the seats of positions, as kernels take them."""
    letters = "".join([position.cells for position in positions]).encode()
    cells = np.frombuffer(letters, np.uint8).reshape(len(positions), len(CELLS))
    return cells, np.array([position.to_move for position in positions], np.uint8)


def move_of(word: int) -> Move:
    """The move that a kernel's word stands for."""
    origin, landing, *pawns, neutral = _kernel.law.parted(word)
    return Move(origin, landing, tuple(cell for cell in pawns if cell != NONE), None if neutral == NONE else neutral)


@lru_cache(maxsize=1 << 16)
def spelled(word: int) -> str:
    """The move that a kernel's word stands for, as text."""
    return spell(move_of(word))
