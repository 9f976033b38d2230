"""Compiles every kernel ahead of need, in a process of its own, so that the first move of a search game does not
wait and the app itself never pays for the compiler's memory.

`start` returns at once; `python -m onlymove_tables.kernels.compile` does the work.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from onlymove_engines import games

from onlymove_tables.kernels import cache as kernel_cache

POLITENESS = 10
"""How far the process steps back behind whoever is playing (`nice`)."""

PATIENCE_SECONDS = 180
"""A process that has not finished by then has died: another may try."""


def marks(folder: Path) -> tuple[Path, Path]:
    """The files that say that a folder's kernels are being compiled, and that they have been."""
    return folder / "warming", folder / "warm"


def is_under_way(folder: Path, now: float) -> bool:
    """Whether a process is compiling the kernels of `folder`. `now` in seconds since the epoch."""
    warming, warm = marks(folder)
    if warm.exists():
        return False
    with suppress(OSError):
        return now - warming.stat().st_mtime <= PATIENCE_SECONDS
    return False


def is_needed(folder: Path, now: float) -> bool:
    """Whether nobody has compiled the kernels of `folder` yet, or is at it."""
    return not marks(folder)[1].exists() and not is_under_way(folder, now)


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
            [sys.executable, "-m", "onlymove_tables.kernels.compile"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False
    return True


def wait(longest: float = PATIENCE_SECONDS, pause: float = 0.25) -> None:
    """Wait while another process compiles, at most `longest` seconds: compiling twice would take both longer."""
    folder = kernel_cache.prepare()
    deadline = time.monotonic() + longest
    while folder is not None and is_under_way(folder, time.time()) and time.monotonic() < deadline:
        time.sleep(pause)


def main() -> None:
    """Compile the kernels of every game, those first that cannot be played without."""
    with suppress(OSError):
        os.nice(POLITENESS)
    folder = kernel_cache.prepare()
    cards = [games.load(card.id) for card in games.title_cards()]
    for game in sorted(cards, key=lambda game: not game.facts.plays_by_search):
        if game.load_solver is not None:
            game.load_solver().warm()
    if folder is not None:
        warming, warm = marks(folder)
        warm.touch()
        warming.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
