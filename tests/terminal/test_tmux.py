"""The app in a real tmux, from the menu to a move. It is detached and attached again at another size. The tests need
tmux."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .boards import FIRST, saved_plies
from .conftest import APP
from .harness import PATIENCE

pytestmark = pytest.mark.terminal


class Tmux:
    """A tmux server of its own, with the app in its only window."""

    def __init__(self, socket: Path, environ: dict[str, str], term: str) -> None:
        self.command = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        self._environ = environ
        command = shlex.join(["env", *(f"{name}={value}" for name, value in environ.items() if name != "TERM"), *APP])
        # All in one call, because a server without a session ends at once, perhaps before a second call reaches it.
        new_session = ("new-session", "-d", "-x", "80", "-y", "24", command)
        self.run("start-server", ";", "set-option", "-g", "default-terminal", term, ";", *new_session)

    def run(self, *arguments: str) -> str:
        """Run a tmux command."""
        done = subprocess.run(
            [*self.command, *arguments], env=self._environ, capture_output=True, text=True, timeout=PATIENCE, check=True
        )
        return done.stdout

    def text(self) -> str:
        """Return what the window shows."""
        return self.run("capture-pane", "-p")

    def press(self, *keys: str) -> None:
        """Press keys, given by their names in tmux."""
        self.run("send-keys", *keys)

    def wait_for(self, holds: Callable[[str], bool]) -> str:
        """Wait until the window satisfies a condition, and return what it shows."""
        deadline = time.monotonic() + PATIENCE
        while not holds(text := self.text()):
            if time.monotonic() > deadline:
                pytest.fail(f"not in the window\n{text}")
            time.sleep(0.1)
        return text

    def is_open(self) -> bool:
        """Whether the app still runs in tmux."""
        done = subprocess.run([*self.command, "has-session"], capture_output=True, check=False)
        return done.returncode == 0

    def wait_until_stable(self) -> str:
        """Wait until the window no longer changes, and return what it shows."""
        before, text = "", self.text()
        while before != text:
            time.sleep(1.0)
            before, text = text, self.text()
        return text


@pytest.fixture(params=["screen", "tmux-256color"])
def tmux(request: pytest.FixtureRequest, tmp_path: Path, home: dict[str, str]) -> Iterator[Tmux]:
    """Yield the app in tmux. If tmux is missing, the test fails and is not skipped."""
    assert shutil.which("tmux"), "these tests need tmux: .ci/run installs it"
    found = Tmux(tmp_path / "tmux", home, request.param)
    yield found
    subprocess.run([*found.command, "kill-server"], capture_output=True, check=False)


def test_from_the_menu_to_a_move(tmux: Tmux, home: dict[str, str]) -> None:
    tmux.wait_for(lambda text: FIRST.title in text)
    tmux.press("Enter")
    tmux.wait_for(lambda text: "Start the game" in text)
    tmux.press("Enter")
    board = tmux.wait_for(lambda text: "to move" in text)
    tmux.press("Right")
    tmux.wait_for(lambda text: text != board)
    deadline = time.monotonic() + PATIENCE
    while not saved_plies(home) and time.monotonic() < deadline:
        tmux.press("Enter")
        time.sleep(0.5)
    assert saved_plies(home) > 0, tmux.text()
    tmux.wait_for(lambda text: "to move" in text)
    tmux.press("q")
    tmux.wait_for(lambda text: "Resume" in text)
    deadline = time.monotonic() + PATIENCE
    while tmux.is_open() and time.monotonic() < deadline:
        tmux.press("q")  # a key that comes too soon after the board has closed only shows a message
        time.sleep(0.5)
    assert not tmux.is_open(), "the app has left, and tmux with it"


def test_another_size_lays_the_board_out_again(tmux: Tmux) -> None:
    tmux.wait_for(lambda text: FIRST.title in text)
    tmux.press("Enter")
    tmux.wait_for(lambda text: "Start the game" in text)
    tmux.press("Enter")
    tmux.wait_for(lambda text: "to move" in text)
    tmux.wait_until_stable()
    tmux.run("resize-window", "-x", "60", "-y", "20")
    tmux.wait_for(lambda text: "to move" in text and all(len(line) <= 60 for line in text.split("\n")))
    narrow = tmux.wait_until_stable()
    tmux.run("resize-window", "-x", "59", "-y", "20")
    tmux.wait_for(lambda text: "to move" not in text and "60" in text)
    tmux.run("resize-window", "-x", "60", "-y", "20")
    tmux.wait_for(lambda text: "to move" in text)
    assert tmux.wait_until_stable() == narrow
    tmux.run("resize-window", "-x", "120", "-y", "40")
    tmux.wait_for(lambda text: "to move" in text and any(len(line) > 60 for line in text.split("\n")))
