"""Which processes belong to a program and what they use, with a /proc that the test writes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from onlymove.tournament.processes import Usage, read_usage

LEADER = 100
TICKS = os.sysconf("SC_CLK_TCK")


class Proc:
    """A folder that stands for /proc."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, pid: int, parent: int, session: int, *ticks: int, state: str = "S", threads: str = "") -> None:
        """Add a process with the ticks of user and system, its own and its children's. `threads` are their states."""
        user, system, waited_user, waited_system = (*ticks, 0, 0, 0, 0)[:4]
        (self.folder / str(pid)).mkdir()
        for number, each in enumerate(threads or state):
            output = (each, parent, pid, session, 0, -1, 0, 0, 0, 0, 0, user, system, waited_user, waited_system, 20, 0)
            line = f"{pid} (a) R 1 (name) {' '.join(map(str, output))} {len(threads or state)} 0 0 0\n"
            if number == 0:
                (self.folder / str(pid) / "stat").write_text(line)
            thread = self.folder / str(pid) / "task" / str(pid + number)
            thread.mkdir(parents=True)
            (thread / "stat").write_text(line)


@pytest.fixture
def proc(tmp_path: Path) -> Proc:
    """Return a folder with two processes that do not belong to the program, and a file that is not a process."""
    found = Proc(tmp_path)
    found.add(1, 0, 1, 9999, 9999, state="R")
    found.add(50, 1, 50, 7777, state="R")
    (tmp_path / "uptime").write_text("1 2\n")
    return found


def make_usage(cpu: int, is_runnable: bool = False) -> Usage:
    return Usage(cpu / TICKS, is_runnable)


def test_time_counts_wherever_it_is_used(proc: Proc) -> None:
    proc.add(LEADER, 50, LEADER, 3, 20, 100, 1000)
    assert read_usage(LEADER, proc.folder) == make_usage(1123), "its own, and that of children it has waited for"
    proc.add(101, LEADER, LEADER, 10_000)
    assert read_usage(LEADER, proc.folder) == make_usage(11_123), "a child's that it has not waited for"
    proc.add(102, 1, LEADER, 20_000)
    assert read_usage(LEADER, proc.folder) == make_usage(31_123), "one's whose parent has ended, in the same session"
    proc.add(103, 101, 103, 100_000)
    proc.add(104, 103, 104, 100_000)
    assert read_usage(LEADER, proc.folder) == make_usage(231_123), "that of children in sessions of their own"


@pytest.mark.parametrize(
    ("state", "is_runnable"), [("R", True), ("S", False), ("D", False), ("T", False), ("Z", False)]
)
def test_a_process_that_computes_or_waits_for_a_processor_is_runnable(
    proc: Proc, state: str, is_runnable: bool
) -> None:
    proc.add(LEADER, 1, LEADER)
    assert not read_usage(LEADER, proc.folder).is_runnable
    proc.add(101, LEADER, 101, state=state)
    assert read_usage(LEADER, proc.folder).is_runnable == is_runnable


def test_every_thread_is_asked(proc: Proc) -> None:
    proc.add(LEADER, 1, LEADER, threads="SSS")
    assert not read_usage(LEADER, proc.folder).is_runnable
    proc.add(101, LEADER, LEADER, threads="SSR")
    assert read_usage(LEADER, proc.folder).is_runnable


def test_a_program_that_has_ended_uses_nothing(proc: Proc) -> None:
    assert read_usage(LEADER, proc.folder) == make_usage(0)
