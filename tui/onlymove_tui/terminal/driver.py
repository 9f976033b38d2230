"""Textual's terminal driver, made safe for a terminal that goes away and for keys that come all at once.

A failed read or write and the end of input count as a hangup. The process then gets SIGHUP, as from the kernel, and
`ShutdownHandler` does the rest. Textual's driver would loop at the end of input, and would block if the terminal takes
no more output.

After a hangup, a signal, a new session of the same player, or idle time in a kiosk, `ShutdownHandler` ends the app. It
always saves first, restores the terminal, and ends the process within two seconds, even if something hangs.
"""

from __future__ import annotations

import asyncio
import os
import re
import selectors
import signal
import sys
import termios
import threading
import time
from codecs import getincrementaldecoder
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from onlymove_engines.core.errors import as_sentence
from textual.drivers.linux_driver import LinuxDriver
from textual.events import Key

from onlymove_tui import NOT_SAVED, SIGNALLED
from onlymove_tui.memory import use_reserve
from onlymove_tui.terminal.textual_internals import InputParser, guard_output, lift_output_limit, raise_in_app

if TYPE_CHECKING:
    from textual.app import App

ESC = "\x1b"
PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"
MARKS = re.compile(f"{re.escape(PASTE_BEGINS)}|{ESC}(?![\\[O]|\\Z)")


class EscapeKey:
    """Tells the key Esc from the first byte of a terminal's escape sequence, which is the same byte. Sequences continue
    with `[` or `O`. Anything else is the next key, even if it comes at once, because no command uses Alt. A possible
    beginning of a paste mark waits for more input."""

    def __init__(self) -> None:
        self._pending = ""
        self._is_pasting = False

    def split(self, text: str) -> list[str]:
        """Split the text into pieces. A piece that is `ESC` alone is the key Esc. Other pieces are unchanged. Pasted
        text contains no keys, so Esc is removed from it."""
        rest, self._pending = self._pending + text, ""
        pieces: list[str] = []
        while rest:
            if self._is_pasting:
                piece, mark, rest = rest.partition(PASTE_ENDS)
            else:
                found = MARKS.search(rest)
                mark, end = (found.group(), found.start()) if found else ("", len(rest))
                piece, rest = rest[:end], rest[end + len(mark) :]
            if not mark:
                expected = PASTE_ENDS if self._is_pasting else PASTE_BEGINS
                begun = (expected[:length] for length in range(len(expected) - 1, 0, -1))
                self._pending = next(filter(piece.endswith, begun), "")
                piece = piece.removesuffix(self._pending)
            pieces += [piece.replace(ESC, "") if self._is_pasting else piece, mark]
            if mark:
                self._is_pasting = mark == PASTE_BEGINS
        return [piece for piece in pieces if piece]

    def flush(self) -> list[str]:
        """Return what was waiting for more input: the key Esc or an incomplete sequence."""
        if self._is_pasting:
            return []
        kept, self._pending = self._pending, ""
        return [kept] if kept else []


TICK_SECONDS = 0.1
"""How often the input thread checks whether to end. This is Textual's own figure."""


def hang_up() -> None:
    os.kill(os.getpid(), signal.SIGHUP)


class GuardedFile:
    """A file that treats its first failure as a hangup and ignores all later writes."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._is_lost = False
        self.fileno, self.isatty = file.fileno, file.isatty

    def write(self, text: str) -> None:
        self._try(partial(self._file.write, text))

    def flush(self) -> None:
        self._try(self._file.flush)

    def _try(self, do: Callable[[], object]) -> None:
        if not self._is_lost:
            try:
                do()
            except OSError:
                self._is_lost = True
                hang_up()


class TerminalDriver(LinuxDriver):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        guard_output(self, GuardedFile)

    @property
    def can_suspend(self) -> bool:
        """Whether a shell can continue the app. Only with job control does the app have a process group of its own."""
        return os.getpgrp() != os.getsid(0)

    def start_application_mode(self) -> None:
        """Let the queue of output grow without limit, so that the app can save and quit if the terminal takes none."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        lift_output_limit(self)

    def stop_application_mode(self) -> None:
        self.write("\x1b[0m")
        super().stop_application_mode()

    def run_input_thread(self) -> None:
        """Read keys until the app ends or the terminal goes away. The app treats an unexpected error here like one of
        its own. Textual would print a traceback with every local variable."""
        try:
            self._read_keys()
        except Exception as error:  # noqa: BLE001 - an unexpected error
            raise_in_app(self, error)

    def _read_keys(self) -> None:
        parser, escapes = InputParser(), EscapeKey()
        decode = getincrementaldecoder("utf-8")("replace").decode
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                data, has_come = b"", bool(selector.select(TICK_SECONDS))
                if has_come:
                    with suppress(OSError):  # The terminal is gone.
                        data = os.read(self.fileno, 4096)
                    if not data:
                        hang_up()
                        return
                for piece in escapes.split(decode(data)) if has_come else escapes.flush():
                    for event in [Key("escape", ESC)] if piece == ESC else parser.feed(piece):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
        parser.finish()


GRACE_SECONDS = 1.2
"""How long the app may take to quit by itself. After that, the terminal is restored and the process ends."""

HANDED_OVER = "Your game continues in another session."
TIMED_OUT = "The app quit because it was idle. Games outside lessons are saved."

# Switch off what Textual's drivers switch on: in-band resize, kitty keys, mouse (four modes), bracketed paste, focus
# reports, alternate screen. Then wrap lines, show the cursor and reset the colours.
RESTORE = (
    "\x1b[?2048l\x1b[<u\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l\x1b[?2004l\x1b[?1004l"
    "\x1b[?1049l\x1b[?7h\x1b[?25h\x1b[0m"
)


class ShutdownHandler:
    """Ends a running app cleanly. Create it and call `hold` in the app's event loop before the first paint."""

    def __init__(self, app: App[Any], save: Callable[[], str]) -> None:
        """`save` saves everything, and returns a line that says what is lost, or an empty text."""
        self._app = app
        self._save = save
        self._is_leaving = False
        self._modes: list[Any] | None = None
        if sys.__stdin__ is not None:
            with suppress(OSError, ValueError, termios.error):
                self._modes = termios.tcgetattr(sys.__stdin__.fileno())
        self.touched = time.monotonic()
        """The time of the last key or click, from which the idle time counts."""

    def hold(self, idle_seconds: float | None = None) -> None:
        """Handle signals from now on. With `idle_seconds`, also quit after that time without a key."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
            _handle(loop, number, partial(self.leave, SIGNALLED + number))
        _handle(loop, signal.SIGUSR1, partial(self.leave, 0, HANDED_OVER))
        if idle_seconds is not None:
            loop.call_later(idle_seconds, self._look_if_idle, idle_seconds)

    def leave(self, code: int, message: str = "") -> None:
        """Save, and end the app with this exit code. Later calls do nothing."""
        if self._is_leaving:
            return
        self._is_leaving = True
        use_reserve()
        watchdog = threading.Timer(GRACE_SECONDS, self._force, (code,))
        watchdog.daemon = True
        watchdog.start()
        lost = self._save()
        if lost:
            code, message = code or NOT_SAVED, as_sentence(lost)
        self._app.exit(return_code=code, message=message or None)

    def _look_if_idle(self, idle_seconds: float) -> None:
        left = idle_seconds - (time.monotonic() - self.touched)
        if left <= 0:
            self.leave(0, TIMED_OUT)
        else:
            asyncio.get_running_loop().call_later(left, self._look_if_idle, idle_seconds)

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
