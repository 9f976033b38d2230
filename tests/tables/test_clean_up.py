"""Cleaning the user's cache removes what has not been used for a month, but nothing current and nothing of others."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from onlymove_engines.core.game import AnyGame
from onlymove_tables.build import build_into
from onlymove_tables.kernels import cache
from onlymove_tables.kernels.clean_up import UNUSED_SECONDS, clear_unused
from onlymove_tables.open import SEARCH_VARIABLE, cache_folder, open_table

from tests.heap_game import heap_game, package_of, settle

NOW = 2e9
LONG_AGO, LATELY = NOW - UNUSED_SECONDS - 1, NOW - UNUSED_SECONDS + 1


@pytest.fixture
def heap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return a test's game, with its table in a new home folder."""
    settle(tmp_path, monkeypatch)
    monkeypatch.setenv("NUMBA_CACHE_DIR", "put back when the test is over")
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    game = heap_game()
    build_into(game, package_of(tmp_path))
    monkeypatch.setenv(SEARCH_VARIABLE, str(package_of(tmp_path)))
    return game


def leave_file(path: Path, last_used: float, *inside: str) -> Path:
    """Make a file, or a folder with files, that was last used at some time."""
    if inside:
        for name in inside:
            (path / name).parent.mkdir(parents=True, exist_ok=True)
            (path / name).write_text("")
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    os.utime(path, (last_used, last_used))
    return path


def test_kernels_of_other_sources_go_after_a_month(heap: AnyGame) -> None:
    kernels = cache.kernels_folder()
    old = leave_file(kernels / "0123456789ab", LONG_AGO, "a/b.nbi", "warm")
    young = leave_file(kernels / "ba9876543210", LATELY, "a/b.nbi")
    other = leave_file(kernels / f"{cache.OTHERS}-0123456789ab", LONG_AGO, "a.kernel")
    gone = leave_file(kernels / "gone-0123456789ab", LONG_AGO, "a.kernel")
    current = leave_file(kernels / cache.folder_name(cache.OTHERS), LONG_AGO, "a/b.nbi")
    assert clear_unused(NOW) == [old, gone, other]
    assert not old.exists()
    assert young.is_dir()
    assert (current / "a" / "b.nbi").is_file()


def test_copies_of_other_tables_go_after_a_month(heap: AnyGame) -> None:
    open_table(heap)
    (current,) = cache_folder().iterdir()
    os.utime(current, (LONG_AGO, LONG_AGO))
    old = leave_file(cache_folder() / "heap-0123456789abcdef.bin", LONG_AGO)
    piece = leave_file(cache_folder() / f".{current.name}.k3j2_x", LONG_AGO)
    young = leave_file(cache_folder() / "heap-fedcba9876543210.bin", LATELY)
    assert sorted(clear_unused(NOW)) == sorted([old, piece])
    assert sorted(cache_folder().iterdir()) == sorted([current, young])


def test_files_of_other_programs_stay(heap: AnyGame, tmp_path: Path) -> None:
    kernels, copies = cache.kernels_folder(), cache_folder()
    mine = leave_file(tmp_path / "mine", LONG_AGO, "diary.txt")
    kept = [
        leave_file(kernels / "notes", LONG_AGO, "a.txt"),
        leave_file(kernels / "0123456789ab", LONG_AGO),
        leave_file(copies / "heap.txt", LONG_AGO),
        leave_file(copies / "heap-0123456789abcdef.bin", LONG_AGO, "a.txt"),
    ]
    (kernels / "aaaaaaaaaaaa").symlink_to(mine)
    os.utime(kernels / "aaaaaaaaaaaa", (LONG_AGO, LONG_AGO), follow_symlinks=False)
    assert clear_unused(NOW) == []
    assert all(path.exists() for path in [*kept, mine / "diary.txt", kernels / "aaaaaaaaaaaa"])


def test_using_kernels_or_a_copy_renews_its_time(heap: AnyGame) -> None:
    assert cache.prepare_folder(cache.OTHERS) == ""
    folder = cache.own_folder(cache.OTHERS)
    open_table(heap)
    (copy,) = cache_folder().iterdir()
    for path in (folder, copy):
        os.utime(path, (1.0, 1.0))
    assert cache.prepare_folder(cache.OTHERS) == ""
    open_table(heap)
    assert min(folder.stat().st_mtime, copy.stat().st_mtime) > 1e9


def test_a_file_that_cannot_be_removed_is_left_silently(heap: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    old = leave_file(cache.kernels_folder() / "0123456789ab", LONG_AGO, "a/b.nbi")

    def refuse(path: Path) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(shutil, "rmtree", refuse)
    assert clear_unused(NOW) == []
    assert old.is_dir()


def test_without_a_cache_there_is_nothing_to_do(heap: AnyGame) -> None:
    assert clear_unused(NOW) == []
