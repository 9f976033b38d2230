"""Answers from the table: one look-up for a position and one for each move, in plain Python; many positions at once by
a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property

import numpy as np

from onlymove_engines.core.analysis import Analysis, Columns, Expanded, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import Unreachable
from onlymove_engines.core.value import Value, other
from onlymove_engines.search.deepening import summary_of
from onlymove_engines.search.jit import Array
from onlymove_engines.search.lookup import SmallBatches, batches, look_up

from . import _kernel
from .codes import BUCKET_SHIFT, DRAWN, NO_CODE, Book, Code, code_at, value_of
from .index import DIGITS, INDEX
from .notation import NOTATION
from .rules import PLACE, RULES, TEAMS, Placement, Position
from .targets import CELLS

BATCH = 4096
EXPANDED = 256
"""Positions whose moves are listed together: few enough to be forgotten soon."""

QUICK = 1000
"""Positions that plain code answers in the time that it takes to load the kernels (docs/answering.md)."""

MOVED = {code: ((-value_of(code)).stepped_back(), code in {0, DRAWN}) for code in range(NO_CODE)}
"""The value of a move and whether it ends the game, by the code of the position that it leads to."""

PLACE_IN_TEXT = tuple(cell + cell // 3 for cell in range(9))
"""Where a position's text has each cell: rows of three and a stroke."""

_TO_BYTES = bytes.maketrans(DIGITS.encode(), bytes(range(len(DIGITS))))


class PokemonAnalyst:
    """Answers from the table's `columns`."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self._sparing = SmallBatches(QUICK)

    @cached_property
    def book(self) -> Book:
        """The table as kernels take it."""
        return Book({name: np.asarray(column) for name, column in self.columns.items()})

    def code(self, position: Position) -> Code | None:
        """The table's byte for the position; `None` off the table."""
        try:
            return code_at(self.columns, INDEX.number(position))
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
        """Rows, by a kernel where there are many. Raises Unreachable for a position that is not on record."""
        if self._sparing.suffices(len(positions)):
            yield from map(self._row, positions)
            return
        for batch in batches(positions, BATCH):
            yield from self._rows(batch)

    def expand(self, positions: Sequence[Position]) -> Iterator[Expanded] | None:
        """Every move, by a kernel where there are many positions."""
        if self._sparing.suffices(len(positions)):
            return None
        return (one for batch in batches(positions, EXPANDED) for one in self._expanded(batch))

    def _row(self, position: Position) -> Summary:
        """One row in plain code."""
        if self.code(position) is None:
            raise Unreachable("unreachable")
        return summary_of(NOTATION, position, self.analyse(position))

    def _rows(self, batch: Sequence[Position]) -> Iterator[Summary]:
        out = np.empty((len(batch), 4), np.int64)
        _kernel.batch.rows(*_arrays(batch), *self._searched, out)
        for position, (code, moves, keeping, best) in zip(batch, out.tolist(), strict=True):
            if code == NO_CODE:
                raise Unreachable("unreachable")
            yield Summary(value_of(code), str(moves), str(keeping), spelled(best, position.seat))

    @property
    def _searched(self) -> tuple[Array, Array, int, Array]:
        """The table as kernels search it."""
        return self.book.numbers, self.book.buckets, BUCKET_SHIFT, self.book.codes

    def _expanded(self, batch: Sequence[Position]) -> Iterator[Expanded]:
        room = len(batch) * _kernel.law.MOST_MOVES
        here, words, after = (np.empty(size, np.uint8) for size in (len(batch), room, room))
        ends = np.empty(len(batch), np.int64)
        _kernel.batch.list_moves(*_arrays(batch), *self._searched, here, words, after, ends)
        moves, codes, start = words[: ends[-1]].tolist(), after[: ends[-1]].tolist(), 0
        for position, code, end in zip(batch, here.tolist(), ends.tolist(), strict=True):
            part = slice(start, end)
            placed = [placement_named(word, position.seat) for word in moves[part]]
            texts = [text for _, text in placed]
            yield Expanded(value_of(code), texts, _boards_after(position, placed), codes[part], MOVED)
            start = end


def _arrays(batch: Sequence[Position]) -> tuple[Array, Array]:
    """Boards and hands, as kernels take them."""
    cells = "".join([position.cells for position in batch]).encode("ascii").translate(_TO_BYTES)
    boards = np.frombuffer(cells, np.uint8).reshape(len(batch), 9)
    return boards, np.array([position.hands for position in batch], np.uint8)


def _boards_after(position: Position, placed: Sequence[tuple[Placement, str]]) -> list[str]:
    """The position after each of its moves, spelled."""
    hands, left = position.hands, {}
    for piece in {piece for (piece, _), _ in placed}:
        place = PLACE[piece]
        hand = (*hands[:place], hands[place] - 1, *hands[place + 1 :])
        left[piece] = NOTATION.format_position(Position(position.cells, hand, other(position.seat)))
    found = []
    for (piece, cell), _ in placed:
        text, at = left[piece], PLACE_IN_TEXT[cell]
        found.append(f"{text[:at]}{piece}{text[at + 1 :]}")
    return found


def move_of(word: int, seat: int) -> Placement:
    """The move that a kernel's word stands for."""
    cell, size = _kernel.law.parted_move(word)
    return Placement(TEAMS[seat][size], cell)


@cache
def placement_named(word: int, seat: int) -> tuple[Placement, str]:
    """The move that a kernel's word stands for, and its text."""
    move = move_of(word, seat)
    return move, f"{move.piece}{CELLS[move.cell]}"


@cache
def spelled(moves: int, seat: int) -> str:
    """The moves of a kernel's set, as text in code point order."""
    found = [placement_named(word, seat)[1] for word in range(_kernel.law.MOST_MOVES) if moves >> word & 1]
    return " ".join(sorted(found)) or "-"
