"""Kernels are compiled ahead of need once, by one process, and never where nothing can be kept."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from onlymove_tables.kernels import cache as kernel_cache
from onlymove_tables.kernels import compile as warm


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Commands that would have been started, with an empty kernel folder."""
    commands: list[list[str]] = []

    def popen(command: list[str], **_: Any) -> None:
        commands.append(command)

    monkeypatch.setattr(subprocess, "Popen", popen)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    return commands


def test_one_process_is_begun_and_no_second_beside_it(begun: list[list[str]]) -> None:
    assert warm.start()
    assert not warm.start()
    assert [command[1:] for command in begun] == [["-m", "onlymove_tables.kernels.compile"]]


def test_a_process_that_died_is_followed_by_another(begun: list[list[str]], tmp_path: Path) -> None:
    warm.start()
    assert warm.is_needed(tmp_path / "kernels", time.time() + warm.PATIENCE_SECONDS + 1)


def test_waiting_ends_when_the_work_is_done_or_the_time_is_up(begun: list[list[str]], tmp_path: Path) -> None:
    warm.wait(longest=0)
    warm.start()
    assert warm.is_under_way(tmp_path / "kernels", time.time())
    warm.wait(longest=0.01, pause=0.001)
    warm.marks(tmp_path / "kernels")[1].touch()
    warm.wait()


def test_what_is_warm_stays_warm(begun: list[list[str]], tmp_path: Path) -> None:
    (tmp_path / "kernels").mkdir()
    warm.marks(tmp_path / "kernels")[1].touch()
    assert not warm.start()
    assert begun == []


def test_without_a_folder_nothing_is_begun(begun: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_cache, "prepare", lambda: None)
    assert not warm.start()
    assert begun == []
