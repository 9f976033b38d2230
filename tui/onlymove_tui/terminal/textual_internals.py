"""Every private name of Textual that the app uses, each with the reason why a public one is not enough.

Any new version of Textual may change these. No other module names one (`tests/arch/test_internals.py`), so this is the
place to look if a new version breaks the app.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, NoReturn

from rich.color import ColorSystem
from rich.console import Console, RenderableType
from textual._compositor import LayoutUpdate
from textual._parser import ParseError, Peek1, Read1, TokenCallback
from textual._styles_cache import StylesCache
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers._byte_stream import ByteStream
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import WorkerFailed

if TYPE_CHECKING:
    from textual.driver import Driver
    from textual.drivers.linux_driver import LinuxDriver
    from textual.drivers.web_driver import WebDriver
    from textual.message import Message


class BaseApp(App[int], inherit_bindings=False):
    """Textual's app, with its own way to write to the terminal and to end after an error."""

    def end_after_fault(self) -> None:
        """End the app after an unexpected error, which is `fault`. A subclass says how."""
        raise NotImplementedError

    def encode(self, renderable: RenderableType, is_everything: bool) -> str:
        """Return what to write to the terminal to show this. A subclass says how. `is_everything` is whether it covers
        the whole screen."""
        raise NotImplementedError

    def has_own_colours(self, theme: str) -> bool:
        """Whether a theme uses the terminal's own sixteen colours. A subclass says so."""
        raise NotImplementedError

    def _watch_theme(self, theme_name: str) -> None:
        """Apply a theme. Before 8.2.5, Textual's own method takes one theme of its own for the only one that uses the
        terminal's colours."""
        super()._watch_theme(theme_name)
        self.ansi_color = self.has_own_colours(theme_name)

    def _fatal_error(self) -> None:
        """Textual's own method prints a traceback with every local variable, and only overriding it stops that."""
        self.end_after_fault()

    @property
    def fault(self) -> BaseException | None:
        """Return the error that ended the app. Textual keeps it only in a private attribute."""
        found = self._exception
        return found.error if isinstance(found, WorkerFailed) else found

    def close_at_once(self) -> None:
        """End the app without waiting for messages, as Textual's own `_fatal_error` does. `exit` would wait."""
        self._close_messages_no_wait()

    @property
    def driver(self) -> Driver | None:
        """Return what connects the app to its terminal. Only the driver knows whether a shell can continue the app."""
        return self._driver

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        """Write what `encode` returns. Textual's own method sends whole lines, and has no public place to change that.
        When nothing is to be written, and how an update is marked for the terminal, is as there."""
        driver = self._driver
        if renderable is None or self._batch_count or not self._running or self._closed or driver is None:
            return
        if self.is_headless or driver.is_inline:
            super()._display(screen, renderable)
            return
        text = self.encode(renderable, isinstance(renderable, LayoutUpdate))
        if text:
            self._begin_update()
            driver.write(text)
            self._end_update()
            driver.flush()


def find_colour_system(console: Console) -> ColorSystem | None:
    """Return how many colours a console of Rich may use. Its public property is only a name for people."""
    return console._color_system


def is_leaving(widget: Widget) -> bool:
    """Whether a widget or the app is about to go. Its children may then be gone already, which nothing public says."""
    return widget._pruning or widget.app._exit


def forget_painted_lines() -> None:
    """Clear Textual's style cache. It holds the last thousand widgets with every line that they showed, and nothing
    else empties it."""
    StylesCache.get_inner_outer.cache_clear()


def guard_output(driver: LinuxDriver, guard: Callable[[IO[str]], Any]) -> None:
    """Replace the file that a driver writes to. It opens the file itself and takes no other."""
    driver._file = guard(driver._file)  # type: ignore[arg-type]


def lift_output_limit(driver: LinuxDriver) -> None:
    """Let the queue of output grow without limit. Textual's limit makes the app wait for a terminal that takes none."""
    if driver._writer_thread is not None:
        driver._writer_thread._queue.maxsize = 0


class InputParser(XTermParser):
    """Textual's parser of what a terminal sends. It ignores a sequence with numbers that Textual cannot use, such as a
    key beyond Unicode, or a click in a window without a size. Textual has no public parser."""

    def parse(self, token_callback: TokenCallback[Message]) -> Generator[Read1 | Peek1, str, None]:
        while True:
            with suppress(ArithmeticError, ValueError):
                return (yield from super().parse(token_callback))

    def finish(self) -> None:
        """Take the end of the input. What is still incomplete is dropped."""
        with suppress(EOFError, ParseError):
            list(self.feed(""))


def raise_in_app(driver: Driver, error: Exception) -> None:
    """Have the app treat an error of the thread that reads the input like one of its own. Only the driver knows its
    app."""

    def raise_error() -> NoReturn:
        raise error

    driver._app.call_later(raise_error)


def read_packets(driver: WebDriver) -> Iterator[list[tuple[str, bytes]]]:
    """Yield the packets that the browser's server sends, with their kinds, until there are no more. Empty while none
    comes. Textual's own loop over them cannot be given another parser."""
    packets = ByteStream()
    for data in driver._input_reader:
        yield list(packets.feed(data)) if data else []


def handle_packet(driver: WebDriver, kind: str, payload: bytes) -> None:
    """Have Textual handle a packet that is not input of the terminal, such as a new size."""
    driver._on_meta(kind, payload)


def replace_write(driver: WebDriver, write: Callable[[bytes], int]) -> None:
    """Replace the function that sends packets to the browser. Textual's own does not notice that nobody reads them."""
    driver._write = write  # type: ignore[assignment]
