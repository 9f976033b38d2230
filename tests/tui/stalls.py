"""Proves that no screen waits. Stores, analysts and games take their time here, and notice who called them.

Nothing here looks at a clock, so that a busy machine changes nothing. A call of something slow is a stall if it is made
on the thread that draws. It is also a stall if that thread waits for a lock or an answer while the call lasts. Opening
a file on the thread that draws is a stall too, but importing a module is not.

    async def test_the_history_waits_for_nothing(detector: StallDetector, games: GameStore) -> None:
        app = menu(store=detector.slow(games), games=(detector.slow_game(tiny_game()),))
        async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
            await press(pilot, "e", "f", "down", "enter")

`forbid_stalls` fails at its end, and lists every stall and where it came from. Inside `hold_calls` no slow call
returns, so the screen shows what a player sees at once. Use `await pilot.pause()` there, because `settle` waits for
workers.
"""

from __future__ import annotations

import asyncio
import builtins
import inspect
import io
import os
import sqlite3
import threading
import traceback
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
from onlymove_engines import games as packages
from onlymove_engines.core.analysis import AnyAnalyst, Columns
from onlymove_engines.core.game import AnyGame

T = TypeVar("T")

PATIENCE = 300.0
"""After this many seconds without a turn, the thread that draws counts as waiting. A test that hangs is ended later."""
SOURCES = (f"{os.sep}onlymove_tui{os.sep}", f"{os.sep}tests{os.sep}tui{os.sep}")
HERE = Path(__file__).name


class StallDetector:
    """Makes things slow and collects stalls. The fixture `detector` creates it."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self.stalls: list[str] = []
        self.patience = patience
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = 0
        self._gate = threading.Event()
        self._gate.set()

    def slow(self, thing: T, but: Collection[str] = ()) -> T:
        """Return `thing` with slow methods, except those in `but`. So are a store's drills and progress."""
        return cast(T, Slow(thing, self, but))

    def slow_game(self, game: AnyGame) -> AnyGame:
        """Return `game` with a table that is slow to open and an analyst that is slow to answer."""
        open_analyst = game.solved.open_analyst
        assert open_analyst is not None, f"{game.id} has no analyst to slow down"

        def slow_analyst(sections: Columns | None) -> AnyAnalyst:
            self.take_time("opening a table")
            return self.slow(open_analyst(sections))

        return replace(game, solved=replace(game.solved, open_analyst=slow_analyst))

    @asynccontextmanager
    async def forbid_stalls(self) -> AsyncIterator[None]:
        """Within the block, no call may stall the running event loop."""
        self._loop, self._thread = asyncio.get_running_loop(), threading.get_ident()
        try:
            yield
        finally:
            self._loop = None
        assert not self.stalls, f"{len(self.stalls)} stalls:\n" + "\n".join(dict.fromkeys(self.stalls))

    @contextmanager
    def hold_calls(self) -> Iterator[None]:
        """Within the block, no slow call returns."""
        self._gate.clear()
        try:
            yield
        finally:
            self._gate.set()

    def take_time(self, what: str) -> None:
        """Wait, as a slow call does, until the thread that draws has turned and calls are no longer held."""
        loop = self._loop
        if loop is None:
            return
        if threading.get_ident() == self._thread:
            self.stalls.append(f"{what} on the thread that draws{origin()}")
            return
        turned = threading.Event()
        loop.call_soon_threadsafe(turned.set)
        if not turned.wait(self.patience):
            self.stalls.append(f"{what} kept the thread that draws waiting{origin()}")
        self._gate.wait()

    def notice_calls(self, function: Callable[..., T], what: str) -> Callable[..., T]:
        """Return `function` with a check that it is not called on the thread that draws. It does not become slower."""

        def call(*args: Any, **names: Any) -> T:
            if self._loop is not None and threading.get_ident() == self._thread:
                self.stalls.append(f"{what} {args[:1]} on the thread that draws{origin()}")
            return function(*args, **names)

        return call


class Slow:
    """Stands for another object, and makes its methods slow."""

    def __init__(self, thing: object, detector: StallDetector, but: Collection[str] = ()) -> None:
        self.__dict__.update(_thing=thing, _detector=detector, _but=but)
        # Protocols look for methods without asking `__getattr__` since Python 3.12.
        methods = inspect.getmembers_static(type(thing), inspect.isfunction)
        self.__dict__.update({name: self.__getattr__(name) for name, _ in methods if not name.startswith("_")})

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._thing, name)
        if name in {"drills", "progress"}:
            return Slow(found, self._detector)
        if not callable(found) or name in self._but:
            return found

        def call(*args: Any, **names: Any) -> Any:
            self._detector.take_time(f"{type(self._thing).__name__}.{name}")
            return found(*args, **names)

        return call

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._thing, name, value)


def origin() -> str:
    """Return the places in the app and its tests that the call came from, the innermost last."""
    frames = [frame for frame in traceback.extract_stack() if any(part in frame.filename for part in SOURCES)]
    places = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
    return "".join(f"\n    {place}" for place in places if not place.startswith(HERE))


@pytest.fixture
def detector(monkeypatch: pytest.MonkeyPatch) -> StallDetector:
    """Notice when files, databases and game packages are opened. The test says what else is slow."""
    watch = StallDetector()
    opens = watch.notice_calls(io.open, "open")
    monkeypatch.setattr(io, "open", opens)
    monkeypatch.setattr(builtins, "open", opens)
    monkeypatch.setattr(os, "open", watch.notice_calls(os.open, "open"))
    monkeypatch.setattr(os, "scandir", watch.notice_calls(os.scandir, "look into a folder"))
    monkeypatch.setattr(sqlite3, "connect", watch.notice_calls(sqlite3.connect, "connect to a database"))
    monkeypatch.setattr(packages, "load", watch.notice_calls(packages.load, "load a game package"))
    return watch
