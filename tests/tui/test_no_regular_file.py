"""A pipe where one of our files should be: no command waits for it, and each says what is wrong or does without."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.core.errors import TableMismatch, as_sentence
from onlymove_tables.file_format import FILE_NAME, read_manifest
from onlymove_tables.kernels.cache import read_checked
from onlymove_tables.lock import hold, is_held, is_shared, share
from onlymove_tables.open import (
    cache_folder,
    checked_header,
    copy_name,
    find_tables,
    find_verdict,
    open_table,
    user_folder,
    verdict_file,
)
from onlymove_tui.cli import run
from onlymove_tui.crash import write_details
from onlymove_tui.lobby.presence import LifeSign, find_life_sign
from onlymove_tui.lobby.record_file import FILE_CLOCK, RecordReader, RecordTrouble, RecordWriter, SecretsFolder
from onlymove_tui.store.profiles import find_places, take_profile
from onlymove_tui.store.schema import describe_unsaved

from tests.commands import give_input

WHAT = "not a regular file"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set up an empty home folder, and `quit` as what the player types."""
    for variable in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    give_input(monkeypatch, b"quit\n")


def make_pipe(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)
    return path


def test_settings(capsys: pytest.CaptureFixture[str]) -> None:
    path = make_pipe(find_places().settings)
    for command in (["config"], ["play", "tobito", "--plain"]):
        assert run(command) == 2
        assert capsys.readouterr() == ("", f"onlymove: {path}: cannot be read: {WHAT}.\n")


@pytest.mark.parametrize("beside", ["", "-wal", "-shm", "-journal"])
def test_games(beside: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = find_places().games
    make_pipe(path.with_name(path.name + beside))
    line = f"onlymove: {as_sentence(describe_unsaved(f'games.sqlite3: {WHAT}'))}\n"
    assert run(["export"]) == 2
    assert capsys.readouterr() == ("", line)
    assert run(["play", "tobito", "--plain"]) == 0
    assert capsys.readouterr().err == line


MATCH = ["match", "tobito", "--first", "random", "--second", "random"]


@pytest.mark.parametrize("command", [MATCH, ["tables", "build", "tobito"], ["dataset", "tobito"]])
def test_what_a_command_writes(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = make_pipe(tmp_path / "out")
    assert run([*command, "--out", str(path)]) == 2
    assert capsys.readouterr() == ("", f"onlymove: Invalid value for '--out': '{path}' is {WHAT}.\n")
    assert path.is_fifo()


def test_tables() -> None:
    game, lines = games.load("tobito"), list[str]()
    shipped = find_tables(game)[0]
    path = make_pipe(user_folder() / "tobito.tbl")
    make_pipe(cache_folder() / copy_name(checked_header(game, shipped)[0]))
    open_table(game, lines.append)
    assert lines == [f"{path}: {WHAT}. Using the shipped table instead"]
    make_pipe(user_folder() / FILE_NAME)
    with pytest.raises(TableMismatch, match=WHAT):
        read_manifest(user_folder())
    make_pipe(verdict_file(game))
    assert find_verdict(game) is None


def test_kernels(tmp_path: Path) -> None:
    assert read_checked(make_pipe(tmp_path / "kernel")) == b""


@pytest.mark.parametrize("lock", [hold, share, take_profile])
def test_locks(lock: Callable[[Path], int | None], tmp_path: Path) -> None:
    path = make_pipe(tmp_path / "lock")
    with pytest.raises(OSError, match=WHAT):
        lock(path)
    assert not is_held(path)
    assert is_shared(path), "it cannot be determined"


def test_the_log(tmp_path: Path) -> None:
    assert not write_details(ValueError(), make_pipe(tmp_path / "onlymove.log"))


def test_the_lobby(tmp_path: Path) -> None:
    path = make_pipe(tmp_path / "record")
    with pytest.raises(RecordTrouble, match=WHAT):
        RecordReader(path, os.geteuid(), FILE_CLOCK)
    with pytest.raises(RecordTrouble, match=WHAT):
        RecordWriter.reopen(path, 0)
    make_pipe(find_life_sign(path))
    with pytest.raises(RecordTrouble, match=WHAT):
        LifeSign(path, FILE_CLOCK)
    secrets = SecretsFolder(tmp_path)
    make_pipe(tmp_path / "x.json")
    assert secrets.get("x") is None
    with pytest.raises(RecordTrouble, match=WHAT):
        secrets.occupy("x")
