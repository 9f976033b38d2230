"""Stops a compiled search, by a node limit and by a thread that sets the limit to 0 when time is up.

A kernel counts its nodes and compares the count with the limit, which is one cell of an array. It never writes to that
cell, so a 0 that a thread writes is never lost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from onlymove_engines.core.budget import Budget, never_stop

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Allowed: TypeAlias = "npt.NDArray[np.int64]"
"""An array of one cell, often a part of a longer one: how many nodes a kernel may visit."""

ENDLESS: Final = 1 << 62
"""A node limit that no search reaches."""

PERIOD: Final = 0.001
"""The seconds between two checks of the budget. Players do not notice such a short time."""


@contextmanager
def watch(budget: Budget, allowed: Allowed) -> Iterator[None]:
    """Within the block, set `allowed` to 0 as soon as the budget's time is over or the caller asks to stop."""
    if budget.should_stop():
        allowed[0] = 0
    if allowed[0] == 0 or (budget.deadline is None and budget.stop is never_stop):
        yield
        return
    done = threading.Event()

    def ask() -> None:
        while not done.wait(PERIOD):
            if budget.should_stop():
                allowed[0] = 0
                return

    watcher = threading.Thread(target=ask, name="search-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


_waits: list[Callable[[], object]] = []
"""Functions to call before a search is loaded."""


@contextmanager
def before_loading(wait: Callable[[], object]) -> Iterator[None]:
    """Within the block, call `wait` once before a search first loads its code. If nothing is loaded, `wait` is not
    called."""
    _waits.append(wait)
    try:
        yield
    finally:
        if wait in _waits:
            _waits.remove(wait)


def ready(budget: Budget, *loads: Callable[[], None]) -> Budget:
    """Load or compile what a search needs. Return the budget with its deadline moved back by the time that this took.
    Loading something again takes no time if its `load` is cached."""
    begun = None if budget.clock is None else budget.clock()
    while _waits:
        _waits.pop()()
    for load in loads:
        load()
    if begun is None or budget.clock is None or budget.deadline is None:
        return budget
    return replace(budget, deadline=budget.deadline + budget.clock() - begun)


def limit_nodes(budget: Budget, otherwise: int = ENDLESS) -> int:
    return otherwise if budget.nodes is None else budget.nodes


def bound_budget(budget: Budget, depth: int, nodes: int | None = None) -> Budget:
    """Return the budget unchanged if it has a limit. Otherwise, return it with this depth and node limit."""
    if budget.deadline is None and budget.depth is None and budget.nodes is None:
        return replace(budget, depth=depth, nodes=nodes)
    return budget
