"""Plays matches on many machines, with the workers of a Dask cluster.

This is the only module that uses Dask. It loads Dask only when a cluster is asked for (the extra `onlymove[cluster]`).
"""

from __future__ import annotations

import asyncio
import logging
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
        cluster = Cluster(client, address)
        yield Farm(cluster, len(client.nthreads()), prepare=partial(prepare, client), check=cluster.check)
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
    the scheduler dies at that moment, and the result never comes. So `check` must be called while one is waited for."""

    def __init__(self, client: Client, address: str) -> None:
        self.client = client
        self.address = address
        # The calls are not pure: a game that is submitted again must be played again, not answered with its earlier
        # failure.
        self.executor: Executor = client.get_executor(pure=False)

    def submit(self, fn: Callable[Arguments, T], /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Future[T]:
        self.check()
        remote = self.executor.submit(Outcome.run, fn, args, kwargs)
        future: Future[T] = Future()
        future.add_done_callback(lambda done: remote.cancel() if done.cancelled() else None)
        remote.add_done_callback(partial(copy_outcome, future))
        return future

    def check(self) -> None:
        """Raise NoFarm if the connection to the scheduler is lost."""
        if self.client.status != "running":
            raise NoFarm(f"lost the connection to the scheduler at {self.address}")


def copy_outcome(future: Future[T], remote: Future[Outcome]) -> None:
    """Copy the result or error of a call on the cluster to `future`, unless that is already done."""
    with suppress(InvalidStateError):
        if remote.cancelled():
            future.set_exception(WorkerLost("the cluster lost a game of the match"))
        elif (trouble := remote.exception()) is not None:
            future.set_exception(WorkerLost(str(trouble)))
        else:
            outcome = remote.result()
            (future.set_exception if outcome.is_error else future.set_result)(outcome.found)


def open_farm(text: str) -> AbstractContextManager[Farm]:
    """Open the farm named `local:N` (processes on this machine) or `dask://HOST:PORT` (a cluster). Closing it ends all
    games that are still running. Raises NoFarm, at the latest when the block is entered."""
    return connect_farm(text) if text.startswith(PREFIX) else workers.open_local(text)
