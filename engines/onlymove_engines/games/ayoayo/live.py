"""Answers by search: the exact search above the closed table, or with nothing below it.

Knows working memory, budgets, and what an unfinished search has proven: an interval. One search at a time: the
memory is shared and guarded.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

import numpy as np

from onlymove_engines.core.analysis import Column
from onlymove_engines.core.budget import Budget
from onlymove_engines.search.lookup import read_only
from onlymove_engines.search.stop import ENDLESS, allowed_nodes, watched

from ._kernel import proof, search
from ._kernel.memory import DEEPEST, LIMIT, MAX_PLY, NODES, Memory, make_memory
from .rules import START, Pits

NODES_WITHOUT_TABLE = 300_000
"""Where nothing bounds a search without a table, it ends here: some tenths of a second a position."""


class Interval(NamedTuple):
    """The margin to come lies in low..high, both possible; the search looked `depth` plies ahead."""

    low: int
    high: int
    depth: int

    @property
    def is_proven(self) -> bool:
        """Whether the margin is known."""
        return self.low == self.high


class MarginSearch:
    """Searches boards given as tuples, the side to move first. `nodes` counts the boards expanded so far.

    For comparing: `deepening` goes by depth where proof numbers would do, `reverse` tries moves last to first.
    """

    def __init__(self, margins: Column | None, deepening: bool = False, reverse: bool = False) -> None:
        self.has_table = margins is not None
        self.margins = read_only(np.zeros(0, np.int8) if margins is None else margins)
        self.lock = threading.Lock()
        self.deepening = deepening
        self.count = np.array([0, ENDLESS, reverse, 0], np.int64)
        self.memory: Memory | None = None

    @property
    def nodes(self) -> int:
        """Boards expanded since the last `forget`."""
        return int(self.count[NODES])

    def forget(self) -> Memory:
        """Start with an empty memory, also for measurements that others can repeat."""
        self.memory = make_memory(self.margins, self.count)
        self.count[NODES] = 0
        return self.memory

    @contextmanager
    def session(self, budget: Budget) -> Iterator[None]:
        """Hold the memory for one analysis within the budget."""
        is_bounded = self.has_table or budget.deadline is not None
        with self.lock:
            self.count[LIMIT] = self.count[NODES] + allowed_nodes(
                budget, ENDLESS if is_bounded else NODES_WITHOUT_TABLE
            )
            with watched(budget, self.count[LIMIT : LIMIT + 1]):
                yield

    def interval(self, board: Pits, budget: Budget) -> Interval:
        """What a search within the budget proves about a board; to be called in a `session`.

        By proof numbers; without the table, or to a given depth, by deepening.
        """
        start, memory = np.array(board, np.int64), self.memory or self.forget()
        if self.has_table and budget.depth is None and not self.deepening:
            found = proof.pin(start, memory)
        else:
            depth = MAX_PLY if budget.depth is None else budget.depth
            found = search.exact(start, depth, memory)
        return Interval(*map(int, found))

    def at_least(self, board: Pits, margin: int) -> Interval:
        """Settle whether a board is worth `margin` or more; to be called in a `session`."""
        start, memory = np.array(board, np.int64), self.memory or self.forget()
        low, high = proof.prove(start, margin, memory)
        return Interval(int(low), int(high), int(self.count[DEEPEST]) + 1)


@cache
def load_search() -> None:
    """Compile or load the search."""
    searched, budget = MarginSearch(np.zeros(1, np.int8)), Budget(nodes=1)
    with searched.session(budget):
        searched.interval(START.pits, budget)


def is_loaded() -> bool:
    """Whether the search is loaded."""
    return load_search.cache_info().currsize > 0


@cache
def load_deepening() -> None:
    """The same for what is searched to a given depth, or without the table."""
    searched, budget = MarginSearch(np.zeros(1, np.int8)), Budget(nodes=1, depth=1)
    with searched.session(budget):
        searched.interval(START.pits, budget)
