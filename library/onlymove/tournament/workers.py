"""The pools of workers that play the games of a match: processes on this machine, or the workers of a Dask cluster.

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
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Final

from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId
from onlymove_tables.child import build_command, build_environment

from onlymove.tournament.processes import LAST_MOMENT, MARK, describe_exit, kill_marked
from onlymove.tournament.referee import Plan, describe_program, load_kernels, open_context, try_to_play

INTERRUPT = {signal.SIGINT}


class NoPool(OnlymoveError):
    """The pool does not exist or cannot be used."""


class ForeignWorker(OnlymoveError):
    """A worker runs another program or has another table."""


class WorkerPool:
    """A place to play `width` games at once. `losses` are the errors of a future whose worker was lost."""

    losses: type[Exception] | tuple[type[Exception], ...] = (EOFError, OSError)

    def __init__(self, executor: Executor, width: int) -> None:
        self.executor = executor
        self.width = width

    def submit(self, plan: Plan, number: int) -> Future[str | Exception]:
        """Have a game played. The result is that of `try_to_play`. Raises NoPool."""
        return self.executor.submit(try_to_play, plan, number)

    def prepare(self, game_id: GameId) -> None:
        """Make the workers ready for a game. Raises OnlymoveError if one cannot play."""

    def check(self) -> None:
        """Raise NoPool if the pool is gone. This is called now and then during a game."""


@contextmanager
def open_pool(text: str) -> Iterator[WorkerPool]:
    """Open the pool named `local:N` (processes on this machine) or `dask://HOST:PORT` (a cluster). Closing it ends all
    games that are still running. Raises NoPool."""
    if text.startswith(PREFIX):
        with open_cluster(text) as pool:
            yield pool
        return
    kind, _, count = text.partition(":")
    if kind != "local" or not count.isdecimal() or not 1 <= int(count) <= 1000:
        raise NoPool(f"unknown executor '{text}'; use local:N for N processes or dask://HOST:PORT for a cluster")
    processes = LocalPool(int(count))
    try:
        yield processes
    finally:
        processes.kill()


class LocalPool(WorkerPool):
    """A pool of processes on this machine, each with one job at a time.

    Each thread of the executor has a process of its own. A process that dies loses only its own job, and the next job
    gets a new process. Everything that a process has started, in any session, ends with it (on Linux). When the main
    process dies, even if it is killed, the others finish their job and end. The standard library's pool of processes is
    no substitute, because it gives up all its jobs when one process dies, and cannot stop a single one.
    """

    def __init__(self, count: int) -> None:
        super().__init__(ThreadPoolExecutor(count), count)
        self.is_killed = False
        self.mark = uuid.uuid4().hex
        """The marks of everything that these processes start begin with this."""
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.lines: dict[int, Connection] = {}
        """The process of each thread, and the connection to it, by the thread's number."""

    def submit(self, plan: Plan, number: int) -> Future[str | Exception]:
        return self.executor.submit(self.call, try_to_play, plan, number)

    def call(self, do: Callable[..., Any], *args: Any) -> Any:
        """Call a function in this thread's process. Raises EOFError or OSError if the process dies or cannot start. The
        error says how it ended."""
        place = threading.get_ident()
        try:
            if place not in self.lines:
                self.start_process(place)
            self.lines[place].send((do, args))
            return self.lines[place].recv()
        except (EOFError, OSError):
            if place not in self.processes:
                raise
            self.lines.pop(place).close()
            code = self.processes.pop(place).wait()
            kill_marked(f"{self.mark}.{place}.")
            raise EOFError(describe_exit(code)) from None

    def kill(self) -> None:
        """Drop the waiting jobs, and kill the working processes and everything they have started."""
        self.executor.shutdown(wait=False, cancel_futures=True)
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
            process = subprocess.Popen(
                build_command(__name__, str(handle), f"{self.mark}.{place}."),
                env=build_environment(),
                stdin=subprocess.DEVNULL,
                pass_fds=(handle,),
            )
        self.processes[place], self.lines[place] = process, ours
        if self.is_killed:  # The pool was killed meanwhile, without this process.
            process.kill()


def run_calls(line: Connection, mark: str) -> None:
    """Run calls in a worker process until the other end closes the connection. Everything it starts carries `mark`.
    Interrupts are ignored, because the process that plays the match handles them."""
    os.environ[MARK] = mark
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPT)
    with suppress(EOFError, ConnectionError):
        while True:
            do, args = line.recv()
            line.send(do(*args))


PREFIX: Final = "dask://"
PATIENCE: Final = 10.0
"""How many seconds to wait for the scheduler to answer, for a first worker, and for the client to close."""


@contextmanager
def open_cluster(text: str) -> Iterator[WorkerPool]:
    """Use the workers of the scheduler at `dask://HOST:PORT` as a pool. The connection is encrypted if Dask's
    configuration requires that. Raises NoPool."""
    address = text.removeprefix(PREFIX)
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise NoPool(f"invalid cluster '{text}'; write dask://HOST:PORT")
    try:
        import dask.config  # noqa: PLC0415 - an extra that few install, and slow to load
        import distributed  # noqa: PLC0415 - the same
    except ImportError:
        raise NoPool("a cluster needs Dask: pip install 'onlymove[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    scheme = "tls" if dask.config.get("distributed.comm.require-encryption", False) else "tcp"
    try:
        client: Any = distributed.Client(f"{scheme}://{address}", timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as refusal:
        raise NoPool(f"no scheduler answers at {address}: {refusal}") from None
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise NoPool(f"the scheduler at {address} has no worker") from None
        yield ClusterPool(client, address)
    finally:
        client.close(timeout=PATIENCE)


class ClusterPool(WorkerPool):
    """The workers of a Dask scheduler. Dask raises many errors if a worker is lost, even TypeError for one that dies
    while its result is fetched. It raises none if the scheduler dies at that moment, and the result never comes. So
    `check` must be called while a game is waited for."""

    losses = Exception

    def __init__(self, client: Any, address: str) -> None:
        # The calls are not pure: a game that is submitted again must be played again, not answered with its earlier
        # failure.
        super().__init__(client.get_executor(pure=False), len(client.nthreads()))
        self.client = client
        self.address = address

    def submit(self, plan: Plan, number: int) -> Future[str | Exception]:
        self.check()
        return super().submit(plan, number)

    def prepare(self, game_id: GameId) -> None:
        """Make every worker open the table and load the kernels before the first game. Raises ForeignWorker for a
        worker with another program or table, and NoPool for one that cannot play."""
        own = describe_program(games.load(game_id))
        for worker, found in self.client.run(prepare_worker, game_id, on_error="return").items():
            if isinstance(found, Exception):
                reason = str(found) if isinstance(found, OnlymoveError) else repr(found)
                raise NoPool(f"the worker at {worker} cannot play: {reason}")
            if found != own:
                raise ForeignWorker(f"the worker at {worker} has {found}, but this program is {own}")

    def check(self) -> None:
        if self.client.status != "running":
            raise NoPool(f"lost the connection to the scheduler at {self.address}")


async def prepare_worker(game_id: GameId) -> str:
    """Prepare this worker, and describe the program and table that it plays with. If a machine has several workers, one
    compiles and the others wait. Meanwhile all of them keep answering the scheduler. Raises OnlymoveError."""
    if games.load(game_id).facts.plays_by_search:
        await asyncio.to_thread(load_kernels, game_id)
    return (await asyncio.to_thread(open_context, game_id)).made_with


if __name__ == "__main__":
    run_calls(Connection(int(sys.argv[1])), sys.argv[2])
