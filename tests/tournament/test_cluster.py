"""Failures of a cluster, tested without one. tests/terminal/test_cluster.py starts a real cluster."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from operator import truediv
from typing import Any

import pytest
from onlymove_tui.tournament.farms import Cluster, Farm, NoFarm, WorkerLost, open_farm
from onlymove_tui.tournament.match import wait_for_game
from onlymove_tui.tournament.plan import Plan


class Told(Executor):
    """Runs jobs at once, or fails itself."""

    def __init__(self, trouble: BaseException | None) -> None:
        self.trouble = trouble
        self.futures: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.futures.append(future)
        if isinstance(self.trouble, Waiting):
            return future
        if self.trouble is None:
            future.set_result(fn(*args, **kwargs))
        else:
            future.set_exception(self.trouble)
        return future


class Waiting(Exception):
    """The job is not done yet."""


class Client:
    """The part of a client that is used."""

    status = "running"

    def __init__(self, trouble: BaseException | None = None) -> None:
        self.executor = Told(trouble)

    def get_executor(self, pure: bool) -> Executor:
        assert not pure, "a game that is given out again is played again"
        return self.executor


def test_output_of_a_worker_comes_back() -> None:
    with Cluster(Client(), "here:1") as there:
        assert there.submit(divmod, 7, 2).result() == (3, 1)
        with pytest.raises(ZeroDivisionError):
            there.submit(truediv, 1, 0).result()


@pytest.mark.parametrize("trouble", [TypeError("cannot unpack"), OSError("closed"), RuntimeError("killed worker")])
def test_trouble_of_the_cluster_is_the_loss_of_a_worker(trouble: Exception) -> None:
    with Cluster(Client(trouble), "here:1") as there, pytest.raises(WorkerLost):
        there.submit(divmod, 7, 2).result()


def test_cancelled_tasks_are_cancelled_on_the_cluster_and_vice_versa() -> None:
    client = Client(Waiting())
    with Cluster(client, "here:1") as there:
        ours, theirs = there.submit(divmod, 7, 2), there.submit(divmod, 7, 2)
        ours.cancel()
        assert client.executor.futures[0].cancelled()
        client.executor.futures[1].cancel()
        with pytest.raises(WorkerLost):
            theirs.result()


def test_waiting_tasks_are_lost_when_the_scheduler_leaves() -> None:
    """Dask forgets the job if its result was just being fetched."""
    client = Client(Waiting())
    there = Cluster(client, "here:1")
    forgotten: Future[Any] = there.submit(divmod, 7, 2)
    client.status = "connecting"
    with pytest.raises(NoFarm, match="lost the connection to the scheduler"):
        wait_for_game(Plan("tobito", ("random", "random")), Farm(there, 1, check=there.check), 0, forgotten)


def test_a_cluster_that_is_gone_is_one_line() -> None:
    client = Client()
    client.status = "closed"
    with (
        Cluster(client, "here:1") as there,
        pytest.raises(NoFarm, match="lost the connection to the scheduler at here:1"),
    ):
        there.submit(divmod, 7, 2)


@pytest.mark.parametrize("text", ["dask://", "dask://here", "dask://here:", "dask://:80", "dask://here:port"])
def test_a_cluster_that_is_not_spelled_so_is_refused(text: str) -> None:
    with pytest.raises(NoFarm, match="write dask://HOST:PORT"), open_farm(text):
        pass


def test_without_dask_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NoFarm, match=r"pip install 'onlymove\[cluster\]'"), open_farm("dask://127.0.0.1:9"):
        pass
