"""A match on a real Dask cluster on this machine, with a scheduler and two workers, and what is lost if one of them is
killed. If Dask is missing, the tests fail and are not skipped: `make` installs it for them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from signal import SIGKILL

import pytest
from onlymove.tournament import workers
from onlymove.tournament.contestants import Limits
from onlymove.tournament.journal import Journal
from onlymove.tournament.match import Standing, ignore_standing, play_match
from onlymove.tournament.referee import Plan, common_tags
from onlymove.tournament.workers import ForeignWorker, NoPool, open_pool
from onlymove_tui.cli import run

pytestmark = pytest.mark.terminal

PLAN = Plan("pokemon", ("practical@70", "fastest@30"), Limits(nodes=100), seed=3)
PAIRS = 20
QUIET = ("--no-dashboard",)


class Cluster:
    """A scheduler and two workers, as a user starts them."""

    def __init__(self, folder: Path) -> None:
        file = folder / "scheduler.json"
        # A value from the user's shell may not suit workers in other folders.
        environ = {**os.environ, "DASK_LOGGING__DISTRIBUTED": "critical"}
        self.scheduler = self.start(
            environ, "scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file
        )
        # The file exists before it is complete.
        wait_for(lambda: file.exists() and file.read_text().endswith("\n}"))
        self.address = re.sub("^tcp", "dask", json.loads(file.read_text())["address"])
        alone = ("--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--local-directory", folder)
        self.workers = [self.start(environ, "worker", "--scheduler-file", file, *alone) for _ in (0, 1)]

    def start(self, environ: Mapping[str, str], what: str, *options: str | Path) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *QUIET, *map(str, options)]
        return subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL)

    def close(self) -> None:
        """Kill all processes of the cluster."""
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def wait_for(is_so: Callable[[], bool]) -> None:
    """Wait until the condition holds, on a busy machine too."""
    until = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < until, is_so
        time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A cluster of two workers."""
    started = Cluster(tmp_path)
    yield started
    started.close()


def play_records(path: Path, where: str, watcher: Callable[[Standing], None] = ignore_standing) -> bytes:
    """Play the match there, and return its records."""
    with open_pool(where) as there:
        standing = play_match(PLAN, PAIRS, there, Journal(path, PLAN, common_tags(PLAN)), watcher=watcher)
    assert (standing.games, standing.lost_pairs) == (2 * PAIRS, 0)
    return path.read_bytes()


def test_a_match_on_a_cluster_survives_a_killed_worker_and_a_missing_scheduler(
    cluster: Cluster, tmp_path: Path
) -> None:
    """All checks use one cluster, because starting one takes seconds."""
    whole = play_records(tmp_path / "one", "local:1")
    assert play_records(tmp_path / "two", "local:2") == whole
    assert play_records(tmp_path / "dask", cluster.address) == whole

    def kill_a_worker(standing: Standing) -> None:
        if standing.games == 4:
            cluster.workers[0].send_signal(SIGKILL)

    assert play_records(tmp_path / "killed", cluster.address, kill_a_worker) == whole
    assert cluster.workers[0].wait(10) == -SIGKILL

    def kill_the_scheduler(standing: Standing) -> None:
        if standing.games == 4:
            cluster.scheduler.send_signal(SIGKILL)

    with pytest.raises(NoPool, match="lost the connection"):
        play_records(tmp_path / "missed", cluster.address, kill_the_scheduler)
    assert whole.startswith((tmp_path / "missed").read_bytes()), "what was played is kept"


def test_workers_of_another_program_are_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "describe_program", lambda game: "onlymove 0.0.1")
    with (
        open_pool(cluster.address) as there,
        pytest.raises(ForeignWorker, match=r"the worker at tcp://.* has onlymove"),
    ):
        there.prepare(PLAN.game)


def test_the_command_plays_on_a_cluster(cluster: Cluster, capfd: pytest.CaptureFixture[str]) -> None:
    where = ("--executor", cluster.address)
    assert (
        run(("match", PLAN.game, "--first", "practical", "--second", "random", "--games", "4", *where, "--json")) == 0
    )
    output, err = capfd.readouterr()
    assert (json.loads(output)["games"], err) == (4, "")
