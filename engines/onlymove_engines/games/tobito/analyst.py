"""Answers from a table's codes: a few positions in plain Python, many by a kernel; and heat as players are shown it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from onlymove_engines.core.analysis import AnyAnalyst, Columns, Expanded
from onlymove_engines.core.game import Measure
from onlymove_engines.core.value import Seat, Value
from onlymove_engines.search.batch import MoveColumns, Speller, TableAnalyst, outcomes_and_plies
from onlymove_engines.search.jit import Array
from onlymove_engines.search.lookup import read_only

from . import _kernel
from .codes import VALUE, VALUES, WHOLE, is_reachable, value_of
from .index import TobitoIndex
from .notation import TobitoNotation, spell
from .rules import BOTTOM, CELLS, COLUMNS, NEUTRAL, PAWN, ROWS, RULES, TOP, Move, Position, Variant, after

QUICK = 1000
"""Positions that plain code answers in the time that it takes to load the kernels (docs/answering.md)."""

SPELLER = Speller(
    ".../.../.../.../... T", tuple((ROWS - 1 - cell // COLUMNS) * (COLUMNS + 1) + cell % COLUMNS for cell in CELLS)
)

MOVED = {
    code: ((-value).stepped_back(), value.remoteness == 0) for code, value in enumerate(VALUES) if value is not None
}
"""The value of a move and whether it ends the game, by the code of the position that it leads to."""


class Moves(NamedTuple):
    """The moves of several positions, one position after the other: those of position k end at `ends[k]`.

    Of each move its word, the masks of the mover's pawns, the other side's and the neutral pawn `after` it, and the
    number of that position.
    """

    words: Array
    after: Array
    numbers: Array
    ends: Array


def list_moves(boards: Array, seats: Array, is_folded: bool = True) -> Moves:
    """Every move of the positions with these masks (mover's, other side's, neutral) in which these seats move, by
    the numbers of their classes; mirror images are told apart unless `is_folded`."""
    room = len(boards) * _kernel.moves.MOST_MOVES
    words, after, numbers = np.empty(room, np.int32), np.empty((room, 3), np.int16), np.empty(room, np.int32)
    ends = np.empty(len(boards), np.int64)
    total = _kernel.moves.list_moves(boards, seats, is_folded, words, after, numbers, ends)
    return Moves(words[:total], after[:total], numbers[:total], ends)


def class_numbers(boards: Array, seats: Array) -> Array:
    """The numbers of positions given likewise."""
    numbers = np.empty((len(boards), 2), np.int32)
    _kernel.moves.list_numbers(boards, seats, numbers)
    smaller: Array = numbers.min(axis=1)
    return smaller


class TobitoAnalyst(TableAnalyst[Position, Move]):
    """Answers from `sections`. Every well-formed position has a value, also those that no game leads to."""

    def __init__(self, variant: Variant, sections: Columns) -> None:
        super().__init__(RULES, TobitoNotation(variant), QUICK)
        self._index = TobitoIndex(variant)
        self.load(sections)

    def load(self, sections: Columns) -> None:
        """Answer from these from now on."""
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

    def after(self, position: Position, move: Move) -> Position:
        return after(position, move)

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

    def measures(self, position: Position) -> Mapping[str, Mapping[str, float]]:
        heat = self.heat(position)
        return {} if heat is None else heat_facts(heat)

    def list_moves(self, positions: Sequence[Position]) -> MoveColumns:
        boards, seats = masks_of(positions)
        moves, codes = list_moves(boards, seats), read_only(self._codes)
        values = [VALUES[code & VALUE] for code in codes[class_numbers(boards, seats)].tolist()]
        return MoveColumns(values, moves.ends, scores()[codes[moves.numbers]], moves.words, spelled)

    def expand_batch(self, positions: Sequence[Position]) -> Iterator[Expanded]:
        boards, seats = masks_of(positions)
        moves, codes, here = list_moves(boards, seats), read_only(self._codes), class_numbers(boards, seats)
        movers = np.repeat(seats, np.diff(moves.ends, prepend=0))
        own, theirs, neutral = moves.after.T
        top, bottom = np.where(movers == TOP, (own, theirs), (theirs, own))
        texts = SPELLER.spell(
            {PAWN[TOP]: top, PAWN[BOTTOM]: bottom, NEUTRAL: neutral},
            np.where(movers == TOP, ord(PAWN[BOTTOM]), ord(PAWN[TOP])),
        )
        words, reached = [spelled(word) for word in moves.words.tolist()], (codes[moves.numbers] & VALUE).tolist()
        measures = self._measures_of(moves.numbers, 1 - movers)
        own_measures: Sequence[int | None] = self._measures_of(here, seats) or [None] * len(positions)
        start = 0
        for code, end, measure in zip(codes[here].tolist(), moves.ends.tolist(), own_measures, strict=True):
            value, part = value_of(code), slice(start, end)
            assert value is not None
            columns = words[part], texts[part], reached[part]
            yield Expanded(value, *columns, MOVED, measures[part], measure, self._measured)
            start = end

    def _measures_of(self, numbers: Array, seats: Array) -> list[int]:
        """Codes for both heats of the positions with these numbers in which these seats move; none where heat is not
        measured."""
        if self._heats is None:
            return []
        codes: list[int] = (2 * numbers + seats).tolist()
        return codes

    def _measured(self, code: int) -> Mapping[str, Mapping[str, float]]:
        return heat_facts(self._heat(*divmod(code, 2)))


def heat_facts(heat: tuple[int, int]) -> Mapping[str, Mapping[str, float]]:
    return {"heat": {"top": heat[TOP] / WHOLE, "bottom": heat[BOTTOM] / WHOLE}}


@cache
def scores() -> Array:
    """By the code of a position how good the move to it was: a quick win most, a slow loss more than a quick one."""
    outcomes, plies = outcomes_and_plies(VALUES * 2)  # with and without the reachable bit
    found: Array = -outcomes.astype(np.int16) * (VALUE - plies)
    return found


def masks_of(positions: Sequence[Position]) -> tuple[Array, Array]:
    """The masks (mover's, other side's, neutral) of positions, and the seats that move."""
    letters = "".join([position.cells for position in positions]).encode()
    cells = np.frombuffer(letters, np.uint8).reshape(len(positions), len(CELLS))
    seats = np.array([position.to_move for position in positions], np.int64)
    bits = 1 << np.arange(len(CELLS))
    top, bottom, neutral = ((cells == ord(letter)) @ bits for letter in (*PAWN, NEUTRAL))
    own, theirs = np.where(seats == TOP, (top, bottom), (bottom, top))
    return np.column_stack((own, theirs, neutral)), seats


def move_of(word: int) -> Move:
    """The move that a kernel's word stands for; 15 in it stands for no cell."""
    origin, landing, *put = (word >> shift & 15 for shift in range(0, 24, 4))
    *pawns, neutral = (cell if cell in CELLS else None for cell in put)
    return Move(origin, landing, tuple(cell for cell in pawns if cell is not None), neutral)


@lru_cache(maxsize=1 << 16)
def spelled(word: int) -> str:
    """The move that a kernel's word stands for, as text."""
    return spell(move_of(word))


def heat_of(analyst: AnyAnalyst, position: Position) -> tuple[int, int] | None:
    """Top's and Bottom's heat in units of 1 / WHOLE, by any analyst of the game."""
    assert isinstance(analyst, TobitoAnalyst)
    return analyst.heat(position)


def heat_shown(analyst: AnyAnalyst, position: Position) -> tuple[float, float] | None:
    """The same as numbers to read."""
    heat = heat_of(analyst, position)
    return None if heat is None else (heat[0] / WHOLE, heat[1] / WHOLE)


HEAT: Measure[Position] = Measure("Heat", "more and nearer wins", heat_shown)
