"""Windows of every size that a real terminal or a browser may report."""

from __future__ import annotations

import json
import os
import select
import subprocess
from collections.abc import Callable, Iterator, Mapping

import pytest

from .boards import FIRST, LEAVE, open_board, open_menu
from .conftest import APP, Spawn
from .harness import PATIENCE, Pty, memory_of, set_size

pytestmark = pytest.mark.terminal

HUGE = 65_535
MAX_BYTES = 200e6
"""The most memory for the app with a screen of 500 x 200. A huge window used to take gigabytes."""
TOLD = ("Traceback", "locals", "/lib/")
"""Words that no player should see."""


def leave(terminal: Pty) -> None:
    """Leave the app, and check that nothing was wrong."""
    terminal.send(LEAVE)
    assert terminal.has_ended()
    assert terminal.process.returncode == 0
    output = bytes(terminal.stream).decode("utf-8", "replace")
    assert not [word for word in TOLD if word in output]


@pytest.mark.parametrize("size", [(30, 24), (20, 24), (10, 24), (1, 1)])
def test_the_app_begins_in_a_narrow_terminal(spawn: Spawn, size: tuple[int, int]) -> None:
    terminal = spawn(columns=size[0], rows=size[1])
    terminal.wait_for("T")
    terminal.settle()
    set_size(terminal.master, 80, 24)
    terminal.screen.resize(24, 80)
    terminal.wait_for(FIRST.title)
    leave(terminal)


def test_the_menu_survives_any_shrinking(spawn: Spawn) -> None:
    terminal = open_menu(spawn, "--kiosk")
    before = terminal.wait_until_stable()
    for columns in (30, 25, 15, 5, 1):
        terminal.resize(columns, 24)
        terminal.wait_for("T")
        terminal.settle()
    terminal.resize(80, 24)
    terminal.wait_for(FIRST.title)
    assert terminal.wait_until_stable() == before
    leave(terminal)


def test_the_palette_does_not_open_in_a_narrow_terminal(spawn: Spawn) -> None:
    terminal = open_board(spawn)
    before = terminal.wait_until_stable()
    terminal.resize(28, 24)
    terminal.wait_for("This terminal")
    terminal.send("\x10")
    terminal.settle(1.0)
    terminal.resize(80, 24)
    terminal.wait_for("to move")
    assert terminal.wait_until_stable() == before
    leave(terminal)


def test_a_gate_is_all_that_a_narrow_terminal_shows(spawn: Spawn) -> None:
    terminal = open_board(spawn)
    terminal.resize(28, 12)
    terminal.wait_for("This terminal is 28 x 12.")
    output = "This terminal is 28 x 12. Please make it at least 60 x 20. Ctrl+Q quits. Your games are saved."
    assert terminal.wait_until_stable().split() == output.split()
    leave(terminal)


def test_a_huge_window_takes_no_memory(spawn: Spawn) -> None:
    terminal = open_board(spawn)
    for size in ((HUGE, HUGE), (HUGE, 24), (80, HUGE)):
        set_size(terminal.master, *size)
        terminal.settle(1.0)
        assert terminal.memory() < MAX_BYTES, size
    set_size(terminal.master, 80, 24)
    terminal.settle(1.0)
    leave(terminal)


class Visitor:
    """The app as `serve` starts it for a browser, with packets on pipes instead of a terminal."""

    def __init__(self, home: Mapping[str, str], columns: int, rows: int) -> None:
        environ = {
            "TEXTUAL_DRIVER": "onlymove_tui.terminal.browser_driver:BrowserDriver",
            "COLUMNS": f"{columns}",
            "ROWS": f"{rows}",
        }
        command = [*APP, "--kiosk", "--guest"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env={**home, **environ})

    def send(self, **message: object) -> None:
        """Send a packet that does not contain keys."""
        assert self.process.stdin is not None
        payload = json.dumps(message).encode()
        self.process.stdin.write(b"M" + len(payload).to_bytes(4, "big") + payload)
        self.process.stdin.flush()

    def settle(self, patience: float = PATIENCE, quiet: float = 1.5) -> int:
        """Wait until the app draws, and then until it stops. Return the number of bytes."""
        assert self.process.stdout is not None
        count = 0
        while select.select([self.process.stdout], [], [], quiet if count else patience)[0]:
            if not (data := os.read(self.process.stdout.fileno(), 1 << 20)):
                break
            count += len(data)
        return count

    def memory(self) -> int:
        """Return the memory in use, in bytes."""
        return memory_of(self.process.pid)


@pytest.fixture
def visit(home: dict[str, str]) -> Iterator[Callable[[int, int], Visitor]]:
    """Return a function that starts the app in a browser of this size. Everything is closed after the test."""
    begun: list[Visitor] = []

    def begin(columns: int, rows: int) -> Visitor:
        begun.append(Visitor(home, columns, rows))
        return begun[-1]

    yield begin
    for visitor in begun:
        visitor.process.kill()
        visitor.process.communicate()


@pytest.mark.parametrize("size", [(80, 24), (20_000, 20_000), (1, 1)])
def test_a_huge_browser_takes_no_memory(visit: Callable[[int, int], Visitor], size: tuple[int, int]) -> None:
    visitor = visit(*size)
    assert visitor.settle()
    assert visitor.memory() < MAX_BYTES
    for width, height in ((20_000, 20_000), (-1, 0), (None, "24"), (100, 30)):
        visitor.send(type="resize", width=width, height=height)
        visitor.settle(1.5)
        assert visitor.process.poll() is None
        assert visitor.memory() < MAX_BYTES
    visitor.send(type="quit")
    visitor.settle(1.5)
    assert visitor.process.wait(PATIENCE) == 0
    assert visitor.process.stderr is not None
    assert visitor.process.stderr.read() == b""
