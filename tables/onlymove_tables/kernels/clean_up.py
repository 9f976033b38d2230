"""Removes kernels and decompressed tables of other versions from the user's cache when they have not been used for a
month.

It removes only files that this program made and that are not in use by this version. Everything here can be made again,
so there is no message if a file cannot be removed.
"""

from __future__ import annotations

import re
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from onlymove_engines.core.errors import TableMismatch

from onlymove_tables.file_format import read_header
from onlymove_tables.kernels import cache
from onlymove_tables.open import cache_folder, copy_name, search_path

UNUSED_SECONDS = 30 * 24 * 3600
"""Folders and decompressed tables that nobody opened for this long are removed. A process that opens one sets its time
to now, and no process runs this long."""

KERNELS = re.compile(r"([a-z]+-)?[0-9a-f]{12}")
COPY = re.compile(r"(\w+-[0-9a-f]{16}\.bin)|(\.\w+-[0-9a-f]{16}\.bin\..+)")
"""A decompressed table, or one that was never finished."""


def clear_unused(now: float | None = None) -> list[Path]:
    """Remove what has not been used for a month before `now`, which is in seconds since the epoch (by default the
    current time). Return the paths that were removed."""
    moment = time.time() if now is None else now
    gone = []
    for path in [*kernel_folders(), *copies()]:
        with suppress(OSError):
            mode = path.lstat()
            if moment - mode.st_mtime > UNUSED_SECONDS and not stat.S_ISLNK(mode.st_mode):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                gone.append(path)
    return gone


def kernel_folders() -> Iterator[Path]:
    """Yield the kernel folders that do not belong to the current sources."""
    for path in entries(cache.kernels_folder()):
        if KERNELS.fullmatch(path.name) and path.is_dir():
            is_current = False
            with suppress(OSError):  # The game package may no longer exist.
                is_current = cache.folder_name(path.name.rpartition("-")[0]) == path.name
            if not is_current:
                yield path


def copies() -> Iterator[Path]:
    """Yield the decompressed tables that belong to no table file on the search path, and leftover pieces of such
    tables."""
    current = set()
    for path in (path for folder in search_path() for path in entries(folder)):
        if path.suffix == ".tbl":
            with suppress(TableMismatch):
                current.add(copy_name(read_header(path)[0]))
    for path in entries(cache_folder()):
        if COPY.fullmatch(path.name) and path.name not in current and path.is_file():
            yield path


def entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
