"""The farms that play games. A farm has an executor, plays a number of games at once, and reports lost workers."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeAlias, TypeVar

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId

from onlymove_tui.tournament.processes import LAST_MOMENT, WORKER_MARK, kill_marked

Arguments = ParamSpec("Arguments")
T = TypeVar("T")
INTERRUPT = {signal.SIGINT}
Job: TypeAlias = tuple[Future[Any], Callable[..., Any], tuple[Any, ...], dict[str, Any]]


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
    def of(cls, do: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Outcome:
        try:
            return cls(do(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - the caller gets it
            return cls(error, is_error=True)

    def copy_to(self, future: Future[Any]) -> None:
        (future.set_exception if self.is_error else future.set_result)(self.found)


@dataclass(frozen=True, slots=True)
class Farm:
    """A place to play games. `executor` plays `width` games at once. An exception of a type in `losses` means that a
    worker was lost and the game can be played again. `prepare` makes the workers ready for a game, and raises
    OnlymoveError if one of them cannot play it."""

    executor: Executor
    width: int
    losses: tuple[type[BaseException], ...] = (BrokenExecutor,)
    prepare: Callable[[GameId], None] = lambda _: None


class Processes(Executor):
    """An executor of processes on this machine, each with one job at a time.

    A process that dies loses only its own job, and the next job gets a new process. Everything that a process has
    started, in any session, ends with it (on Linux). When the main process dies, even if it is killed, the others
    finish their job and end. The standard library's pool is no substitute, because it gives up all its jobs when one
    process dies, and cannot stop a single one.
    """

    def __init__(self, count: int) -> None:
        self.jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.is_closed = False
        self.is_killed = False
        self.mark = uuid.uuid4().hex
        """The marks of everything that these processes start begin with this."""
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.threads = [threading.Thread(target=self.run_jobs, args=(k,), daemon=True) for k in range(count)]
        for thread in self.threads:
            thread.start()

    def submit(self, fn: Callable[Arguments, T], /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Future[T]:
        if self.is_closed:
            raise RuntimeError("the workers have already been stopped")
        future: Future[T] = Future()
        self.jobs.put((future, fn, args, kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accept no more jobs. With `cancel_futures`, also drop the waiting jobs and kill the working processes."""
        self.is_closed = True
        if cancel_futures:
            self.is_killed = True
            self.kill(list(self.processes.values()))
        for _ in self.threads:
            self.jobs.put(None)
        if wait:
            for thread in self.threads:
                thread.join()

    def kill(self, processes: Sequence[subprocess.Popen[bytes]]) -> None:
        """Kill these processes, and then everything they have started, because a killed process cannot do that
        itself."""
        for process in processes:
            process.kill()
        for process in processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(LAST_MOMENT)
        kill_marked(self.mark, WORKER_MARK)

    def run_jobs(self, place: int) -> None:
        """Send each job to a worker process and wait for its result, until `None` comes out of the queue."""
        line: Connection | None = None
        while (job := self.jobs.get()) is not None:
            future, *call = job
            if (self.is_killed and future.cancel()) or not future.set_running_or_notify_cancel():
                continue
            try:
                line = line or self.begin(place)
                line.send(call)
                found = line.recv()
            except (EOFError, OSError):
                line = None
                self.reap(place)
                future.set_exception(WorkerLost("the worker process ended unexpectedly"))
            except Exception as trouble:  # noqa: BLE001 - what cannot be sent is an error of the caller
                future.set_exception(trouble)
            else:
                found.copy_to(future)
        if line is not None:
            line.close()
        self.reap(place)

    def begin(self, place: int) -> Connection:
        """Start a process. It inherits this thread's blocked interrupt, so that Ctrl-C cannot reach it before it
        ignores interrupts. It does not run the main module again as `multiprocessing` does, so that a script can play a
        match without a guard."""
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPT)
        ours, theirs = Pipe()
        with theirs:
            handle = theirs.fileno()
            program = f"import sys; sys.path[:] = {sys.path!r}; import {__name__} as workers; "
            program += f"workers.run_calls(workers.Connection({handle}), {self.mark_of(place)!r})"
            process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.DEVNULL, pass_fds=(handle,))
        self.processes[place] = process
        if self.is_killed:  # The farm was killed meanwhile, without this process.
            process.kill()
        return ours

    def mark_of(self, place: int) -> str:
        return f"{self.mark}.{place}."

    def reap(self, place: int) -> None:
        """Wait for a process that was killed or told to end, then kill what it has started."""
        if (process := self.processes.pop(place, None)) is not None:
            process.wait()
            kill_marked(self.mark_of(place), WORKER_MARK)


def run_calls(line: Connection, mark: str) -> None:
    """Run calls in a worker process until the other end closes the connection. Everything it starts carries `mark`.
    Interrupts are ignored, because the process that plays the match handles them."""
    os.environ[WORKER_MARK] = mark
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPT)
    with suppress(EOFError, ConnectionError):
        while True:
            line.send(Outcome.of(*line.recv()))


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
        processes.shutdown(wait=False, cancel_futures=True)
