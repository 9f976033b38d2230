"""An app that does nothing else ends in good order: after signals, if the terminal is lost, and if it accepts no
bytes."""

from __future__ import annotations

import math
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from onlymove_tui import NOT_SAVED
from onlymove_tui.terminal.driver import GRACE_SECONDS

from .conftest import Spawn
from .harness import Pty

BARE_APP = """
import asyncio
import os
import signal
import sys
import time
from pathlib import Path
from textual.app import App, ComposeResult
from textual.events import Key
from textual.widgets import Static
from onlymove_tui.__main__ import end_process
from onlymove_tui.terminal import driver
from onlymove_tui.terminal.driver import ShutdownHandler, TerminalDriver

driver.GRACE_SECONDS = float(sys.argv[2])

class Bare(App):
    def on_load(self):
        self.lifeline = ShutdownHandler(self, self.save)
        self.lifeline.hold(float(sys.argv[3]) if len(sys.argv) > 3 else None)
    def save(self):
        Path(sys.argv[1]).write_text("saved")
        return sys.argv[4] if len(sys.argv) > 4 else ""
    def compose(self):
        yield Static("ready")
    def on_key(self, event):
        self.lifeline.touched = time.monotonic()
        if event.character == "!":
            for _ in range(100_000):
                asyncio.get_running_loop().call_soon_threadsafe(int)
            os.kill(os.getpid(), signal.SIGTERM)
        self.query_one(Static).update(event.character * 1900)

app = Bare(driver_class=TerminalDriver)
app.run()
end_process(app.return_code)
"""


@pytest.fixture
def saved_file(tmp_path: Path) -> Path:
    return tmp_path / "saved"


def start(spawn: Spawn, saved_file: Path, *arguments: str, grace: float = 1000.0) -> Pty:
    """Start the app, which ends in good order however slow the machine is."""
    terminal = spawn(str(saved_file), str(grace), *arguments, command=(sys.executable, "-c", BARE_APP))
    terminal.wait_for("ready", math.inf)
    terminal.settle()
    return terminal


def code_of(terminal: Pty) -> int:
    """Wait until the app has ended, and return its exit code."""
    assert terminal.has_ended(math.inf)
    code: int = terminal.process.returncode
    return code


def stall(terminal: Pty) -> None:
    """Let the app write until the terminal accepts no more."""
    for number in range(60):
        terminal.send("abc"[number % 3])
        time.sleep(0.02)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGHUP, 129), (signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_saves_and_restores_the_terminal(
    spawn: Spawn, saved_file: Path, number: signal.Signals, code: int
) -> None:
    terminal = start(spawn, saved_file)
    terminal.signal(number)
    assert code_of(terminal) == code
    assert saved_file.read_text() == "saved"
    assert terminal.modes_now() == terminal.modes
    left_on = {mode for mode, is_on in private_modes(bytes(terminal.stream)).items() if is_on}
    assert left_on == {"7", "25"}, "line wrap and cursor"


def private_modes(stream: bytes) -> dict[str, bool]:
    """Return the terminal's private modes after this stream. Only modes that it changes are included."""
    return {mode: state == "h" for mode, state in re.findall(r"\x1b\[\?(\d+)([hl])", stream.decode("utf-8", "replace"))}


def test_a_signal_during_a_flood_of_events_is_not_lost(spawn: Spawn, saved_file: Path) -> None:
    terminal = start(spawn, saved_file)
    terminal.send("!")
    assert (code_of(terminal), saved_file.read_text()) == (143, "saved")


def test_a_closed_terminal_is_a_hangup(spawn: Spawn, saved_file: Path) -> None:
    terminal = start(spawn, saved_file)
    terminal.hang_up()
    assert (code_of(terminal), saved_file.read_text()) == (129, "saved")


def test_another_login_is_named_as_the_reason(spawn: Spawn, saved_file: Path) -> None:
    terminal = start(spawn, saved_file)
    terminal.signal(signal.SIGUSR1)
    assert (code_of(terminal), saved_file.read_text()) == (0, "saved")
    assert "continues in another session" in terminal.text()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGUSR1, NOT_SAVED), (signal.SIGTERM, 143)])
def test_an_app_that_is_told_to_leave_says_what_is_lost(
    spawn: Spawn, saved_file: Path, number: signal.Signals, code: int
) -> None:
    terminal = start(spawn, saved_file, "1000", "games are not saved")
    terminal.signal(number)
    assert code_of(terminal) == code
    assert "Games are not saved." in terminal.text()
    assert "continues in another session" not in terminal.text()


# The following tests end after a time limit.


@pytest.mark.terminal
def test_a_terminal_that_takes_no_bytes_does_not_hold_the_app(spawn: Spawn, saved_file: Path) -> None:
    terminal = start(spawn, saved_file, grace=GRACE_SECONDS)
    stall(terminal)
    terminal.signal(signal.SIGTERM)
    terminal.process.wait(10)
    assert (terminal.process.returncode, saved_file.read_text()) == (143, "saved")


@pytest.mark.terminal
def test_a_terminal_that_took_no_bytes_and_is_closed_does_not_hold_the_app(spawn: Spawn, saved_file: Path) -> None:
    terminal = start(spawn, saved_file, grace=GRACE_SECONDS)
    stall(terminal)
    terminal.hang_up()
    assert terminal.has_ended()
    assert (terminal.process.returncode, saved_file.read_text()) == (129, "saved")


@pytest.mark.terminal
def test_an_idle_session_ends_and_an_active_one_does_not(spawn: Spawn, saved_file: Path) -> None:
    terminal = start(spawn, saved_file, "1.5")
    for _ in range(4):
        time.sleep(0.5)
        terminal.press("a", 0.1)
    assert terminal.process.poll() is None
    assert terminal.has_ended()
    assert (terminal.process.returncode, saved_file.read_text()) == (0, "saved")
    assert "quit because it was idle" in terminal.text()
