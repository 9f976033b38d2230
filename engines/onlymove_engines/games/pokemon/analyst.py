"""Answers from the table. A few positions are looked up in plain Python, and many by a kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Columns, Expanded, Summary, ValueColumns
from onlymove_engines.core.errors import Unreachable
from onlymove_engines.core.value import Value, other, value_before
from onlymove_engines.search.batch import (
    CodeReader,
    MoveColumns,
    TableAnalyst,
    number_each,
    score_moves,
)

from . import _kernel
from .codes import DRAWN, NO_CODE, Code, code_at, numbers_of, value_of
from .index import DIGITS, INDEX, unpack_number
from .notation import CELLS, NOTATION
from .rules import PLACE, RULES, TEAMS, Placement, Position

if TYPE_CHECKING:
    from ._kernel.table import Table

QUICK = 1000
"""How many positions plain code can answer in the time that loading the kernels takes (docs/answering.md)."""

VALUES = [value_of(code) for code in range(NO_CODE)]
READER = CodeReader([*VALUES, None], ends=(DRAWN,))
SECOND = 32
"""Added to the packed move if the second player moves."""

MOVED = {code: (value_before(value, 0, 1), code in {0, DRAWN}) for code, value in enumerate(VALUES)}
"""The value of a move, and whether it ends the game, by the code of the position after it."""

_TO_BYTES = bytes.maketrans(DIGITS.encode(), bytes(range(len(DIGITS))))


class PokemonAnalyst(TableAnalyst[Position, Placement]):
    def __init__(self, columns: Columns) -> None:
        super().__init__(RULES, NOTATION, QUICK)
        self.columns = columns

    @cached_property
    def table(self) -> Table:
        return make_table(self.columns)

    @property
    def entries(self) -> int:
        return len(self.columns["codes"])

    @cached_property
    def _numbers(self) -> Array:
        return numbers_of(self.columns)

    def positions_at(self, numbers: Sequence[int]) -> list[Position | None]:
        return [unpack_number(number) for number in self._numbers[list(numbers)].tolist()]

    def list_numbers(self) -> Array:
        return self._numbers.astype(np.int64)

    def read_values(self, numbers: Array) -> ValueColumns:
        known = self._numbers
        # Neighbours in the table are found one after the other, which keeps them in the processor's cache.
        order = np.argsort(numbers)
        wanted = np.clip(numbers[order], 0, INDEX.size).astype(known.dtype)
        places = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        codes = np.empty(len(numbers), np.uint8)
        codes[order] = np.where(known[places] == wanted, np.asarray(self.columns["codes"])[places], NO_CODE)
        codes[numbers < 0] = NO_CODE
        return READER.read(codes)

    def number_many(self, positions: Sequence[Position]) -> Array:
        return number_each(INDEX.number, positions)

    def code(self, position: Position) -> Code | None:
        try:
            return code_at(self.columns, INDEX.number(position))
        except Unreachable:
            return None

    def is_reachable(self, position: Position) -> bool:
        return self.code(position) is not None

    def probe(self, position: Position) -> Value | None:
        code = self.code(position)
        if code is not None:
            return value_of(code)
        result = RULES.result(position)
        return None if result is None else result.value_for(position.seat)

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """Return a row of batch analysis for each position, in order. Raises Unreachable for a position that is not in
        the table."""
        try:
            yield from super().summarise(positions)
        except LookupError as error:
            raise Unreachable("unreachable") from error

    def list_moves(self, positions: Sequence[Position]) -> MoveColumns:
        """List the moves of a batch of positions. Raises Unreachable for a position that is not in the table."""
        here, words, after, moves = _kernel.table.list_moves(*_make_arrays(positions), self.table)
        if NO_CODE in here:
            raise Unreachable("unreachable")
        seats = np.repeat([position.seat for position in positions], moves)
        values = [VALUES[code] for code in here.tolist()]
        return MoveColumns(
            values,
            np.cumsum(moves),
            score_moves(VALUES)[after],
            words + SECOND * seats,
            lambda word: to_text(read_word(word)),
        )

    def expand_batch(self, positions: Sequence[Position]) -> Iterator[Expanded]:
        here, words, after, counts = _kernel.table.list_moves(*_make_arrays(positions), self.table)
        moves, codes = iter(words.tolist()), iter(after.tolist())
        for position, code, count in zip(positions, here.tolist(), counts.tolist(), strict=True):
            placed = [read_word(word + SECOND * position.seat) for word in islice(moves, count)]
            texts = [to_text(move) for move in placed]
            children = list(_spell_children(position, placed))
            yield Expanded(VALUES[code], texts, children, list(islice(codes, count)), MOVED)


def make_table(columns: Columns) -> Table:
    """Copy the table into the form that kernels search. The arrays are copied because numba compiles a separate kernel
    for read-only arrays."""
    numbers = numbers_of(columns)
    edges = np.arange(0, INDEX.size + (2 << _kernel.table.BUCKET_SHIFT), 1 << _kernel.table.BUCKET_SHIFT)
    buckets = np.searchsorted(numbers, edges).astype(np.uint32)
    table: Table = _kernel.table.Table(numbers, buckets, np.array(columns["codes"]))
    return table


def _make_arrays(batch: Sequence[Position]) -> tuple[Array, Array]:
    """Return boards and hands in the form that kernels take."""
    cells = "".join([position.cells for position in batch]).encode("ascii").translate(_TO_BYTES)
    boards = np.frombuffer(cells, np.uint8).reshape(len(batch), 9)
    return boards, np.array([position.hands for position in batch], np.uint8)


def _spell_children(position: Position, moves: Sequence[Placement]) -> Iterator[str]:
    """Write the position after each of these moves."""
    hands, left = position.hands, {}
    for piece in {move.piece for move in moves}:
        place = PLACE[piece]
        hand = (*hands[:place], hands[place] - 1, *hands[place + 1 :])
        left[piece] = NOTATION.format_position(Position(position.cells, hand, other(position.seat)))
    for piece, cell in moves:
        text, at = left[piece], cell + cell // 3  # rows of three cells have a slash between them
        yield f"{text[:at]}{piece}{text[at + 1 :]}"


@cache
def read_word(word: int) -> Placement:
    """Unpack a move from a kernel's word, to which SECOND is added if the second player moves."""
    cell, size = divmod(word % SECOND, 3)
    return Placement(TEAMS[word // SECOND][size], cell)


@cache
def to_text(move: Placement) -> str:
    return f"{move.piece}{CELLS[move.cell]}"
