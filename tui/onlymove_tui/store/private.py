"""Folders and files that only this account can read. What an older version left open to others is closed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from .paths import APP

FOLDER, FILE = 0o700, 0o600
OTHERS = 0o077
"""What a mode says of everybody else."""


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for this account alone. One that is there keeps its mode.
    Raises OSError."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(FOLDER, exist_ok=True)


def make_own_folder(folder: Path) -> None:
    """The same for a folder of the app: where it or one above it, up to the app's own, is open to others, it is closed.
    Raises OSError."""
    make_folder(folder)
    above = [*folder.parents]
    names = [parent.name for parent in above]
    for own in (folder, *above[: names.index(APP) + 1 if APP in names else 0]):
        close_to_others(own)


def open_own_file(path: Path, flags: int) -> int:
    """Open a file of the app, or make it, and its folder; nobody else can read it from now on. Raises OSError."""
    make_own_folder(path.parent)
    file = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC, FILE)
    close_to_others(file)
    return file


def close_to_others(place: Path | int) -> None:
    """Take everybody else's rights to a file or folder away, by its path or descriptor. One that belongs to somebody
    else, or that cannot be changed, stays as it is."""
    with suppress(OSError):
        found = os.stat(place)
        if found.st_uid == os.geteuid() and found.st_mode & OTHERS:
            os.chmod(place, found.st_mode & 0o7777 & ~OTHERS)
