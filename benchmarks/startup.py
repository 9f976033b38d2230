"""The app in a terminal: time to the first paint beside a bare Textual app, bytes sent, and memory.

Both run in the same kind of pty, in turns, so that a busy machine slows both. The first paint is done when the
terminal shows the app's first words (the bare app: its only one).
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from onlymove_engines import games

from tests.terminal.harness import Pty

PAIRS = 12
BARE = """
from textual.app import App, ComposeResult
from textual.widgets import Static

class Bare(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("first words")

Bare().run()
"""
APP = (sys.executable, "-m", "onlymove_tui")


def run() -> Iterator[str]:
    """Measure with an empty home folder."""
    with tempfile.TemporaryDirectory() as home:
        environ = home_of(Path(home))
        title = games.list_own_games()[0].title
        first, _ = _time_first_paint(APP, environ, title)
        yield f"first start in an empty home: {first:.0f} ms"
        pairs = [_compare_paints(environ, title) for _ in range(PAIRS)]
        ratios = [app / bare for bare, app, _ in pairs]
        bare, app = (statistics.median(pair[which] for pair in pairs) for which in (0, 1))
        yield (
            f"start to first paint: {app:.0f} ms, a bare Textual app {bare:.0f} ms; median ratio of {PAIRS} runs in"
            f" turns {statistics.median(ratios):.2f} (target 2.0; {min(ratios):.2f} to {max(ratios):.2f})"
        )
        yield f"bytes of the first paint: {max(pair[2] for pair in pairs)} (target 20480)"
        yield from _measure_game(environ, title)


def home_of(home: Path) -> dict[str, str]:
    """Return an environment with its home in this folder."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "NUMBA_CACHE_DIR")}
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CONFIG", "CACHE", "STATE")}
    return {**kept, **folders, "HOME": str(home), "TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}


def _compare_paints(environ: Mapping[str, str], title: str) -> tuple[float, float, int]:
    """Return the milliseconds of the bare app and of this one, and the bytes of this one's first paint."""
    bare, _ = _time_first_paint((sys.executable, "-c", BARE), environ, "first words")
    app, count = _time_first_paint(APP, environ, title)
    return bare, app, count


def _time_first_paint(command: Sequence[str], environ: Mapping[str, str], words: str) -> tuple[float, int]:
    """Return the milliseconds until the words are in the stream, and the bytes until it is quiet."""
    begun = time.perf_counter()
    terminal = Pty(command, environ)
    try:
        while words.encode() not in terminal.stream:
            if terminal.has_ended(0):
                raise RuntimeError(f"{command} ended: {terminal.text().strip()}")
            terminal.read(0.1)
        took = time.perf_counter() - begun
        terminal.settle(0.5)
        return took * 1000, len(terminal.stream)
    finally:
        terminal.close()


def _measure_game(environ: Mapping[str, str], title: str) -> Iterator[str]:
    terminal = Pty(APP, environ)
    try:
        terminal.wait_for(title)
        terminal.settle()
        switch = len(terminal.press("\r")), len(terminal.press("\r", 1.5))
        yield f"screens: new-game panel {switch[0]} bytes, board {switch[1]} (target 16384 a switch)"
        steps, times = [], []
        for key in ("\x1b[C", "\x1b[D") * 15:
            begun = time.perf_counter()
            terminal.send(key)
            first = terminal.read(2.0)
            times.append((time.perf_counter() - begun) * 1000)
            steps.append(len(first) + terminal.settle(0.15))
        yield (
            f"cursor step: {statistics.median(steps):.0f} bytes, at most {max(steps)} (target 128); key to first byte"
            f" median {statistics.median(times):.1f} ms, p95 {sorted(times)[int(len(times) * 0.95)]:.1f} (target 30)"
        )
        moves = [len(terminal.press("\r", 1.0)) for _ in range(4)]
        yield f"Enter while a move is made: {' '.join(map(str, moves))} bytes (target 3072 a move)"
        terminal.settle(2)
        before = len(terminal.stream)
        terminal.settle(10, 10)
        yield f"idle for 10 s: {len(terminal.stream) - before} bytes"
        yield f"resident memory in the game: {terminal.memory() / 1e6:.0f} MB (target 120)"
    finally:
        terminal.close()
