"""Answers from the table: a few positions in plain Python, and many at once with numpy. It needs no compiled code.

An action is the index of a move among all 736 moves, sorted by their notation. The legal moves of a position in the
order of their actions are in the order of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import UNKNOWN, Analysis, Column, Expanded, Tally, ValueColumns
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Value, value_before
from onlymove_engines.search.batch import MoveColumns, PositionWriter, TableAnalyst, find_codes, number_each

from .codes import HIGHEST, value_of
from .index import CELL_COUNT, INDEX, SETS, SIZE, list_positions, make_numbering, numbers
from .notation import NOTATION, SPELLED_CELLS
from .rules import BIT, FULL, LINES, NEIGHBOURS, READING_ORDER, RING_ORDER, RULES, Move, Position, shift

PUSHES = [(origin, destination) for origin in READING_ORDER for destination in NEIGHBOURS[origin]]
PUSHING_MOVES = [(*push, place) for push in PUSHES for place in READING_ORDER if place != push[1]]
ACTIONS: tuple[Move, ...] = tuple(sorted([*((place,) for place in READING_ORDER), *PUSHING_MOVES]))
"""All moves of the game, in the order of their notation."""

TEXTS = tuple("".join(move) for move in ACTIONS)
QUICK = 100
"""How many positions plain code can answer in the time that it takes to load numpy and make its tables."""

SPELLER = PositionWriter("..../..../..../.... W", [k + k // 4 for k in map(SPELLED_CELLS.index, RING_ORDER)])

LOST = -100
"""A score below all others."""

shifted_sets = cast(Callable[[Array], Array], shift)
"""`rules.shift` works on arrays of sets as well."""


class Children(NamedTuple):
    """The legal moves of several positions, listed one position after the other. The moves of position k end at
    `ends[k]`.

    For each move there are the `row` of its position, its action, the position after it, the number of that position,
    and the score for the side that moved. Higher scores are better.
    """

    row: Array
    action: Array
    white: Array
    black: Array
    number: Array
    score: Array
    ends: Array

    def find_codes(self) -> Array:
        """Return the key of each move in `values_by_code`."""
        found: Array = 2 * (self.score + HIGHEST) + is_finished(self.white, self.black)
        return found


@cache
def list_action_sets() -> Array:
    """Return three sets of cells for every action: the cell where a marble is placed, and the cells where the push
    begins and ends, which are empty without a push."""
    sets = [[BIT[move[-1]], *([0, 0] if len(move) == 1 else [BIT[move[0]], BIT[move[1]]])] for move in ACTIONS]
    return np.ascontiguousarray(np.array(sets, np.int32).T)


@cache
def find_lines() -> Array:
    """Return for each set of cells whether it contains a line."""
    found = np.zeros(SETS, bool)
    for line in LINES:
        found[np.arange(SETS) & line == line] = True
    return found


def is_finished(white: Array, black: Array) -> Array:
    finished: Array = find_lines()[white] | find_lines()[black] | (white | black == FULL)
    return finished


@cache
def values_by_code(marbles: int) -> Mapping[int, tuple[Value, bool]]:
    """Return, by code, the value of a move made with this many marbles on the board, and whether it ends the game."""
    found: dict[int, tuple[Value, bool]] = {}
    for score in range(-HIGHEST, HIGHEST + 1):
        value = value_before(value_of(marbles + 1, -score if marbles % 2 else score), 0, 1)
        found |= {2 * (score + HIGHEST) + is_end: (value, is_end) for is_end in (False, True)}
    return found


class OrbitoAnalyst(TableAnalyst[Position, Move]):
    """Answers from `scores`, the table by number."""

    batch = expanded_batch = 256
    """How many positions are looked at together. They keep numpy busy and fit into the processor's cache."""

    def __init__(self, scores: Column) -> None:
        super().__init__(RULES, NOTATION, QUICK, needs_compiler=False)
        self.scores = scores

    @cached_property
    def _table(self) -> Array:
        return np.asarray(self.scores)

    def is_reachable(self, position: Position) -> bool:
        return True

    @property
    def entries(self) -> int:
        return len(self.scores)

    @cached_property
    def _positions(self) -> tuple[Array, Array]:
        return list_positions()

    def positions_at(self, numbers: Sequence[int]) -> list[Position]:
        if len(numbers) <= QUICK:
            return [INDEX.position(number) for number in numbers]
        white, black = (marbles[list(numbers)].tolist() for marbles in self._positions)
        return list(map(Position, white, black))

    def list_numbers(self) -> Array:
        return np.arange(len(self.scores))

    def read_values(self, numbers: Array) -> ValueColumns:
        inside = (numbers >= 0) & (numbers < SIZE)
        marbles = np.searchsorted(make_numbering().layers, np.where(inside, numbers, 0), side="right") - 1
        scores = find_codes(self.scores, numbers, 0).astype(np.int32)
        outcome = np.sign(np.where(marbles % 2 == 1, -scores, scores)).astype(np.int8)
        over = is_finished(*(places[np.where(inside, numbers, 0)] for places in self._positions))
        plies = np.where(scores == 0, np.where(over, 0, -1), CELL_COUNT + 1 - np.abs(scores) - marbles)
        value = np.where(inside, outcome, np.int8(UNKNOWN))
        return ValueColumns(value, np.where(inside, plies, -1).astype(np.int32), None)

    def number_many(self, positions: Sequence[Position]) -> Array:
        if len(positions) <= QUICK:
            return number_each(INDEX.number, positions)
        return numbers(*np.array(positions, np.int32).reshape(-1, 2).T).astype(np.int64)

    def probe(self, position: Position) -> Value:
        return value_of(position.marbles, int(self.scores[INDEX.number(position)]))

    def list_children(self, positions: Sequence[Position] | Array) -> Children:
        """List every legal move of every position, with the score after it."""
        white, black = np.array(positions, np.int32).reshape(-1, 2).T
        second = (np.bitwise_count(white | black) & 1).astype(bool)
        own, theirs = np.where(second, black, white), np.where(second, white, black)
        occupied = (own | theirs)[:, None]
        placed, origin, destination = list_action_sets()
        legal = (theirs[:, None] & origin == origin) & (occupied & destination == 0)
        legal &= (occupied ^ origin) & placed == 0
        legal &= ~is_finished(white, black)[:, None]
        row, action = np.nonzero(legal)
        own = shifted_sets(own[row] | placed[action])
        theirs = shifted_sets(theirs[row] ^ (origin | destination)[action])
        by_second = second[row]
        white, black = np.where(by_second, theirs, own), np.where(by_second, own, theirs)
        number = numbers(white, black)
        score, ends = self._table[number], np.cumsum(legal.sum(axis=1))
        return Children(row, action, white, black, number, np.where(by_second, -score, score).astype(np.int8), ends)

    def tallies(self, positions: Sequence[Position], budget: Budget = UNLIMITED) -> Sequence[Tally]:
        found, count = self.list_children(positions), len(positions)
        top = np.full(count, LOST, np.int8)
        np.maximum.at(top, found.row, found.score)
        best = np.bincount(found.row[found.score == top[found.row]], minlength=count)
        won, drawn, lost = (
            np.bincount(found.row[np.sign(found.score) == sign], minlength=count).tolist() for sign in (1, 0, -1)
        )
        return [Tally(*counts) for counts in zip(won, drawn, lost, best.tolist(), strict=True)]

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Move]:
        if self.is_quicker_plainly(1):
            return super().analyse(position)
        found, worth = self.list_children([position]), values_by_code(position.marbles)
        pairs = zip(found.action.tolist(), found.find_codes().tolist(), strict=True)
        return Analysis(self.probe(position), {ACTIONS[action]: worth[code][0] for action, code in pairs})

    def list_moves(self, positions: Sequence[Position]) -> MoveColumns:
        found = self.list_children(positions)
        return MoveColumns(self._values(positions), found.ends, found.score, found.action, TEXTS.__getitem__)

    def expand_batch(self, positions: Sequence[Position]) -> Iterator[Expanded]:
        found = self.list_children(positions)
        moves, codes = [TEXTS[action] for action in found.action.tolist()], found.find_codes().tolist()
        to_move = np.where(np.bitwise_count(found.white | found.black) & 1, ord("B"), ord("W"))
        boards = SPELLER.to_text({"W": found.white, "B": found.black}, to_move)
        parts = pairwise([0, *found.ends.tolist()])
        for position, value, (start, end) in zip(positions, self._values(positions), parts, strict=True):
            part, worth = slice(start, end), values_by_code(position.marbles)
            yield Expanded(value, moves[part], boards[part], codes[part], worth)

    def _values(self, positions: Sequence[Position]) -> list[Value]:
        scores = self._table[numbers(*np.array(positions, np.int32).reshape(-1, 2).T)].tolist()
        return [value_of(position.marbles, score) for position, score in zip(positions, scores, strict=True)]
