"""Waits until an app under test is idle, which means that only a key, a clock or a thread can make it do something.

Textual's own pilot asks every widget and then sleeps until the process looks idle. That takes most of a test's time,
and is unreliable on a busy machine. The event loop knows better.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sized
from typing import Any, cast

from textual._wait import wait_for_idle as textual_wait
from textual.app import App, ScreenStackError
from textual.pilot import Pilot
from textual.screen import Screen


async def turn() -> None:
    """Let everything run that can run now. What waits for a clock, a thread or a key does not run."""
    ready = cast(Sized, asyncio.get_running_loop()._ready)  # type: ignore[attr-defined]
    while ready:
        await asyncio.sleep(0)


def is_unpainted(screen: Screen[Any]) -> bool:
    """Whether a screen waits for its next frame, to be laid out, to be painted or to call back."""
    if screen.app._batch_count:
        return False
    wants = screen._layout_required, screen._scroll_required, screen._repaint_required, screen._recompose_required
    return any(wants) or bool(screen._dirty_widgets) or bool(screen._callbacks)


async def wait_until_idle(app: App[Any]) -> None:
    """Let the app do everything it has to, and let its screen show the result."""
    await turn()
    if app._resize_event is not None:
        app._check_resize()
        await turn()
    try:
        while app._running and is_unpainted(app.screen):
            app.screen._on_timer_update()
            await turn()
    except ScreenStackError:
        return


async def pause(pilot: Pilot[Any], delay: float | None = None) -> None:
    """Replace `Pilot.pause`. Threads at work get a moment, but are not waited for."""
    if delay is not None:
        await asyncio.sleep(delay)
    await wait_until_idle(pilot.app)
    if delay is None and len(pilot.app.workers):
        await textual_wait(0)
        await wait_until_idle(pilot.app)


async def wait_for_screen(pilot: Pilot[Any], timeout: float = 0) -> bool:
    """Replace `Pilot._wait_for_screen`."""
    await wait_until_idle(pilot.app)
    return pilot.app._exception is None


async def wait_for_idle(min_sleep: float = 0, max_sleep: float = 0) -> None:
    """Replace what the app does between two keys of `Pilot.press`."""
    await turn()
