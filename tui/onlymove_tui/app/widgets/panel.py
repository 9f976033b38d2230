"""Plain lines at the side of a board: who plays, and whatever there is to read at the moment."""

from __future__ import annotations

from collections.abc import Sequence

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
