"""Kernels are compiled ahead of need once, by one process that is never doubted while it lives, and never where
nothing can be kept."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from onlymove_tables.kernels import cache, lock
from onlymove_tables.kernels.compile import complete_file, lock_file, main, start_compiler, wait_for_compiler

SLOW = "import time; time.sleep(600)"
BLINK = 0.001


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty kernel folder."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


@pytest.fixture
def begun(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """The compilers that are begun; each would go on for ten minutes."""
    processes: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def begin(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        assert command[1:3] == ["-m", "onlymove_tables.kernels.compile"]
        processes.append(popen([sys.executable, "-c", SLOW], **options))
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", begin)
    yield processes
    for process in processes:
        process.kill()
        process.wait()


def after(looks: int) -> Callable[[], bool]:
    """A `stop` that says yes when it has been asked so often."""
    asked = count()
    return lambda: next(asked) >= looks


def never() -> bool:
    return False


def killed(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def test_one_process_is_begun_and_no_second_beside_it(begun: list[subprocess.Popen[bytes]]) -> None:
    assert start_compiler()
    assert not start_compiler()
    assert len(begun) == 1


def test_of_many_who_begin_at_once_one_does(begun: list[subprocess.Popen[bytes]]) -> None:
    with ThreadPoolExecutor(8) as workers:
        started = list(workers.map(lambda _: start_compiler(), range(40)))
    assert (started.count(True), len(begun)) == (1, 1)


def test_looking_at_the_lock_keeps_nobody_from_beginning(folder: Path, begun: list[subprocess.Popen[bytes]]) -> None:
    folder.mkdir()
    path = lock_file(folder)
    with ThreadPoolExecutor(4) as workers:
        looks = [workers.submit(lock.is_held, path) for _ in range(2000)]
        for _ in range(200):
            held = lock.hold(path)
            assert held is not None, "only looked at, not held"
            os.close(held)
        assert all(look.exception() is None for look in looks)


def test_a_living_compiler_is_waited_for_however_slow(begun: list[subprocess.Popen[bytes]]) -> None:
    start_compiler()
    assert not wait_for_compiler(after(looks=500), pause=0), "gave up on a process that compiles"
    assert not start_compiler()
    assert len(begun) == 1


def test_waiting_ends_when_the_kernels_are_complete(folder: Path, begun: list[subprocess.Popen[bytes]]) -> None:
    start_compiler()
    complete_file(folder).touch()
    assert wait_for_compiler(never, BLINK)


def test_waiting_can_be_stopped(begun: list[subprocess.Popen[bytes]]) -> None:
    start_compiler()
    assert not wait_for_compiler(lambda: True, BLINK)


def test_a_killed_compiler_is_not_waited_for(begun: list[subprocess.Popen[bytes]]) -> None:
    start_compiler()
    killed(begun[0])
    assert wait_for_compiler(after(looks=1), BLINK), "waits for a process that is dead"


def test_a_killed_compiler_is_followed_by_another(begun: list[subprocess.Popen[bytes]]) -> None:
    start_compiler()
    killed(begun[0])
    assert start_compiler()
    assert len(begun) == 2


@pytest.mark.parametrize("name", ["compiling", "warming", "warm"])
def test_a_file_from_the_future_holds_nobody_up(folder: Path, begun: list[subprocess.Popen[bytes]], name: str) -> None:
    folder.mkdir()
    (folder / name).touch()
    os.utime(folder / name, (4e9, 4e9))
    assert wait_for_compiler(after(looks=1), BLINK), f"waits because of {name}"
    assert start_compiler()


def test_complete_kernels_are_not_compiled_again(folder: Path, begun: list[subprocess.Popen[bytes]]) -> None:
    folder.mkdir()
    complete_file(folder).touch()
    assert not start_compiler()
    assert begun == []


def test_without_a_folder_nothing_is_begun_or_waited_for(
    begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "prepare", lambda: None)
    assert not start_compiler()
    assert wait_for_compiler(never, BLINK)
    assert begun == []


def test_without_numba_nothing_is_begun(begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not start_compiler()
    assert begun == []


def test_where_no_lock_can_be_kept_nobody_waits(
    begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    assert not start_compiler()
    assert wait_for_compiler(never, BLINK)


def test_whoever_compiles_by_hand_gives_way_to_a_compiler_at_work(
    folder: Path, begun: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[Path | None] = []
    monkeypatch.setattr(os, "nice", lambda steps: steps)
    monkeypatch.setattr("onlymove_tables.kernels.compile.compile_all", lambda: compiled.append(folder))
    start_compiler()
    main([])
    assert compiled == []
    killed(begun[0])
    main([])
    assert compiled == [folder]
    assert complete_file(folder).exists()
