"""The first launch with empty homes and caches, and a second account on a host with shared compiled code.

Every figure has a home of its own. Wall times are those of this machine as it is, so measure on an idle one; the
processor time of all processes stands beside them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_tables.kernels.cache import SHARED_VARIABLE, VARIABLE

from benchmarks.command_line import random_positions
from tests.terminal.harness import Pty

PROGRAM = (sys.executable, "-m", "onlymove_tui")
FIRST_MOVE = re.compile(r"\b1\. ?\w+")
PATIENCE = 300.0
MANY = 30
"""Positions that plain code leaves to the kernels."""


def make_environment(folder: str, **more: str) -> dict[str, str]:
    """Return the environment of a user who starts the program for the first time."""
    given = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH")}
    nowhere = {SHARED_VARIABLE: str(Path(folder, "nowhere")), VARIABLE: str(Path(folder, "kernels"))}
    folders = {f"XDG_{kind}_HOME": str(Path(folder, kind)) for kind in ("DATA", "CONFIG", "CACHE", "STATE")}
    return {**given, **nowhere, **folders, "HOME": folder, "TERM": "xterm-256color", "LANG": "C.UTF-8", **more}


def time_command(environ: Mapping[str, str], *arguments: str, text: str = "") -> tuple[float, float]:
    """Return the wall time and the processor time of one command, including the processes that it waited for."""
    before, begun = os.times(), time.perf_counter()
    subprocess.run([*PROGRAM, *arguments], input=text.encode(), env=dict(environ), capture_output=True, check=True)
    took, after = time.perf_counter() - begun, os.times()
    return took, sum(after[2:4]) - sum(before[2:4])


def time_screens(environ: Mapping[str, str], arguments: Sequence[str], *wanted: str | re.Pattern[str]) -> list[float]:
    """Return the seconds until the app has shown each of these for the first time."""
    begun = time.perf_counter()
    terminal = Pty((*PROGRAM, *arguments), environ)
    found = []
    try:
        for words in wanted:
            terminal.wait_for(re.compile(words).search, PATIENCE)
            found.append(time.perf_counter() - begun)
    finally:
        terminal.close()
    return found


def question(game: AnyGame) -> list[str]:
    """Return a command that analyses the start position: exactly, or with a limit if the game has no exact answer."""
    return ["analyse", game.id, *(("--depth", "1") if game.facts.simultaneous else ())]


def time_search(game: AnyGame, environ: Mapping[str, str]) -> tuple[str, float, float]:
    """Yield what a game is asked so that it has to search, and the seconds that the answers take. One position may be
    in a book or simple for plain code. Many are searched by kernels."""
    if game.facts.simultaneous:
        return "an answer", *time_command(environ, *question(game))
    lines = "\n".join(islice(random_positions(game), MANY))
    return f"{MANY} answers", *time_command(environ, "analyse", game.id, "-", "--format", "tsv", text=lines)


def run() -> Iterator[str]:
    loaded = [games.load(facts.id) for facts in games.list_own_games()]
    for game in loaded:
        title = re.escape(game.facts.title)
        with tempfile.TemporaryDirectory() as folder:
            (board,) = time_screens(make_environment(folder), ["play", game.id], title)
        with tempfile.TemporaryDirectory() as folder:
            answer, spent = time_command(make_environment(folder), *question(game))
        processor = f", {spent:.2f} s of processor time" if not game.facts.simultaneous else " with compiling"
        yield f"{game.id}: board after {board:.2f} s, an answer after {answer:.2f} s{processor}"
        if game.facts.plays_by_search and not game.facts.simultaneous:
            with tempfile.TemporaryDirectory() as folder:
                asked, took, _ = time_search(game, make_environment(folder))
            yield f"{game.id}: {asked} that need a search after {took:.2f} s with compiling"
        if game.play.plain_choice is not None:
            with tempfile.TemporaryDirectory() as folder:
                board, move = time_screens(
                    make_environment(folder), ["play", game.id, "--seats", "engine,engine"], title, FIRST_MOVE
                )
            yield f"{game.id}: an engine's first move {move - board:.2f} s after the board, by the simple player"
    yield from _measure_shared_kernels([game for game in loaded if game.facts.plays_by_search])


def _measure_shared_kernels(searched: Sequence[AnyGame]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as host:
        shared = Path(host, "shared")
        for game in searched:
            took, spent = time_command(make_environment(host), "tables", "warm", game.id, "--shared", str(shared))
            yield f"{game.id}: everything compiled in {took:.1f} s, {spent:.1f} s of processor time"
        for path in [shared, *shared.rglob("*")]:
            path.chmod(0o555)
        yield f"compiled code shared on a host: {sum(path.stat().st_size for path in shared.rglob('*')) / 1e6:.1f} MB"
        for game in searched:
            with tempfile.TemporaryDirectory() as folder:
                asked, took, spent = time_search(game, make_environment(folder, **{SHARED_VARIABLE: str(shared)}))
            yield f"{game.id}: a second account has {asked} after {took:.2f} s, {spent:.2f} s of processor time"
        for path in [shared, *shared.iterdir()]:
            path.chmod(0o755)
