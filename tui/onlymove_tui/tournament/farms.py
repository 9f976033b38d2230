"""The farms that play the games of a match: processes on this machine, or the workers of a Dask cluster.

Dask is loaded only when a cluster is asked for (the extra `onlymove[cluster]`).
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, InvalidStateError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Final, ParamSpec, TypeVar, cast

from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId

from onlymove_tui.tournament.processes import LAST_MOMENT, MARK, kill_marked
from onlymove_tui.tournament.referee import describe_program, load_kernels, workshop

Arguments = ParamSpec("Arguments")
T = TypeVar("T")
INTERRUPT = {signal.SIGINT}


class NoFarm(OnlymoveError):
    """The farm does not exist or cannot be used."""


class ForeignWorker(OnlymoveError):
    """A worker runs another program or has another table."""


class WorkerLost(BrokenExecutor):
    """The process that was playing a game is gone."""


def run_call(do: Callable[..., T], args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[T | None, Exception | None]:
    """Return the result of a call on a worker, and its error, which the caller raises."""
    try:
        return do(*args, **kwargs), None
    except Exception as error:  # noqa: BLE001 - the caller gets it
        return None, error


@dataclass(frozen=True, slots=True)
class Farm:
    """A place to play `width` games at once. `prepare` makes the workers ready for a game. `check` is called now and
    then during a game. Both raise OnlymoveError, if a worker cannot play or the farm is gone."""

    executor: Executor
    width: int
    prepare: Callable[[GameId], None] = lambda _: None
    check: Callable[[], None] = lambda: None


@contextmanager
def open_farm(text: str) -> Iterator[Farm]:
    """Open the farm named `local:N` (processes on this machine) or `dask://HOST:PORT` (a cluster). Closing it ends all
    games that are still running. Raises NoFarm."""
    if text.startswith(PREFIX):
        with open_cluster(text) as farm:
            yield farm
        return
    kind, _, count = text.partition(":")
    if kind != "local" or not count.isdecimal() or not 1 <= int(count) <= 1000:
        raise NoFarm(f"unknown executor '{text}'; use local:N for N processes or dask://HOST:PORT for a cluster")
    processes = Processes(int(count))
    try:
        yield Farm(processes, int(count))
    finally:
        processes.kill()


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
        place = threading.get_ident()
        try:
            if place not in self.lines:
                self.start_process(place)
            self.lines[place].send((fn, args, kwargs))
            found, error = self.lines[place].recv()
        except (EOFError, OSError):
            if place in self.processes:
                self.lines.pop(place).close()
                self.processes.pop(place).wait()
                kill_marked(f"{self.mark}.{place}.")
            raise WorkerLost("the worker process ended unexpectedly") from None
        if error is not None:
            raise error
        return cast("T", found)

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

    def start_process(self, place: int) -> None:
        """Start the process of this thread. It inherits the thread's blocked interrupt, so that Ctrl-C cannot reach it
        before it ignores interrupts. It does not run the main module again as `multiprocessing` does, so that a script
        can play a match without a guard."""
        signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPT)
        ours, theirs = Pipe()
        with theirs:
            handle = theirs.fileno()
            program = f"import sys; sys.path[:] = {sys.path!r}; import {__name__} as farms; "
            program += f"farms.run_calls(farms.Connection({handle}), '{self.mark}.{place}.')"
            process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.DEVNULL, pass_fds=(handle,))
        self.processes[place], self.lines[place] = process, ours
        if self.is_killed:  # The farm was killed meanwhile, without this process.
            process.kill()


def run_calls(line: Connection, mark: str) -> None:
    """Run calls in a worker process until the other end closes the connection. Everything it starts carries `mark`.
    Interrupts are ignored, because the process that plays the match handles them."""
    os.environ[MARK] = mark
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPT)
    with suppress(EOFError, ConnectionError):
        while True:
            line.send(run_call(*line.recv()))


PREFIX: Final = "dask://"
PATIENCE: Final = 10.0
"""How many seconds to wait for the scheduler to answer, for a first worker, and for the client to close."""


@contextmanager
def open_cluster(text: str) -> Iterator[Farm]:
    """Use the workers of the scheduler at `dask://HOST:PORT` as a farm. The connection is encrypted if Dask's
    configuration requires that. Raises NoFarm."""
    address = text.removeprefix(PREFIX)
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise NoFarm(f"invalid cluster '{text}'; write dask://HOST:PORT")
    try:
        import dask.config  # noqa: PLC0415 - an extra that few install, and slow to load
        import distributed  # noqa: PLC0415 - the same
    except ImportError:
        raise NoFarm("a cluster needs Dask: pip install 'onlymove[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    scheme = "tls" if dask.config.get("distributed.comm.require-encryption", False) else "tcp"
    try:
        client: Any = distributed.Client(f"{scheme}://{address}", timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as refusal:
        raise NoFarm(f"no scheduler answers at {address}: {refusal}") from None
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise NoFarm(f"the scheduler at {address} has no worker") from None
        cluster = Cluster(client, address)
        yield Farm(cluster, len(client.nthreads()), prepare=partial(prepare, client), check=cluster.check)
    finally:
        client.close(timeout=PATIENCE)


def prepare(client: Any, game_id: GameId) -> None:
    """Make every worker open the table and load the kernels before the first game. Raises ForeignWorker for a worker
    with another program or table, and NoFarm for one that cannot play."""
    own = describe_program(games.load(game_id))
    for worker, found in client.run(prepare_worker, game_id, on_error="return").items():
        if isinstance(found, Exception):
            reason = str(found) if isinstance(found, OnlymoveError) else repr(found)
            raise NoFarm(f"the worker at {worker} cannot play: {reason}")
        if found != own:
            raise ForeignWorker(f"the worker at {worker} has {found}, but this program is {own}")


async def prepare_worker(game_id: GameId) -> str:
    """Prepare this worker, and describe the program and table that it plays with. If a machine has several workers, one
    compiles and the others wait. Meanwhile all of them keep answering the scheduler. Raises OnlymoveError."""
    if games.load(game_id).facts.plays_by_search:
        await asyncio.to_thread(load_kernels, game_id)
    return (await asyncio.to_thread(workshop, game_id)).made_with


class Cluster(Executor):
    """Like `Client.get_executor`, except that every failure of the cluster itself counts as a lost worker. Dask raises
    many errors for such failures, even TypeError for a worker that dies while its result is fetched. It raises none if
    the scheduler dies at that moment, and the result never comes. So `check` must be called while one is waited for."""

    def __init__(self, client: Any, address: str) -> None:
        self.client = client
        self.address = address
        # The calls are not pure: a game that is submitted again must be played again, not answered with its earlier
        # failure.
        self.executor: Executor = client.get_executor(pure=False)

    def submit(self, fn: Callable[Arguments, T], /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Future[T]:
        self.check()
        remote = self.executor.submit(run_call, fn, args, kwargs)
        future: Future[T] = Future()
        future.add_done_callback(lambda done: remote.cancel() if done.cancelled() else None)
        remote.add_done_callback(partial(copy_outcome, future))
        return future

    def check(self) -> None:
        """Raise NoFarm if the connection to the scheduler is lost."""
        if self.client.status != "running":
            raise NoFarm(f"lost the connection to the scheduler at {self.address}")


def copy_outcome(future: Future[T], remote: Future[tuple[T, Exception | None]]) -> None:
    """Copy the result or error of a call on the cluster to `future`, unless that is already done."""
    with suppress(InvalidStateError):
        if remote.cancelled():
            future.set_exception(WorkerLost("the cluster lost a game of the match"))
        elif (trouble := remote.exception()) is not None:
            future.set_exception(WorkerLost(str(trouble)))
        else:
            found, error = remote.result()
            if error is None:
                future.set_result(found)
            else:
                future.set_exception(error)
