"""Stops a compiled search when its budget says so: a thread asks, the kernel reads one cell of an array."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy.typing as npt

from onlymove_engines.core.budget import Budget, never

PERIOD = 0.001
"""Seconds between two questions: far below any budget a player notices."""


@contextmanager
def watched(budget: Budget, cell: npt.NDArray[Any]) -> Iterator[None]:
    """While the block runs, write 0 to the one-element array `cell` (nodes allowed) once `budget` is spent."""
    if budget.deadline is None and budget.stop is never:
        yield
        return
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            if budget.should_stop():
                cell[0] = 0
                return
            done.wait(PERIOD)

    thread = threading.Thread(target=ask, name="lightriders-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
