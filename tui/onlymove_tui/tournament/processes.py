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

SWEEPS: Final = 20
"""A process that starts others while it is being looked for is looked for again, so often."""


class Process(NamedTuple):
    """One process as /proc/PID/stat has it (proc_pid_stat(5)); `ticks` include those of children waited for."""

    pid: int
    parent: int
    session: int
    ticks: int


def is_readable() -> bool:
    """Whether the CPU time of other processes can be read here."""
    return (PROC / "self" / "stat").exists()


def processes() -> Iterator[Process]:
    """Every process that runs now."""
    for entry in os.scandir(PROC):
        if entry.name.isdigit():
            with suppress(OSError):
                yield read_stat(int(entry.name), Path(entry.path, "stat").read_bytes())


def read_stat(pid: int, stat: bytes) -> Process:
    """One line of /proc/PID/stat. The name, in parentheses, may hold anything."""
    fields = stat[stat.rindex(b")") + 2 :].split()
    return Process(pid, int(fields[1]), int(fields[3]), sum(map(int, fields[11:15])))


def cpu_seconds(leader: int) -> float:
    """CPU time, user and system, of the session that `leader` leads and of all that descends from it."""
    known = list(processes())
    family = {process.pid for process in known if leader in (process.pid, process.session)}
    size = -1
    while size != len(family):
        size = len(family)
        family |= {process.pid for process in known if process.parent in family}
    return sum(process.ticks for process in known if process.pid in family) / os.sysconf("SC_CLK_TCK")


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
