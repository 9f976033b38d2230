"""Limits on searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

Clock: TypeAlias = Callable[[], float]
"""Tells seconds, and never runs backwards."""

MOST: Final = 1 << 53
"""No limit counts as more: it fits where a kernel counts and where seconds are told, and no search comes so far."""


def never() -> bool:
    """Return False: the stop signal of a search that may finish."""
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit on a search: seconds by `clock`, nodes, depth in plies, and an outside stop signal.

    `None` means no limit.
    """

    clock: Clock | None = None
    deadline: float | None = None
    nodes: int | None = None
    depth: int | None = None
    stop: Callable[[], bool] = never

    @classmethod
    def seconds(cls, seconds: float, clock: Clock, stop: Callable[[], bool] = never) -> Budget:
        return cls(clock=clock, deadline=clock() + seconds, stop=stop)

    def within(self, seconds: float) -> Budget:
        """Return this budget with at most `seconds` left; unchanged if it has no clock."""
        if self.clock is None:
            return self
        end = self.clock() + seconds
        return replace(self, deadline=end if self.deadline is None else min(end, self.deadline))

    def should_stop(self) -> bool:
        if self.stop():
            return True
        return self.clock is not None and self.deadline is not None and self.clock() >= self.deadline

    def remaining(self) -> float | None:
        """Return the seconds left, at least 0; `None` without a deadline."""
        if self.clock is None or self.deadline is None:
            return None
        return max(0.0, self.deadline - self.clock())


UNLIMITED = Budget()
