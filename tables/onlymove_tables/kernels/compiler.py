"""Compiles the kernels of a game in a separate process before they are needed. Moves then need not wait for them, and
the app needs no memory for the compiler.

The compiler holds a lock in the game's folder as long as it lives, so there is never a second one. Processes that wait
for it share another lock, and the compiler ends once nobody holds that one. It compiles unit by unit, and a file marks
each finished unit. Two processes would save only a fifth of the time and need three fifths more work, because the units
have much in common.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from onlymove_engines import games
from onlymove_engines.compiled.jit import unknown_numba
from onlymove_engines.core.analysis import Report, Tell, ignore_line, ignore_report
from onlymove_engines.core.budget import never_stop
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, KernelLoader

from onlymove_tables import lock
from onlymove_tables.kernels import COMPILING, cache, prepare

LIBRARY = "libllvmlite"
CODE = "r-xp"
"""The permissions of code in memory: it is run and never written, so it holds no data of this process
(proc_pid_maps(5))."""

MAPS = Path("/proc/self/maps")


def code_spans(maps: str) -> Iterator[tuple[int, int]]:
    """Yield the first address and the length in bytes of each part of LLVM's code. `maps` is the text of `MAPS`."""
    for line in maps.splitlines():
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and fields[1] == CODE and Path(fields[5]).name.startswith(LIBRARY):
            first, end = (int(address, 16) for address in fields[0].split("-"))
            yield first, end - first


def give_back(maps: Path = MAPS) -> None:
    """Release up to 80 MB of LLVM's code, which loading kernels leaves in memory although it is not run again. The
    system can read these pages from their file if it needs them. Does nothing where the system does not list them in
    such a file, as on macOS."""
    with suppress(OSError, AttributeError):
        advise = ctypes.CDLL(None).madvise
        for first, length in code_spans(maps.read_text()):
            advise(ctypes.c_void_p(first), ctypes.c_size_t(length), mmap.MADV_DONTNEED)


LOOK_AGAIN_SECONDS = 0.1
IDLE_SECONDS = 2.0
"""The compiler ends after nobody has waited for this long."""

GARBAGE = 50_000
"""While kernels are compiled, Python looks for garbage after this many new objects. With the default of 700 it would
spend a tenth of the time on that. The larger number needs 30 MB more memory."""

LOCK, WAITING = "compiling", "waiting"
"""The files in a game's folder that are locked by its compiler, and by every process that waits for it."""


def package_of(game: AnyGame) -> str:
    return cache.package_of(game.facts.package)


def find_mark(folder: Path, unit: KernelLoader) -> Path:
    """Return the file that exists once a unit is compiled. It has the unit's name, so their order does not matter."""
    return folder / f"compiled-{unit.__name__}"


def missing_units(game: AnyGame) -> list[KernelLoader]:
    """Return the game's units that are not compiled in any folder. Empty if there is no compiler."""
    if not cache.compiler() or not game.facts.plays_by_search:
        return []
    places = cache.folders(package_of(game))
    return [unit for unit in game.solved.kernels if not any(find_mark(place, unit).exists() for place in places)]


def wait_for_kernels(
    game: AnyGame,
    stop: Callable[[], bool] = never_stop,
    tell: Tell = ignore_line,
    report: Report = ignore_report,
    pause: float = LOOK_AGAIN_SECONDS,
    start: lock.StartHolding = lock.start_holding,
) -> bool:
    """Start a process that compiles the game's missing kernels, and wait for it. `report` receives the progress. `tell`
    receives a line if the kernels cannot be stored or if numba is too new. Return `False` if `stop` ended the wait."""
    if not (left := missing_units(game)):
        return True
    if trouble := cache.prepare_folder(package_of(game)):
        tell(f"the compiled engine cannot be stored, so it is compiled at every start: {trouble}")
        return True
    if version := unknown_numba():
        tell(f"numba {version} is newer than supported: compiling takes longer, and a search about 40 % longer")
    folder = cache.own_folder(package_of(game))
    tried, reported = False, -1
    with announce_waiting(folder):
        while left:
            if not lock.is_held(folder / LOCK):
                if tried:
                    break  # A compiler that ended before it had compiled everything would do so again.
                try:
                    start(folder / LOCK, __name__, game.id)
                except OSError:
                    break
                tried = True
            if stop():
                return False
            if reported != (reported := len(game.solved.kernels) - len(left)):
                report(COMPILING, reported / len(game.solved.kernels))
            time.sleep(pause)
            left = missing_units(game)
    return True


@contextmanager
def announce_waiting(folder: Path) -> Iterator[None]:
    """While the block runs, let the compiler of this folder know that a process is waiting. Does nothing where files
    cannot be locked."""
    with ExitStack() as stack:
        with suppress(OSError):
            stack.callback(os.close, lock.share(folder / WAITING))
        yield


def warm(game: AnyGame, report: Report = ignore_report) -> None:
    """Compile into the game's folder everything that the game may ever need. Raises OSError if nothing can be
    stored."""
    if trouble := cache.prepare_folder(package_of(game)):
        raise OSError(trouble)
    for done, unit in enumerate(game.solved.kernels):
        report(game.facts.title, done / (len(game.solved.kernels) + len(game.solved.rare_kernels)))
        unit()
        find_mark(cache.own_folder(package_of(game)), unit).touch()
    for load in game.solved.rare_kernels:
        load()


def leave_when_nobody_waits(folder: Path, idle_seconds: float = IDLE_SECONDS) -> None:
    """End this process once nobody has waited for it for so long."""
    alone = 0.0
    while alone < idle_seconds:
        time.sleep(idle_seconds / 4)
        alone = 0.0 if lock.is_shared(folder / WAITING) else alone + idle_seconds / 4
    os._exit(0)


NICENESS = 10
"""How much the compiler lets other processes go first (nice(2)). It may run before anybody needs the kernels."""


def main(game_id: GameId) -> None:
    """Compile the game's missing kernels while some process waits for them."""
    os.nice(NICENESS)
    gc.set_threshold(GARBAGE)
    prepare()
    game = games.load(game_id)
    folder = cache.own_folder(package_of(game))
    threading.Thread(target=leave_when_nobody_waits, args=(folder,), daemon=True).start()
    with suppress(OSError):
        for unit in missing_units(game):
            unit()
            find_mark(folder, unit).touch()


if __name__ == "__main__":
    main(sys.argv[1])
