"""The exact search as the rest of the drawer sees it: working memory, budgets, and no table if there is none.

numba is imported with the first search. One search at a time: the memory is shared and guarded.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from onlymove_engines.core.budget import Budget, never

from .rules import Pits

if TYPE_CHECKING:
    from ._kernel.memory import Memory

ENOUGH = 1 << 62
NODES_WITHOUT_TABLE = 50_000
"""Where nothing bounds a search without a table, it ends here: a few hundredths of a second a move."""

POLL = 0.005
"""Seconds between two looks at the budget."""


class Interval(NamedTuple):
    """The margin to come lies in low..high, both possible; the search looked `depth` plies ahead."""

    low: int
    high: int
    depth: int

    @property
    def is_proven(self) -> bool:
        """Whether the margin is known."""
        return self.low == self.high


class Deep:
    """Searches boards given as tuples, the side to move first. `nodes` counts the boards expanded so far.

    For comparing: `deepening` goes by depth where proof numbers would do, `reverse` tries moves last to first.
    """

    loaded = False
    """Whether this process has the compiled search."""

    def __init__(self, margins: Any | None, deepening: bool = False, reverse: bool = False) -> None:
        self.has_table = margins is not None
        self.margins = np.zeros(0, np.int8) if margins is None else np.asarray(margins).view()
        # A mapped table is read-only, and to numba that is another type: one for all saves compiling twice.
        self.margins.setflags(write=False)
        self.lock = threading.Lock()
        self.stop = np.zeros(1, np.uint8)
        self.deepening = deepening
        self.count = np.array([0, ENOUGH, reverse, 0], np.int64)
        self.memory: Memory | None = None

    @property
    def nodes(self) -> int:
        """Boards expanded since the last `forget`."""
        return int(self.count[0])

    def forget(self) -> Memory:
        """Start with an empty memory, also for measurements that others can repeat."""
        from ._kernel.memory import make_memory  # noqa: PLC0415 - numba comes with the first search

        self.memory = make_memory(self.margins, self.count, self.stop)
        self.count[0] = 0
        return self.memory

    def ready(self, budget: Budget) -> Budget:
        """The budget, moved on by the time it took to load or compile the search, if that had to be done now."""
        if Deep.loaded:
            return budget
        begun = None if budget.clock is None else budget.clock()
        from .twin import warm  # noqa: PLC0415

        warm()
        if begun is None or budget.clock is None or budget.deadline is None:
            return budget
        return replace(budget, deadline=budget.deadline + budget.clock() - begun)

    @contextmanager
    def session(self, budget: Budget) -> Iterator[None]:
        """Hold the memory for one analysis within the budget."""
        with self.lock:
            limit = budget.nodes
            if limit is None and not self.has_table and budget.deadline is None:
                limit = NODES_WITHOUT_TABLE * 6
            self.count[1] = ENOUGH if limit is None else self.count[0] + limit
            with watched(budget, self.stop):
                yield

    def interval(self, board: Pits, budget: Budget) -> Interval:
        """What a search within the budget proves about a board; to be called in a `session`.

        By proof numbers; without the table, or to a given depth, by deepening.
        """
        from ._kernel import proof, search  # noqa: PLC0415
        from ._kernel.memory import MAX_PLY  # noqa: PLC0415

        start, memory = np.array(board, np.int64), self.memory or self.forget()
        if self.has_table and budget.depth is None and not self.deepening:
            found = proof.pin(start, memory)
        else:
            depth = MAX_PLY if budget.depth is None else budget.depth
            found = search.exact(start, depth, memory)
        return Interval(*map(int, found))

    def at_least(self, board: Pits, margin: int) -> Interval:
        """Settle whether a board is worth `margin` or more; to be called in a `session`."""
        from ._kernel import proof  # noqa: PLC0415
        from ._kernel.memory import DEEPEST  # noqa: PLC0415

        start, memory = np.array(board, np.int64), self.memory or self.forget()
        low, high = proof.prove(start, margin, memory)
        return Interval(int(low), int(high), int(self.count[DEEPEST]) + 1)


@contextmanager
def watched(budget: Budget, stop: Any) -> Iterator[None]:
    """While inside, raise `stop[0]` as soon as the budget says so."""
    stop[0] = budget.should_stop()
    if stop[0] or (budget.stop is never and budget.deadline is None):
        yield
        return
    done = threading.Event()

    def watch() -> None:
        while not done.wait(POLL):
            if budget.should_stop():
                stop[0] = 1
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
