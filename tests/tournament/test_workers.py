"""Processes that play games. If one dies, only its own job is lost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from multiprocessing import Pipe
from signal import SIGINT, signal
from typing import Any

import pytest
from onlymove.tournament.processes import MARK, find_marked
from onlymove.tournament.referee import Plan
from onlymove.tournament.workers import LocalPool, NoPool, WorkerPool, open_pool, run_calls
from onlymove_engines.games import UnknownGame


def call(pool: WorkerPool, do: Callable[..., Any], *args: Any) -> Future[Any]:
    """Have any other job done where games are played."""
    assert isinstance(pool, LocalPool)
    return pool.executor.submit(pool.call, do, *args)


def test_a_process_that_dies_takes_its_own_job_only() -> None:
    with open_pool("local:2") as pool:
        lost, kept = call(pool, os._exit, 3), call(pool, divmod, 7, 2)
        assert kept.result() == (3, 1)
        with pytest.raises(EOFError, match="ended with exit code 3"):
            lost.result()
        assert call(pool, divmod, 9, 2).result() == (4, 1), "a new process takes the place"


def test_an_error_in_a_process_comes_back() -> None:
    with open_pool("local:1") as pool:
        found = pool.submit(Plan("nonesuch", ("random", "random")), 0).result()
    assert isinstance(found, UnknownGame)


def test_a_closed_farm_has_killed_what_was_running() -> None:
    with open_pool("local:1") as pool:
        process = call(pool, os.getpid).result()
        running, waiting = call(pool, time.sleep, 600), call(pool, time.sleep, 600)
        while not running.running():
            time.sleep(0.001)
    with pytest.raises((EOFError, OSError)):
        running.result()
    with pytest.raises(CancelledError):
        waiting.result()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


LEAVE_BEHIND = "import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True)"


@pytest.mark.skipif(sys.platform != "linux", reason="other processes are looked for on Linux only")
@pytest.mark.parametrize("ends", ["with the pool", "by itself"])
def test_a_process_that_is_killed_leaves_nothing_behind_in_any_session(ends: str) -> None:
    """A killed process can no longer end what it started, so the process that watches it does."""
    with open_pool("local:1") as pool:
        assert isinstance(pool, LocalPool)
        mark = pool.mark
        call(pool, subprocess.call, [sys.executable, "-I", "-S", "-c", LEAVE_BEHIND]).result()
        while not find_marked(mark):  # the environment of a process that has just been started is empty at first
            time.sleep(0.01)
        if ends == "by itself":
            with pytest.raises((EOFError, OSError)):
                call(pool, os._exit, 3).result()
            wait_for_the_end(mark)
    wait_for_the_end(mark)


def wait_for_the_end(mark: str) -> None:
    """Wait until nothing is left. The system removes killed processes in its own time."""
    while find_marked(mark):
        time.sleep(0.01)


NOTING = """
import signal, subprocess
from onlymove.tournament.workers import open_pool

start = subprocess.Popen

def noting(arguments, **options):
    print("blocked" if signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()) else "open")
    return start(arguments, **options)

subprocess.Popen = noting
with open_pool("local:2") as pool:
    for _ in range(2):
        pool.executor.submit(pool.call, abs, 1).result()
"""


def test_no_process_can_be_interrupted_while_it_starts() -> None:
    """This runs in a new process, because nothing may have been started before."""
    done = subprocess.run([sys.executable, "-c", NOTING], capture_output=True, text=True, check=True)
    assert {*done.stdout.split()} == {"blocked"}


def test_a_worker_without_its_parent_exits_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MARK, "mine")
    ours, theirs = Pipe()
    before = signal(SIGINT, lambda *_: None)
    with ours, theirs, open(os.devnull) as nowhere:
        ours.send((os.dup2, (nowhere.fileno(), ours.fileno())))
        run_calls(theirs, "mine")
    signal(SIGINT, before)


@pytest.mark.parametrize("text", ["", "local", "local:0", "local:x", "local:²", "cloud:3"])
def test_another_place_to_play_is_refused(text: str) -> None:
    with pytest.raises(NoPool, match="local:N"), open_pool(text):
        pass
