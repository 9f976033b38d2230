"""Failures of a cluster, tested without one. tests/terminal/test_cluster.py starts a real cluster."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from typing import Any

import pytest
from onlymove.tournament.match import wait_for_game
from onlymove.tournament.referee import Plan
from onlymove.tournament.workers import ClusterPool, NoPool, open_pool

PLAN = Plan("nonesuch", ("random", "random"))


class Troubled(Executor):
    """Fails itself. Without `trouble`, the jobs are not done yet."""

    def __init__(self, trouble: BaseException | None) -> None:
        self.trouble = trouble

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.trouble is not None:
            future.set_exception(self.trouble)
        return future


class Client:
    """The part of a client that is used."""

    status = "running"

    def __init__(self, trouble: BaseException | None = None) -> None:
        self.executor = Troubled(trouble)

    def get_executor(self, pure: bool) -> Executor:
        assert not pure, "a game that is given out again is played again"
        return self.executor

    def nthreads(self) -> dict[str, int]:
        return {"here": 1}


@pytest.mark.parametrize(
    "trouble", [TypeError("cannot unpack"), OSError("closed"), RuntimeError("killed worker"), CancelledError()]
)
def test_trouble_of_the_cluster_is_the_loss_of_a_worker(trouble: Exception) -> None:
    there = ClusterPool(Client(trouble), "here:1")
    assert wait_for_game(PLAN, there, 0, there.submit(PLAN, 0)) is trouble


def test_waiting_tasks_are_lost_when_the_scheduler_leaves() -> None:
    """Dask forgets the job if its result was just being fetched."""
    client = Client()
    there = ClusterPool(client, "here:1")
    forgotten = there.submit(PLAN, 0)
    client.status = "connecting"
    with pytest.raises(NoPool, match="lost the connection to the scheduler"):
        wait_for_game(PLAN, there, 0, forgotten)


def test_a_cluster_that_is_gone_is_one_line() -> None:
    client = Client()
    client.status = "closed"
    with pytest.raises(NoPool, match="lost the connection to the scheduler at here:1"):
        ClusterPool(client, "here:1").submit(PLAN, 0)


@pytest.mark.parametrize("text", ["dask://", "dask://here", "dask://here:", "dask://:80", "dask://here:port"])
def test_a_cluster_that_is_not_spelled_so_is_refused(text: str) -> None:
    with pytest.raises(NoPool, match="write dask://HOST:PORT"), open_pool(text):
        pass


def test_without_dask_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NoPool, match=r"pip install 'onlymove\[cluster\]'"), open_pool("dask://127.0.0.1:9"):
        pass
