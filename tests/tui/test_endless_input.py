"""Files and streams that never end: every command reads up to its limit, and says so in one line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from onlymove_engines.records.record import MAX_TEXT_BYTES
from onlymove_tui.cli import run
from onlymove_tui.cli.console import MAX_INPUT_LENGTH

from tests.commands import give_input, install_games
from tests.heap_game import heap_game, settle


@pytest.fixture
def zeros(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make stdin a file of zeros that is larger than any limit, and return the file. It takes no room on the disk."""
    settle(tmp_path, monkeypatch)
    game = heap_game()
    install_games(monkeypatch, game)
    path = tmp_path / "zeros"
    with path.open("wb") as file:
        file.truncate(MAX_TEXT_BYTES + 1)
    with path.open(encoding="utf-8") as stream:
        give_input(monkeypatch, stream)
        yield path


@pytest.mark.parametrize("command", ["review", "import"])
@pytest.mark.parametrize("is_stdin", [False, True])
def test_records_are_read_up_to_a_limit(
    zeros: Path, capsys: pytest.CaptureFixture[str], command: str, is_stdin: bool
) -> None:
    name = "-" if is_stdin else str(zeros)
    assert run([command, name]) == 2
    assert capsys.readouterr().err == f"onlymove: '{name}': larger than 64 MB.\n"


LINE_READERS = {
    "analyse": ["analyse", "heap", "-"],
    "engine": ["engine", "heap"],
    "play": ["play", "heap", "--plain"],
}


@pytest.mark.parametrize("command", LINE_READERS.values(), ids=LINE_READERS.keys())
@pytest.mark.usefixtures("zeros")
def test_a_line_of_stdin_is_read_up_to_a_limit(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    assert run(command) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "onlymove: 'stdin': a line is longer than 1 MB."
    assert sys.stdin.buffer.tell() < MAX_TEXT_BYTES


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.usefixtures("zeros")
def test_the_longest_line_is_still_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, more: int
) -> None:
    text = tmp_path / "lines"
    text.write_bytes(b"7" * (MAX_INPUT_LENGTH + more) + b"\n7 0\n")
    with text.open(encoding="utf-8") as stream:
        give_input(monkeypatch, stream)
        assert run(["analyse", "heap", "-", "--format", "tsv"]) == 2
    written = capsys.readouterr()
    assert ("longer than" in written.err) == bool(more)
    assert ("\n7 0\t" in written.out) == (not more)
