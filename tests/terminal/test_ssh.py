"""The app through a real sshd on this machine. The forced command is what starts, and a dropped connection loses
nothing. Keys and configuration are made for the test. It neither uses nor changes the machine's own SSH."""

from __future__ import annotations

import os
import pwd
import shlex
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .boards import FIRST, LEAVE, play_a_ply, saved_plies
from .conftest import APP, Spawn
from .harness import Pty, memory_of, set_size
from .recipes import PROGRAM, recipes
from .sshd import Sshd, make_key

pytestmark = pytest.mark.terminal


class Server(Sshd):
    """An sshd that starts the app for everybody who logs in, as configured in docs/hosting.md."""

    def __init__(self, folder: Path, environ: dict[str, str]) -> None:
        key = make_key(folder / "player")
        (folder / "authorized").write_text(key)
        kept = " ".join(
            f'"{name}={value}"' for name, value in environ.items() if name.startswith(("XDG_", "NUMBA_", "PYTHONPATH"))
        )
        (recipe,) = recipes("One account for each player")
        recipe = recipe.replace(PROGRAM, shlex.join(APP)).replace("Match Group players", "Match All")
        super().__init__(folder, f"AuthorizedKeysFile {folder}/authorized\nSetEnv {kept}\n{recipe}")

    def login(self, *arguments: str) -> list[str]:
        """Return the command that logs in."""
        send = ("-o", "SendEnv=LANG LC_*")
        return self.command(pwd.getpwuid(os.geteuid()).pw_name, self.folder / "player", *send, *arguments)


@pytest.fixture
def server(tmp_path: Path, home: dict[str, str]) -> Iterator[Server]:
    """Yield a server on this machine."""
    folder = tmp_path / "ssh"
    folder.mkdir(mode=0o700)
    found = Server(folder, home)
    yield found
    found.close()


def log_in(spawn: Spawn, server: Server) -> Pty:
    terminal = spawn(command=server.login("-tt"))
    terminal.wait_for(FIRST.title)
    terminal.wait_until_stable()
    return terminal


def test_a_dropped_connection_loses_nothing(spawn: Spawn, server: Server, home: dict[str, str]) -> None:
    terminal = log_in(spawn, server)
    assert not terminal.text().isascii(), "the locale came along"
    assert b"\x1b[?1003h" not in terminal.stream, "no mouse reports over the line"
    terminal.press("\r")
    terminal.press("\r")
    terminal.wait_for("to move")
    play_a_ply(terminal, home)
    terminal.wait_until_stable()
    played = saved_plies(home)
    terminal.process.kill()
    terminal.process.wait()
    again = log_in(spawn, server)
    again.wait_for("Resume")
    again.press("r")
    again.wait_for("to move")
    again.wait_until_stable()
    assert saved_plies(home) >= played
    again.send(LEAVE)
    assert again.has_ended()
    assert again.process.returncode == 0


def test_the_app_starts_no_matter_what_the_client_requests(spawn: Spawn, server: Server) -> None:
    terminal = spawn("cat", "/etc/passwd", command=server.login("-tt"))
    terminal.wait_for(FIRST.title)
    assert b"root:" not in terminal.stream


def test_without_a_terminal_one_line_and_exit_2(server: Server, home: dict[str, str]) -> None:
    done = subprocess.run(
        server.login("-T"), env=home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "needs a terminal" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_client_may_claim_any_size(spawn: Spawn, server: Server) -> None:
    """Formerly, the largest size that ssh passes on took gigabytes of memory, and a narrow one ended the app with a
    traceback."""
    terminal = log_in(spawn, server)
    before = terminal.wait_until_stable()
    for size in ((65_535, 65_535), (30, 24), (1, 1), (65_535, 10)):
        set_size(terminal.master, *size)
        terminal.settle(1.5)
        (app,) = apps_of(server)
        assert memory_of(int(app)) < 200e6, size
    terminal.resize(80, 24)
    terminal.wait_for(FIRST.title)
    assert terminal.wait_until_stable() == before
    assert b"Traceback" not in terminal.stream


def test_no_process_outlives_its_connection(spawn: Spawn, server: Server) -> None:
    terminal = log_in(spawn, server)
    assert apps_of(server)
    terminal.process.kill()
    terminal.process.wait()
    deadline = time.monotonic() + 5
    while apps_of(server) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not apps_of(server)


def apps_of(server: Server) -> dict[str, str]:
    """Return the server's app processes: the command line by process number."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    family = {str(server.process.pid)}
    for _ in range(6):
        family |= {pid for pid, parent, _ in rows if parent in family}
    return {pid: line for pid, _, line in rows if pid in family and "onlymove_tui" in line and "sshd" not in line}
