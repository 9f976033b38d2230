"""numpy starts no threads here, and what keeps it from that is not handed on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from onlymove_tui.environment import GIVEN, THREADS, outer_environment, spare_threads
from onlymove_tui.tournament.child import Child

COUNTED = """
import os
from onlymove_tui.environment import spare_threads
spare_threads()
import numpy
print(len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="counts the threads that Linux lists")
def test_numpy_starts_no_threads() -> None:
    found = subprocess.run(
        [sys.executable, "-c", COUNTED], env=outer_environment(), capture_output=True, text=True, check=True
    )
    assert int(found.stdout) == 1


def test_what_the_player_wants_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS, "3")
    spare_threads()
    assert os.environ[THREADS] == "3"


@pytest.mark.skipif(GIVEN is not None, reason="the tests were given some")
def test_other_programs_are_told_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(THREADS, raising=False)
    spare_threads()
    assert os.environ[THREADS] == "1"
    child = Child(["/bin/sh", "-c", f"echo ${{{THREADS}-nothing}}"])
    try:
        assert child.hear(time.monotonic() + 1000) == "nothing"
    finally:
        child.end()
