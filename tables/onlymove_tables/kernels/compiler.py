"""Compiles the kernels of a game ahead of need in a separate process, so that no move waits for them and the app never
pays for the compiler's memory.

A game's kernels are compiled unit by unit, and a file marks each finished unit. The compiler holds a lock in the game's
folder from its start: while it lives, no second compiler is started, and when it dies in any way, nobody waits for it.
Processes that wait share another lock; once nobody holds that one, the compiler ends. One process compiles all units:
they have so much in common that two processes would need four fifths of the time for three fifths more work.

Loading compiled kernels starts LLVM, and up to 80 MB of its code stay in memory although nothing runs it again. On
Linux `give_back` releases these pages: they are unmodified copies of a file, so the system reads them from that file
again if they are needed after all. On other systems, and wherever the kernel refuses, nothing happens.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from onlymove_engines import games
from onlymove_engines.core.analysis import Report, Tell, ignore_line, ignore_report
from onlymove_engines.core.budget import never
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame, KernelLoader
from onlymove_engines.search.jit import unknown_numba

from onlymove_tables import lock
from onlymove_tables.kernels import cache, prepare

LIBRARY = "libllvmlite"
CODE = "r-xp"
"""Mapped to be run, never written: nothing of this process is in it (proc_pid_maps(5))."""

MAPS = Path("/proc/self/maps")


def code_spans(maps: str) -> Iterator[tuple[int, int]]:
    """Yield the first address and the length in bytes of each part of the library's code, from the text of `MAPS`."""
    for line in maps.splitlines():
        fields = line.split(maxsplit=5)
        if len(fields) == 6 and fields[1] == CODE and Path(fields[5]).name.startswith(LIBRARY):
            first, end = (int(address, 16) for address in fields[0].split("-"))
            yield first, end - first


def give_back() -> None:
    """Release the memory of the compiler's code, where this system can do that."""
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError):
        advise = ctypes.CDLL(None).madvise
        for first, length in code_spans(MAPS.read_text()):
            advise(ctypes.c_void_p(first), ctypes.c_size_t(length), mmap.MADV_DONTNEED)


LOOK_AGAIN_SECONDS = 0.1
ALONE_SECONDS = 2.0
"""So long a compiler goes on when nobody waits any more."""

GARBAGE = 50_000
"""New objects after which Python looks for garbage while kernels are compiled. With its usual 700 a tenth of the time
goes into that; this takes 30 MB more."""

WHAT = "compiling the engine (first run only)"

STARTED: list[subprocess.Popen[bytes]] = []
"""Compilers that this process started and that may still run. Polling them lets the system remove those that ended."""


def package_of(game: AnyGame) -> str:
    return cache.package_of(game.facts.package)


def lock_file(folder: Path) -> Path:
    """Return the file that the compiler of a folder locks."""
    return folder / "compiling"


def mark(folder: Path, unit: KernelLoader) -> Path:
    """Return the file whose existence says that a unit is compiled. It has the unit's name, so the order of units
    does not matter."""
    return folder / f"compiled-{unit.__name__}"


def waiting_file(folder: Path) -> Path:
    """Return the file that all processes waiting for a folder's compiler lock together."""
    return folder / "waiting"


def missing_units(game: AnyGame) -> list[KernelLoader]:
    """Return the units of the game that no folder has compiled; empty if there is no compiler."""
    if not cache.compiler() or not game.facts.plays_by_search:
        return []
    places = cache.folders(package_of(game))
    return [unit for unit in game.solved.kernels if not any(mark(place, unit).exists() for place in places)]


def wait_for_kernels(
    game: AnyGame,
    stop: Callable[[], bool] = never,
    tell: Tell = ignore_line,
    report: Report = ignore_report,
    pause: float = LOOK_AGAIN_SECONDS,
) -> bool:
    """Have the game's missing kernels compiled and wait for them. `report` receives the progress, `tell` one line if
    nothing can be stored. Return `False` if `stop` ended the wait."""
    if not (left := missing_units(game)):
        return True
    if trouble := cache.trouble(package_of(game)):
        tell(f"the compiled engine cannot be stored, so it is compiled at every start: {trouble}")
        return True
    if version := unknown_numba():
        tell(f"numba {version} is newer than supported: the engine compiles more slowly and runs about 10 % slower")
    folder = cache.own_folder(package_of(game))
    tried, reported = False, -1
    with announce_waiting(folder):
        while left:
            is_at_work = lock.is_held(lock_file(folder))
            if not is_at_work:
                if tried or not begin(game.id, folder):
                    break  # one that ended without having compiled all will not do so the second time
                tried = True
            if stop():
                return False
            if reported != (reported := len(game.solved.kernels) - len(left)):
                report(WHAT, reported / len(game.solved.kernels))
            time.sleep(pause)
            left = missing_units(game)
    return True


@contextmanager
def announce_waiting(folder: Path) -> Iterator[None]:
    """While the block runs, tell the compiler of this folder that a process is waiting (where files can be locked)."""
    file = None
    with suppress(OSError):
        file = lock.share(waiting_file(folder))
    try:
        yield
    finally:
        if file is not None:
            os.close(file)


def begin(game_id: GameId, folder: Path) -> bool:
    """Start a process that compiles the game's kernels. It inherits the lock and holds it from the start. Return
    whether a compiler is running now; `False` if files cannot be locked."""
    STARTED[:] = [process for process in STARTED if process.poll() is None]
    try:
        held = lock.hold(lock_file(folder))
    except OSError:
        return False
    if held is None:
        return True
    try:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, game_id],
            pass_fds=(held,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return False
    finally:
        os.close(held)
    STARTED.append(process)
    return True


def compile_unit(game: AnyGame, unit: KernelLoader) -> None:
    """Compile or load one unit in this process and mark it as compiled. Raises OSError if the mark cannot be stored."""
    unit()
    mark(cache.own_folder(package_of(game)), unit).touch()


def warm(game: AnyGame, report: Report = ignore_report) -> None:
    """Compile everything that a game may ever need into its folder. Raises OSError if nothing can be stored."""
    if trouble := cache.trouble(package_of(game)):
        raise OSError(trouble)
    for done, unit in enumerate(game.solved.kernels):
        report(game.facts.title, done / (len(game.solved.kernels) + len(game.solved.rare_kernels)))
        compile_unit(game, unit)
    for load in game.solved.rare_kernels:
        load()


def leave_when_nobody_waits(folder: Path) -> None:
    """End this process shortly after the last waiting process has gone."""
    alone = 0.0
    while alone < ALONE_SECONDS:
        time.sleep(ALONE_SECONDS / 4)
        alone = 0.0 if lock.is_shared(waiting_file(folder)) else alone + ALONE_SECONDS / 4
    os._exit(0)


def main(game_id: GameId) -> None:
    """Compile the game's missing kernels, as long as a process waits for them."""
    gc.set_threshold(GARBAGE)
    prepare()
    game = games.load(game_id)
    folder = cache.own_folder(package_of(game))
    threading.Thread(target=leave_when_nobody_waits, args=(folder,), daemon=True).start()
    with suppress(OSError):
        for unit in missing_units(game):
            compile_unit(game, unit)


if __name__ == "__main__":
    main(sys.argv[1])
