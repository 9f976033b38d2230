"""One login at a time for a profile: who comes later takes over, once the earlier one has saved and left.

A lock on a file in the profile's folder, which holds the number of the process that has it. Shared accounts hang
up on stale connections late; the player should not wait for that.
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

PATIENCE_SECONDS = 4.0
"""An app that is told to leave is gone within two."""
LOOK_AGAIN_SECONDS = 0.05


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
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = time.monotonic() + patience
    asked = -1
    while not locked(descriptor):
        holder = _holder(descriptor)
        if holder not in (0, asked):
            with suppress(ProcessLookupError):
                (ask or _ask_to_leave)(holder)
            asked = holder
        if time.monotonic() > deadline:
            os.close(descriptor)
            raise ProfileInUse(f"this profile is in use by process {holder}, which does not leave")
        time.sleep(LOOK_AGAIN_SECONDS)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
    return Occupancy(descriptor)


def _holder(descriptor: int) -> int:
    text = os.pread(descriptor, 32, 0).strip()
    return int(text) if text.isdigit() else 0


def _ask_to_leave(holder: int) -> None:
    os.kill(holder, signal.SIGUSR1)
