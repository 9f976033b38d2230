"""Limits on searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

Clock: TypeAlias = Callable[[], float]
"""Returns the time in seconds. It never runs backwards."""

MAX_LIMIT: Final = 1 << 53
"""Larger limits are cut to this number. It fits into an int64 and a float, and no search gets that far."""


def never_stop() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit on a search. The search ends at `deadline`, in seconds of `clock`, after a number of nodes, at a depth in
    plies, or when `stop` returns true. `None` means no limit."""

    clock: Clock | None = None
    deadline: float | None = None
    nodes: int | None = None
    depth: int | None = None
    stop: Callable[[], bool] = never_stop

    @classmethod
    def seconds(cls, seconds: float, clock: Clock, stop: Callable[[], bool] = never_stop) -> Budget:
        return cls(clock=clock, deadline=clock() + seconds, stop=stop)

    def limit_seconds(self, seconds: float) -> Budget:
        """Return this budget with at most `seconds` left. A budget without a clock is returned unchanged."""
        if self.clock is None:
            return self
        end = self.clock() + seconds
        return replace(self, deadline=end if self.deadline is None else min(end, self.deadline))

    def should_stop(self) -> bool:
        return self.stop() or self.find_seconds_left() == 0

    def find_seconds_left(self) -> float | None:
        """Return the seconds left, at least 0, or `None` without a deadline."""
        if self.clock is None or self.deadline is None:
            return None
        return max(0.0, self.deadline - self.clock())


UNLIMITED = Budget()
