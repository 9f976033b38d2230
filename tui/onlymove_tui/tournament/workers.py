"""The farms that play games. A farm has an executor, plays a number of games at once, and reports lost workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId

from onlymove_tui.tournament.processes import LAST_MOMENT, MARK, kill_marked

Arguments = ParamSpec("Arguments")
T = TypeVar("T")
INTERRUPT = {signal.SIGINT}


class NoFarm(OnlymoveError):
    """The farm does not exist or cannot be used."""


class ForeignWorker(OnlymoveError):
    """A worker runs another program or has another table."""


class WorkerLost(BrokenExecutor):
    """The process that was playing a game is gone."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result or the error of a call on a worker."""

    found: Any
    is_error: bool = False

    @classmethod
    def run(cls, do: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Outcome:
        try:
            return cls(do(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the caller gets it
            return cls(error, is_error=True)


@dataclass(frozen=True, slots=True)
class Farm:
    """A place to play games. `executor` plays `width` games at once. `prepare` makes the workers ready for a game, and
    raises OnlymoveError if one of them cannot play it. `check` is called now and then during a game, and raises
    OnlymoveError if the farm is gone."""

    executor: Executor
    width: int
    prepare: Callable[[GameId], None] = lambda _: None
    check: Callable[[], None] = lambda: None


class Processes(ThreadPoolExecutor):
    """An executor of processes on this machine, each with one job at a time.

    Each thread has a process of its own. A process that dies loses only its own job, and the next job gets a new
    process. Everything that a process has started, in any session, ends with it (on Linux). When the main process dies,
    even if it is killed, the others finish their job and end. The standard library's pool of processes is no
    substitute, because it gives up all its jobs when one process dies, and cannot stop a single one.
    """

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.is_killed = False
        self.mark = uuid.uuid4().hex
        """The marks of everything that these processes start begin with this."""
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.lines: dict[int, Connection] = {}
        """The process of each thread, and the connection to it, by the thread's number."""

    def submit(self, fn: Callable[Arguments, T], /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Future[T]:
        return super().submit(self.call, fn, args, kwargs)

    def call(self, fn: Callable[..., T], args: Sequence[Any], kwargs: dict[str, Any]) -> T:
        """Call a function in this thread's process. Raises WorkerLost, and what the function raises."""
        try:
            line = self.find_line()
            line.send((fn, args, kwargs))
            outcome: Outcome = line.recv()
        except (EOFError, OSError):
            self.reap()
            raise WorkerLost("the worker process ended unexpectedly") from None
        if outcome.is_error:
            raise outcome.found
        found: T = outcome.found
        return found

    def kill(self) -> None:
        """Drop the waiting jobs, and kill the working processes and everything they have started."""
        self.shutdown(wait=False, cancel_futures=True)
        self.is_killed = True
        killed = list(self.processes.values())
        for process in killed:
            process.kill()
        for process in killed:
            with suppress(subprocess.TimeoutExpired):
                process.wait(LAST_MOMENT)
        kill_marked(self.mark)

    def find_line(self) -> Connection:
        """Return the connection to this thread's process, which is started if there is none. It inherits this thread's
        blocked interrupt, so that Ctrl-C cannot reach it before it ignores interrupts. It does not run the main module
        again as `multiprocessing` does, so that a script can play a match without a guard."""
        place = threading.get_ident()
        if place in self.lines:
            return self.lines[place]
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPT)
        ours, theirs = Pipe()
        with theirs:
            handle = theirs.fileno()
            program = f"import sys; sys.path[:] = {sys.path!r}; import {__name__} as workers; "
            program += f"workers.run_calls(workers.Connection({handle}), '{self.mark}.{place}.')"
            process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.DEVNULL, pass_fds=(handle,))
        self.processes[place], self.lines[place] = process, ours
        if self.is_killed:  # The farm was killed meanwhile, without this process.
            process.kill()
        return ours

    def reap(self) -> None:
        """Wait for this thread's process, which has ended, then kill what it has started."""
        place = threading.get_ident()
        if place in self.processes:
            self.lines.pop(place).close()
            self.processes.pop(place).wait()
            kill_marked(f"{self.mark}.{place}.")


def run_calls(line: Connection, mark: str) -> None:
    """Run calls in a worker process until the other end closes the connection. Everything it starts carries `mark`.
    Interrupts are ignored, because the process that plays the match handles them."""
    os.environ[MARK] = mark
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPT)
    with suppress(EOFError, ConnectionError):
        while True:
            line.send(Outcome.run(*line.recv()))


@contextmanager
def open_local(text: str) -> Iterator[Farm]:
    """Open the farm named `local:N`. Closing it ends all games that are still running. Raises NoFarm."""
    kind, _, rest = text.partition(":")
    if kind != "local" or not rest.isdecimal() or not 1 <= int(rest) <= 1000:
        raise NoFarm(f"unknown executor '{text}'; use local:N for N processes or dask://HOST:PORT for a cluster")
    processes = Processes(int(rest))
    try:
        yield Farm(processes, int(rest))
    finally:
        processes.kill()
