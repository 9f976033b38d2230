"""Who knows a game's values is fetched once, and whoever waits for a compiler can be called off."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from onlymove_engines.core.game import AnyGame
from onlymove_tables.build import build_into
from onlymove_tables.kernels import lock
from onlymove_tables.kernels.compile import lock_file
from onlymove_tui.app.library import Library
from onlymove_tui.cli.console import seek_analyst

from tests.heap_game import heap_game, package_of, settle


@pytest.fixture
def searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """A game that is said to be searched."""
    settle(tmp_path, monkeypatch)
    game = heap_game()
    build_into(game, package_of(tmp_path))
    return dataclasses.replace(game, facts=dataclasses.replace(game.facts, plays_by_search=True))


@pytest.fixture
def compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Somebody compiles and does not come to an end."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    (tmp_path / "kernels").mkdir()
    held = lock.hold(lock_file(tmp_path / "kernels"))
    assert held is not None
    yield
    os.close(held)


def test_waiting_for_a_compiler_is_called_off_and_can_begin_again(
    searched: AnyGame, compiling: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = Library([searched])
    library.warms = True
    assert library.find_analyst(searched, lambda: True) == (None, ""), "went on without the kernels"
    monkeypatch.setattr("onlymove_tables.kernels.lock.is_held", lambda path: False)
    analyst, note = library.find_analyst(searched)
    assert (analyst is None, note) == (False, "")
    assert library.find_analyst(searched, lambda: True)[0] is analyst


def test_a_command_that_searches_waits_for_a_compiler_and_says_so_once(
    searched: AnyGame, compiling: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    looks = iter([True, True, True, False])
    monkeypatch.setattr("onlymove_tables.kernels.lock.is_held", lambda path: next(looks))
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    seek_analyst(searched)
    assert list(looks) == [], "went on while somebody compiles"
    assert capsys.readouterr().err == "onlymove: the search is being compiled, once on a machine: waiting for that\n"


def test_a_command_that_reads_a_table_waits_for_nobody(
    searched: AnyGame, compiling: None, capsys: pytest.CaptureFixture[str]
) -> None:
    solved = dataclasses.replace(searched, facts=dataclasses.replace(searched.facts, plays_by_search=False))
    seek_analyst(solved)
    assert capsys.readouterr().err == ""
