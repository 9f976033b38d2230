"""Answers from the table: one look-up for a position and one for each move, in plain Python and numpy; many positions
at once by a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property

import numpy as np

from onlymove_engines.core.analysis import Analysis, Columns, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import Unreachable
from onlymove_engines.core.value import Value
from onlymove_engines.search.lookup import batches, look_up

from . import _kernel
from .codes import BUCKET_SHIFT, NO_CODE, Book, Code, value_of
from .index import DIGITS, INDEX
from .rules import RULES, TEAMS, Placement, Position
from .targets import CELLS

BATCH = 4096
_TO_BYTES = bytes.maketrans(DIGITS.encode(), bytes(range(len(DIGITS))))


class PokemonAnalyst:
    """Answers from the table's `columns`."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    @cached_property
    def book(self) -> Book:
        """The table as kernels take it."""
        return Book({name: np.asarray(column) for name, column in self.columns.items()})

    def code(self, position: Position) -> Code | None:
        """The table's byte for the position; `None` off the table."""
        try:
            return self.book.code(INDEX.number(position))
        except Unreachable:
            return None

    def is_reachable(self, position: Position) -> bool:
        """Whether a game can lead here: whether it is on record."""
        return self.code(position) is not None

    def probe(self, position: Position) -> Value | None:
        """The value on record; off the table that of finished positions only."""
        code = self.code(position)
        if code is not None:
            return value_of(code)
        result = RULES.result(position)
        return None if result is None else result.value_for(position.seat)

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Placement]:
        """The value, and that of every move; the budget is not needed."""
        children = [(move, RULES.play(position, move)) for move in RULES.legal_moves(position)]
        return look_up(position, children, self.probe)

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """Rows at the speed of the kernels. Raises Unreachable for a position that is not on record."""
        for batch in batches(positions, BATCH):
            yield from self._rows(batch)

    def _rows(self, batch: Sequence[Position]) -> Iterator[Summary]:
        cells = "".join(position.cells for position in batch).encode("ascii").translate(_TO_BYTES)
        boards = np.frombuffer(cells, np.uint8).reshape(len(batch), 9)
        hands = np.array([position.hands for position in batch], np.uint8)
        out = np.empty((len(batch), 4), np.int64)
        _kernel.batch.rows(boards, hands, self.book.numbers, self.book.buckets, BUCKET_SHIFT, self.book.codes, out)
        for position, (code, moves, keeping, best) in zip(batch, out.tolist(), strict=True):
            if code == NO_CODE:
                raise Unreachable("unreachable")
            yield Summary(value_of(code), str(moves), str(keeping), spelled(best, position.seat))


def move_of(word: int, seat: int) -> Placement:
    """The move that a kernel's word stands for."""
    cell, size = _kernel.law.parted_move(word)
    return Placement(TEAMS[seat][size], cell)


@cache
def spelled(moves: int, seat: int) -> str:
    """The moves of a kernel's set, as text in code point order."""
    found = [move_of(word, seat) for word in range(_kernel.law.MOST_MOVES) if moves >> word & 1]
    return " ".join(sorted(f"{move.piece}{CELLS[move.cell]}" for move in found)) or "-"
