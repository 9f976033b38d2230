"""The command as a process: what it loads, and how it ends if nobody reads its output."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from onlymove_tui.cli.analyse import read_stdin

from tests.loads import loads


@pytest.mark.parametrize("arguments", [["games", "--json"], ["--help"]])
def test_a_reader_that_has_gone_away_is_no_answer_no(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "onlymove_tui", *arguments]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


class Chunk(bytes):
    """A piece of input that must not be appended to what came before, because copying that each time would take too
    long."""

    def __radd__(self, before: bytes) -> bytes:
        raise AssertionError(f"{len(before)} bytes are copied for {len(self)} more")


def test_a_long_line_costs_no_more_than_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = iter(map(Chunk, [b"on", b"e\ntwo\n", b"th", b"r", b"ee\n\nfi", b"ve"]))
    stream = SimpleNamespace(buffer=SimpleNamespace(read1=lambda _: next(pieces, b"")))
    monkeypatch.setattr(sys, "stdin", stream)
    batches = list(read_stdin())
    assert batches == [[(1, "one"), (2, "two")], [(3, "three"), (4, "")], [(5, "five")]]


def test_quick_commands_load_neither_numba_nor_numpy_nor_textual() -> None:
    code = (
        "import sys; from onlymove_tui.cli import run; "
        "[run([word]) for word in ('--version', 'games', 'locate', 'config')]; "
        "sys.exit(','.join({'numba', 'numpy.linalg', 'textual'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == "\n"


@pytest.mark.parametrize("game", ["haneto", "pokemon"])
def test_hints_from_a_table_load_no_numpy(game: str) -> None:
    assert loads("numpy numba llvmlite", "play", game, "--plain", typed="hint\nhint\nhint\nquit\n") == []


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_accident(closed: str) -> None:
    command = f'"{sys.executable}" -m onlymove_tui games {closed}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_byte_that_is_no_text_is_a_wrong_line_and_no_accident() -> None:
    code = (
        "import sys; from onlymove_tui.__main__ import settle_streams; settle_streams(); print(ascii(sys.stdin.read()))"
    )
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run([sys.executable, "-c", code], input=b"a\xff\n", capture_output=True, env=strict, check=False)
    assert (done.stdout, done.stderr) == (b"'a\\ufffd\\n'\n", b"")
