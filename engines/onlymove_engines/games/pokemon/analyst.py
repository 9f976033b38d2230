"""The authority on the game's values: by the table, and without one by live search.

Plain Python and numpy; only batch analysis and live search load compiled kernels, when first asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import numpy as np

from onlymove_engines.core.analysis import Analysis, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import Unreachable
from onlymove_engines.core.value import Value

from .book import BUCKET_SHIFT, Book
from .codes import NO_CODE, Code, value_of
from .index import DIGITS, INDEX
from .live import search, seen_before
from .notation import CELLS
from .reach import can_be_reached
from .rules import RULES, TEAMS, Placement, Position
from .twin import kernels

BATCH = 4096
_TO_BYTES = bytes.maketrans(DIGITS.encode(), bytes(range(len(DIGITS))))


class PokemonAnalyst:
    """Answers from `book`, or by search if that is `None`."""

    def __init__(self, book: Book | None) -> None:
        self.book = book

    def code(self, position: Position) -> Code | None:
        """The table's byte for the position; `None` without a table or off it."""
        if self.book is None:
            return None
        try:
            return self.book.code(INDEX.number(position))
        except Unreachable:
            return None

    def is_reachable(self, position: Position) -> bool:
        """Whether a game can lead here: on record, or found by taking moves back."""
        return can_be_reached(position) if self.book is None else self.code(position) is not None

    def probe(self, position: Position) -> Value | None:
        """The value on record; without a table that of finished positions only."""
        code = self.code(position)
        if code is not None:
            return value_of(code)
        result = RULES.result(position)
        return None if result is None else result.value_for(position.seat)

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Placement]:
        """The value, and that of every move, by the table; else what live search proves within the budget."""
        moves = RULES.legal_moves(position)
        if self.book is None and moves:
            return search(position, budget)
        value = self.probe(position)
        return Analysis(value, {move: self._after(position, move) for move in moves})

    def _after(self, position: Position, move: Placement) -> Value | None:
        child = self.probe(RULES.play(position, move))
        return None if child is None else seen_before(child)

    def summarise(self, positions: Sequence[Position]) -> Iterable[Summary]:
        """Rows at the speed of the kernels. Raises Unreachable for a position that is not on record."""
        for low in range(0, len(positions), BATCH):
            batch = positions[low : low + BATCH]
            yield from self._searched(batch) if self.book is None else self._looked_up(batch, self.book)

    def _looked_up(self, batch: Sequence[Position], book: Book) -> Iterator[Summary]:
        cells = "".join(position.cells for position in batch).encode("ascii").translate(_TO_BYTES)
        boards = np.frombuffer(cells, np.uint8).reshape(len(batch), 9)
        hands = np.array([position.hands for position in batch], np.uint8)
        out = np.empty((len(batch), 4), np.int64)
        kernels("batch").rows(boards, hands, book.numbers, book.buckets, BUCKET_SHIFT, book.codes, out)
        for position, (code, moves, keeping, best) in zip(batch, out.tolist(), strict=True):
            if code == NO_CODE:
                raise Unreachable("unreachable")
            yield Summary(value_of(code), str(moves), str(keeping), _spelled(best, position.seat))

    def _searched(self, batch: Sequence[Position]) -> Iterator[Summary]:
        for position in batch:
            found = self.analyse(position)
            if not isinstance(found.value, Value) or not found.is_complete:
                raise LookupError(f"{found.note}, which does not settle the position")
            best = " ".join(sorted(f"{move.piece}{CELLS[move.cell]}" for move in found.best())) or "-"
            yield Summary(found.value, str(len(found.moves)), str(len(found.keeping())), best)


@cache
def _spelled(mask: int, seat: int) -> str:
    """The moves of a mask (bit 9 x size + cell) in code point order."""
    found = [f"{TEAMS[seat][bit // 9]}{CELLS[bit % 9]}" for bit in range(27) if mask >> bit & 1]
    return " ".join(found) or "-"
