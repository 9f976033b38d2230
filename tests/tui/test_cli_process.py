"""The command as a process: what it loads, and how it ends if nobody reads its output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from onlymove_engines import games
from onlymove_tui.cli.console import read_batches

HINTS = "hint\nhint\nhint\nquit\n"
LOADED = """
import io, json, sys
from onlymove_tui.cli import run

found = []
for suspects, arguments, typed in json.loads(sys.argv[1]):
    sys.stdin = io.StringIO(typed)
    code = run(arguments)
    roots = {name.partition(".")[0] for name in sys.modules if "." in name}
    if code or roots & set(suspects.split()):
        found.append([arguments, code, *sorted(roots & set(suspects.split()))])
print(json.dumps(found), file=sys.stderr)
"""
"""Runs commands with their input, and prints those that fail or have loaded a package that they should not need."""


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
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", SimpleNamespace(fileno=lambda: 0))
        patched.setattr(os, "read", lambda *_: next(pieces, b""))
        batches = list(read_batches())
    assert batches == [["one", "two"], ["three", ""], ["five"]]


def test_commands_load_only_the_packages_that_they_need() -> None:
    """One process runs all commands, so the first one that loads a package is reported."""
    tables = [facts.id for facts in games.list_own_games() if games.load(facts.id).solved.solver is not None]
    rows = {
        game_id: [games.load(game_id).notation.format_position(games.load(game_id).default_start())] * 3
        for game_id in ("tobito", "haneto", "pokemon")
    }
    commands = [
        *(("numba llvmlite numpy textual", [word], "") for word in ("--version", "games", "locate", "config")),
        *(("numba llvmlite numpy", ["analyse", game_id, "--json"], "") for game_id in tables),
        *(("numba llvmlite numpy", ["play", game_id, "--plain"], HINTS) for game_id in ("haneto", "pokemon")),
        *(("numba llvmlite", ["analyse", game_id, *row, "--format", "tsv"], "") for game_id, row in rows.items()),
    ]
    command = [sys.executable, "-c", LOADED, json.dumps(commands)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "[]"), done.stderr


@pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_accident(closed: str) -> None:
    command = f'"{sys.executable}" -m onlymove_tui --version {closed}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_byte_that_is_no_text_is_a_wrong_line_and_no_accident() -> None:
    code = (
        "import sys; from onlymove_tui.__main__ import settle_streams; settle_streams(); print(ascii(sys.stdin.read()))"
    )
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run([sys.executable, "-c", code], input=b"a\xff\n", capture_output=True, env=strict, check=False)
    assert (done.stdout, done.stderr) == (b"'a\\ufffd\\n'\n", b"")
