"""Answers from the table: one look-up for a position and one for each move, in plain Python; many positions at once by
a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from onlymove_engines.core.analysis import Analysis, Columns, Expanded, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.errors import Unreachable
from onlymove_engines.core.value import Value, other
from onlymove_engines.search.deepening import summary_of
from onlymove_engines.search.jit import Array
from onlymove_engines.search.lookup import SmallBatches, batches, look_up

from . import _kernel
from .codes import DRAWN, NO_CODE, Code, code_at, numbers_of, value_of
from .index import DIGITS, INDEX
from .notation import CELLS, NOTATION
from .rules import PLACE, RULES, TEAMS, Placement, Position

if TYPE_CHECKING:
    from ._kernel.table import Table

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
    def table(self) -> Table:
        """The table as kernels search it."""
        return table_of(self.columns)

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
        here, words, after, moves = list_moves(*_arrays(batch), self.table)
        row = np.repeat(np.arange(len(batch)), moves)
        own = here[row]
        keeps = np.where(own >= DRAWN, after >= DRAWN, (after < DRAWN) & ((own + after) % 2 == 1))
        best = keeps & ((own >= DRAWN) | (after + 1 == own))
        keeping = np.bincount(row[keeps], minlength=len(batch))
        sets = np.bincount(row[best], np.ldexp(1.0, words[best]), len(batch)).astype(np.int64)
        figures = zip(here.tolist(), moves.tolist(), keeping.tolist(), sets.tolist(), strict=True)
        for position, (code, count, held, best_moves) in zip(batch, figures, strict=True):
            if code == NO_CODE:
                raise Unreachable("unreachable")
            yield Summary(value_of(code), str(count), str(held), spelled(best_moves, position.seat))

    def _expanded(self, batch: Sequence[Position]) -> Iterator[Expanded]:
        here, words, after, per_row = list_moves(*_arrays(batch), self.table)
        moves, codes = iter(words.tolist()), iter(after.tolist())
        for position, code, count in zip(batch, here.tolist(), per_row.tolist(), strict=True):
            placed = [placement_named(word, position.seat) for word in islice(moves, count)]
            texts = [text for _, text in placed]
            yield Expanded(value_of(code), texts, _boards_after(position, placed), list(islice(codes, count)), MOVED)


def table_of(columns: Columns) -> Table:
    """The table as kernels search it; a copy, as read-only arrays need kernels of their own."""
    numbers = numbers_of(columns)
    edges = np.arange(0, INDEX.size + (2 << _kernel.table.BUCKET_SHIFT), 1 << _kernel.table.BUCKET_SHIFT)
    buckets = np.searchsorted(numbers, edges).astype(np.uint32)
    table: Table = _kernel.table.Table(numbers, buckets, np.array(columns["codes"]))
    return table


def list_moves(boards: Array, hands: Array, table: Table) -> tuple[Array, Array, Array, Array]:
    """The code of each position, the word of every move and the code of the position after it, and how many moves each
    position has. Boards and hands are bytes, as the kernel takes them."""
    size, room = len(boards), len(boards) * _kernel.moves.MOST_MOVES
    here, words, after = (np.empty(length, np.uint8) for length in (size, room, room))
    ends = np.empty(size, np.int64)
    _kernel.table.list_moves(boards, hands, table, here, words, after, ends)
    total = int(ends[-1]) if size else 0
    return here, words[:total], after[:total], np.diff(ends, prepend=0)


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
    cell, size = divmod(word, 3)
    return Placement(TEAMS[seat][size], cell)


@cache
def placement_named(word: int, seat: int) -> tuple[Placement, str]:
    """The move that a kernel's word stands for, and its text."""
    move = move_of(word, seat)
    return move, f"{move.piece}{CELLS[move.cell]}"


@cache
def spelled(moves: int, seat: int) -> str:
    """The moves of a kernel's set, as text in code point order."""
    found = [placement_named(word, seat)[1] for word in range(moves.bit_length()) if moves >> word & 1]
    return " ".join(sorted(found)) or "-"
