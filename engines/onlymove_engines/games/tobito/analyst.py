"""Answers from the table of Tobito or Haneto. A few positions are looked up in plain Python, and many by a kernel. The
analyst also returns heat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import AnyAnalyst, Columns, Expanded, ValueColumns
from onlymove_engines.core.game import Measure
from onlymove_engines.core.value import Value, value_before
from onlymove_engines.search.batch import (
    CodeReader,
    MoveColumns,
    PositionWriter,
    TableAnalyst,
    find_codes,
    number_each,
    read_only,
    score_moves,
)

from . import _kernel
from .codes import REACHABLE, UNUSED, VALUE, VALUES, WHOLE, is_reachable, value_of
from .index import TobitoIndex
from .notation import TobitoNotation, to_text
from .rules import BOTTOM, CELLS, COLUMNS, NEUTRAL, PAWN, ROWS, RULES, TOP, Move, Position, Variant, apply_move

QUICK = 1000
"""How many positions plain code can answer in the time that loading the kernels takes (docs/answering.md)."""

SPELLER = PositionWriter(
    ".../.../.../.../... T", tuple((ROWS - 1 - cell // COLUMNS) * (COLUMNS + 1) + cell % COLUMNS for cell in CELLS)
)

READER = CodeReader(VALUES)

MOVED = {
    code: (value_before(value, 0, 1), value.remoteness == 0) for code, value in enumerate(VALUES) if value is not None
}
"""The value of a move, and whether it ends the game, by the code of the position after it."""


class TobitoAnalyst(TableAnalyst[Position, Move]):
    """Answers from `sections` of a table. Every well-formed position has a value, even if no game leads to it."""

    def __init__(self, variant: Variant, sections: Columns) -> None:
        super().__init__(RULES, TobitoNotation(variant), QUICK)
        self._index = TobitoIndex(variant)
        self.load(sections)

    def load(self, sections: Columns) -> None:
        self._codes = sections["codes"]
        self._heats = (sections["heat_own"], sections["heat_other"]) if "heat_own" in sections else None

    def is_reachable(self, position: Position) -> bool:
        return is_reachable(self._code(position))

    def probe(self, position: Position) -> Value | None:
        return value_of(self._code(position))

    def _code(self, position: Position) -> int:
        return int(self._codes[self._index.number(position)])

    @property
    def entries(self) -> int:
        return len(self._codes)

    def positions_at(self, numbers: Sequence[int]) -> list[Position | None]:
        codes = [int(self._codes[number]) for number in numbers]
        pairs = zip(numbers, codes, strict=True)
        return [self._index.position(number) if is_reachable(code) else None for number, code in pairs]

    def list_numbers(self) -> Array:
        return np.flatnonzero(np.asarray(self._codes) & REACHABLE)

    def read_values(self, numbers: Array) -> ValueColumns:
        codes = find_codes(self._codes, numbers, UNUSED)
        return READER.read(np.where(codes & REACHABLE, codes & VALUE, UNUSED))

    def number_many(self, positions: Sequence[Position]) -> Array:
        if self.is_quicker_plainly(len(positions)):
            return number_each(self._index.number, positions)
        found: Array = _kernel.moves.number_positions(*make_masks(positions))
        return found

    def play_move(self, position: Position, move: Move) -> Position:
        return apply_move(position, move)

    def heat(self, position: Position) -> tuple[int, int] | None:
        return self._find_heat(2 * self._index.number(position) + position.to_move)

    def _find_heat(self, code: int) -> tuple[int, int] | None:
        """Return Top's and Bottom's heat in units of 1 / WHOLE. `code` is twice the position's number, plus the seat to
        move. Return `None` if no heat is stored."""
        if self._heats is None:
            return None
        number, seat = divmod(code, 2)
        own, other = (int(heats[number]) for heats in self._heats)
        return (own, other) if seat == TOP else (other, own)

    def measures(self, position: Position) -> Mapping[str, Mapping[str, float]]:
        return self._read_measure(2 * self._index.number(position) + position.to_move)

    def list_moves(self, positions: Sequence[Position]) -> MoveColumns:
        boards, seats = make_masks(positions)
        moves, codes = _kernel.moves.list_moves(boards, seats, True), read_only(self._codes)
        here = _kernel.moves.number_positions(boards, seats)
        values = [VALUES[code & VALUE] for code in codes[here].tolist()]
        scores = score_moves(VALUES)[codes[moves.numbers] & VALUE]
        return MoveColumns(values, moves.ends, scores, moves.words, format_word)

    def expand_batch(self, positions: Sequence[Position]) -> Iterator[Expanded]:
        boards, seats = make_masks(positions)
        moves, codes = _kernel.moves.list_moves(boards, seats, True), read_only(self._codes)
        here = _kernel.moves.number_positions(boards, seats)
        movers = np.repeat(seats, np.diff(moves.ends, prepend=0))
        own, theirs, neutral = moves.after.T
        top, bottom = np.where(movers == TOP, (own, theirs), (theirs, own))
        texts = SPELLER.to_text(
            {PAWN[TOP]: top, PAWN[BOTTOM]: bottom, NEUTRAL: neutral},
            np.where(movers == TOP, ord(PAWN[BOTTOM]), ord(PAWN[TOP])),
        )
        words, reached = list(map(format_word, moves.words.tolist())), (codes[moves.numbers] & VALUE).tolist()
        measures: list[int] = []
        own_measures: Sequence[int | None] = [None] * len(positions)
        if self._heats is not None:
            measures, own_measures = (2 * moves.numbers + 1 - movers).tolist(), (2 * here + seats).tolist()
        parts = pairwise([0, *moves.ends.tolist()])
        for code, (start, end), measure in zip(codes[here].tolist(), parts, own_measures, strict=True):
            value, part = value_of(code), slice(start, end)
            assert value is not None
            columns = words[part], texts[part], reached[part]
            yield Expanded(value, *columns, MOVED, measures[part], measure, self._read_measure)

    def _read_measure(self, code: int) -> Mapping[str, Mapping[str, float]]:
        heat = self._find_heat(code)
        return {} if heat is None else {"heat": {"top": heat[TOP] / WHOLE, "bottom": heat[BOTTOM] / WHOLE}}


def make_masks(positions: Sequence[Position]) -> tuple[Array, Array]:
    """Return the masks (mover's pawns, opponent's, neutral) of positions, and the seats that move."""
    letters = "".join([position.cells for position in positions]).encode()
    cells = np.frombuffer(letters, np.uint8).reshape(len(positions), len(CELLS))
    seats = np.array([position.to_move for position in positions], np.int64)
    bits = 1 << np.arange(len(CELLS))
    top, bottom, neutral = ((cells == ord(letter)) @ bits for letter in (*PAWN, NEUTRAL))
    own, theirs = np.where(seats == TOP, (top, bottom), (bottom, top))
    return np.column_stack((own, theirs, neutral)), seats


def move_of(word: int) -> Move:
    """Unpack a move from a kernel's word, in which 15 stands for no cell."""
    origin, landing, *put = (word >> shift & 15 for shift in range(0, 24, 4))
    *pawns, neutral = (cell if cell in CELLS else None for cell in put)
    return Move(origin, landing, tuple(cell for cell in pawns if cell is not None), neutral)


@lru_cache(maxsize=1 << 16)
def format_word(word: int) -> str:
    return to_text(move_of(word))


def heat_of(analyst: AnyAnalyst, position: Position) -> tuple[int, int] | None:
    assert isinstance(analyst, TobitoAnalyst)
    return analyst.heat(position)


def show_heat(analyst: AnyAnalyst, position: Position) -> tuple[float, float] | None:
    """Return Top's and Bottom's heat as numbers for players, or `None` if no heat is stored."""
    heat = heat_of(analyst, position)
    return None if heat is None else (heat[0] / WHOLE, heat[1] / WHOLE)


HEAT: Measure[Position] = Measure("Heat", "more ways to win", show_heat)
