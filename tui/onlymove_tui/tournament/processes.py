"""What the system knows of a program's processes: the CPU time they have used, and those that got away.

Read from /proc, where there is one (Linux); elsewhere nothing is known, and time is wall time.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

PROC: Final = Path("/proc")
MARK: Final = "ONLYMOVE_PROGRAM"
"""The variable that every process of a program inherits, with a value of that program's own."""
WORKER_MARK: Final = "ONLYMOVE_WORKER"
"""The same of everything that a process of a farm has started."""

LAST_MOMENT: Final = 5.0
"""Seconds in which the system has ended a process that was killed. One that it cannot end is not waited for."""

SWEEPS: Final = 20
"""A process that starts others while it is being looked for is looked for again, so often."""


RUNNABLE: Final = b"R"
"""The state of a thread that computes, or would if it had a processor."""


class Process(NamedTuple):
    """One process or thread as /proc/PID/stat has it (proc_pid_stat(5)); `ticks` include those of children waited for,
    `is_runnable` is about its first thread."""

    pid: int
    parent: int
    session: int
    ticks: int
    threads: int
    is_runnable: bool


class Usage(NamedTuple):
    """What a program has used so far: `cpu` seconds, user and system. `is_runnable`: right now it computes, or would if
    it had a processor."""

    cpu: float
    is_runnable: bool


def is_readable() -> bool:
    """Whether the CPU time of other processes can be read here."""
    return (PROC / "self" / "stat").exists()


def processes(folder: Path) -> Iterator[Process]:
    """Every process that /proc lists now, or every thread that /proc/PID/task lists."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.isdigit():
                with suppress(OSError):
                    yield read_stat(int(entry.name), Path(entry.path, "stat").read_bytes())


def read_stat(pid: int, stat: bytes) -> Process:
    """One line of /proc/PID/stat. The name, in parentheses, may hold anything."""
    fields = stat[stat.rindex(b")") + 2 :].split()
    ticks = sum(map(int, fields[11:15]))
    return Process(pid, int(fields[1]), int(fields[3]), ticks, int(fields[17]), fields[0] == RUNNABLE)


def read_usage(leader: int) -> Usage:
    """What the session that `leader` leads has used, and all that descends from it."""
    known = list(processes(PROC))
    family = {process.pid for process in known if leader in (process.pid, process.session)}
    size = -1
    while size != len(family):
        size = len(family)
        family |= {process.pid for process in known if process.parent in family}
    own = [process for process in known if process.pid in family]
    return Usage(sum(process.ticks for process in own) / os.sysconf("SC_CLK_TCK"), any(map(is_runnable, own)))


def is_runnable(process: Process) -> bool:
    """Whether any thread of it is."""
    if process.is_runnable or process.threads == 1:
        return process.is_runnable
    try:
        return any(thread.is_runnable for thread in processes(PROC / str(process.pid) / "task"))
    except OSError:  # it has ended meanwhile
        return False


def marked(mark: str, name: str = MARK) -> list[int]:
    """The processes that inherited a value that begins so, whatever group or session they have gone to."""
    entry = f"\0{name}={mark}".encode()
    found = []
    for process in os.scandir(PROC):
        if process.name.isdigit():
            with suppress(OSError):
                if entry in b"\0" + Path(process.path, "environ").read_bytes():
                    found.append(int(process.name))
    return found


def kill_marked(mark: str, name: str = MARK) -> None:
    """End what got away from its process group; nothing where that cannot be seen."""
    for _ in range(SWEEPS if is_readable() else 0):
        strays = marked(mark, name)
        if not strays:
            return
        for pid in strays:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
