"""Shows the moves of a game with the symbols of their judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual import events

from onlymove_tui.app.messages import Jumped
from onlymove_tui.app.themes import AnyTone, Tone
from onlymove_tui.app.widgets.canvas import Canvas, Row, Run, row_width

NUMBER_WIDTH = 4
MARK_WIDTH, VALUE_WIDTH, GLYPH_WIDTH = 1, 5, 3
"""The columns of a move's mark, value and symbol, each with a blank before it."""


def add_sign(row: Row, sign: str) -> Row:
    (number, tone), *moves = row
    return [(number[:-1] + sign, tone), *moves]


@dataclass(frozen=True, slots=True)
class Ply:
    """A move: its number, whether the second player made it, its text, its value, and the symbol (`glyph`) of its
    judgement. `branches` is the number of other moves that were tried instead."""

    number: int
    is_second: bool
    text: str
    glyph: str = ""
    tone: AnyTone = Tone.TEXT
    branches: int = 0
    value: str = ""
    value_tone: AnyTone = Tone.DIM


class Grid(NamedTuple):
    """The layout: `columns` of `width` characters, `lead` cells left blank before the first move (one if the second
    player began), and the length of the `longest` text. `value_width` is the width of the longest value with a blank,
    or 0 if values do not fit."""

    columns: int
    width: int
    lead: int
    longest: int
    value_width: int


class MoveList(Canvas):
    """Shows two moves on a line if they fit, and values if they fit. The current move is always visible."""

    def __init__(self) -> None:
        super().__init__(id="moves")
        self.plies: Sequence[Ply] = ()
        self.current = 0
        self.paired = True

    def show(self, plies: Sequence[Ply], current: int, paired: bool = True) -> None:
        """Show these plies and mark ply `current`, where 0 stands for the start."""
        if (plies, current, paired) != (self.plies, self.current, self.paired):
            self.plies, self.current, self.paired = plies, current, paired
            self.repaint()

    def rows(self) -> Sequence[Row]:
        """Return the lines around the current move that fit, with a sign in the first or last one if there are more."""
        grid, height = self.find_grid(), self.size.height
        lines = self.all_lines(grid)
        if not height:
            return lines
        top = self._find_top(grid)
        shown = lines[top : top + height]
        if top + height < len(lines):
            shown[-1] = add_sign(shown[-1], "▾")
        if top > 0:
            shown[0] = add_sign(shown[0], "▴")
        return shown

    def find_grid(self) -> Grid:
        longest = max((len(entry.text) for entry in self.plies), default=0)
        branched = [len(entry.text) + GLYPH_WIDTH + 1 for entry in self.plies if entry.branches]
        needed = MARK_WIDTH + max([longest + GLYPH_WIDTH, *branched])
        value_width = max([VALUE_WIDTH, *(len(entry.value) + 1 for entry in self.plies)])
        with_value = MARK_WIDTH + value_width + longest + GLYPH_WIDTH + (2 if branched else 0)
        space = self.size.width - NUMBER_WIDTH
        columns = 2 if self.paired and needed <= space // 2 else 1
        lead = int(columns == 2 and bool(self.plies) and self.plies[0].is_second)
        return Grid(columns, space // columns, lead, longest, value_width if with_value <= space // columns else 0)

    def _find_top(self, grid: Grid) -> int:
        line = max(0, self.current - 1 + grid.lead) // grid.columns
        spare = max(0, -(-(len(self.plies) + grid.lead) // grid.columns) - self.size.height)
        wanted = line - self.size.height + 2 if self.current < len(self.plies) else spare
        return min(spare, line, max(0, wanted))

    def all_lines(self, grid: Grid) -> list[Row]:
        lines = list[Row]()
        for first in range(-grid.lead, len(self.plies), grid.columns):
            entry = self.plies[max(0, first)]
            number = "" if grid.columns == 1 and self.paired and entry.is_second and first else f"{entry.number}"
            row: list[Run] = [(f"{number:>3} ", Tone.DIM)]
            for place in range(first, min(first + grid.columns, len(self.plies))):
                row += [(" " * grid.width, Tone.TEXT)] if place < 0 else self._entry(place, grid)
            lines.append(row)
        return lines

    def _entry(self, place: int, grid: Grid) -> list[Run]:
        entry, is_current = self.plies[place], place + 1 == self.current
        value = entry.value.rjust(grid.value_width - 1) if grid.value_width else ""
        runs: list[Run] = [
            ("▸" if is_current else " ", Tone.CURRENT),
            (entry.text.ljust(grid.longest) if value else entry.text, Tone.CURRENT if is_current else Tone.TEXT),
            (f" {value}" if value else "", entry.value_tone),
            (f" {entry.glyph}" if entry.glyph else "", entry.tone),
            ("+" if entry.branches and not value else " +" if entry.branches else "", Tone.DIM),
        ]
        return [*runs, (" " * max(0, grid.width - row_width(runs)), Tone.TEXT)]

    def on_click(self, event: events.Click) -> None:
        grid = self.find_grid()
        column = 0 if event.x < NUMBER_WIDTH + grid.width else grid.columns - 1
        place = (event.y + self._find_top(grid)) * grid.columns + column - grid.lead
        if 0 <= place < len(self.plies):
            self.post_message(Jumped(place + 1))
