"""A lock on a file that lasts exactly as long as the processes that hold it: the system releases it with them.

This is the one place that knows how this system locks files: flock(2). The lock belongs to the opened file and not to
the process, so a child that inherits the file holds the lock together with its parent, and alone once the parent has
closed the file.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def hold(path: Path) -> int | None:
    """Lock a file and return it opened, or `None` if another process holds the lock. Raises OSError if the file
    cannot be locked."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while not try_lock(file):
            # A process that only looks shares the lock for a moment; the next attempt succeeds.
            if not try_lock(file, fcntl.LOCK_SH):
                os.close(file)
                return None
    except OSError:
        os.close(file)
        raise
    return file


@contextmanager
def held_if_free(path: Path) -> Iterator[bool]:
    """While the block runs, hold the lock if it is free. Yields whether the lock is held. Raises OSError if the file
    cannot be locked."""
    file = hold(path)
    try:
        yield file is not None
    finally:
        if file is not None:
            os.close(file)


def share(path: Path) -> int:
    """Lock a file together with other processes and return it opened. Waits if another process is just checking
    whether the lock is shared. Raises OSError if the file cannot be locked."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


def is_shared(path: Path) -> bool:
    """Whether a living process shares the lock; `True` if that cannot be found out."""
    return not _is_free(path, fcntl.LOCK_EX, otherwise=False)


def is_held(path: Path) -> bool:
    """Whether a living process holds the lock; `False` if that cannot be found out."""
    return not _is_free(path, fcntl.LOCK_SH, otherwise=True)


def _is_free(path: Path, how: int, *, otherwise: bool) -> bool:
    """Whether the file could be locked in this way now; `otherwise` if that cannot be found out."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return otherwise
    try:
        return try_lock(file, how)
    except OSError:
        return otherwise
    finally:
        os.close(file)


def try_lock(file: int, how: int = fcntl.LOCK_EX) -> bool:
    """Try to lock an opened file. Return `False` if another process has locked it. Raises OSError if the file cannot
    be locked."""
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
