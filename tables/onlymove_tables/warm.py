"""Compiles every kernel ahead of need, in a process of its own, so that the first move of a search game does not
wait and the app itself never pays for the compiler's memory.

`start` returns at once; `python -m onlymove_tables.warm` does the work.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from onlymove_engines import games

from . import kernel_cache

POLITENESS = 10
"""How far the process steps back behind whoever is playing (`nice`)."""

PATIENCE_SECONDS = 900
"""A process that has not finished by then has died: another may try."""


def marks(folder: Path) -> tuple[Path, Path]:
    """The files that say that a folder's kernels are being compiled, and that they have been."""
    return folder / "warming", folder / "warm"


def is_needed(folder: Path, now: float) -> bool:
    """Whether nobody has compiled the kernels of `folder` yet, or is at it. `now` in seconds since the epoch."""
    warming, warm = marks(folder)
    if warm.exists():
        return False
    with suppress(OSError):
        return now - warming.stat().st_mtime > PATIENCE_SECONDS
    return True


def start() -> bool:
    """Begin to compile in the background, unless that is done or under way. Returns whether a process was begun."""
    folder = kernel_cache.prepare()
    if folder is None:
        return False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not is_needed(folder, time.time()):
            return False
        marks(folder)[0].touch()
        subprocess.Popen(
            [sys.executable, "-m", "onlymove_tables.warm"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False
    return True


def main() -> None:
    """Compile the kernels of every game, one game after the other."""
    with suppress(OSError):
        os.nice(POLITENESS)
    folder = kernel_cache.prepare()
    for card in games.title_cards():
        game = games.load(card.id)
        if game.load_solver is not None:
            game.load_solver().warm()
    if folder is not None:
        warming, warm = marks(folder)
        warm.touch()
        warming.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
