"""What stands beside a board: lines as given, under a title."""

from __future__ import annotations

from collections.abc import Sequence

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from onlymove_tui.app.widgets.canvas import Canvas, Row


class Lines(Canvas):
    """Some lines, as given. Takes no room when there are none."""

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.lines: Sequence[Row] = ()

    def show(self, lines: Sequence[Row]) -> None:
        """Show these lines."""
        self.lines = lines
        self.display = bool(lines)
        self.repaint()

    def rows(self) -> Sequence[Row]:
        """As given."""
        return self.lines


class Panel(Vertical):
    """Widgets under a title that stands in their border, or in the rule above them where borders do not pay."""

    def __init__(self, *children: Widget, id: str, title: str = "") -> None:  # noqa: A002 - Textual's name
        super().__init__(*children, id=id, classes="panel")
        self.title = self.facts = ""
        self.name_it(title)

    def name_it(self, title: str, facts: str = "") -> None:
        """The title, and what stands in the lower border."""
        if title != self.title:
            self.title, self.border_title = title, Content(title)
        if facts != self.facts:
            self.facts, self.border_subtitle = facts, Content(facts)
