"""A profile has only one login at a time."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
from onlymove_tui.store.profiles import ProfileInUse, take_profile

HOLDER = """
import signal, sys, pathlib
from onlymove_tui.store.profiles import take_profile
signal.signal(signal.SIGUSR1, {handler})
held = take_profile(pathlib.Path(sys.argv[1]))
print("held", flush=True)
while True: signal.pause()
"""


def start_holder(path: Path, handler: str) -> subprocess.Popen[str]:
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
    with start_holder(lock, "lambda *_: sys.exit(0)") as first:
        held = take_profile(lock, patience=math.inf)
        assert first.wait() == 0
    os.close(held)


def test_a_session_that_stays_keeps_the_profile(lock: Path) -> None:
    with start_holder(lock, "lambda *_: None") as first:
        with pytest.raises(ProfileInUse, match=f"in use by process {first.pid}"):
            take_profile(lock, patience=0.3)
        assert first.poll() is None
        first.kill()
    os.close(take_profile(lock))


def test_nobody_is_asked_to_leave_an_empty_profile(lock: Path) -> None:
    asked: list[int] = []
    os.close(take_profile(lock, ask=asked.append))
    os.close(take_profile(lock, ask=asked.append))
    assert asked == []


@pytest.mark.parametrize(
    ("written", "is_asked", "who"),
    [
        ("{pid} {host} {boot}", True, "process {pid}"),
        ("{pid}", False, "another session"),
        ("{pid} elsewhere {boot}", False, "a session at elsewhere"),
        ("{pid} {host} before-it-was-started-again", False, "a session at {host}"),
        ("", False, "another session"),
    ],
)
def test_only_a_process_of_this_host_is_asked_to_leave(lock: Path, written: str, is_asked: bool, who: str) -> None:
    """Several hosts may share a home folder. On another host, the same number belongs to another process."""
    held = take_profile(lock)
    pid, host, boot = (*lock.read_text().split(), "", "")[:3]
    lock.write_text(written.format(pid=pid, host=host, boot=boot))
    asked: list[int] = []
    with pytest.raises(ProfileInUse, match=f"in use by {who.format(pid=pid, host=host)}, "):
        take_profile(lock, patience=0.0, ask=asked.append)
    assert asked == ([int(pid)] if is_asked else [])
    os.close(held)


def test_a_process_that_may_not_be_asked_keeps_the_profile(lock: Path) -> None:
    def refuse(holder: int) -> None:
        raise PermissionError

    held = take_profile(lock)
    with pytest.raises(ProfileInUse):
        take_profile(lock, patience=0.0, ask=refuse)
    os.close(held)
