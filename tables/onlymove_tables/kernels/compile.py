"""Compiles every kernel ahead of need, in a process of its own, so that the first move of a search game does not
wait and the app itself never pays for the compiler's memory.

The compiler holds a lock in the kernel folder from the moment it is begun: while it lives nobody doubts it and no
second one is begun, and when it dies, however it dies, nobody waits for it. `start_compiler` returns at once;
`python -m onlymove_tables.kernels.compile` does the work.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from onlymove_engines import games

from onlymove_tables.kernels import cache, lock

POLITENESS = 10
"""How far the process steps back behind whoever is playing (`nice`)."""

LOOK_AGAIN_SECONDS = 0.25


def lock_file(folder: Path) -> Path:
    """What is locked while the kernels of a folder are compiled."""
    return folder / "compiling"


def complete_file(folder: Path) -> Path:
    """What says that all kernels of a folder are compiled."""
    return folder / "complete"


def is_under_way(folder: Path) -> bool:
    """Whether a living process compiles the kernels of `folder`."""
    return not complete_file(folder).exists() and lock.is_held(lock_file(folder))


def start_compiler() -> bool:
    """Begin to compile in the background, unless that is done, under way or impossible; returns whether it began."""
    folder = cache.prepare()
    if folder is None or not cache.compiler() or complete_file(folder).exists():
        return False
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = lock.hold(lock_file(folder))
        if held is None:
            return False
        try:
            _begin(held)
        finally:
            os.close(held)
    except OSError:
        return False
    return True


def _begin(held: int) -> None:
    """A process of its own compiles, and from its first instruction holds the lock that it is handed."""
    subprocess.Popen(
        [sys.executable, "-m", __name__, str(held)],
        pass_fds=(held,),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def wait_for_compiler(stop: Callable[[], bool], pause: float = LOOK_AGAIN_SECONDS) -> bool:
    """Wait while another process compiles: compiling twice would take both longer. Returns whether nobody compiles
    any more; `False` when `stop` said before that not to wait."""
    folder = cache.prepare()
    while folder is not None and is_under_way(folder):
        if stop():
            return False
        time.sleep(pause)
    return True


def compile_all() -> None:
    """The kernels of every game, those first that cannot be played without."""
    cards = [games.load(card.id) for card in games.title_cards()]
    for game in sorted(cards, key=lambda game: not game.facts.plays_by_search):
        game.warm()


def main(arguments: Sequence[str]) -> None:
    """Compile, holding the lock that the argument says was inherited, else one of its own."""
    with suppress(OSError):
        os.nice(POLITENESS)
    folder = cache.prepare()
    if folder is not None and not arguments and lock.hold(lock_file(folder)) is None:
        return
    compile_all()
    if folder is not None:
        complete_file(folder).touch()


if __name__ == "__main__":
    main(sys.argv[1:])
