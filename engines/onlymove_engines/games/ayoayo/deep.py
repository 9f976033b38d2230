"""The exact search as the rest of the drawer sees it: working memory, budgets, and no table if there is none.

numba is imported with the first search. One search at a time: the memory is shared and guarded.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from onlymove_engines.core.budget import Budget, never

from .rules import Pits

REMEMBERED = 1 << 18
"""Boards whose intervals are kept; a newer board takes the place of an older one."""

QUESTIONS = 1 << 16
"""Questions "at least t?" whose proof numbers are kept."""

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
        self.work: tuple[Any, ...] = ()
        self.proof: tuple[Any, ...] = ()

    @property
    def nodes(self) -> int:
        """Boards expanded since the last `forget`."""
        return int(self.count[0])

    def forget(self) -> None:
        """Start with an empty memory: for measurements that others can repeat."""
        from ._kernel.search import MAX_PLY  # noqa: PLC0415 - numba comes with the first search

        intervals = (np.zeros(REMEMBERED, np.int64), np.zeros((REMEMBERED, 2), np.int8))
        shapes = ((MAX_PLY, 6, 12), *((MAX_PLY, 6),) * 5)
        self.work = (self.margins, *intervals, *(np.zeros(shape, np.int64) for shape in shapes))
        self.proof = (np.zeros((MAX_PLY, 6, 2), np.int64), np.zeros((QUESTIONS, 3), np.int64))
        self.count[0] = 0

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
            if not self.work:
                self.forget()
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

        start = np.array(board, np.int64)
        if self.has_table and budget.depth is None and not self.deepening:
            found = proof.pin(start, *self.arrays(*self.proof))
        else:
            depth = search.MAX_PLY if budget.depth is None else budget.depth
            found = search.exact(start, depth, *self.arrays())
        return Interval(*map(int, found))

    def arrays(self, *more: Any) -> tuple[Any, ...]:
        """What a kernel is given: the table, the working memory, the counters."""
        return (*self.work, *more, self.count, self.stop)

    def at_least(self, board: Pits, margin: int) -> Interval:
        """Settle whether a board is worth `margin` or more; to be called in a `session`."""
        from ._kernel import proof  # noqa: PLC0415

        start = np.array(board, np.int64)
        low, high = proof.prove(start, margin, *self.arrays(*self.proof))
        return Interval(int(low), int(high), int(self.count[proof.DEEPEST]) + 1)


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
