"""A list with one selected entry, which scrolls with the selection."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove.pictures.colours import Tone
from textual import events

from onlymove_tui.app.messages import Opened, Refitted
from onlymove_tui.app.widgets.canvas import Canvas, Row, Run

INDENT = 3
"""The width in columns of the mark. Beside other entries it is blank."""
MORE_ABOVE: Row = (("   ▴ more", Tone.DIM),)
MORE_BELOW: Row = (("   ▾ more", Tone.DIM),)


def show_window(rows: Sequence[Row], top: int, height: int) -> list[Row]:
    """Return `height` rows from `top`. The first and the last row show whether there are more."""
    shown = list(rows[top : top + height])
    if top > 0:
        shown[0] = MORE_ABOVE
    if top + height < len(rows):
        shown[-1] = MORE_BELOW
    return shown


class Choices(Canvas):
    """Shows entries of one or more rows each. The selected one has an arrow and stands out."""

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.entries: Sequence[Sequence[Row]] = ()
        self.marked = 0
        self._places: list[int] = []
        self._fitted_width = 0

    def show(self, entries: Sequence[Sequence[Row]], marked: int | None = None) -> None:
        """Show these entries. Without `marked`, the selection stays where it is."""
        self.entries = entries
        places = [index for index, entry in enumerate(entries) for _ in entry]
        if len(places) != len(self._places):
            self.refresh(layout=True)
        self._places = places
        self.mark(self.marked if marked is None else marked)

    def mark(self, index: int) -> None:
        """Select an entry, or the nearest one if the index is beyond either end."""
        self.marked = max(0, min(len(self.entries) - 1, index))
        self.repaint()

    def _find_top(self) -> int:
        """Return the first visible row. The selected entry is as close to the middle as the ends allow."""
        height = self.size.height
        if not height or len(self._places) <= height or self.marked not in self._places:
            return 0
        first = self._places.index(self.marked)
        middle = first + self._places.count(self.marked) // 2
        return max(0, min(len(self._places) - height, middle - height // 2))

    def rows(self) -> Sequence[Row]:
        drawn = [self._draw_entry(index, row, place) for index, entry in enumerate(self.entries)
                 for place, row in enumerate(entry)]  # fmt: skip
        return show_window(drawn, self._find_top(), self.size.height) if self.size.height else drawn

    def on_resize(self) -> None:
        """Tell the screen if the width is new. `_width` may be new already, after painting."""
        if self._fitted_width != self.size.width:
            self._fitted_width = self.size.width
            self.post_message(Refitted())

    def _draw_entry(self, index: int, row: Row, place: int) -> list[Run]:
        if index != self.marked:
            return [(" " * INDENT, Tone.TEXT), *row]
        strong = [(text, Tone.CURRENT if tone is Tone.TEXT else tone) for text, tone in row]
        return [(" " * INDENT if place else " ▸ ", Tone.CURRENT), *strong]

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self._places)

    def on_click(self, event: events.Click) -> None:
        """Post which entry was clicked. A click on the arrow for more entries selects the entry that it covers."""
        top, height = self._find_top(), self.size.height
        y = top + event.y
        if not 0 <= y < len(self._places):
            return
        is_sign = (top > 0 and event.y == 0) or (top + height < len(self._places) and event.y == height - 1)
        if is_sign:
            self.mark(self._places[y])
        else:
            self.post_message(Opened(self._places[y]))
