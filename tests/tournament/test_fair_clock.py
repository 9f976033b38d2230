"""The clock of another program, with scripted clocks. Computing counts, and a busy machine does not."""

from __future__ import annotations

import pytest
from onlymove.tournament.contestants import (
    LATENCY,
    MAX_LOOK,
    NO_LIMITS,
    OVERRUN,
    UNTIMED,
    WALL_FACTOR,
    WALL_SLACK,
    FairClock,
    Limits,
)
from onlymove.tournament.processes import Fault, FaultKind, Usage

A_MINUTE = Limits(bank=60.0, increment=1.0)


class Script:
    """A program and a machine that the test controls."""

    def __init__(self, limits: Limits, is_told: bool = True) -> None:
        self.now = 1000.0
        self.cpu = 7.0
        self.is_runnable = True
        self.clock = FairClock(limits, self.look if is_told else None, lambda: self.now)

    def look(self) -> Usage:
        return Usage(self.cpu, self.is_runnable)

    def compute(self, seconds: float, wall: float) -> None:
        """Use this much CPU time in this much wall time."""
        self.cpu += seconds
        self.now += wall

    def sleep(self, seconds: float) -> None:
        """Sleep, while the clock is checked as often as it asks. Raises Fault."""
        self.is_runnable = False
        until = self.now + seconds
        while self.now < until:
            self.now += min(self.clock.check(), until - self.now)
        self.is_runnable = True


def check_too_late(script: Script, what: str) -> None:
    with pytest.raises(Fault) as lost:
        script.clock.check()
    assert (lost.value.kind, lost.value.text) == (FaultKind.TIMEOUT, f"used more than {what} time")


@pytest.mark.parametrize("limits", [A_MINUTE, Limits(seconds=60.0), NO_LIMITS, Limits(nodes=5)])
def test_a_busy_machine_takes_nothing(limits: Limits) -> None:
    """A program may wait long for a processor, and may be checked late."""
    script = Script(limits)
    for _ in range(100):
        script.clock.start()
        for _ in range(10):
            script.compute(0.09, wall=500.0)
            script.clock.check()
        script.clock.stop()


def test_a_time_bank_counts_only_cpu_time() -> None:
    script = Script(A_MINUTE)
    assert script.clock.start().bank == 60.0
    script.compute(20.0, wall=1000.0)
    script.clock.stop()
    output = script.clock.start()
    assert (output.bank, output.increment) == (41.0, 1.0)


def test_computing_on_the_opponents_turn_counts() -> None:
    script = Script(A_MINUTE)
    script.clock.start()
    script.clock.stop()
    script.compute(25.0, wall=30.0)
    assert script.clock.start().bank == 35.0


@pytest.mark.parametrize("limits", [Limits(bank=10.0), Limits(seconds=10.0)])
def test_a_program_that_computes_too_long_loses(limits: Limits) -> None:
    script = Script(limits)
    script.clock.start()
    allowed = 10.0 + LATENCY + OVERRUN * (limits.seconds or 0.0)
    script.compute(allowed - 0.01, wall=allowed)
    assert script.clock.check() > 0
    script.compute(0.02, wall=0.02)
    check_too_late(script, "10.00 s of CPU")
    with pytest.raises(Fault, match=r"more than 10.00 s of CPU time"):
        script.clock.stop()


@pytest.mark.parametrize("limits", [Limits(bank=10.0), Limits(seconds=10.0)])
def test_a_program_that_sleeps_has_longer_and_loses_in_the_end(limits: Limits) -> None:
    script, allowed = Script(limits), WALL_FACTOR * 10.0 + WALL_SLACK
    script.clock.start()
    script.sleep(allowed)
    with pytest.raises(Fault) as lost:
        script.sleep(LATENCY + OVERRUN * allowed + MAX_LOOK)
    assert (lost.value.kind, lost.value.text) == (FaultKind.TIMEOUT, f"used more than {allowed:.2f} s of wall time")


def test_a_look_that_comes_late_finds_no_longer_sleep() -> None:
    script = Script(Limits(seconds=1.0))
    script.clock.start()
    script.is_runnable = False
    for _ in range(int(WALL_SLACK / MAX_LOOK)):
        script.now += 100.0
        script.clock.check()


def test_sleeping_on_the_opponents_turn_does_not_count() -> None:
    script = Script(Limits(bank=1.0))
    for _ in range(100):
        script.clock.start()
        script.clock.stop()
        script.is_runnable = False
        script.now += 1000.0


@pytest.mark.parametrize("limits", [NO_LIMITS, Limits(nodes=5)])
def test_nobody_waits_for_ever_for_a_move_without_a_limit(limits: Limits) -> None:
    """This limit is in wall time, so that a program with many threads has no less."""
    script = Script(limits)
    assert script.clock.start().nodes == limits.nodes
    script.compute(16 * UNTIMED, wall=UNTIMED)
    script.clock.check()
    script.compute(16 * UNTIMED, wall=UNTIMED)
    check_too_late(script, f"{UNTIMED:.2f} s of wall")


def test_wall_time_decides_if_cpu_time_is_unknown() -> None:
    script = Script(Limits(bank=10.0), is_told=False)
    script.clock.start()
    script.compute(0.0, wall=4.0)
    script.clock.stop()
    assert script.clock.start().bank == 6.0
    script.compute(0.0, wall=6.1)
    check_too_late(script, "6.00 s of wall")


def test_processes_that_are_gone_give_no_time_back() -> None:
    script = Script(NO_LIMITS)
    script.clock.start()
    script.compute(UNTIMED, wall=UNTIMED)
    script.clock.check()
    script.compute(-UNTIMED, wall=1.0)
    script.clock.check()
    script.compute(10.0, wall=10.0)
    check_too_late(script, f"{UNTIMED:.2f} s of wall")
