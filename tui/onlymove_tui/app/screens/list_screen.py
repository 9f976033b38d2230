"""A screen that is a list: lines of which one is marked, one line that says something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual import events
from textual.widget import Widget

from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.messages import Opened
from onlymove_tui.app.themes import Tone
from onlymove_tui.app.widgets.bars import Lines
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.choices import INDENT, Choices


class ListScreen(BaseScreen):
    """Subclasses say what the lines are in `draw`, have what they tell fetched in `ask`, and do something in `pick`.

    `ask` is called whenever the screen is opened or come back to, and must not wait for an answer.
    """

    heading: Row = ()

    def __init__(self) -> None:
        super().__init__()
        self.message: Row = ()

    def main(self) -> Iterable[Widget]:
        """The list."""
        yield Choices("list")

    @property
    def choices(self) -> Choices:
        """The lines."""
        return self.query_one(Choices)

    def on_mount(self) -> None:
        """Draw what is known."""
        self.show_title(self.heading)
        self.redraw()

    def on_screen_resume(self) -> None:
        """Something may have changed meanwhile."""
        self.ask()

    def on_resize(self, event: events.Resize) -> None:
        """Lines depend on the width."""
        self.call_after_refresh(self.redraw)

    def ask(self) -> None:
        """Have what the lines tell fetched."""

    def redraw(self) -> None:
        """The list as far as it is known."""
        if self.is_built:
            self.draw()
            self.query_one("#message", Lines).show([[(" " * INDENT, Tone.TEXT), *line] for line in self.said()])
            self.show_keys()
            self.show_marked()

    def show_marked(self) -> None:
        """Show what the marked line is about, where there is something beside the list."""

    def draw(self) -> None:
        """Show the lines."""

    def said(self) -> Sequence[Row]:
        """What stands under the list."""
        return [self.message] if self.message else self.silence()

    def silence(self) -> Sequence[Row]:
        """What stands there while nothing is said."""
        return ()

    def say(self, text: str, tone: Tone = Tone.TEXT) -> None:
        """Something to read until the next thing is said."""
        self.message = [(text, tone)] if text else ()
        self.redraw()

    def action_step(self, by: int) -> None:
        """Up or down."""
        self.choices.step(by)
        self.show_marked()

    def on_opened(self, message: Opened) -> None:
        """A click does what Enter does."""
        self.choices.mark(message.index)
        self.action_pick()

    def action_pick(self) -> None:
        """What Enter does with the marked line."""
