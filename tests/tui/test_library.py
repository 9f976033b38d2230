"""A game's analyst is created only once, and waiting for a compiler can be cancelled."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from pathlib import Path
from threading import Barrier

import pytest
from onlymove_engines.core.analysis import AnyAnalyst, Columns
from onlymove_engines.core.game import AnyGame, KernelLoader
from onlymove_tables import lock
from onlymove_tables.build import build_into
from onlymove_tables.kernels import cache
from onlymove_tables.kernels.compiler import LOCK, find_mark
from onlymove_tables.open import user_folder
from onlymove_tui.app.services import Library
from onlymove_tui.cli import run
from onlymove_tui.cli.console import seek_analyst

from tests.commands import install_games, replace_stream
from tests.heap_game import heap_game, package_of, settle
from tests.small_games import MuTorere, mu_torere


def first() -> None: ...


def second() -> None: ...


class OtherRules(MuTorere):
    """The same rules, written in another file."""


def mark_compiled(unit: KernelLoader) -> None:
    find_mark(cache.own_folder(cache.OTHERS), unit).touch()


@pytest.fixture
def searched_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnyGame:
    """Return a game that says it is played by search."""
    settle(tmp_path, monkeypatch)
    game = heap_game()
    build_into(game, package_of(tmp_path))
    return dataclasses.replace(
        game,
        solved=dataclasses.replace(game.solved, kernels=(first, second)),
        facts=dataclasses.replace(game.facts, plays_by_search=True),
    )


@pytest.fixture
def other_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let another process seem to compile without end."""
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kernels"))
    monkeypatch.setenv(cache.SHARED_VARIABLE, str(tmp_path / "shared"))
    assert cache.prepare_folder(cache.OTHERS) == ""
    held = lock.hold(cache.own_folder(cache.OTHERS) / LOCK)
    assert held is not None
    yield
    os.close(held)


def test_waiting_for_a_compiler_is_called_off_and_can_begin_again(searched_game: AnyGame, other_compiler: None) -> None:
    library = Library([searched_game], stop=lambda: True)
    library.warms = True
    assert library.find_analyst(searched_game) == (None, ""), "went on without the kernels"
    for unit in (first, second):
        mark_compiled(unit)
    analyst, note = library.find_analyst(searched_game)
    assert (analyst is None, note) == (False, "")
    find_mark(cache.own_folder(cache.OTHERS), first).unlink()
    assert library.find_analyst(searched_game)[0] is analyst


def test_workers_that_open_a_game_at_the_same_time_get_the_same_analyst(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle(tmp_path, monkeypatch)
    game, both = heap_game(), Barrier(2)
    build_into(game, package_of(tmp_path))
    open_own = game.solved.open_analyst
    assert open_own is not None

    def open_late(sections: Columns | None) -> AnyAnalyst:
        both.wait()
        return open_own(sections)

    late = dataclasses.replace(game, solved=dataclasses.replace(game.solved, open_analyst=open_late))
    library = Library([late])
    with ThreadPoolExecutor() as pool:
        first_found, second_found = pool.map(library.find_analyst, [late, late])
    assert first_found[0] is second_found[0] is library.find_analyst(late)[0] is not None


def test_a_command_that_searches_waits_for_a_compiler_and_says_how_far_it_is(
    searched_game: AnyGame, other_compiler: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    units = [first, second]

    class Compiling(StringIO):
        """Compiles the next unit when a line is written."""

        def flush(self) -> None:
            if units and self.getvalue().count("\n") == 3 - len(units):
                mark_compiled(units.pop(0))

    replace_stream(monkeypatch, "stderr", output := Compiling())
    seek_analyst(searched_game)
    assert units == [], "went on while somebody compiles"
    assert output.getvalue().splitlines() == [
        f"onlymove: compiling the engine (first run only): {done}" for done in ("0%", "50%")
    ]


def test_a_command_that_reads_a_table_does_not_wait(
    searched_game: AnyGame, other_compiler: None, capsys: pytest.CaptureFixture[str]
) -> None:
    solved = dataclasses.replace(searched_game, facts=dataclasses.replace(searched_game.facts, plays_by_search=False))
    seek_analyst(solved)
    assert capsys.readouterr().err == ""


@pytest.fixture
def kernel_folder(searched_game: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the same game be loaded by name, and yield a folder in which a host may store kernels."""
    install_games(monkeypatch, searched_game)
    for variable in (cache.VARIABLE, cache.SHARED_VARIABLE):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    mask = os.umask(0o002)
    yield tmp_path / "host"
    os.umask(mask)


def test_a_host_s_kernels_are_compiled_for_all_accounts_and_writable_to_none_of_them(kernel_folder: Path) -> None:
    assert run(["tables", "warm", "heap", "--shared", str(kernel_folder)]) == 0
    (folder,) = kernel_folder.iterdir()
    assert {path.name for path in folder.iterdir()} == {"compiled-first", "compiled-second"}
    assert [oct(path.stat().st_mode & 0o022) for path in (kernel_folder, folder, folder / "compiled-first")] == [
        "0o0"
    ] * 3


def test_a_folder_that_everybody_may_write_to_is_refused_in_one_line(
    kernel_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel_folder.mkdir()
    kernel_folder.chmod(0o777)
    assert run(["tables", "warm", "heap", "--shared", str(kernel_folder)]) == 2
    output = capsys.readouterr()
    assert (output.out, output.err.count("\n")) == ("", 1)
    assert "other users may write to " in output.err


def test_an_account_on_a_full_disk_can_search_and_is_warned_once(
    searched_game: AnyGame, kernel_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / cache.VARIABLE).write_text("in the way")
    seek_analyst(searched_game)
    output = capsys.readouterr().err
    assert output.startswith("onlymove: The compiled engine cannot be stored, so it is compiled at every start: ")
    assert output.count("\n") == 1


def test_a_board_says_that_its_table_was_built_for_other_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(tmp_path, monkeypatch)
    game = mu_torere()
    build_into(game, user_folder())
    assert Library([game]).find_analyst(game)[1] == ""
    game = dataclasses.replace(game, rules=OtherRules())
    note = "torere.tbl: it was built for other rules; rebuild it with `onlymove tables build torere`"
    assert Library([game]).find_analyst(game)[1] == f"Played by search: {note}"
