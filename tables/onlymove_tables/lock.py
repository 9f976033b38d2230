"""File locks that last as long as the processes that hold them, because the system releases them when a process ends.

This is the only module that knows how the system locks files, with flock(2). A lock belongs to the open file, not to
the process. A child that inherits the file holds the lock together with its parent, and alone once the parent has
closed the file.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from onlymove_engines.core.files import open_regular

from onlymove_tables.child import build_command, build_environment

_started: list[subprocess.Popen[bytes]] = []
"""The processes started here. They are polled once they have ended, so that no zombies stay."""


def start_holding(path: Path, module: str, argument: str) -> subprocess.Popen[bytes] | None:
    """Start a process that runs a module, and return it, or `None` if another process holds the lock. The process
    inherits the lock and holds it from the start. It goes on when this process ends, and so it does not stay in the
    current folder. Raises OSError if the file cannot be locked or no process can be started."""
    _started[:] = [process for process in _started if process.poll() is None]
    if (file := hold(path)) is None:
        return None
    try:
        process = subprocess.Popen(
            build_command(module, argument),
            env=build_environment(),
            cwd="/",
            pass_fds=(file,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    finally:
        os.close(file)
    _started.append(process)
    return process


StartHolding: TypeAlias = Callable[[Path, str, str], object]
"""Starts a process that holds a lock, as `start_holding` does."""


def hold(path: Path, mode: int = 0o600) -> int | None:
    """Lock a file and return its descriptor, or `None` if another process holds the lock. A missing file is created
    with `mode`. Raises OSError if the file cannot be locked."""
    file = open_regular(path, os.O_RDWR | os.O_CREAT, mode)
    try:
        while not try_lock(file):
            # A process that only checks the lock shares it for a moment, so the next attempt succeeds.
            if not try_lock(file, fcntl.LOCK_SH):
                os.close(file)
                return None
    except OSError:
        os.close(file)
        raise
    return file


@contextmanager
def hold_if_free(path: Path) -> Iterator[bool]:
    """Hold the lock while the block runs if it is free, and yield whether it was. Raises OSError."""
    file = hold(path)
    try:
        yield file is not None
    finally:
        if file is not None:
            os.close(file)


def share(path: Path) -> int:
    """Share the lock on a file with other processes and return the file's descriptor. Waits for a moment if another
    process is just checking the lock. Raises OSError if the file cannot be locked."""
    file = open_regular(path, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


def is_shared(path: Path) -> bool:
    """Whether a living process shares the lock. `True` if this cannot be determined."""
    return can_lock(path, fcntl.LOCK_EX) is not True


def is_held(path: Path) -> bool:
    """Whether a living process holds the lock. `False` if this cannot be determined."""
    return can_lock(path, fcntl.LOCK_SH) is False


def can_lock(path: Path, how: int) -> bool | None:
    """Whether the file could be locked in this way now. `None` if this cannot be determined."""
    try:
        file = open_regular(path)
    except OSError:
        return None
    try:
        return try_lock(file, how)
    except OSError:
        return None
    finally:
        os.close(file)


def try_lock(file: int, how: int = fcntl.LOCK_EX) -> bool:
    """Try to lock an open file. Return `False` if another process has locked it. Raises OSError if the file cannot be
    locked."""
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
