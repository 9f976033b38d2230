"""Ends the app after a hangup, a signal, a new session of the same player, or idle time in a kiosk. It always saves
first, restores the terminal, and ends the process within two seconds, even if something hangs."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import termios
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from onlymove_tui import SIGNALLED
from onlymove_tui.environment import use_reserve

if TYPE_CHECKING:
    from textual.app import App

GRACE_SECONDS = 1.2
"""How long the app may take to quit by itself. After that, the terminal is restored and the process ends."""

HANDED_OVER = "Your game continues in another session."
TIMED_OUT = "The app quit because it was idle. Your game is saved."

# Switch off what Textual's drivers switch on: in-band resize, kitty keys, mouse (four modes), bracketed paste, focus
# reports, alternate screen. Then wrap lines, show the cursor and reset the colours.
RESTORE = (
    "\x1b[?2048l\x1b[<u\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?2004l\x1b[?1004l"
    "\x1b[?1049l\x1b[?7h\x1b[?25h\x1b[0m"
)


class Lifeline:
    """Ends a running app cleanly. Create it and call `hold` in the app's event loop before the first paint."""

    def __init__(self, app: App[Any], save: Callable[[], None]) -> None:
        self._app = app
        self._save = save
        self._is_leaving = False
        self._modes: list[Any] | None = None
        if sys.__stdin__ is not None:
            with suppress(OSError, ValueError, termios.error):
                self._modes = termios.tcgetattr(sys.__stdin__.fileno())
        self.touched = time.monotonic()
        """The time of the last key or click, from which the idle time counts."""
        self._idle_check: asyncio.TimerHandle | None = None

    def hold(self, idle_seconds: float | None = None) -> None:
        """Handle signals from now on. With `idle_seconds`, also quit after that time without a key."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            _handle(loop, number, partial(self.leave, SIGNALLED + number))
        _handle(loop, signal.SIGUSR1, partial(self.leave, 0, HANDED_OVER))
        if idle_seconds is not None:
            self._idle_check = loop.call_later(idle_seconds, self._look_if_idle, idle_seconds)

    def leave(self, code: int, message: str = "") -> None:
        """Save, and end the app with this exit code. Later calls do nothing."""
        if self._is_leaving:
            return
        self._is_leaving = True
        use_reserve()
        watchdog = threading.Timer(GRACE_SECONDS, self._force, (code,))
        watchdog.daemon = True
        watchdog.start()
        self._save()
        self._app.exit(return_code=code, message=message or None)

    def release(self) -> None:
        if self._idle_check is not None:
            self._idle_check.cancel()

    def _look_if_idle(self, idle_seconds: float) -> None:
        left = idle_seconds - (time.monotonic() - self.touched)
        if left <= 0:
            self.leave(0, TIMED_OUT)
        else:
            self._idle_check = asyncio.get_running_loop().call_later(left, self._look_if_idle, idle_seconds)

    def _force(self, code: int) -> None:
        """Restore the terminal without blocking, and end the process, even if something hangs."""
        stream = sys.__stderr__
        if stream is not None:
            with suppress(OSError, ValueError):
                os.set_blocking(stream.fileno(), False)
                with suppress(BlockingIOError):
                    os.write(stream.fileno(), RESTORE.encode())
                # The shell uses the same terminal and expects writes to it to wait.
                os.set_blocking(stream.fileno(), True)
            if self._modes is not None and sys.__stdin__ is not None:
                with suppress(OSError, ValueError, termios.error):
                    termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, self._modes)
        os._exit(code)


def _handle(loop: asyncio.AbstractEventLoop, number: signal.Signals, callback: Callable[[], None]) -> None:
    """Have the loop call `callback` after each signal with this number. asyncio alone would lose a signal that comes
    while the pipe that wakes the loop is full, for instance of a flood of mouse events. That pipe is still needed,
    because a signal may come to another thread than the loop's."""
    loop.add_signal_handler(number, callback)
    signal.signal(number, lambda *_: loop.call_soon_threadsafe(callback))
