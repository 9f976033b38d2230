"""Answers by search, with or without the table below it.

Until the compiled search is loaded, answers come from an opening book or from the same search in plain Python. Loading
takes as long as plain code takes to search about 7,000 boards. All three report the same depth.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from onlymove_engines.core.analysis import Column
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Seat
from onlymove_engines.search.lookup import read_only
from onlymove_engines.search.stop import ENDLESS, limit_nodes, watch

from . import rules
from ._kernel import search
from ._kernel.search import (
    DEEPEST,
    LIMIT,
    MAX_PLY,
    NEVER,
    NODES,
    QUESTIONS,
    REMEMBERED,
    SCATTER,
    Memory,
    make_memory,
)
from .codes import lead
from .index import closed_number, seen_by
from .rules import START, Cell, Pits, Position

NODES_WITHOUT_TABLE = 300_000
"""The node limit of a search without a table, if the budget has no limit. It takes some tenths of a second for a
position."""


class Interval(NamedTuple):
    """The margin to come is at least `low` and at most `high`. The search looked `depth` plies ahead."""

    low: int
    high: int
    depth: int

    @property
    def is_proven(self) -> bool:
        return self.low == self.high


class MarginSearch:
    """Searches boards, given as tuples that begin with the side to move. `nodes` counts the boards expanded so far.
    With `reverse`, it tries moves in reverse order. The answers are the same, and tests check that."""

    def __init__(self, margins: Column | None, reverse: bool = False) -> None:
        self.has_table = margins is not None
        self.margins = read_only(np.zeros(0, np.int8) if margins is None else margins)
        self.lock = threading.Lock()
        self.count = np.array([0, ENDLESS, reverse, 0], np.int64)
        self.memory: Memory | None = None

    @property
    def nodes(self) -> int:
        return int(self.count[NODES])

    def forget(self) -> Memory:
        """Start with an empty memory, so that measurements can be repeated."""
        self.memory = make_memory(self.margins, self.count)
        self.count[NODES] = 0
        return self.memory

    @contextmanager
    def session(self, budget: Budget) -> Iterator[None]:
        """Reserve the memory for one analysis within the budget."""
        is_bounded = self.has_table or budget.deadline is not None
        with self.lock:
            self.count[LIMIT] = self.count[NODES] + limit_nodes(budget, ENDLESS if is_bounded else NODES_WITHOUT_TABLE)
            with watch(budget, self.count[LIMIT : LIMIT + 1]):
                yield

    def interval(self, board: Pits, budget: Budget) -> Interval:
        """Return what a search within the budget proves about a board. Call it in a `session`. The search uses proof
        numbers or, without the table or with a given depth, deepening."""
        start, memory = np.array(board, np.int64), self.memory or self.forget()
        if self.has_table and budget.depth is None:
            found = search.pin(start, memory)
        else:
            depth = MAX_PLY if budget.depth is None else budget.depth
            found = search.exact(start, depth, memory)
        return Interval(*map(int, found))

    def test_margin(self, board: Pits, margin: int) -> Interval:
        """Settle whether a board is worth `margin` or more. Call it in a `session`."""
        start, memory = np.array(board, np.int64), self.memory or self.forget()
        low, high = search.prove(start, margin, memory)
        return Interval(int(low), int(high), int(self.count[DEEPEST]) + 1)


def _search_once(depth: int | None) -> None:
    searched, budget = MarginSearch(np.zeros(1, np.int8)), Budget(nodes=1, depth=depth)
    with searched.session(budget):
        searched.interval(START.pits, budget)


@cache
def load_search() -> None:
    _search_once(depth=None)


def is_loaded() -> bool:
    return load_search.cache_info().currsize > 0


@cache
def load_deepening() -> None:
    """Compile or load the search that is used without the table or for a given depth."""
    _search_once(depth=1)


Child = tuple[Pits, int]
"""A board after a move, seen by its side to move, and the move's net captures."""


class Spent(Exception):
    """The search has used up its nodes."""


class PlainSearch:
    """The proof-number search of `_kernel.search` in plain Python. It searches the same boards in the same order.

    It answers a few small questions in less time than loading the compiled search takes. It even uses the same memory
    slots, so that both report the same depth. Its only budget is nodes: `nodes` counts the boards expanded that are not
    in the table of `margins`, and `limit` is the most it may expand.
    """

    def __init__(self, margins: Column, limit: int) -> None:
        self.margins, self.limit, self.nodes, self.deepest = margins, limit, 0, 0
        self._bounds: dict[int, tuple[Pits, int, int]] = {}
        self._numbers: dict[int, tuple[Pits, int, int, int]] = {}

    def pin(self, board: Pits) -> tuple[int, int]:
        """Return the margin to come of `board` and the deepest ply searched. Raises Spent."""
        self.deepest = 0
        low, high = self._find_known_interval(board)
        while low < high:
            before = low, high
            _, _, low, high = self._prove(board, low + (high - low) // 2 + 1, NEVER, NEVER, 0)
            if (low, high) == before:
                raise Spent
        return low, self.deepest + 1

    def _prove(self, board: Pits, t: int, yes_limit: int, no_limit: int, ply: int) -> tuple[int, int, int, int]:
        """Search the question "is this board worth at least t?" until the proof numbers reach the limits. Return the
        proof numbers of yes and no, and the board's interval."""
        if self.nodes >= self.limit or ply >= MAX_PLY - 1:
            raise Spent
        self.nodes, self.deepest = self.nodes + 1, max(self.deepest, ply)
        moves = list_children(board)
        if not moves:
            swept = rules.seeds_of(board, 1)
            return self._answer(board, t, *((0, NEVER) if swept >= t else (NEVER, 0)), swept, swept)
        bounds = [self._bound_move(*child) for child in moves]
        missing = [self._find_proof_numbers(child, t, *bound) for child, bound in zip(moves, bounds, strict=True)]
        while True:
            yes, no = min(no for _, no in missing), min(NEVER, sum(yes for yes, _ in missing))
            low, high = max(low for low, _ in bounds), max(high for _, high in bounds)
            low, high = max(low, t) if yes == 0 else low, min(high, t - 1) if no == 0 else high
            if yes == 0 or no == 0 or yes >= yes_limit or no >= no_limit:
                return self._answer(board, t, yes, no, low, high)
            pick = next(m for m, (_, left) in enumerate(missing) if left == yes)
            second = min((left for m, (_, left) in enumerate(missing) if m != pick), default=NEVER)
            child, gain = moves[pick]
            limits = min(NEVER, no_limit - no + missing[pick][0]), min(yes_limit, second + 1)
            child_yes, child_no, child_low, child_high = self._prove(child, gain - t + 1, *limits, ply + 1)
            missing[pick] = child_yes, child_no
            low, high = bounds[pick]
            bounds[pick] = max(low, gain - child_high), min(high, gain - child_low)

    def _bound_move(self, child: Pits, gain: int) -> tuple[int, int]:
        """Return the bounds on a move's margin that follow from the board after it."""
        low, high = self._find_known_interval(child)
        return gain - high, gain - low

    def _find_proof_numbers(self, child: Child, t: int, low: int, high: int) -> tuple[int, int]:
        """Return the proof numbers of yes and no for the board after a move that is worth `low` to `high`."""
        if low >= t:
            return NEVER, 0
        if high < t:
            return 0, NEVER
        board, asked = child[0], child[1] - t + 1
        found = self._numbers.get(find_slot(make_key(board) * 128 + (asked + 64), QUESTIONS))
        return found[2:] if found is not None and found[:2] == (board, asked) else (1, 1)

    def _answer(self, board: Pits, t: int, yes: int, no: int, low: int, high: int) -> tuple[int, int, int, int]:
        """Remember the proof numbers and the interval of a board. The interval is first narrowed by what was already
        known."""
        self._numbers[find_slot(make_key(board) * 128 + (t + 64), QUESTIONS)] = board, t, yes, no
        old_low, old_high = self._find_known_interval(board)
        low, high = max(low, old_low), min(high, old_high)
        self._bounds[find_slot(make_key(board), REMEMBERED)] = board, low, high
        return yes, no, low, high

    def _find_known_interval(self, board: Pits) -> tuple[int, int]:
        """Return the interval known for a board without searching."""
        number = closed_number(board)
        if number is not None:
            return (margin := int(self.margins[number])), margin
        found = self._bounds.get(find_slot(make_key(board), REMEMBERED))
        return found[1:] if found is not None and found[0] == board else (-sum(board), sum(board))


@lru_cache(maxsize=1 << 14)
def list_children(board: Pits) -> tuple[Child, ...]:
    """List the board after each legal move, by ascending pit, with the mover's captures minus the other side's."""
    found = []
    for cell in rules.permitted(board, 1):
        sown = rules.sow(board, 1, cell)
        assert sown is not None, "permitted moves end"
        found.append((seen_by(sown.pits, 0), lead(sown.captured, 1)))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def make_key(board: Pits) -> int:
    """Return a number that identifies the board, the same as in `_kernel.moves`."""
    bits = 1
    for seeds in board:
        bits = bits << seeds + 1 | 1
    return bits


def find_slot(bits: int, slots: int) -> int:
    return bits * SCATTER >> 30 & slots - 1


BOOK = """\
444444444444 0 25 12 12 4 4 4 4
716166601662 1 33 12 0 4 -8 4 8
161666016627 1 42 0 8 -8 4 8 0
616660166271 1 25 4 0 0 0 0
166601662716 1 27 0 0 0 0 0
666016627161 1 24 0 0 0 0 0
660166271616 1 26 -8 0 0 -8 8
027277711662 0 36 8 -8 -12 -8 0 4
022019930091 0 34 0 4 0 4
a12001932921 0 22 8 4 0 4 12 0
a00301a00192 0 11 8 12 12 4
a19001030921 0 28 4 4 0 0
a02091a10102 0 21 0 -8 -8 0
220199300910 0 19 0 12 0
12001932921a 0 31 0 8 4 0 4 -4
00301a00192a 0 31 4 8 4 4
19001030921a 0 13 4 4 4 8 0
02091a10102a 0 41 0 0 0 -8
272771208800 0 23 0 4 -8
2001932921a1 0 22 0 4 0 4 0 4
0301a00192a0 0 23 -4 8 4 4
9001030921a1 0 12 4 8 0 8
2091a10102a0 0 23 8 0 0
727712088002 0 19 4 0 12
301a00192a00 0 27 -4 8 0 -4
001030921a19 0 30 0 4 4 8 8
091a10102a02 0 19 0 0 0 0
277120880027 0 16 0 0 8 12
207711180827 0 30 4 4 8 0 8
01030921a190 0 37 4 -4 4 8
91a10102a020 0 18 8 8 0
771208800272 0 25 4 0 8 8
077111808272 0 15 12 0 -4 16 8
818230910381 0 21 0 4 4 8 0
1a10102a0209 0 17 8 8 8 8
712088002727 0 43 0 4 0 0
771118082720 0 25 12 0 -4 8
182309103818 0 29 4 8 4 4 8
771271082720 0 30 0 0 -4 0"""
"""Every board of the first plies that is not in the table, with the margins that a search has proven.

A line contains the board with a letter for each pit (base 36), the side to move, the depth of the search, and a margin
for each move that does not lead into the table. It is the margin to come after the move, for the side to move there.
The tests search all of these boards again.
"""


MOST_NODES = 4000
"""How many boards plain search may look at in one process. This takes a quarter of a second. The compiled search does
the rest."""

LEAST_SECONDS = 1.0
"""Plain search is not used if less time than this is left."""


class PlainAnswers:
    """Answers in plain Python until the compiled search is loaded or MOST_NODES boards have been searched."""

    def __init__(self, margins: Column) -> None:
        self.margins = margins
        self._left = MOST_NODES

    def intervals(self, position: Position, boards: Mapping[Cell, Pits], budget: Budget) -> dict[Cell, Interval] | None:
        """Return the margins to come of the boards after some moves, each seen by its side to move. Return `None` if
        the compiled search has to answer."""
        if is_loaded() or not has_time(budget):
            return None
        if (known := read_book().get((position.pits, position.to_move))) is not None:
            depth, margins = known
            return {move: Interval(margin, margin, depth) for move, margin in zip(boards, margins, strict=True)}
        search = PlainSearch(self.margins, self._left)
        try:
            found = {move: search.pin(board) for move, board in boards.items()}
        except Spent:
            return None
        finally:
            self._left -= search.nodes
        return {move: Interval(margin, margin, depth) for move, (margin, depth) in found.items()}


def has_time(budget: Budget) -> bool:
    """Whether the budget leaves enough time for the plain search."""
    if budget.depth is not None or budget.nodes is not None or budget.should_stop():
        return False
    seconds = budget.remaining()
    return seconds is None or seconds >= LEAST_SECONDS


@cache
def read_book() -> dict[tuple[Pits, Seat], tuple[int, tuple[int, ...]]]:
    """Read the opening book. It maps a board and its side to move to the depth searched and the margins after the
    moves."""
    found = {}
    for line in BOOK.split("\n"):
        pits, seat, depth, *margins = line.split()
        found[tuple(int(seeds, 36) for seeds in pits), int(seat)] = int(depth), tuple(map(int, margins))
    return found
