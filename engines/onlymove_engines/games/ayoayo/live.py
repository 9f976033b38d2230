"""Answers by search, with or without the table below it, and an opening book. Answers from the book need no compiled
code, and report the same depth as the search."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cache, cached_property
from importlib import resources
from typing import NamedTuple

import numpy as np

from onlymove_engines.core.analysis import Column
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Seat
from onlymove_engines.search.batch import read_only
from onlymove_engines.search.stop import ENDLESS, limit_nodes, watch

from ._kernel import search
from ._kernel.search import LIMIT, MAX_PLY, NODES, Memory, make_memory
from .rules import START, Pits

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
    """Searches boards, given as tuples that begin with the side to move. `nodes` counts the boards expanded so far."""

    def __init__(self, margins: Column | None) -> None:
        self.has_table = margins is not None
        self.margins = read_only(np.zeros(0, np.int8) if margins is None else margins)
        self.lock = threading.Lock()
        self.count = np.array([0, ENDLESS, 0], np.int64)

    @property
    def nodes(self) -> int:
        return int(self.count[NODES])

    @cached_property
    def memory(self) -> Memory:
        return make_memory(self.margins, self.count)

    def intervals(self, boards: Iterable[Pits], budget: Budget) -> list[Interval]:
        """Return what one search within the budget proves about these boards, one after the other. It uses proof
        numbers or, without the table or with a given depth, deepening. Threads take turns."""
        depth = MAX_PLY if budget.depth is None else budget.depth
        is_bounded = self.has_table or budget.deadline is not None
        is_deepened = not self.has_table or budget.depth is not None
        found = []
        with self.lock:
            self.count[LIMIT] = self.count[NODES] + limit_nodes(budget, ENDLESS if is_bounded else NODES_WITHOUT_TABLE)
            with watch(budget, self.count[LIMIT : LIMIT + 1]):
                for board in boards:
                    start = np.array(board, np.int64)
                    exact = search.exact(start, depth, self.memory) if is_deepened else search.pin(start, self.memory)
                    found.append(Interval(*map(int, exact)))
        return found


@cache
def load_search(depth: int | None = None) -> None:
    """Compile or load the search by proof numbers, or the one for a given depth."""
    MarginSearch(np.zeros(1, np.int8)).intervals([START.pits], Budget(nodes=1, depth=depth))


def load_deepening() -> None:
    """Compile or load the search that is used without the table or for a given depth."""
    load_search(depth=1)


@cache
def read_book() -> dict[tuple[Pits, Seat], tuple[int, tuple[int, ...]]]:
    """Read the opening book, which contains every board of the first plies that is not in the table. It maps a board
    and its side to move to the depth of the search that proved it and the margins after its moves.

    A line of `book.txt` contains the board with a letter for each pit (base 36), the side to move, the depth, and a
    margin for each move that does not lead into the table. It is the margin to come after the move, for the side to
    move there. The tests search all of these boards again.
    """
    found = {}
    for line in (resources.files(__package__) / "book.txt").read_text("utf-8").splitlines():
        pits, seat, depth, *margins = line.split()
        found[tuple(int(seeds, 36) for seeds in pits), int(seat)] = int(depth), tuple(map(int, margins))
    return found
