"""A real terminal: a process in a pty, with a screen that shows its output. It needs only the standard library and
pyte, and benchmarks use it too."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyte
import pytest

PATIENCE = 20.0
"""After how many seconds a test gives up waiting. Machines that run tests are slow and shared."""

# Sequences that pyte does not know and would print: CSI with a private mark, and requests for modes.
UNKNOWN = re.compile(rb"\x1b\[[<=>][0-9;]*[a-zA-Z]|\x1b\[\??[0-9;]*\$[a-z]|\x1b\[\?[0-9;]*u")


class Pty:
    """A process in its own terminal: what it wrote, and what the screen shows."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str], columns: int = 80, rows: int = 24) -> None:
        self.stream = bytearray()
        self.screen = pyte.Screen(columns, rows)
        self._feed = pyte.ByteStream(self.screen)
        self._pending = b""
        self.master, slave = os.openpty()
        set_size(slave, columns, rows)
        self.modes = termios.tcgetattr(slave)
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=dict(environ),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - the tests have one thread
        )
        self._slave = slave

    def text(self) -> str:
        """Return the lines of the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def read(self, seconds: float) -> bytes:
        """Return what is written within this many seconds. Return at the first pause."""
        waiting = select.poll()  # `select` takes no file number above 1023
        waiting.register(self.master, select.POLLIN)
        if not waiting.poll(1000 * seconds):
            return b""
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return b""
        self.take(data)
        return data

    def take(self, data: bytes) -> None:
        """Show this output on the screen. If a control sequence is cut at the end, it waits for the rest."""
        self.stream += data
        data = self._pending + data
        cut = data.rfind(b"\x1b")
        whole = cut < 0 or re.match(rb"\x1b(\[[<=>?]?[0-9;$]*[a-zA-Z]|[^\[])", data[cut:])
        self._pending, data = (b"", data) if whole else (data[cut:], data[:cut])
        self._feed.feed(UNKNOWN.sub(b"", data))

    def settle(self, quiet: float = 0.35, patience: float = PATIENCE) -> int:
        """Read until nothing has come for `quiet` seconds. Return the number of bytes."""
        deadline = time.monotonic() + patience
        count = 0
        while time.monotonic() < deadline and (data := self.read(quiet)):
            count += len(data)
        return count

    def wait_until_stable(self, quiet: float = 0.6) -> str:
        """Return the screen once it no longer changes, even on a busy machine."""
        before = None
        while before != self.text():
            before = self.text()
            self.settle(quiet)
        return before

    def wait_for(self, wanted: str | Callable[[str], Any], patience: float = PATIENCE) -> str:
        """Return the screen once it contains `wanted` or satisfies it. Otherwise fail, and show the screen."""
        holds = (lambda text: wanted in text) if isinstance(wanted, str) else wanted
        deadline = time.monotonic() + patience
        while not holds(self.text()):
            if time.monotonic() > deadline or self.has_ended(0):
                self.settle(0.1)
                if holds(self.text()):
                    break
                pytest.fail(f"not on the screen: {wanted}\n{self.text()}\nended: {self.process.poll()}")
            self.read(0.1)
        return self.text()

    def send(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def press(self, keys: str, quiet: float = 0.35) -> bytes:
        """Type these keys. Return what is written until it is quiet again."""
        before = len(self.stream)
        self.send(keys)
        self.read(PATIENCE)
        self.settle(quiet)
        return bytes(self.stream[before:])

    def resize(self, columns: int, rows: int) -> None:
        """Change the size, as a window manager does."""
        self.screen.resize(rows, columns)
        set_size(self.master, columns, rows)

    def modes_now(self) -> list[Any]:
        """Return the terminal's current line modes."""
        return termios.tcgetattr(self._slave)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def hang_up(self) -> None:
        """Close the terminal, as closing a window or losing a connection does."""
        for descriptor in (self._slave, self.master):
            with suppress(OSError):
                os.close(descriptor)
        self._slave = self.master = -1

    def has_ended(self, patience: float = PATIENCE) -> bool:
        """Whether the process ends within this time. The screen is still updated meanwhile."""
        deadline = time.monotonic() + patience
        while self.process.poll() is None:
            if time.monotonic() >= deadline:
                return False
            if self.master < 0:
                time.sleep(0.02)
            else:
                self.read(0.02)
        if self.master >= 0:
            self.settle(0.05)
        return True

    def memory(self) -> int:
        """Return the resident memory in bytes."""
        return memory_of(self.process.pid)

    def private_memory(self) -> int:
        """Return the bytes of memory that no other process shares, or 0 if the kernel does not say."""
        sums = Path(f"/proc/{self.process.pid}/smaps_rollup")
        lines = sums.read_text().splitlines() if sums.exists() else []
        return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))

    def code_of(self, library: str) -> int:
        """Return the resident bytes of a library's machine code, or 0 if the kernel does not show them."""
        maps = Path(f"/proc/{self.process.pid}/smaps")
        inside, total = False, 0
        for line in maps.read_text().splitlines() if maps.exists() else ():
            if "-" in line.split()[0]:
                inside = library in line and " r-xp " in line
            elif inside and line.startswith("Rss:"):
                total += int(line.split()[1]) * 1024
        return total

    def close(self) -> None:
        """Kill the process and close the terminal."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.hang_up()


def step_to(terminal: Pty, wanted: str) -> None:
    """Move down to a line of a list or a form. Each step waits until it is seen, or the next one would go too far."""
    for _ in range(30):
        shown = terminal.wait_until_stable(0.3)
        if any("▸" in line and wanted in line for line in shown.split("\n")):
            return
        terminal.send("\x1b[B")
        until = time.monotonic() + 3.0
        while terminal.text() == shown and time.monotonic() < until:
            terminal.read(0.1)
    pytest.fail(f"no line {wanted}\n{terminal.text()}")


def memory_of(process: int) -> int:
    """Return the resident memory of a process in bytes, according to `ps`."""
    found = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=True)
    return int(found.stdout) * 1024


def set_size(descriptor: int, columns: int, rows: int) -> None:
    """Set the size that the kernel reports for a terminal."""
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
