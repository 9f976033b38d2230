"""Tests the check itself: it notices a call on the thread that draws, a call that waits for a worker, and access to a
file."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from tests.tui.stalls import StallDetector


class Box:
    """An object whose call takes long."""

    def look(self) -> int:
        """Return an answer."""
        return 7


def wait_for(thread: threading.Thread) -> None:
    """Start a thread, and do nothing else until it has ended."""
    thread.start()
    thread.join()


async def test_a_call_from_a_worker_is_no_stall(detector: StallDetector) -> None:
    box = detector.slow(Box())
    async with detector.forbid_stalls():
        assert await asyncio.to_thread(box.look) == 7


async def test_a_call_on_the_thread_that_draws_is_a_stall(detector: StallDetector) -> None:
    box = detector.slow(Box())
    with pytest.raises(AssertionError, match=r"Box.look on the thread that draws\n *test_stalls.py"):
        async with detector.forbid_stalls():
            assert box.look() == 7


async def test_waiting_for_a_worker_is_a_stall() -> None:
    detector = StallDetector(patience=0.05)
    box = detector.slow(Box())
    with pytest.raises(AssertionError, match="kept the thread that draws waiting"):
        async with detector.forbid_stalls():
            wait_for(threading.Thread(target=box.look))


async def test_opening_a_file_on_the_thread_that_draws_is_a_stall(detector: StallDetector, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"open .*somewhere"):
        async with detector.forbid_stalls():
            (tmp_path / "somewhere").write_text("")


async def test_a_held_call_does_not_return(detector: StallDetector) -> None:
    box = detector.slow(Box())
    async with detector.forbid_stalls():
        with detector.hold_calls():
            answer = asyncio.create_task(asyncio.to_thread(box.look))
            await asyncio.wait([answer], timeout=0.05)
            assert not answer.done()
        assert await answer == 7
