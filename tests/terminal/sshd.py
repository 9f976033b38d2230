"""An sshd on loopback with its own keys and configuration. It neither uses nor changes the machine's own SSH."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from .harness import PATIENCE, Pty

BASE = """
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
PrintMotd no
PrintLastLog no
"""
OPTIONS = {
    "StrictHostKeyChecking": "no",
    "UserKnownHostsFile": "/dev/null",
    "GlobalKnownHostsFile": "/dev/null",
    "IdentitiesOnly": "yes",
    "LogLevel": "ERROR",
}


def sshd() -> str:
    """Return the path of the server, which is outside most users' search path. If it is missing, the test fails and is
    not skipped."""
    found = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    assert found, "these tests need sshd: .ci/run installs openssh-server"
    assert shutil.which("ssh"), "these tests need ssh: .ci/run installs openssh-client"
    return found


def make_key(path: Path) -> str:
    """Make a key pair and return the public key."""
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(path)], check=True)
    return path.with_suffix(".pub").read_text().strip()


class Sshd:
    """A server that runs until it is closed. `configuration` is added to the basic one."""

    def __init__(self, folder: Path, configuration: str) -> None:
        self.folder = folder
        make_key(folder / "host")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (folder / "configuration").write_text(BASE.format(port=self.port, folder=folder) + configuration)
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        command = [sshd(), "-D", "-E", str(folder / "log"), "-f", str(folder / "configuration")]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        pytest.fail(f"sshd does not answer: {(self.folder / 'log').read_text()}")

    def command(self, user: str, key: Path, *arguments: str) -> list[str]:
        """Return the command that logs a user in."""
        given = [part for name, value in OPTIONS.items() for part in ("-o", f"{name}={value}")]
        where = ["-i", str(key), "-p", str(self.port)]
        return ["ssh", "-F", "/dev/null", *given, *where, *arguments, f"{user}@127.0.0.1"]

    def session(self, user: str, key: Path, environ: Mapping[str, str] | None = None, *arguments: str) -> Pty:
        """Log in from a terminal that sends its locale and the variables in `environ`."""
        output = {"TERM": "xterm-256color", "LANG": "C.UTF-8", **(environ or {})}
        send = ("-o", f"SendEnv={' '.join(output)}")
        return Pty(self.command(user, key, "-tt", *send, *arguments), {"PATH": os.environ["PATH"], **output})

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
