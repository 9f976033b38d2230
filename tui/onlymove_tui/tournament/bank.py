"""The time of one side in one game, by whichever clock."""

from __future__ import annotations

from onlymove_tui.tournament.contestant import Fault, FaultKind, Limits

MOVES_AHEAD = 20
"""What is in the bank is spread over so many moves: a larger share early, when more is open."""
USED_AT_MOST = 0.5
SAFETY = 0.05
"""Seconds of the bank that are never planned for."""


class Bank:
    """What is left, in seconds. `None` stands for time that is not limited."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.left = limits.bank

    @property
    def allowed(self) -> float | None:
        """Seconds after which the next move comes too late."""
        return self.limits.seconds if self.left is None else self.left

    def planned(self) -> float | None:
        """Seconds that a player who plans ahead gives to the next move."""
        if self.left is None:
            return self.limits.seconds
        share = self.limits.increment + self.left / MOVES_AHEAD
        return max(0.0, min(share, USED_AT_MOST * self.left, self.left - SAFETY))

    def spend(self, seconds: float) -> None:
        """A move has taken so long. Raises Fault when there was less in the bank."""
        if self.left is None or self.limits.bank is None:
            return
        if seconds > self.left:
            raise Fault(FaultKind.TIMEOUT, f"{seconds:.2f} s used, {self.left:.2f} s in the bank")
        self.left = min(self.limits.bank, self.left - seconds + self.limits.increment)
