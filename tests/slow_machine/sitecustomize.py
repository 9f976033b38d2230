"""Makes the machine look thirty times as slow to every Python that has this folder on its path: clocks run faster, and
waits are shorter. What passes or fails by elapsed time then fails. `python -m tests.hostile slow` uses it.
"""

from __future__ import annotations

import selectors
import threading
import time
from collections.abc import Callable
from typing import Any

FACTOR = 30


def hurry(name: str) -> None:
    """One clock of the module `time`, in seconds or in nanoseconds."""
    clock: Callable[[], Any] = getattr(time, name)
    begun = clock()
    setattr(time, name, lambda: begun + (clock() - begun) * FACTOR)


def shorten(seconds: float | None) -> float | None:
    """Return how long to wait so that these clocks count `seconds`. `None` waits for ever."""
    return None if seconds is None else seconds / FACTOR


WAIT, SELECT, SLEEP = threading.Condition.wait, selectors.DefaultSelector.select, time.sleep


def sleep(seconds: float) -> None:
    SLEEP(seconds / FACTOR)


for clock in ("monotonic", "perf_counter", "process_time", "thread_time"):
    hurry(clock)
    hurry(f"{clock}_ns")
time.sleep = sleep  # type: ignore[assignment]
threading.Condition.wait = lambda self, timeout=None: WAIT(self, shorten(timeout))  # type: ignore[method-assign]
selectors.DefaultSelector.select = lambda self, timeout=None: SELECT(self, shorten(timeout))  # type: ignore[method-assign]
