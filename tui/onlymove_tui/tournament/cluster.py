"""Plays matches on many machines, with the workers of a Dask cluster.

This is the only module that uses Dask. It loads Dask only when a cluster is asked for (the extra `onlymove[cluster]`).
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, InvalidStateError
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId

from onlymove_tui.tournament import workers
from onlymove_tui.tournament.referee import describe_program, load_kernels, workshop
from onlymove_tui.tournament.workers import Farm, ForeignWorker, NoFarm, Outcome, WorkerLost

Arguments = ParamSpec("Arguments")
T = TypeVar("T")
Client: TypeAlias = Any
"""A `distributed.Client`."""

PREFIX: Final = "dask://"
PATIENCE: Final = 10.0
"""How many seconds to wait for the scheduler to answer, for a first worker, and for the client to close."""
LOOKING: Final = 0.5
"""Seconds between two checks of the scheduler."""


@contextmanager
def connect_farm(text: str) -> Iterator[Farm]:
    """Connect to the scheduler at `dask://HOST:PORT`, and use its workers as a farm. Raises NoFarm."""
    address = text.removeprefix(PREFIX)
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise NoFarm(f"invalid cluster '{text}'; write dask://HOST:PORT")
    client = connect(address)
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise NoFarm(f"the scheduler at {address} has no worker") from None
        with Cluster(client, address) as cluster:
            yield Farm(cluster, len(client.nthreads()), prepare=partial(prepare, client))
    finally:
        client.close(timeout=PATIENCE)


def connect(address: str) -> Client:
    """Return a client of the scheduler. The connection is encrypted if Dask's configuration requires that. Raises
    NoFarm."""
    try:
        import dask.config  # noqa: PLC0415 - an extra that few install, and slow to load
        import distributed  # noqa: PLC0415 - the same
    except ImportError:
        raise NoFarm("a cluster needs Dask: pip install 'onlymove[cluster]'") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    scheme = "tls" if dask.config.get("distributed.comm.require-encryption", False) else "tcp"
    try:
        return distributed.Client(f"{scheme}://{address}", timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError) as refusal:
        raise NoFarm(f"no scheduler answers at {address}: {refusal}") from None


def prepare(client: Client, game_id: GameId) -> None:
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
    the scheduler dies at that moment, and the result never comes. So a thread watches the scheduler."""

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        self.address = address
        # The calls are not pure: a game that is submitted again must be played again, not answered with its earlier
        # failure.
        self.executor: Executor = client.get_executor(pure=False)
        self.waiting: set[Future[Any]] = set()
        self.is_over = threading.Event()
        threading.Thread(target=self.watch_scheduler, daemon=True).start()

    def submit(self, fn: Callable[Arguments, T], /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Future[T]:
        if self.is_gone():
            raise NoFarm(f"lost the connection to the scheduler at {self.address}")
        remote = self.executor.submit(Outcome.of, fn, args, kwargs)
        future: Future[T] = Future()
        self.waiting.add(future)
        future.add_done_callback(self.waiting.discard)
        future.add_done_callback(lambda done: remote.cancel() if done.cancelled() else None)
        remote.add_done_callback(partial(copy_outcome, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Stop watching the scheduler. Games that are still running end together with the client."""
        self.is_over.set()

    def is_gone(self) -> bool:
        return bool(self.client.status != "running")

    def watch_scheduler(self) -> None:
        """Fail all waiting games when the connection to the scheduler is lost."""
        while not self.is_over.wait(LOOKING):
            if self.is_gone():
                for future in self.waiting.copy():
                    lose(future, "lost the connection to the scheduler")


def copy_outcome(future: Future[T], remote: Future[Outcome]) -> None:
    """Copy the result or error of a call on the cluster to `future`."""
    if remote.cancelled() or (trouble := remote.exception()) is not None:
        lose(future, "the cluster lost a game of the match" if remote.cancelled() else str(trouble))
        return
    with suppress(InvalidStateError):
        remote.result().copy_to(future)


def lose(future: Future[Any], reason: str) -> None:
    """Fail a future with WorkerLost, unless it is already done."""
    with suppress(InvalidStateError):
        future.set_exception(WorkerLost(reason))


def open_farm(text: str) -> AbstractContextManager[Farm]:
    """Open the farm named `local:N` (processes on this machine) or `dask://HOST:PORT` (a cluster). Closing it ends all
    games that are still running. Raises NoFarm, at the latest when the block is entered."""
    return connect_farm(text) if text.startswith(PREFIX) else workers.open_local(text)
