"""numpy starts no threads in the app, and the setting that prevents it is not inherited by other programs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from onlymove.tournament.processes import Child
from onlymove_tables.child import GIVEN, THREADS, limit_threads, outer_environment

COUNTED = """
import os
from onlymove_tables.child import limit_threads
limit_threads()
import numpy
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="counts the threads that Linux lists")
def test_numpy_starts_no_threads() -> None:
    found = subprocess.run(
        [sys.executable, "-c", COUNTED], env=outer_environment(), capture_output=True, text=True, check=True
    )
    assert int(found.stdout) == 1


def test_a_thread_count_set_by_the_player_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS, "3")
    limit_threads()
    assert os.environ[THREADS] == "3"


@pytest.mark.skipif(GIVEN is not None, reason="the tests were given some")
def test_other_programs_do_not_see_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(THREADS, raising=False)
    limit_threads()
    assert os.environ[THREADS] == "1"
    child = Child(["/bin/sh", "-c", f"echo ${{{THREADS}-nothing}}"])
    try:
        assert child.hear(time.monotonic() + 1000) == "nothing"
    finally:
        child.end()


def run_limited(code: str) -> str:
    """Run this code in a process with a limit of 200 MB, and return its output."""
    code = f"from onlymove_tui.memory import limit_memory, use_reserve\nlimit_memory(200)\n{code}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout


@pytest.mark.skipif(sys.platform != "linux", reason="no other system bounds what a process maps")
def test_memory_beyond_the_limit_is_refused_but_for_the_reserve() -> None:
    take = "def take(megabytes):\n try: return len(bytearray(megabytes << 20)) >> 20\n except MemoryError: return 0\n"
    assert (
        run_limited(f"{take}print(take(100), take(220)); use_reserve(); print(take(220), take(300))")
        == "100 0\n220 0\n"
    )
    address_space = "import mmap; print(len(mmap.mmap(-1, 1 << 30, mmap.MAP_SHARED)) >> 20)"
    assert run_limited(address_space) == "1024\n", "address space is not memory"


@pytest.mark.skipif(sys.platform != "linux", reason="no other system bounds what a process maps")
def test_a_memory_limit_holds_for_child_processes_too() -> None:
    inner = "import resource; print(resource.getrlimit(resource.RLIMIT_DATA)[0] >> 20)"
    assert run_limited(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])") == "200\n"


def test_no_limit_is_none() -> None:
    code = (
        "import resource; from onlymove_tui.memory import limit_memory; before = resource.getrlimit(2)\n"
        "limit_memory(0); print(before == resource.getrlimit(2))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout == "True\n"
