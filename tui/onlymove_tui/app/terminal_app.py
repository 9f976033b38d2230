"""The app as its terminal sees it: keys in their order, few bytes, an end in good order. Knows no game."""

from __future__ import annotations

import gc
from typing import Any, ClassVar

from rich.console import RenderableType
from textual import events
from textual.app import App
from textual.screen import Screen

from onlymove_tui.app import commands
from onlymove_tui.app.screens.base_screen import BaseScreen
from onlymove_tui.terminal.screen_diff import Wire
from onlymove_tui.terminal.shutdown import Lifeline


class TerminalApp(App[int], inherit_bindings=False):
    """One player at one terminal."""

    TITLE = "onlymove"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[Any] = commands.bindings("app")

    def __init__(self, has_colour: bool, ascii_only: bool) -> None:
        # Without colours Textual still sends greys, unless it is told so from the start.
        super().__init__(ansi_color=None if has_colour else True)
        self.wire = Wire(ascii_only)
        self.lifeline: Lifeline | None = None
        self.idle_seconds: float | None = None

    # Coming and going.

    def hold(self, idle_seconds: float | None = None) -> None:
        """From now on a signal, a lost terminal or nobody at the keys for so long ends the app in good order; call it
        before the first paint."""
        self.lifeline = Lifeline(self, self.keep)
        self.idle_seconds = idle_seconds

    def on_load(self) -> None:
        """The loop runs, the terminal is not touched yet."""
        if self.lifeline is not None:
            self.lifeline.hold(self.idle_seconds)

    def on_ready(self) -> None:
        """The first screen is painted."""
        if self.lifeline is not None:
            resume_collector()

    def keep(self) -> None:
        """Put on disk what is not there yet."""
        for screen in self.screen_stack:
            if isinstance(screen, BaseScreen):
                screen.keep()

    def action_redraw(self) -> None:
        """Draw everything anew, for a terminal that has lost something."""
        self.wire.forget()
        self.refresh(layout=True)

    # The wire.

    async def on_event(self, event: events.Event) -> None:
        """Let the screen see a key before its bindings do: it may skip an animation with it."""
        if self.lifeline is not None and isinstance(event, events.Key | events.MouseDown):
            self.lifeline.touch()
        if isinstance(event, events.Key) and isinstance(self.screen, BaseScreen) and self.screen.before_key(event.key):
            return
        if isinstance(event, events.Resize):
            self.wire.forget()
        await super().on_event(event)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Send only what the terminal does not show yet (Textual's own would send whole lines)."""
        driver = self._driver
        if renderable is None or self._batch_count or not self._running or self._closed or driver is None:
            return
        if self.is_headless or driver.is_inline:
            super()._display(screen, renderable)
            return
        console = self.console
        text = self.wire.encode(console.render(renderable), console._color_system)
        if text:
            self._begin_update()
            driver.write(text)
            self._end_update()
            driver.flush()


def resume_collector() -> None:
    """What was made for the start stays for good: the collector need not look at it again."""
    gc.freeze()
    gc.enable()
