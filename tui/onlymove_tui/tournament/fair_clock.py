"""What a program may still use in one game: its own CPU time where that can be read, and in any case wall time.

A program that computes loses by the CPU time of all its processes, whatever else the machine does meanwhile, and its
clock runs while the other side is to move, too. One that sleeps uses none: it loses by the wall clock, which gives
more.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Final

from onlymove_engines.core.budget import Clock
from onlymove_engines.protocols.host import Allowance

from onlymove_tui.tournament.contestant import Fault, FaultKind, Limits

WALL_FACTOR: Final = 3.0
WALL_SLACK: Final = 5.0
"""Beside the CPU clock so many times as much wall time, and so many seconds: others may compute on the same machine."""

LATENCY: Final = 0.05
OVERRUN: Final = 0.1
"""What still passes: seconds, as processes have to wake up and CPU time is told in hundredths; and a share of the
seconds of a move, as a program looks at a clock of its own, and seldom. A bank has only the former."""

UNTIMED: Final = Limits(seconds=60.0)
"""Wall time of a move that is limited by nodes, or not at all: nobody waits for ever."""

SHORTEST_LOOK: Final = 0.02
"""Seconds between two looks at the time of a program that has nearly used it up."""


@dataclass
class Meter:
    """One clock of one side. `limits` are seconds a move or a bank; `runs_on`: between its moves as well."""

    name: str
    read: Clock
    limits: Limits
    runs_on: bool = False

    def __post_init__(self) -> None:
        self.left = self.limits.bank
        self.since = self.read()

    @property
    def allowed(self) -> float:
        """Seconds for this move."""
        return (self.limits.seconds or 0.0) if self.left is None else self.left

    def start(self) -> float:
        """It is to move: the seconds it has for that."""
        now = self.read()
        if not self.runs_on:
            self.since = now
        return max(0.0, self.allowed - (now - self.since))

    def check(self) -> float:
        """Seconds until it will have used too many. Raises Fault if it has."""
        return self._spare(self.read() - self.since)

    def stop(self) -> None:
        """It has moved. Raises Fault when that took too long."""
        now = self.read()
        self._spare(now - self.since)
        if self.left is not None and self.limits.bank is not None:
            self.left = min(self.limits.bank, max(0.0, self.left - (now - self.since)) + self.limits.increment)
        self.since = now

    def _spare(self, used: float) -> float:
        spare = self.allowed + LATENCY + OVERRUN * (self.limits.seconds or 0.0) - used
        if spare < 0:
            raise Fault(FaultKind.TIMEOUT, f"more than {self.allowed:.2f} s of {self.name} time used")
        return spare


class FairClock:
    """The time of one program in one game. `cpu` reads the CPU seconds it has used; `None`: wall time decides."""

    def __init__(self, limits: Limits, cpu: Clock | None, wall: Clock = time.monotonic) -> None:
        self.limits = limits
        if cpu is None or not limits.are_timed:
            self.meters = [Meter("wall", wall, limits if limits.are_timed else UNTIMED)]
        else:
            self.meters = [Meter("CPU", cpu, limits, runs_on=True), Meter("wall", wall, generous(limits))]
        self.first_look = 0.0
        """Seconds after a start in which nothing can be over yet."""

    def start(self) -> Allowance:
        """It is to move: what it is told of its time."""
        left = min(meter.start() for meter in self.meters)
        self.first_look = max(SHORTEST_LOOK, left)
        if self.limits.bank is not None:
            return Allowance(bank=left, increment=self.limits.increment)
        return Allowance(self.limits.nodes, self.limits.seconds)

    def check(self) -> float:
        """Seconds after which to look again. Raises Fault when time is up."""
        return max(SHORTEST_LOOK, min(meter.check() for meter in self.meters))

    def stop(self) -> None:
        """It has moved. Raises Fault when that took too long."""
        for meter in self.meters:
            meter.stop()


def generous(limits: Limits) -> Limits:
    """The wall time beside so much CPU time."""

    def more(seconds: float | None) -> float | None:
        return None if seconds is None else WALL_FACTOR * seconds + WALL_SLACK

    return replace(
        limits, seconds=more(limits.seconds), bank=more(limits.bank), increment=WALL_FACTOR * limits.increment
    )
