"""Exact values of small fields and late positions: every round's matrix to the end of the game.

Knows how a field becomes a graph of at most 64 cells for the compiled solver, and keeps its memo between questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.search.stop import ENDLESS, watched

from ._kernel.exact import ALLOWED, GAVE_UP, LARGEST_GRAPH, ROUNDS, VISITS, state_value
from ._kernel.matrix import ROOM
from .rules import EMPTY, RULES, Cell, Position, Round

Words: TypeAlias = npt.NDArray[np.uint64]

MEMO = 1 << 19
"""Entries of the memo, 18 bytes each; the start of a 6 x 6 field needs 130,000."""


@dataclass(frozen=True)
class Graph:
    """The cells that matter, renumbered: `number[cell]`; and what the kernel reads of them."""

    number: dict[Cell, int]
    near: Words
    dark: np.uint64

    def mask(self, cells: set[Cell]) -> np.uint64:
        """Those cells as bits."""
        return np.uint64(sum(1 << self.number[cell] for cell in cells))


@lru_cache(maxsize=16)
def neighbours(width: int, height: int) -> tuple[tuple[Cell, ...], ...]:
    """Of every cell of a field those beside it."""
    position = Position(width, height, EMPTY * (width * height))
    return tuple(tuple(position.around(cell)) for cell in range(width * height))


def reachable(position: Position) -> set[Cell]:
    """The empty cells that either rider can still get to."""
    found: set[Cell] = set()
    cells, around = position.cells, neighbours(position.width, position.height)
    front = [head for head in (position.head(0), position.head(1)) if head is not None]
    while front:
        for near in around[front.pop()]:
            if cells[near] == EMPTY and near not in found:
                found.add(near)
                front.append(near)
    return found


def make_graph(width: int, height: int, cells: tuple[Cell, ...]) -> Graph:
    """The graph of these cells of a field."""
    around = neighbours(width, height)
    number = {cell: k for k, cell in enumerate(cells)}
    near = np.zeros(LARGEST_GRAPH, np.uint64)
    for cell, k in number.items():
        near[k] = sum(1 << number[n] for n in around[cell] if n in number)
    dark = np.uint64(sum(1 << k for cell, k in number.items() if sum(divmod(cell, width)) & 1))
    return Graph(number, near, dark)


@lru_cache(maxsize=16)
def whole_field(width: int, height: int) -> Graph:
    """The graph of a field of at most 64 cells."""
    return make_graph(width, height, tuple(range(width * height)))


class ExactSearch:
    """The compiled exact solver with its memo. Not safe for two threads at once."""

    def __init__(self) -> None:
        self._graph: Graph | None = None
        self._place: tuple[int, int] = (0, 0)
        self._keys = np.zeros(MEMO, np.uint64)
        self._heads = np.zeros(MEMO, np.int16)
        self._values = np.zeros(MEMO, np.float64)
        self._stat = np.zeros(3, np.int64)
        self._rooms = np.zeros((ROUNDS, ROOM, 4))

    def forget(self) -> None:
        """Begin anew: how many states the next question takes depends on nothing that was asked before."""
        self._graph = None

    def graph_for(self, position: Position) -> Graph | None:
        """The graph the position is solved on, or `None` if too many cells are still in play.

        A graph that already holds the position is kept, and the memo with it.
        """
        size = (position.width, position.height)
        heads = {head for head in (position.head(0), position.head(1)) if head is not None}
        needed = reachable(position) | heads
        if self._graph is not None and self._place == size and needed <= self._graph.number.keys():
            return self._graph
        if len(needed) > LARGEST_GRAPH:
            return None
        small = position.width * position.height <= LARGEST_GRAPH
        self._graph = whole_field(*size) if small else make_graph(*size, tuple(sorted(needed)))
        self._place = size
        self._heads[:] = 0
        return self._graph

    def value(self, position: Position, visits: int = ENDLESS, budget: Budget = UNLIMITED) -> float | None:
        """The exact value for rider 0 of a position with both riders on the field; `None` if it gave up."""
        graph = self.graph_for(position)
        head0, head1 = position.head(0), position.head(1)
        if graph is None or head0 is None or head1 is None:
            return None
        self._stat[:] = (0, visits, 0)
        free = graph.mask({cell for cell in graph.number if position.cells[cell] == EMPTY})
        with watched(budget, self._stat[ALLOWED : ALLOWED + 1]):
            value = state_value(
                free,
                graph.number[head0],
                graph.number[head1],
                graph.near,
                graph.dark,
                self._keys,
                self._heads,
                self._values,
                self._stat,
                self._rooms,
                0,
            )
        return None if self._stat[GAVE_UP] else float(value)

    @property
    def visits(self) -> int:
        """States visited for the last value."""
        return int(self._stat[VISITS])

    def matrix(
        self, position: Position, visits: int = ENDLESS, budget: Budget = UNLIMITED
    ) -> dict[Round, float] | None:
        """The exact value after every round, or `None` if it gave up; `visits` limits all of them together."""
        if self.graph_for(position) is None:
            return None
        found: dict[Round, float] = {}
        left = visits
        for move in RULES.legal_moves(position):
            after = RULES.play(position, move)
            result = RULES.result(after)
            value = float(result.outcome_for(0)) if result else self.value(after, left, budget)
            if value is None:
                return None
            left -= 0 if result else self.visits
            found[move] = value
        return found
