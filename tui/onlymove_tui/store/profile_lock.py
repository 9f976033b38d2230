"""One login at a time for a profile: who comes later takes over, once the earlier one has saved and left.

A lock on a file in the profile's folder, which says what process has it and where that runs: a home folder may be
shared between hosts. Shared accounts hang up on stale connections late; the player should not wait for that.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from onlymove_engines.core.errors import OnlymoveError
from onlymove_tables.lock import locked

from .private import open_own_file

PATIENCE_SECONDS = 4.0
"""An app that is told to leave is gone within two."""
LOOK_AGAIN_SECONDS = 0.05
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class ProfileInUse(OnlymoveError):
    """Another login holds the profile and does not let go."""


class Occupancy:
    """Holds a profile until the process ends or `release`."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def release(self) -> None:
        """Let another login in."""
        os.close(self._descriptor)


def occupy(path: Path, patience: float = PATIENCE_SECONDS, ask: Callable[[int], None] | None = None) -> Occupancy:
    """Take the profile whose lock is at `path`; its present holder is asked to leave (SIGUSR1) and waited for.

    Raises ProfileInUse when it does not leave, OSError where no lock can be kept.
    """
    descriptor = open_own_file(path, os.O_RDWR)
    deadline = time.monotonic() + patience
    asked = -1
    while not locked(descriptor):
        holder, who = _holder(descriptor)
        if holder not in (0, asked):
            with suppress(ProcessLookupError, PermissionError):
                (ask or _ask_to_leave)(holder)
            asked = holder
        if time.monotonic() > deadline:
            os.close(descriptor)
            raise ProfileInUse(f"this profile is in use by {who}, which does not leave")
        time.sleep(LOOK_AGAIN_SECONDS)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, " ".join([str(os.getpid()), *_here()]).encode(), 0)
    return Occupancy(descriptor)


def _holder(descriptor: int) -> tuple[int, str]:
    """The process that can be asked, 0 where none can; and who it is in words. Older versions wrote a number alone."""
    number, *where = os.pread(descriptor, 512, 0).decode(errors="replace").split() or [""]
    if not number.isdecimal():
        return 0, "another login"
    if where and where != _here():
        return 0, f"a login at {where[0]}"
    return int(number), f"process {number}"


def _here() -> list[str]:
    """Where the numbers of processes mean the same: a host, since it was started."""
    boot = BOOT_ID.read_text().split() if BOOT_ID.exists() else []
    return [os.uname().nodename, *boot]


def _ask_to_leave(holder: int) -> None:
    os.kill(holder, signal.SIGUSR1)
