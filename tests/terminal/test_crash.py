"""After an unexpected error in a real terminal, or when memory runs out, the app shows one line and the game is
saved."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from .boards import FIRST, play_a_ply, saved_plies
from .conftest import Spawn
from .harness import Pty

pytestmark = pytest.mark.terminal

FAULTY = """
import sys
from onlymove_tui import __main__ as program
from onlymove_tui.app.base_screen import BaseScreen

def fail(*_):
    held = "hush" * 2
    {fault}

BaseScreen.action_open = lambda screen, name: {where}
sys.argv[0] = "onlymove"
program.main()
"""
"""The app, changed so that the key `s` fails."""
WHERE = {
    "an action": "fail()",
    "a worker": "screen.fetch(fail, print, 'fault')",
    "a timer": "screen.set_timer(0.01, fail)",
}
RAISES = "raise ValueError('in /etc/secret')"
HUNGRY = {
    "at once": "bytearray(3 << 30)",
    "in pieces": "pieces = []\n    while True: pieces.append(bytearray(1 << 20))",
}
SHORT = {"ONLYMOVE_KIOSK_MEMORY": "300"}


def start_faulty_app(spawn: Spawn, where: str, fault: str, *arguments: str, **environ: str) -> Pty:
    """Start the faulty app at a board."""
    code = FAULTY.format(where=WHERE[where], fault=fault)
    terminal = spawn("play", FIRST.id, *arguments, command=(sys.executable, "-c", code), environ=environ)
    terminal.wait_for("to move")
    terminal.settle()
    return terminal


def last_words(terminal: Pty) -> list[str]:
    """Cause the error, and return the lines in the terminal after the app has restored it."""
    terminal.send("s")
    assert terminal.has_ended()
    assert terminal.process.returncode == 1
    assert terminal.modes_now() == terminal.modes
    output = bytes(terminal.stream).rpartition(b"\x1b[?1049l")[2].decode()
    return re.sub(r"\x1b\[[?<]?[0-9;]*[a-z]", "", output).splitlines()


@pytest.mark.parametrize("where", WHERE)
def test_a_kiosk_says_one_line_and_no_path(spawn: Spawn, home: dict[str, str], where: str) -> None:
    terminal = start_faulty_app(spawn, where, RAISES, "--kiosk")
    play_a_ply(terminal, home)
    (line,) = last_words(terminal)
    assert line == (
        "onlymove had to stop because of an internal error. Games outside lessons are saved, and the details are in "
        "its log."
    )
    assert not re.search(rb"Traceback|locals|hushhush|/lib/", bytes(terminal.stream))
    assert saved_plies(home)


def test_a_local_player_learns_where_the_details_of_a_crash_are(spawn: Spawn, home: dict[str, str]) -> None:
    (line,) = last_words(start_faulty_app(spawn, "an action", RAISES))
    log = Path(home["XDG_STATE_HOME"]) / "onlymove" / "onlymove.log"
    assert (
        line == f"onlymove had to stop because of an internal error (ValueError: in /etc/secret). Details are in {log}"
    )
    assert "hushhush" not in log.read_text()


def test_an_error_while_reading_keys_shows_no_path_in_a_kiosk(spawn: Spawn) -> None:
    code = FAULTY.replace(
        "BaseScreen.action_open =", "from onlymove_tui.terminal.driver import EscapeKey\nEscapeKey.split ="
    )
    terminal = spawn(
        "play", FIRST.id, "--kiosk", command=(sys.executable, "-c", code.format(fault=RAISES, where="fail()"))
    )
    terminal.wait_for("to move")
    terminal.settle()
    (line,) = last_words(terminal)
    assert line.startswith("onlymove had to stop because of an internal error. Games outside lessons are saved")
    assert not re.search(rb"Traceback|locals|hushhush|/lib/", bytes(terminal.stream))


@pytest.mark.skipif(sys.platform != "linux", reason="no other system bounds what a process maps")
@pytest.mark.parametrize("where", ["an action", "a worker"])
@pytest.mark.parametrize("how", HUNGRY)
def test_a_kiosk_takes_no_more_memory_than_it_may(spawn: Spawn, home: dict[str, str], where: str, how: str) -> None:
    terminal = start_faulty_app(spawn, where, HUNGRY[how], "--kiosk", **SHORT)
    play_a_ply(terminal, home)
    (line,) = last_words(terminal)
    assert line.startswith("onlymove had to stop because it ran out of memory. Games outside lessons are saved")
    assert saved_plies(home)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system tells the limits of a process")
@pytest.mark.parametrize(("arguments", "limit"), [(["--kiosk"], 1024), (["--kiosk", "--guest"], 1024), ([], None)])
def test_only_a_kiosk_is_bounded(spawn: Spawn, arguments: list[str], limit: int | None) -> None:
    terminal = spawn(*arguments)
    terminal.wait_for(FIRST.title)
    limits = Path(f"/proc/{terminal.process.pid}/limits").read_text()
    (found,) = re.findall(r"Max data size +(\w+)", limits)
    assert found == ("unlimited" if limit is None else str(limit << 20))
