"""Runs other programs, of any protocol and game, and reads what the system reports about their processes."""

from __future__ import annotations

import enum
import os
import select
import signal
import subprocess
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from onlymove_engines.core.text import clean_line, decode_text
from onlymove_engines.protocols.host import printable
from onlymove_tables.child import build_script, outer_environment

from onlymove.tournament import keeper


class FaultKind(enum.Enum):
    TIMEOUT = "timeout"
    CRASH = "crash"
    NONSENSE = "nonsense"
    ILLEGAL = "illegal"
    FLOOD = "flood"


class Fault(Exception):
    """A contestant has failed and loses the game. `text` is one line that says what happened."""

    def __init__(self, kind: FaultKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


PROC: Final = Path("/proc")
MARK: Final = "ONLYMOVE_PROGRAM"
"""The environment variable by which all processes of a program or a worker are found. Its value is different for each
of them. The mark of a program that a worker runs begins with the worker's."""

LAST_MOMENT: Final = 5.0
"""Seconds to wait for a killed process to end. The system cannot always end it at once."""


class Patience(NamedTuple):
    """How many seconds of wall time to wait for another program."""

    start: float = 30.0
    """Until it says that it is ready."""
    leave: float = 0.5
    """Until it ends by itself, first after a farewell and then after SIGTERM."""
    killed: float = LAST_MOMENT
    """Until it has ended after it was killed."""


PATIENCE: Final = Patience()

SWEEPS: Final = 20
"""How often to search again for processes, because others may start during the search."""


RUNNABLE: Final = b"R"
"""The state of a thread that is computing or waits for a processor."""


class Process(NamedTuple):
    """A process or thread, as read from /proc/PID/stat (proc_pid_stat(5)). `ticks` include the CPU time of children
    that it has waited for. `is_runnable` is about its first thread."""

    pid: int
    parent: int
    session: int
    ticks: int
    threads: int
    is_runnable: bool


class Usage(NamedTuple):
    """What a program has used: `cpu` in seconds, user and system, and whether it computes or waits for a processor."""

    cpu: float
    is_runnable: bool


def is_readable() -> bool:
    """Whether this system shows the CPU time of other processes."""
    return (PROC / "self" / "stat").exists()


def processes(folder: Path) -> Iterator[Process]:
    """Yield every process that /proc lists now, or every thread that /proc/PID/task lists."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.isdigit():
                with suppress(OSError):
                    stat = Path(entry.path, "stat").read_bytes()
                    # The process's name is in parentheses and may contain any characters.
                    fields = stat[stat.rindex(b")") + 2 :].split()
                    parent, session, threads = (int(fields[k]) for k in (1, 3, 17))
                    ticks = sum(map(int, fields[11:15]))
                    yield Process(int(entry.name), parent, session, ticks, threads, fields[0] == RUNNABLE)


def read_usage(leader: int, proc: Path = PROC) -> Usage:
    """Return the usage of the session that `leader` leads, including all its descendants."""
    known = list(processes(proc))
    family = {process.pid for process in known if leader in (process.pid, process.session)}
    size = -1
    while size != len(family):
        size = len(family)
        family |= {process.pid for process in known if process.parent in family}
    own = [process for process in known if process.pid in family]
    return Usage(
        sum(process.ticks for process in own) / os.sysconf("SC_CLK_TCK"),
        any(is_runnable(process, proc) for process in own),
    )


def is_runnable(process: Process, proc: Path = PROC) -> bool:
    if process.is_runnable or process.threads == 1:
        return process.is_runnable
    try:
        return any(thread.is_runnable for thread in processes(proc / str(process.pid) / "task"))
    except OSError:  # The process has ended meanwhile.
        return False


def find_marked(mark: str) -> list[int]:
    """Return the processes whose mark begins with `mark`, in any process group or session."""
    entry = f"\0{MARK}={mark}".encode()
    found = []
    for process in os.scandir(PROC):
        if process.name.isdigit():
            with suppress(OSError):
                if entry in b"\0" + Path(process.path, "environ").read_bytes():
                    found.append(int(process.name))
    return found


def kill_marked(mark: str) -> None:
    """Kill the marked processes in any process group, on systems where they can be found."""
    for _ in range(SWEEPS if is_readable() else 0):
        strays = find_marked(mark)
        if not strays:
            return
        for pid in strays:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)


def describe_exit(code: int) -> str:
    """Describe the return code of a process that has ended, which is negative for a signal."""
    return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"


CHUNK: Final = 1 << 16
MAX_HEARD: Final = 1 << 22
MAX_LINES: Final = 20_000
"""The most bytes and lines that a program may write between two questions, many more than engines report."""

LAST_WORDS: Final = 2000
"""How many of the last bytes of stderr are stored. They may say why a program has ended."""

MAX_LOOK: Final = 3600.0
"""The longest wait in one call. The system counts milliseconds in 31 bits."""


class Child:
    """A running program, with a keeper that ends everything it has started. Raises Fault if it cannot be started.

    Its output is read only while it is listened to. Between two questions it may fill its pipes and then has to wait.
    """

    def __init__(self, command: Sequence[str], patience: Patience = PATIENCE) -> None:
        self._patience = patience
        self.mark = os.environ.get(MARK, "") + uuid.uuid4().hex
        watched, self._lifeline = os.pipe()
        try:
            self.process = subprocess.Popen(
                build_script(keeper.__file__, str(watched), f"{MARK}={self.mark}", *command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # The keeper carries no mark, so that it is never killed before what it has to kill.
                env={name: text for name, text in outer_environment().items() if name != MARK},
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
        self.pid = self.process.pid
        """The keeper. All processes of the program are its descendants."""
        self._stdin, self._stdout = self.process.stdin.fileno(), self.process.stdout.fileno()
        os.set_blocking(self._stdin, False)
        self._pipes = select.poll()
        self._open = {self._stdout, self.process.stderr.fileno()}
        for handle in self._open:
            self._pipes.register(handle, select.POLLIN)
        self._unsent = b""
        self._lines: deque[str] = deque()
        self._rest = b""
        self._stderr_text = b""
        self._heard = 0
        self._heard_lines = 0

    def say(self, lines: Sequence[str]) -> None:
        """Send lines while the program is listened to. If it does not read them, it will not answer either."""
        self._unsent += "".join(f"{line}\n" for line in lines).encode()
        if self._unsent:
            self._pipes.register(self._stdin, select.POLLOUT)

    def hear(self, deadline: float) -> str | None:
        """Return the program's next line that is not blank, or `None` if none comes before `deadline` (monotonic
        seconds). Raises Fault if the program has ended or has written too much."""
        if not self._lines:
            self._serve(0.0)
        self._serve_until(lambda: bool(self._lines) or self._is_flooded or self._stdout not in self._open, deadline)
        if self._is_flooded:
            raise Fault(FaultKind.FLOOD, f"wrote more than {MAX_LINES} lines or {MAX_HEARD >> 20} MiB before an answer")
        if not self._lines and self._stdout not in self._open:
            raise Fault(FaultKind.CRASH, self._describe_end())
        return self._lines.popleft() if self._lines else None

    def forget(self) -> None:
        """Drop the lines received so far. They do not answer the next question."""
        while self._serve(0.0) and not self._is_flooded:
            pass
        self._lines.clear()
        if not self._is_flooded:
            self._heard, self._heard_lines = len(self._rest), 0

    @property
    def _is_flooded(self) -> bool:
        return self._heard > MAX_HEARD or self._heard_lines > MAX_LINES

    def _serve_until(self, is_done: Callable[[], bool], deadline: float) -> None:
        while not is_done() and (left := deadline - time.monotonic()) > 0:
            self._serve(left)

    def _serve(self, seconds: float) -> bool:
        """Write to and read from the pipes that are ready within this time. Returns whether any was."""
        ready = self._pipes.poll(1000 * min(seconds, MAX_LOOK))
        for handle, _ in ready:
            if handle != self._stdin:
                self._receive(handle)
                continue
            with suppress(BlockingIOError):
                try:
                    self._unsent = self._unsent[os.write(handle, self._unsent) :]
                except BrokenPipeError:
                    self._unsent = b""
            if not self._unsent:
                self._pipes.unregister(handle)
        return bool(ready)

    def _receive(self, handle: int) -> None:
        """Read from stdout or stderr. Nothing more is read from a pipe that is closed, or after too much."""
        chunk = os.read(handle, CHUNK)
        self._heard += len(chunk)
        self._heard_lines += chunk.count(b"\n")
        if handle == self._stdout:
            *whole, self._rest = (self._rest + (chunk or b"\n")).split(b"\n")
            self._lines.extend(line for raw in whole if (line := clean_line(decode_text(raw)).strip()))
        else:
            self._stderr_text = (self._stderr_text + chunk)[-LAST_WORDS:]
        if not chunk:
            self._open.remove(handle)
        if not chunk or self._is_flooded:
            self._pipes.unregister(handle)

    def _describe_end(self) -> str:
        """Describe how the program ended: its exit code or signal, and its last line on stderr."""
        self._serve_until(lambda: not self._open, time.monotonic() + self._patience.leave)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(self._patience.leave)
        code: int | None = self.process.returncode
        ending = "closed its output" if code is None else describe_exit(code)
        lines = self._stderr_text.decode("utf-8", "replace").split("\n")
        words = next((printable(line.strip()) for line in reversed(lines) if line.strip()), "")
        return f"{ending}: {words}" if words else ending

    def end(self, farewell: Sequence[str] = ()) -> None:
        """End the program and everything it has started. It gets the farewell first, then SIGTERM, then SIGKILL."""
        self.say(farewell)
        if farewell:
            self._serve_until(lambda: self._stdout not in self._open, time.monotonic() + self._patience.leave)
        self.process.terminate()
        self._serve_until(lambda: self._stdout not in self._open, time.monotonic() + self._patience.leave)
        os.close(self._lifeline)  # The keeper kills what is left.
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(self._patience.killed)
        self.process.kill()
        self.process.wait()
        kill_marked(self.mark)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
