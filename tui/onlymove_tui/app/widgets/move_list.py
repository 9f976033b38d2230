"""The moves of a game, line by line, with the signs of their judgements. Shows what it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events

from onlymove_tui.app.messages import Jumped
from onlymove_tui.app.themes import AnyTone, Tone
from onlymove_tui.app.widgets.canvas import Canvas, Row, Run, width_of

NUMBER_WIDTH = 4
MARK_WIDTH, VALUE_WIDTH, GLYPH_WIDTH = 1, 5, 3
"""Columns of the mark before a move, of its value and of its sign, each with a blank before."""


def signed(row: Row, sign: str) -> Row:
    """A line with a sign between its number and its moves."""
    (number, tone), *moves = row
    return [(number[:-1] + sign, tone), *moves]


@dataclass(frozen=True, slots=True)
class Ply:
    """One entry: the number of the move, and whether it is the second player's; its text, what it is worth, the sign of
    its judgement. `branches` other moves were tried or noted in its place."""

    number: int
    is_second: bool
    text: str
    glyph: str = ""
    tone: AnyTone = Tone.TEXT
    branches: int = 0
    value: str = ""
    value_tone: AnyTone = Tone.DIM


class MoveList(Canvas):
    """Two moves a line where they fit, else one; with their values where those fit too. The current one is marked and
    kept in sight."""

    def __init__(self) -> None:
        super().__init__(id="moves")
        self.plies: Sequence[Ply] = ()
        self.current = 0
        self.paired = True

    def show(self, plies: Sequence[Ply], current: int, paired: bool = True) -> None:
        """Show these plies with `current` marked (0: the start)."""
        self.plies, self.current, self.paired = plies, current, paired
        self.repaint()

    def rows(self) -> Sequence[Row]:
        """The lines around the current move, as many as there is room for; the first and the last say after their
        number where there are others."""
        lines, height = self._lines(), self.size.height
        if not height:
            return lines
        top = self._top(len(lines))
        shown = lines[top : top + height]
        if top + height < len(lines):
            shown[-1] = signed(shown[-1], "▾")
        if top > 0:
            shown[0] = signed(shown[0], "▴")
        return shown

    @property
    def _longest(self) -> int:
        """Columns of the longest move."""
        return max((len(entry.text) for entry in self.plies), default=0)

    def _columns(self) -> int:
        room = (self.size.width - NUMBER_WIDTH) // 2
        return 2 if self.paired and self._fits(room) else 1

    def _has_values(self, width: int) -> bool:
        """Whether a column of this width has room for values."""
        return self._fits(width, VALUE_WIDTH)

    def _fits(self, width: int, value: int = 0) -> bool:
        """Whether every move fits into `width` columns with a value of `value`, its sign and that of its branches."""
        branched = [len(entry.text) + GLYPH_WIDTH + 1 for entry in self.plies if entry.branches]
        if value and branched:
            branched = [self._longest + GLYPH_WIDTH + 2]
        return MARK_WIDTH + value + max([self._longest + GLYPH_WIDTH, *branched]) <= width

    @property
    def _lead(self) -> int:
        """Cells left out before the first move: one where the second player began, if moves stand in pairs."""
        return int(self._columns() == 2 and bool(self.plies) and self.plies[0].is_second)

    def _top(self, count: int) -> int:
        line = max(0, self.current - 1 + self._lead) // self._columns()
        spare = max(0, count - self.size.height)
        wanted = line - self.size.height + 2 if self.current < len(self.plies) else spare
        return min(spare, line, max(0, wanted))

    def _lines(self) -> list[Row]:
        columns = self._columns()
        width = (self.size.width - NUMBER_WIDTH) // columns
        lines: list[Row] = []
        for first in range(-self._lead, len(self.plies), columns):
            places = range(first, min(first + columns, len(self.plies)))
            entry = self.plies[max(0, first)]
            number = "" if columns == 1 and self.paired and entry.is_second and first else f"{entry.number}"
            row: list[Run] = [(f"{number:>3} ", Tone.DIM)]
            for place in places:
                row += [(" " * width, Tone.TEXT)] if place < 0 else self._entry(place, width)
            lines.append(row)
        return lines

    def _entry(self, place: int, width: int) -> list[Run]:
        entry, is_current = self.plies[place], place + 1 == self.current
        value = entry.value.rjust(VALUE_WIDTH - 1) if self._has_values(width) else ""
        runs: list[Run] = [
            ("▸" if is_current else " ", Tone.CURRENT),
            (entry.text.ljust(self._longest) if value else entry.text, Tone.CURRENT if is_current else Tone.TEXT),
            (f" {value}" if value else "", entry.value_tone),
            (f" {entry.glyph}" if entry.glyph else "", entry.tone),
            ("+" if entry.branches and not value else " +" if entry.branches else "", Tone.DIM),
        ]
        return [*runs, (" " * max(0, width - width_of(runs)), Tone.TEXT)]

    def on_click(self, event: events.Click) -> None:
        """Say which move was clicked."""
        columns = self._columns()
        line = event.y + self._top(-(-(len(self.plies) + self._lead) // columns))
        column = 0 if event.x < NUMBER_WIDTH + (self.size.width - NUMBER_WIDTH) // columns else columns - 1
        place = line * columns + column - self._lead
        if 0 <= place < len(self.plies):
            self.post_message(Jumped(place + 1))
