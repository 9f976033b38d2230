"""A program that is run: lines to it, lines from it, and its end. Knows no protocol and no game.

Nothing here waits longer than it is told to: the program may not read, never stop writing, ignore signals, or leave
processes behind. Needs process groups (Linux, macOS).
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
import uuid
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from onlymove_engines.protocols.host import printable

from onlymove_tui.environment import outer_environment
from onlymove_tui.tournament.contestant import Fault, FaultKind
from onlymove_tui.tournament.processes import LAST_MOMENT, MARK, kill_marked

CHUNK: Final = 1 << 16
MOST_HEARD: Final = 1 << 22
MOST_LINES: Final = 20_000
"""Bytes, and lines, between two questions; more is a flood. Engines that tell of every depth stay far below."""

LAST_WORDS: Final = 2000
"""Bytes of stderr that are kept, to say why a program has ended."""

LONGEST_LOOK: Final = 3600.0
"""Seconds after which a program that does not read is looked at again: the system counts milliseconds in 31 bits."""

GRACE: Final = 0.5
"""Seconds in which a program may leave by itself, once when asked and once when told to."""

WATCHED: Final = '{ read -r _ <"/dev/fd/$0"; kill -9 0; } >/dev/null 2>&1 & exec "$@"'
"""For /bin/sh: runs the command, and when whoever started it has gone, even by `kill -9`, ends its whole group. Nothing
is ever written to pipe $0: it comes to its end with the process that holds the other end."""


class Child:
    """One running program, the leader of a process group of its own. Raises Fault when it cannot be started."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str] | None = None) -> None:
        self.mark = uuid.uuid4().hex
        watched, self._lifeline = os.pipe()
        try:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", WATCHED, str(watched), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={**(outer_environment() if environ is None else environ), MARK: self.mark},
                pass_fds=(watched,),
                start_new_session=True,
            )
        except (OSError, ValueError) as refusal:
            os.close(self._lifeline)
            raise Fault(FaultKind.CRASH, f"cannot be started: {refusal}") from None
        finally:
            os.close(watched)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._stdin = self.process.stdin.fileno()
        os.set_blocking(self._stdin, False)
        self._unsent = b""
        self._ears = Ears(self.process.stdout.fileno(), self.process.stderr.fileno())

    @property
    def pid(self) -> int:
        """The process that leads the group."""
        return self.process.pid

    def say(self, lines: Sequence[str], deadline: float) -> None:
        """Send it lines, until `deadline` (monotonic seconds); the rest goes before what it is told next. One that does
        not read is found out by its silence."""
        self._unsent += "".join(f"{line}\n" for line in lines).encode()
        able = select.poll()
        able.register(self._stdin, select.POLLOUT)
        while self._unsent and (left := deadline - time.monotonic()) > 0:
            able.poll(1000 * min(left, LONGEST_LOOK))
            try:
                self._unsent = self._unsent[os.write(self._stdin, self._unsent) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                self._unsent = b""

    def hear(self, deadline: float) -> str | None:
        """Its next line; `None` when there is none until `deadline` (monotonic seconds).

        Raises Fault when it has ended or flooded its pipe.
        """
        line = self._ears.next(deadline)
        if line is None and self._ears.flooded:
            raise Fault(
                FaultKind.FLOOD, f"wrote more than {MOST_LINES} lines or {MOST_HEARD >> 20} MiB before an answer"
            )
        if line is None and self._ears.deaf:
            raise Fault(FaultKind.CRASH, self._how_it_ended())
        return line

    def forget(self) -> None:
        """What it has said so far is no answer to what it is asked next."""
        self._ears.forget()

    def _how_it_ended(self) -> str:
        """Exit code or signal, and its last words."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)
        code: int | None = self.process.returncode
        if code is None:
            told = "closed its output"
        else:
            told = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        words = self._ears.last_words(GRACE)
        return f"{told}: {words}" if words else told

    def end(self, farewell: Sequence[str] = ()) -> None:
        """It leaves: when asked, when told, or when killed, with everything it has started."""
        if farewell:
            self.say(farewell, time.monotonic() + GRACE)
            self._ears.wait_for_end(GRACE)
        self._signal(signal.SIGTERM)
        self._ears.wait_for_end(GRACE)
        self._signal(signal.SIGKILL)
        kill_marked(self.mark)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(LAST_MOMENT)
        self._ears.close()
        os.close(self._lifeline)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


class Ears:
    """Listens to stdout and stderr on a thread of its own, and holds no more than it has to."""

    def __init__(self, stdout: int, stderr: int) -> None:
        self.flooded = False
        self.deaf = False
        """stdout is closed: there is nothing more to hear."""
        self._stdout = stdout
        self._stderr = stderr
        self._lines: deque[str] = deque()
        self._rest = b""
        self._heard = 0
        self._heard_lines = 0
        self._words = b""
        self._mute = False
        self._changed = threading.Condition()
        self._closing, self._close = os.pipe()
        self._thread = threading.Thread(target=self._listen, name="program-listener", daemon=True)
        self._thread.start()

    def next(self, deadline: float) -> str | None:
        """The next line that is not blank, or `None`: not until `deadline`, flooded, or at the end."""
        with self._changed:
            while not self._lines and not self.deaf and not self.flooded:
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    break
            return self._lines.popleft() if self._lines and not self.flooded else None

    def forget(self) -> None:
        """Drop the lines that nobody asked for."""
        with self._changed:
            self._lines.clear()
            self._heard = len(self._rest)
            self._heard_lines = 0

    def wait_for_end(self, seconds: float) -> None:
        """Until stdout is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.deaf, seconds)

    def last_words(self, seconds: float) -> str:
        """The last line of stderr, once that is closed, or so many seconds later."""
        with self._changed:
            self._changed.wait_for(lambda: self._mute, seconds)
        lines = self._words.decode("utf-8", "replace").split("\n")
        return next((printable(line.strip()) for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """Listen no more."""
        os.close(self._close)
        self._thread.join()
        os.close(self._closing)

    def _listen(self) -> None:
        able = select.poll()
        for handle in (self._stdout, self._stderr, self._closing):
            able.register(handle, select.POLLIN)
        while True:
            for handle, _ in able.poll():
                if handle == self._closing:
                    return
                chunk = os.read(handle, CHUNK)
                self._count(chunk)
                (self._take if handle == self._stdout else self._note)(chunk)
                if not chunk or self.flooded:
                    able.unregister(handle)

    def _count(self, chunk: bytes) -> None:
        """Of both pipes: to listen costs time, and the other side may be thinking in this process."""
        with self._changed:
            self._heard += len(chunk)
            self._heard_lines += chunk.count(b"\n")
            if self._heard > MOST_HEARD or self._heard_lines > MOST_LINES:
                self.flooded = True
                self._changed.notify_all()

    def _note(self, chunk: bytes) -> None:
        """A piece of stderr; an empty one is its end."""
        with self._changed:
            self._mute = not chunk
            self._words = (self._words + chunk)[-LAST_WORDS:]
            self._changed.notify_all()

    def _take(self, chunk: bytes) -> None:
        """A piece of stdout; an empty one is its end."""
        with self._changed:
            self.deaf = not chunk
            *whole, self._rest = (b"" if self.flooded else self._rest + (chunk or b"\n")).split(b"\n")
            self._lines.extend(line for raw in whole if (line := raw.decode("utf-8", "replace").strip()))
            self._changed.notify_all()
