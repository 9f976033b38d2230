"""A list of lines with one marked: the menu, forms, the history, the palette. Scrolls with the mark."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events

from onlymove_tui.app.messages import Opened
from onlymove_tui.app.widgets.canvas import Canvas, Row, Run
from onlymove_tui.app.widgets.tones import Tone


class Choices(Canvas):
    """Entries of one or more rows each; the marked one begins with an arrow and is drawn strong."""

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.entries: Sequence[Sequence[Row]] = ()
        self.marked = 0

    def show(self, entries: Sequence[Sequence[Row]], marked: int | None = None) -> None:
        """Show these entries; the mark stays where it was unless it is told."""
        self.entries = entries
        self.mark(self.marked if marked is None else marked)

    def mark(self, index: int) -> None:
        """Mark an entry, never past either end."""
        self.marked = max(0, min(len(self.entries) - 1, index))
        self.repaint()

    def _all_rows(self) -> list[tuple[int, Row]]:
        return [(index, row) for index, entry in enumerate(self.entries) for row in entry]

    def _top(self, rows: Sequence[tuple[int, Row]]) -> int:
        height = self.size.height
        if not height or len(rows) <= height:
            return 0
        mine = [y for y, (index, _) in enumerate(rows) if index == self.marked]
        middle = (mine[0] + mine[-1]) // 2 if mine else 0
        return max(0, min(len(rows) - height, middle - height // 2))

    def rows(self) -> Sequence[Row]:
        """The entries around the marked one, as many as there is room for."""
        rows = self._all_rows()
        top = self._top(rows)
        shown = rows[top : top + self.size.height] if self.size.height else rows
        first_rows = {index: y for y, (index, _) in reversed(list(enumerate(rows)))}
        return [self._drawn(index, row, first_rows[index] == top + y) for y, (index, row) in enumerate(shown)]

    def _drawn(self, index: int, row: Row, is_first: bool) -> list[Run]:
        if index != self.marked:
            return [("   ", Tone.TEXT), *row]
        strong = [(text, Tone.SELECTED if tone is Tone.TEXT else tone) for text, tone in row]
        return [(" ▸ " if is_first else "   ", Tone.SELECTED), *strong]

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """As many lines as all entries have."""
        return len(self._all_rows())

    def on_click(self, event: events.Click) -> None:
        """Say which entry was clicked."""
        rows = self._all_rows()
        y = event.y + self._top(rows)
        if 0 <= y < len(rows):
            self.post_message(Opened(rows[y][0]))
