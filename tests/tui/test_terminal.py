"""What the app requires of a terminal before it draws anything."""

from __future__ import annotations

import os
import subprocess
import sys
from unittest.mock import patch

import pytest
from onlymove_tui.store.settings import Settings, Switch
from onlymove_tui.terminal.capabilities import (
    NoTerminal,
    Terminal,
    detect_terminal,
    is_utf8,
    prepare_environment,
    require_terminal,
    strip_folders,
)


class Tty:
    def isatty(self) -> bool:
        return True


class Pipe:
    def isatty(self) -> bool:
        return False


def require(environ: dict[str, str], streams: tuple[Tty | Pipe | None, ...]) -> None:
    stdin, stdout, stderr = streams
    with (
        patch.dict(os.environ, environ, clear=True),
        patch.multiple(sys, __stdin__=stdin, __stdout__=stdout, __stderr__=stderr),
    ):
        require_terminal()


FULL = {"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}


@pytest.mark.parametrize(
    ("environ", "streams", "why"),
    [
        (FULL, (Pipe(), Tty(), Tty()), "stdin is not one"),
        (FULL, (Tty(), Pipe(), Tty()), "stdout is not one"),
        (FULL, (Tty(), Tty(), Pipe()), "stderr is not one"),
        (FULL, (None, Pipe(), Pipe()), "stdin and stdout and stderr are not"),
        ({"TERM": "dumb"}, (Tty(), Tty(), Tty()), "TERM is dumb"),
        ({}, (Tty(), Tty(), Tty()), "TERM is not set"),
        ({"TERM": ""}, (Tty(), Tty(), Tty()), "TERM is not set"),
    ],
)
def test_where_the_app_cannot_run_it_says_why_and_points_to_plain(
    environ: dict[str, str], streams: tuple[Tty | Pipe | None, ...], why: str
) -> None:
    with pytest.raises(NoTerminal) as caught:
        require(environ, streams)
    assert why in str(caught.value)
    assert "--plain" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_terminal_will_do_and_so_will_a_browser() -> None:
    require(FULL, (Tty(), Tty(), Tty()))
    require({"TEXTUAL_DRIVER": "web"}, (Pipe(), Pipe(), Pipe()))


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"LANG": "en_GB.UTF-8"}, True),
        ({"LANG": "C.utf8"}, True),
        ({"LANG": "ca_ES.UTF-8@valencia"}, True),
        ({"LANG": "de_DE.ISO-8859-15@euro"}, False),
        ({"LANG": "en_GB.ISO-8859-1"}, False),
        ({"LANG": "C"}, False),
        ({}, False),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "C"}, False),
        ({"LANG": "C", "LC_CTYPE": "en_GB.UTF-8"}, True),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "", "LC_CTYPE": ""}, True),
        ({"LC_CTYPE": "UTF-8"}, True),
    ],
)
def test_the_locale_decides_by_its_first_word(environ: dict[str, str], expected: bool) -> None:
    assert is_utf8(environ) is expected


NO_FILES = """
import sys
from onlymove_tui.terminal.capabilities import is_utf8

def refuse(event, arguments):
    if event == "open":
        raise AssertionError(f"opened {arguments[0]}")

sys.addaudithook(refuse)
print(is_utf8())
"""


def test_without_a_locale_no_file_is_opened_once_the_app_runs() -> None:
    """Without a locale, Python itself sets LC_CTYPE (PEP 538), which says nothing about the terminal."""
    done = subprocess.run([sys.executable, "-c", NO_FILES], env={}, capture_output=True, text=True, check=True)
    # Only Linux shows which environment a process was given.
    assert done.stdout == ("False\n" if sys.platform == "linux" else "True\n")


def test_what_the_settings_leave_open_the_terminal_decides() -> None:
    auto = Settings()
    assert detect_terminal(auto, FULL) == Terminal(
        ascii_only=False, colour=True, animation=True, mouse=True, remote=False
    )
    far = FULL | {"SSH_CONNECTION": "10.0.0.1 5000 10.0.0.2 22"}
    assert detect_terminal(auto, far) == Terminal(
        ascii_only=False, colour=True, animation=False, mouse=False, remote=True
    )
    assert detect_terminal(auto, FULL | {"TERM": "linux"}).ascii_only
    assert detect_terminal(auto, {"TERM": "xterm"}).ascii_only
    assert not detect_terminal(auto, FULL | {"NO_COLOR": "1"}).colour
    assert detect_terminal(auto, FULL | {"NO_COLOR": ""}).colour, "an empty NO_COLOR means nothing"


def test_settings_take_effect() -> None:
    chosen = Settings(ascii=Switch.OFF, animation=Switch.ON, mouse=Switch.ON)
    far = detect_terminal(chosen, {"TERM": "linux", "SSH_CONNECTION": "x"})
    assert (far.ascii_only, far.animation, far.mouse) == (False, True, True)
    near = detect_terminal(Settings(ascii=Switch.ON, animation=Switch.OFF, mouse=Switch.OFF), FULL)
    assert (near.ascii_only, near.animation, near.mouse) == (True, False, False)


def test_the_far_end_of_a_line_gets_fewer_frames_and_keeps_its_own_wishes() -> None:
    environ = {"SSH_CONNECTION": "x", "TEXTUAL_FPS": "12", "NO_COLOR": ""}
    prepare_environment(detect_terminal(Settings(), environ), environ)
    assert environ == {
        "SSH_CONNECTION": "x",
        "TEXTUAL_FPS": "12",
        "TEXTUAL_ANIMATIONS": "none",
        "TEXTUAL_SMOOTH_SCROLL": "0",
    }


def test_messages_name_files_without_their_folders() -> None:
    assert strip_folders("/var/lib/only-move/heap.tbl: 7 bytes, 9 expected") == "heap.tbl: 7 bytes, 9 expected"
    assert strip_folders("Loss in 3/4 of the time") == "Loss in 3/4 of the time"
