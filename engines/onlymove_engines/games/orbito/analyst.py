"""Answers from the table: a few positions in plain Python, every move of many at once in numpy. Compiles nothing.

A move has an action number, its place among all 784 moves there are in the order of their notation, so that the
legal moves of a position in increasing order are those of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import cast

import numpy as np

from onlymove_engines.core.analysis import Analysis, Column, Expanded, Summary, Tally
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Value
from onlymove_engines.search.deepening import summary_of
from onlymove_engines.search.jit import Array
from onlymove_engines.search.lookup import SmallBatches, batches, look_up

from .codes import HIGHEST, value_of
from .index import INDEX, SETS, numbers
from .notation import NOTATION, SPELLED_BITS
from .rules import BIT, FULL, LINES, NEIGHBOURS, READING_ORDER, RULES, Move, Position, shifted

BATCH = 256
"""Positions looked at together: enough to keep numpy busy, few enough for the processor's cache."""

ACTIONS: tuple[Move, ...] = tuple(
    sorted(
        [
            *((place,) for place in READING_ORDER),
            *(
                (origin, destination, place)
                for origin in READING_ORDER
                for destination in NEIGHBOURS[origin]
                for place in READING_ORDER
                if place != destination
            ),
        ]
    )
)
"""Every move of the game, in the order of their notation."""

TEXTS = tuple("".join(move) for move in ACTIONS)
QUICK = 100
"""Positions that plain code answers in the time that it takes to load numpy and make the tables of numbers."""

NO_MARBLES = b"..../..../..../.... W\n"

LOST = -100
"""Below every score."""

shifted_sets = cast(Callable[[Array], Array], shifted)
"""`rules.shifted` does the same with arrays of sets."""


@dataclass(frozen=True)
class Children:
    """The legal moves of several positions, one after another.

    `row`: which position; `action`: which move; `white`, `black`: the position after it, `number` its number; `score`:
    what that is worth to the side that moves, from its own view, higher is better.
    """

    row: Array
    action: Array
    white: Array
    black: Array
    number: Array
    score: Array


@cache
def action_sets() -> tuple[Array, Array, Array]:
    """Of every action the cell where a marble is placed, whence one is pushed and where to, as sets; empty where none
    is."""
    pushes = [move if len(move) == 3 else None for move in ACTIONS]
    placed = [BIT[move[-1]] for move in ACTIONS]
    origin, destination = ([0 if push is None else BIT[push[end]] for push in pushes] for end in (0, 1))
    return np.array(placed, np.int32), np.array(origin, np.int32), np.array(destination, np.int32)


@cache
def lined() -> Array:
    """For every set of cells whether it has a line."""
    found = np.zeros(SETS, bool)
    for line in LINES:
        found[np.arange(SETS) & line == line] = True
    return found


def is_finished(white: Array, black: Array) -> Array:
    """Whether the game is over: a line, or a full board."""
    finished: Array = lined()[white] | lined()[black] | (white | black == FULL)
    return finished


@cache
def occupancy() -> Array:
    """For every set of cells, in the order in which positions are spelled, 1 for one in it: 16 bytes in two words."""
    in_it = np.arange(SETS)[:, None] & np.array(SPELLED_BITS) != 0
    words: Array = in_it.astype(np.uint8).view(np.uint64)
    return words


def spelled(white: Array, black: Array) -> list[str]:
    """Positions as `notation` spells them: letters as sums of bytes, which are too small to carry."""
    empty, in_it = occupancy()[-1] * np.uint64(ord(".")), occupancy()
    letters = empty + in_it[white] * np.uint64(ord("W") - ord(".")) + in_it[black] * np.uint64(ord("B") - ord("."))
    rows = letters.view(np.uint8).reshape(-1, 4, 4)
    texts = np.full((len(white), len(NO_MARBLES)), np.frombuffer(NO_MARBLES, np.uint8))
    texts[:, :20].reshape(-1, 4, 5)[:, :, :4] = rows
    texts[:, -2] = np.where(np.bitwise_count(white | black) & 1, ord("B"), ord("W"))
    return texts.tobytes().decode().splitlines()


@cache
def worth_of_moves(marbles: int) -> Mapping[int, Value]:
    """The value of a move in a position with so many marbles, by the mover's score after it."""
    sign = -1 if marbles % 2 else 1
    return {score: (-value_of(marbles + 1, sign * score)).stepped_back() for score in range(-HIGHEST, HIGHEST + 1)}


@cache
def worth_of_codes(marbles: int) -> Mapping[int, tuple[Value, bool]]:
    """The same by score and end in one: twice the score, and one more where the move ends the game."""
    moves = worth_of_moves(marbles).items()
    return {2 * score + is_end: (value, is_end) for score, value in moves for is_end in (False, True)}


class OrbitoAnalyst:
    """One look-up for a position, one for each move. `scores` is the table by number."""

    def __init__(self, scores: Column) -> None:
        self.scores = scores
        self._sparing = SmallBatches(QUICK, needs_compiler=False)

    @cached_property
    def _table(self) -> Array:
        return np.asarray(self.scores)

    def is_reachable(self, position: Position) -> bool:
        """True: every position that can be written has a value, reached or not."""
        return True

    def probe(self, position: Position) -> Value:
        """The proven value for the side to move."""
        return value_of(position.marbles, int(self.scores[INDEX.number(position)]))

    def children(self, positions: Sequence[Position]) -> Children:
        """Every legal move of every position with the score after it."""
        return self.children_of(*np.array(positions, np.int32).reshape(-1, 2).T)

    def children_of(self, white: Array, black: Array) -> Children:
        """The same of positions given as arrays."""
        white, black = white.astype(np.int32), black.astype(np.int32)
        second = (np.bitwise_count(white | black) & 1).astype(bool)
        own, theirs = np.where(second, black, white), np.where(second, white, black)
        occupied = (own | theirs)[:, None]
        placed, origin, destination = action_sets()
        legal = (theirs[:, None] & origin == origin) & (occupied & destination == 0)
        legal &= (occupied ^ origin) & placed == 0
        legal &= ~is_finished(white, black)[:, None]
        row, action = np.nonzero(legal)
        own = shifted_sets(own[row] | placed[action])
        theirs = shifted_sets(theirs[row] ^ (origin | destination)[action])
        by_second = second[row]
        white, black = np.where(by_second, theirs, own), np.where(by_second, own, theirs)
        number = numbers(white, black)
        score = self._table[number]
        return Children(row, action, white, black, number, np.where(by_second, -score, score).astype(np.int8))

    def tallies(self, positions: Sequence[Position], budget: Budget = UNLIMITED) -> Sequence[Tally]:
        """The moves of each position by what they are worth; the budget is not needed."""
        found, count = self.children(positions), len(positions)
        top = np.full(count, LOST, np.int8)
        np.maximum.at(top, found.row, found.score)
        best = np.bincount(found.row[found.score == top[found.row]], minlength=count)
        won, drawn, lost = (
            np.bincount(found.row[np.sign(found.score) == sign], minlength=count).tolist() for sign in (1, 0, -1)
        )
        return [Tally(*counts) for counts in zip(won, drawn, lost, best.tolist(), strict=True)]

    def analyse(self, position: Position, budget: Budget = UNLIMITED) -> Analysis[Move]:
        """The value of every move, exact; the budget is not needed."""
        if self._sparing.suffices(1):
            return self._looked_up(position)
        found, worth = self.children([position]), worth_of_moves(position.marbles)
        moves = {
            ACTIONS[action]: worth[score]
            for action, score in zip(found.action.tolist(), found.score.tolist(), strict=True)
        }
        return Analysis(self.probe(position), moves)

    def _looked_up(self, position: Position) -> Analysis[Move]:
        """The same in plain Python."""
        children = [(move, RULES.play(position, move)) for move in RULES.legal_moves(position)]
        return look_up(position, children, self.probe)

    def expand(self, positions: Sequence[Position]) -> Iterator[Expanded] | None:
        """Every move of many positions, a batch at a time."""
        if self._sparing.suffices(len(positions)):
            return None
        return (one for batch in batches(positions, BATCH) for one in self._expanded(batch))

    def _expanded(self, positions: Sequence[Position]) -> Iterator[Expanded]:
        found = self.children(positions)
        bounds = np.searchsorted(found.row, np.arange(len(positions) + 1)).tolist()
        moves, boards = [TEXTS[action] for action in found.action.tolist()], spelled(found.white, found.black)
        codes = (2 * found.score + is_finished(found.white, found.black)).tolist()
        for k, (position, value) in enumerate(self._valued(positions)):
            part, worth = slice(bounds[k], bounds[k + 1]), worth_of_codes(position.marbles)
            yield Expanded(value, moves[part], boards[part], codes[part], worth)

    def _valued(self, positions: Sequence[Position]) -> Iterator[tuple[Position, Value]]:
        """Each with its value."""
        scores = self._table[numbers(*np.array(positions, np.int32).reshape(-1, 2).T)].tolist()
        return (
            (position, value_of(position.marbles, score)) for position, score in zip(positions, scores, strict=True)
        )

    def summarise(self, positions: Sequence[Position]) -> Iterator[Summary]:
        """Rows in order, in numpy where there are many."""
        if self._sparing.suffices(len(positions)):
            yield from (summary_of(NOTATION, position, self._looked_up(position)) for position in positions)
            return
        for batch in batches(positions, BATCH):
            yield from self._rows(batch)

    def _rows(self, positions: Sequence[Position]) -> Iterator[Summary]:
        found = self.children(positions)
        ends, rows = np.arange(len(positions) + 1), found.row
        bounds = np.searchsorted(rows, ends).tolist()
        top = np.full(len(positions), LOST, np.int8)
        np.maximum.at(top, rows, found.score)
        keeps = np.sign(found.score) == np.sign(top)[rows]
        keeping = np.bincount(rows[keeps], minlength=len(positions)).tolist()
        is_best = keeps & ((found.score == top[rows]) | (top[rows] == 0))
        best_actions, best_bounds = found.action[is_best].tolist(), np.searchsorted(rows[is_best], ends).tolist()
        for k, (_, value) in enumerate(self._valued(positions)):
            moves = bounds[k + 1] - bounds[k]
            best = " ".join([TEXTS[action] for action in best_actions[best_bounds[k] : best_bounds[k + 1]]])
            yield Summary(value, str(moves), str(keeping[k]), best or "-")
