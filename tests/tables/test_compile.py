"""Kernels are compiled in advance for the game that is asked for. One process does this, and ends when nobody waits for
it. Nothing is compiled in advance if nothing can be stored."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from onlymove_engines.core.budget import never_stop
from onlymove_engines.core.game import AnyGame
from onlymove_tables import lock
from onlymove_tables.kernels import cache, compiler
from onlymove_tables.kernels.compiler import (
    LOCK,
    WAITING,
    announce_waiting,
    find_mark,
    missing_units,
    wait_for_kernels,
)

from tests.heap_game import heap_game
from tests.numba_versions import install_numba

SLOW = "tests.tables.slow_compiler"
"""The module of a process that takes the place of a compiler, and runs for ten minutes."""
BLINK = 0.001


def first() -> None: ...


def second() -> None: ...


def third() -> None: ...


UNITS = (first, second, third)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return a game with three kernels and a search, and empty kernel folders."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "own"))
    monkeypatch.setenv(cache.SHARED_VARIABLE, str(tmp_path / "shared"))
    plain = heap_game()
    return dataclasses.replace(
        plain,
        solved=dataclasses.replace(plain.solved, kernels=UNITS),
        facts=dataclasses.replace(plain.facts, plays_by_search=True),
    )


@pytest.fixture
def folder(game: AnyGame) -> Path:
    """Return the folder of its kernels."""
    assert cache.prepare_folder(cache.OTHERS) == ""
    return cache.own_folder(cache.OTHERS)


class Compilers(list[subprocess.Popen[bytes]]):
    """The compilers that were started. Each would run for ten minutes."""

    def start(self, path: Path, module: str, argument: str) -> None:
        assert module == compiler.__name__
        if process := lock.start_holding(path, SLOW, argument):
            self.append(process)


@pytest.fixture
def compilers() -> Iterator[Compilers]:
    found = Compilers()
    yield found
    for process in found:
        kill(process)


def stop_after(looks: int, then: Callable[[], object] = lambda: None) -> Callable[[], bool]:
    """Return a `stop` that calls a function and then returns true, once it has been asked this often."""
    asked = count()

    def stop() -> bool:
        if is_time := next(asked) >= looks:
            then()
        return is_time

    return stop


def kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def test_only_one_compiler_is_started_even_if_it_is_slow(game: AnyGame, compilers: Compilers) -> None:
    for _ in range(2):
        assert not wait_for_kernels(game, stop_after(looks=300), pause=0, start=compilers.start), (
            "gave up on a process that compiles"
        )
    assert len(compilers) == 1


def test_of_many_simultaneous_starts_only_one_compiles(game: AnyGame, folder: Path, compilers: Compilers) -> None:
    with ThreadPoolExecutor(8) as workers:
        list(workers.map(lambda _: compilers.start(folder / LOCK, compiler.__name__, game.id), range(40)))
    assert len(compilers) == 1


def test_looking_at_the_lock_does_not_prevent_a_start(folder: Path) -> None:
    path = folder / LOCK
    with ThreadPoolExecutor(4) as workers:
        looks = [workers.submit(lock.is_held, path) for _ in range(2000)]
        for _ in range(200):
            held = lock.hold(path)
            assert held is not None, "only looked at, not held"
            os.close(held)
        assert all(look.exception() is None for look in looks)


def test_waiting_ends_when_every_unit_is_marked_and_reports_progress(
    game: AnyGame, folder: Path, compilers: Compilers
) -> None:
    looks, output = count(), list[float]()

    def one_more_is_done() -> bool:
        find_mark(folder, UNITS[next(looks)]).touch()
        return False

    assert wait_for_kernels(
        game, one_more_is_done, report=lambda _, share: output.append(share), pause=BLINK, start=compilers.start
    )
    assert output == [0, 1 / 3, 2 / 3]
    assert missing_units(game) == []
    assert wait_for_kernels(game, never_stop), "compiled already"
    assert len(compilers) == 1


def test_a_killed_compiler_is_not_waited_for_and_followed_by_another(game: AnyGame, compilers: Compilers) -> None:
    assert not wait_for_kernels(game, stop_after(3, lambda: kill(compilers[0])), pause=BLINK, start=compilers.start)
    assert not wait_for_kernels(game, stop_after(3), pause=BLINK, start=compilers.start)
    assert len(compilers) == 2


def test_a_compiler_that_fails_is_not_restarted_for_ever(game: AnyGame) -> None:
    assert wait_for_kernels(game, stop_after(500), pause=BLINK, start=lambda *_: None)


@pytest.mark.parametrize("name", ["compiling", "waiting", "compiled"])
def test_a_file_with_a_future_date_delays_nobody(game: AnyGame, folder: Path, compilers: Compilers, name: str) -> None:
    (folder / name).touch()
    os.utime(folder / name, (4e9, 4e9))
    assert not wait_for_kernels(game, stop_after(1), pause=BLINK, start=compilers.start)
    assert len(compilers) == 1, f"nothing was started because of {name}"


def test_a_compiler_knows_whether_anybody_waits(folder: Path) -> None:
    path = folder / WAITING
    with announce_waiting(folder):
        with announce_waiting(folder):
            assert lock.is_shared(path)
        assert lock.is_shared(path), "one of two still waits"
    assert not lock.is_shared(path)


def test_a_compiler_that_nobody_waits_for_ends(folder: Path) -> None:
    script = f"""
import pathlib, time
from onlymove_tables.kernels import compiler
folder = pathlib.Path({str(folder)!r})
with compiler.announce_waiting(folder):
    compiler.threading.Thread(target=compiler.leave_when_nobody_waits, args=(folder, 0.02), daemon=True).start()
    time.sleep(0.2)
    print("waited for", flush=True)
compiler.threading.Event().wait()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "waited for\n"


def test_what_the_host_has_compiled_is_not_compiled_again(game: AnyGame, compilers: Compilers) -> None:
    shared = cache.shared_folder() / cache.folder_name(cache.OTHERS)
    shared.mkdir(parents=True)
    for unit in UNITS:
        find_mark(shared, unit).touch()
    shared.chmod(0o555)
    assert wait_for_kernels(game, pause=BLINK, start=compilers.start)
    assert compilers == []
    assert not cache.own_folder(cache.OTHERS).exists(), "nothing is needed of one's own"


def test_a_numba_newer_than_known_is_reported_in_one_line(
    game: AnyGame, compilers: Compilers, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install_numba(tmp_path, monkeypatch)
    output: list[str] = []
    assert not wait_for_kernels(game, stop_after(1), tell=output.append, pause=BLINK, start=compilers.start)
    (line,) = output
    assert line.startswith("numba 99.0 ")
    assert line.endswith("is newer than supported: compiling takes longer, and a search about 40 % longer")


def test_a_cache_that_cannot_be_written_is_reported_and_no_compiler_starts(
    game: AnyGame, compilers: Compilers, tmp_path: Path
) -> None:
    (tmp_path / "own").write_text("in the way")
    output: list[str] = []
    assert wait_for_kernels(game, tell=output.append, start=compilers.start)
    assert compilers == []
    (line,) = output
    assert line.startswith("the compiled engine cannot be stored, so it is compiled at every start: ")
    assert line.endswith("Not a directory")


@pytest.mark.usefixtures("_small_disk")
def test_a_full_disk_is_noticed_before_anything_is_compiled(game: AnyGame, compilers: Compilers) -> None:
    output: list[str] = []
    assert wait_for_kernels(game, tell=output.append, start=compilers.start)
    assert compilers == []
    assert output[0].endswith("File too large")
    assert list(cache.own_folder(cache.OTHERS).iterdir()) == [], "nothing is left behind"


def test_another_order_of_the_units_is_not_taken_for_compiled(game: AnyGame, folder: Path) -> None:
    find_mark(folder, second).touch()
    assert missing_units(game) == [first, third]
    assert missing_units(
        dataclasses.replace(game, solved=dataclasses.replace(game.solved, kernels=(second, third)))
    ) == [third]


def test_without_numba_nothing_is_begun(game: AnyGame, compilers: Compilers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "compiler", lambda: ())
    assert wait_for_kernels(game, start=compilers.start)
    assert compilers == []


def test_nobody_waits_if_no_lock_can_be_held(
    game: AnyGame, compilers: Compilers, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    assert wait_for_kernels(game, start=compilers.start)
    assert compilers == []
