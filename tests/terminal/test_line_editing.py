"""Line mode has line editing at a terminal, and none where a screen reader reads along."""

from __future__ import annotations

import signal
import termios

import pytest

from .conftest import Spawn
from .harness import Pty

pytestmark = pytest.mark.terminal

UP = "\x1b[A"
LOCAL_MODES = 3
"""The index of the modes with ECHO, as in `termios.tcgetattr`."""


def wait_for_prompt(terminal: Pty) -> None:
    terminal.wait_for(lambda text: text.rstrip().endswith("\n>"))


def wait_for_editing(terminal: Pty) -> None:
    """Wait until the terminal shows a prompt and no longer echoes what is typed by itself."""
    wait_for_prompt(terminal)
    terminal.wait_for(lambda _: not terminal.modes_now()[LOCAL_MODES] & termios.ECHO)


def count_answers(terminal: Pty) -> int:
    """Return how often `position` was answered."""
    return bytes(terminal.stream).count(b"TTT/.../.../.../BBB T")


def test_up_brings_the_last_line_back(spawn: Spawn) -> None:
    terminal = spawn("play", "tobito", "--plain")
    wait_for_editing(terminal)
    terminal.send("position\n")
    terminal.wait_for(lambda _: count_answers(terminal) == 1)
    wait_for_editing(terminal)
    terminal.send(f"{UP}\n")
    terminal.wait_for(lambda _: count_answers(terminal) == 2)
    assert "^[[A" not in terminal.text()


@pytest.mark.parametrize("environ", [{"ACCESSIBLE": "1"}, {"ONLYMOVE_PLAIN": "true"}])
def test_a_screen_reader_gets_plain_lines_from_every_command(spawn: Spawn, environ: dict[str, str]) -> None:
    for command in (("play", "tobito"), ("learn", "tobito")):
        terminal = spawn(*command, environ=environ)
        wait_for_prompt(terminal)
        terminal.send(f"{UP}\n")
        terminal.wait_for("^[[A")
        terminal.send("quit\n")
        assert terminal.has_ended()


def test_a_signal_gives_the_terminal_its_modes_back(spawn: Spawn) -> None:
    terminal = spawn("play", "tobito", "--plain")
    wait_for_editing(terminal)
    terminal.signal(signal.SIGTERM)
    assert terminal.has_ended()
    assert terminal.process.returncode == -signal.SIGTERM
    assert terminal.modes_now() == terminal.modes


def test_tab_shows_no_names_of_files(spawn: Spawn) -> None:
    terminal = spawn("play", "tobito", "--plain")
    wait_for_editing(terminal)
    terminal.send("/et\t\t\n")
    terminal.wait_for("Not played: '/et'")
