"""A screen without a board to play on: a title, what it is about, and something beside it."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.containers import Container, Vertical
from textual.widget import Widget

from onlymove_tui.app.base_screen import WIDE, BaseScreen
from onlymove_tui.app.widgets.bars import FULL_HEIGHT, Lines, Panel, TitleBar
from onlymove_tui.app.widgets.canvas import Row


class FramedScreen(BaseScreen):
    """From a hundred columns on everything stands in titled panels, side by side; on less what is beside stands below,
    and the title is a line of its own."""

    def content(self) -> Iterable[Widget]:
        """The title, the panels, a line that says something."""
        yield TitleBar()
        beside = tuple(self.beside())
        yield Container(
            Panel(*self.main(), id="main-panel"), *([Vertical(*beside, id="beside")] if beside else ()), id="body"
        )
        yield Lines("message")

    def main(self) -> Iterable[Widget]:
        """What the screen is about."""
        return ()

    def beside(self) -> Iterable[Widget]:
        """What stands beside it."""
        return ()

    @property
    def is_framed(self) -> bool:
        """Whether there is room for panels side by side."""
        size = self.app.size
        return size.width >= WIDE and size.height >= FULL_HEIGHT

    def on_resize(self, event: events.Resize) -> None:
        """Frames come and go."""
        self.set_class(self.is_framed, "-framed")

    def show_title(self, left: Row, right: Row = ()) -> None:
        """What the screen is called, and a fact about it."""
        self.query_one(TitleBar).show(left, right)
        title, facts = ("".join(text for text, _ in row).strip() for row in (left, right))
        self.query_one("#main-panel", Panel).name_it(title, facts)
