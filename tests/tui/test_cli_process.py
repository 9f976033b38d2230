"""The command as a process: what it loads, and how it ends if nobody reads its output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import click
import pytest
from onlymove_engines import games
from onlymove_tui.cli import COMMANDS, cli
from onlymove_tui.cli.console import read_batches

from tests.examples.test_example_game import write_metadata

EXAMPLE = Path(__file__).parents[2] / "examples" / "onlymove-pong-hau-ki"

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


@pytest.mark.parametrize(("closed", "code"), [("<&-", 0), ("2>&-", 0), ("<&- 2>&-", 0), ("<&- >&- 2>&-", 2)])
def test_closed_streams_are_no_accident(closed: str, code: int) -> None:
    command = f'"{sys.executable}" -m onlymove_tui --version {closed}'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")


RECORD = """[Game "tobito"]
[First "ada"]
[Second "bob"]
[Result "*"]

1. a5b4 *
"""
WRITING = {
    "play": (["play", "tobito", "--plain"], "quit\n"),
    "drill": (["drill", "--fresh", "orbito"], "quit\n"),
    "learn": (["learn", "tobito"], "quit\n"),
    "daily": (["daily"], "quit\n"),
    "meet": (["meet", "tobito"], "quit\n"),
    "analyse": (["analyse", "tobito"], ""),
    "explore": (["explore", "tobito"], ""),
    "perft": (["perft", "tobito", "1"], ""),
    "dataset": (["dataset", "pokemon", "--sample", "1"], ""),
    "tables list": (["tables", "list"], ""),
    "tables build": (["tables", "build", "ponghauki", "--out", "game.tbl"], ""),
    "tables verify": (["tables", "verify", "pokemon"], ""),
    "tables warm": (["tables", "warm", "ayoayo"], ""),
    "engine": (["engine", "tobito"], "ugi\nquit\n"),
    "match": (["match", "pokemon", "--first", "random", "--second", "random", "--games", "2"], ""),
    "review": (["review", "../game.txt"], ""),
    "import": (["import", "../game.txt"], ""),
    "export": (["export"], ""),
    "prove": (["prove", "lightriders"], ""),
    "new": (["new", "mygame"], ""),
    "games": (["games"], ""),
    "config": (["config"], ""),
    "locate": (["locate"], ""),
}
"""A command line for each command that writes to stdout, and what is typed."""

SILENT = {"serve"}
"""Commands that write to stderr only."""


def list_command_names() -> Iterator[str]:
    """Yield the name of every command, such as `games` or `tables list`."""
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        yield from (f"{name} {each}" for each in command.commands) if isinstance(command, click.Group) else [name]


def test_every_command_has_a_command_line_here() -> None:
    assert {*list_command_names()} == WRITING.keys() | SILENT


UNABLE = """
import io, json, os, sys, tempfile
from onlymove_tui.__main__ import settle_streams
from onlymove_tui.cli import run

found = {}
for name, (arguments, typed) in json.loads(sys.argv[1]).items():
    for why in ("it is closed", "No space left on device"):
        os.chdir(tempfile.mkdtemp(dir=sys.argv[2]))
        sys.stderr = io.StringIO()
        os.close(1)
        sys.stdout = None
        if why != "it is closed":
            os.open("/dev/full", os.O_WRONLY)
            sys.stdout = open(1, "w", encoding="utf-8", closefd=False)
        settle_streams()
        sys.stdin, sys.stderr = io.StringIO(typed), io.StringIO()
        code = run(arguments)
        found[f"{name}, {why}"] = [code, (sys.stderr.getvalue().splitlines() or [""])[-1]]
print(json.dumps(found), file=sys.__stderr__)
os._exit(0)
"""
"""Runs each command with a closed stdout and with a full one, and prints the codes and the last lines on stderr."""


def test_every_command_that_cannot_write_says_so_and_fails(tmp_path: Path) -> None:
    write_metadata(tmp_path / "site", "onlymove_pong_hau_ki", {"ponghauki": "onlymove_pong_hau_ki"})
    (tmp_path / "game.txt").write_text(RECORD)
    own = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("DATA", "CONFIG", "STATE")}
    own |= {"ONLYMOVE_ROOMS": "", "PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{EXAMPLE}"}
    command = [sys.executable, "-c", UNABLE, json.dumps(WRITING), str(tmp_path)]
    done = subprocess.run(command, env={**os.environ, **own}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stderr.splitlines()[-1])
    assert len(found) == 2 * len(WRITING)
    for name, outcome in found.items():
        assert outcome == [2, f"onlymove: Cannot write to stdout: {name.partition(', ')[2]}."], name


@pytest.mark.parametrize("buffering", ["", "1"])
@pytest.mark.parametrize(("where", "why"), [(">&-", "it is closed"), (">/dev/full", "No space left on device")])
def test_a_process_that_cannot_write_leaves_one_line(where: str, why: str, buffering: str) -> None:
    script = f'"{sys.executable}" -m onlymove_tui games {where}'
    environ = {**os.environ, "PYTHONUNBUFFERED": buffering}
    done = subprocess.run(["sh", "-c", script], env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"onlymove: Cannot write to stdout: {why}.\n")


def test_a_byte_that_is_no_text_is_a_wrong_line_and_no_accident() -> None:
    code = (
        "import sys; from onlymove_tui.__main__ import settle_streams; settle_streams(); print(ascii(sys.stdin.read()))"
    )
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run([sys.executable, "-c", code], input=b"a\xff\n", capture_output=True, env=strict, check=False)
    assert (done.stdout, done.stderr) == (b"'a\\ufffd\\n'\n", b"")
