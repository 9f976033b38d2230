"""Measures the time of a program in one game.

CPU time decides wherever it can be read, as for onlymove's own styles, so neither side loses time on a busy machine.
The CPU time of all the program's processes counts, even while the other side is to move. A sleeping program uses no CPU
time, so there is a second clock for wall time. It allows more, and leaves out the time in which the program waits for a
processor.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from onlymove_engines.core.budget import Clock
from onlymove_engines.protocols.host import Allowance

from onlymove_tui.tournament.plan import Fault, FaultKind, Limits
from onlymove_tui.tournament.processes import Usage

WALL_FACTOR: Final = 3.0
WALL_SLACK: Final = 5.0
"""In addition to its CPU time, a program may use wall time: the CPU limit times this factor, plus these seconds. It may
have to wait for a disk or for another machine."""

LATENCY: Final = 0.05
OVERRUN: Final = 0.1
"""By how much a limit may be exceeded. `LATENCY` is in seconds, because processes have to wake up and CPU time is
counted in hundredths of a second. `OVERRUN` is a share of the seconds for a move, because a program looks at its own
clock only now and then. It does not apply to a bank."""

UNTIMED: Final = 60.0
"""Seconds of wall time for a move that is limited by nodes or not at all."""

SHORTEST_LOOK: Final = 0.02
LONGEST_LOOK: Final = 0.25
"""Seconds between two checks of a program, with little time left and with plenty."""


@dataclass
class Meter:
    """One clock of one side: for each move, or for a bank of seconds. With `runs_on`, it runs between the moves too."""

    name: str
    read: Clock
    limits: Limits
    runs_on: bool = False

    def __post_init__(self) -> None:
        self.left = self.limits.bank
        self.since = self.read()

    @property
    def allowed(self) -> float:
        return (self.limits.seconds or 0.0) if self.left is None else self.left

    def start(self) -> float:
        """Start timing a move. Return the seconds left for it."""
        now = self.read()
        if not self.runs_on:
            self.since = now
        return max(0.0, self.allowed - (now - self.since))

    def check(self) -> float:
        """Return the seconds until the time is up. Raises Fault if it is."""
        spare = self.allowed + LATENCY + OVERRUN * (self.limits.seconds or 0.0) - (self.read() - self.since)
        if spare < 0:
            raise Fault(FaultKind.TIMEOUT, f"used more than {self.allowed:.2f} s of {self.name} time")
        return spare

    def stop(self) -> None:
        """Stop timing a move. Raises Fault if it took too long."""
        self.check()
        now = self.read()
        if self.left is not None and self.limits.bank is not None:
            self.left = min(self.limits.bank, max(0.0, self.left - (now - self.since)) + self.limits.increment)
        self.since = now


class Watch:
    """Measures a program's time. `cpu` is the CPU seconds that it has used. `wall` is the seconds that have passed,
    except those in which it waited for a processor. If the system does not report its usage, `wall` counts all time."""

    def __init__(self, look: Callable[[], Usage] | None, clock: Clock) -> None:
        self.look = look
        self.clock = clock
        self.now = clock()
        self.cpu = 0.0 if look is None else look().cpu
        self.wall = 0.0
        self.is_asleep = False

    def update(self, may_sleep: bool = False) -> None:
        """Read both clocks. If `may_sleep` and the program is asleep now, all time since the last reading counts as
        sleep (at most `LONGEST_LOOK`). Otherwise `wall` grows only by the CPU time used."""
        before, self.now = self.now, self.clock()
        passed = self.now - before
        if self.look is not None:
            used, usage = self.cpu, self.look()
            self.cpu = usage.cpu
            self.is_asleep = may_sleep and not usage.is_runnable
            # The reading may be late, because this process may have waited for a processor too.
            passed = min(passed, LONGEST_LOOK if self.is_asleep else max(0.0, self.cpu - used))
        self.wall += passed


class FairClock:
    """The clock of one program in one game. `look` reports the program's usage. If `look` is `None`, wall time decides.
    Without a time limit, a move may take `untimed` seconds of wall time."""

    def __init__(
        self,
        limits: Limits,
        look: Callable[[], Usage] | None,
        clock: Clock = time.monotonic,
        untimed: float = UNTIMED,
    ) -> None:
        self.limits = limits
        self.watch = watch = Watch(look, clock)
        self.meters = [Meter("wall", lambda: watch.wall, limits if limits.are_timed else Limits(seconds=untimed))]
        if limits.are_timed and look is not None:
            given = (limits.seconds, limits.bank)
            seconds, bank = (None if limit is None else WALL_FACTOR * limit + WALL_SLACK for limit in given)
            longer = replace(limits, seconds=seconds, bank=bank, increment=WALL_FACTOR * limits.increment)
            cpu = Meter("CPU", lambda: watch.cpu, limits, runs_on=True)
            self.meters = [cpu, Meter("wall", lambda: watch.wall, longer)]
        self.first_look = 0.0
        """Seconds after the start of a move in which its time cannot be up yet."""

    def start(self) -> Allowance:
        """Start timing a move. Return how much time to tell the program that it has."""
        self.watch.update()
        left, *_ = [meter.start() for meter in self.meters]
        self.first_look = clamp_look(left)
        if self.limits.bank is not None:
            return Allowance(bank=left, increment=self.limits.increment)
        return Allowance(self.limits.nodes, self.limits.seconds)

    def check(self) -> float:
        """Return the seconds until the next check. Raises Fault if the time is up."""
        self.watch.update(may_sleep=True)
        return clamp_look(min(meter.check() for meter in self.meters))

    def stop(self) -> None:
        self.watch.update()
        for meter in self.meters:
            meter.stop()


def clamp_look(seconds: float) -> float:
    return min(LONGEST_LOOK, max(SHORTEST_LOOK, seconds))
