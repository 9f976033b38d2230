"""One login at a time for a profile."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from onlymove_tui.store.profile_lock import ProfileInUse, occupy

HOLDER = """
import signal, sys, pathlib
from onlymove_tui.store.profile_lock import occupy
signal.signal(signal.SIGUSR1, {handler})
held = occupy(pathlib.Path(sys.argv[1]))
print("held", flush=True)
while True: signal.pause()
"""


def holder(path: Path, handler: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER.format(handler=handler), str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "profiles" / "ada" / "in-use"


def test_a_second_login_takes_over_once_the_first_has_left(lock: Path) -> None:
    with holder(lock, "lambda *_: sys.exit(0)") as first:
        held = occupy(lock)
        assert first.wait(5) == 0
    held.release()


def test_who_does_not_leave_keeps_the_profile(lock: Path) -> None:
    with holder(lock, "lambda *_: None") as first:
        with pytest.raises(ProfileInUse, match=f"in use by process {first.pid}"):
            occupy(lock, patience=0.3)
        assert first.poll() is None
        first.kill()
    occupy(lock).release()


def test_nobody_is_asked_to_leave_an_empty_profile(lock: Path) -> None:
    asked: list[int] = []
    occupy(lock, ask=asked.append).release()
    occupy(lock, ask=asked.append).release()
    assert asked == []
