"""Opens and reads files that others may have made or replaced.

Opening a pipe waits until somebody writes to it, and a device may never end. So a file that the program looks for by
itself must be a regular file. A file that the user names may be a pipe, such as `/dev/stdin`. No reading goes on beyond
a limit.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

NOT_REGULAR: Final = "not a regular file"


def open_regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o666) -> int:
    """Open a file without waiting and return its descriptor. `flags` and `mode` are those of `os.open`. Raises OSError,
    also if this is a folder, a pipe, a device or a socket."""
    try:
        file = os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC, mode)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a pipe without a reader, or a socket
            raise OSError(errno.EINVAL, NOT_REGULAR, str(path)) from None
        raise
    try:
        _check_kind(os.fstat(file).st_mode, path)
    except OSError:
        os.close(file)
        raise
    return file


def require_regular(path: Path) -> None:
    """Raise OSError if there is something else than a regular file, before other code opens it. It may be missing."""
    with suppress(FileNotFoundError, NotADirectoryError):
        _check_kind(path.stat().st_mode, path)


def _check_kind(mode: int, path: Path) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, NOT_REGULAR, str(path))


def read_regular(path: Path, limit: int) -> bytes:
    """Return the content of a file. Raises OSError, also if it is no regular file or has more than `limit` bytes."""
    with os.fdopen(open_regular(path), "rb") as file:
        return read_limited(file, limit, str(path))


def read_limited(stream: BinaryIO, limit: int, name: str) -> bytes:
    """Return everything from a buffered stream up to its end. `name` is what an error calls the stream. Raises OSError,
    also if there are more than `limit` bytes. No more than one of them is read beyond the limit."""
    content = stream.read(limit + 1)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"larger than {describe_size(limit)}", name)
    return content


def describe_size(size: int) -> str:
    """Return a number of bytes in words.

    >>> describe_size(64 << 20), describe_size(64 << 10)
    ('64 MB', '64 KB')
    """
    return f"{size >> 20} MB" if size >> 20 else f"{size >> 10} KB"
