"""A lock on a file that lasts as long as the processes that hold it, and no longer: the system drops it with them.

The one place that knows how this system locks files: flock(2). It belongs to the opened file and not to the process,
so a child that inherits the file holds the lock with its parent, and alone once the parent has closed it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def hold(path: Path) -> int | None:
    """The opened file of a lock that is now held, `None` if another process holds it. Raises OSError where no lock
    can be kept."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        while not try_lock(file):
            # Whoever only looks shares the lock for a moment; that is not held, and gone at the next attempt.
            if not try_lock(file, fcntl.LOCK_SH):
                os.close(file)
                return None
    except OSError:
        os.close(file)
        raise
    return file


@contextmanager
def held_if_free(path: Path) -> Iterator[bool]:
    """While the block runs, hold the lock if nobody else does. Gives whether it is held. Raises OSError where no lock
    can be kept."""
    file = hold(path)
    try:
        yield file is not None
    finally:
        if file is not None:
            os.close(file)


def share(path: Path) -> int:
    """The opened file of a lock that others may hold together with this process. Waits for the moment that somebody
    looks whether it is shared. Raises OSError where no lock can be kept."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(file, fcntl.LOCK_SH)
    return file


def is_shared(path: Path) -> bool:
    """Whether a living process shares the lock. Where no lock can be kept, one may."""
    return not _is_free(path, fcntl.LOCK_EX, otherwise=False)


def is_held(path: Path) -> bool:
    """Whether a living process holds the lock. Where no lock can be kept, none does."""
    return not _is_free(path, fcntl.LOCK_SH, otherwise=True)


def _is_free(path: Path, how: int, *, otherwise: bool) -> bool:
    """Whether the file can be locked like this at the moment; `otherwise` where no lock can be kept."""
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
    """Whether an opened file is locked now; not where another process keeps it from that. Raises OSError where no lock
    can be kept."""
    try:
        fcntl.flock(file, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
