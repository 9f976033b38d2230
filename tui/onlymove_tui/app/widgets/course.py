"""Shows the course of a game: its moves with the symbols of their judgements, and its value over time.

The value has a column for each ply: up for the first player, down for the second. The nearer the end or the larger the
margin, the taller the column. A dot is a draw. A bare line is a value that is not known or is hidden. Mistakes have a
symbol. Pointers mark the current ply and the ply that is named below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from onlymove.pictures.colours import AnyTone, Tone
from onlymove_engines.core.scene import Role
from onlymove_engines.core.value import Outcome, Seat, Value, turn_value
from textual import events

from onlymove_tui.app.messages import Jumped
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
    """The layout: `columns` of `width` characters, the indices of the plies on each line, with `None` for a blank cell,
    and the length of the `longest` text. `value_width` is the width of the longest value with a blank, or 0 if values
    do not fit."""

    columns: int
    width: int
    lines: Sequence[Sequence[int | None]]
    longest: int
    value_width: int


def share_lines(plies: Sequence[Ply]) -> list[list[int | None]]:
    """Put the first player's moves on the left and the second player's on the right. A move has a line of its own where
    the other side has not moved in between."""
    lines: list[list[int | None]] = []
    for place, ply in enumerate(plies):
        if ply.is_second and lines and len(lines[-1]) == 1:
            lines[-1].append(place)
        else:
            lines.append([None, place] if ply.is_second else [place])
    return lines


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
        glyph_width = max([GLYPH_WIDTH, *(len(entry.glyph) + 1 for entry in self.plies)])
        branched = [len(entry.text) + glyph_width + 1 for entry in self.plies if entry.branches]
        needed = MARK_WIDTH + max([longest + glyph_width, *branched])
        value_width = max([VALUE_WIDTH, *(len(entry.value) + 1 for entry in self.plies)])
        with_value = MARK_WIDTH + value_width + longest + glyph_width + (2 if branched else 0)
        space = self.size.width - NUMBER_WIDTH
        columns = 2 if self.paired and needed <= space // 2 else 1
        lines = share_lines(self.plies) if columns == 2 else [[place] for place in range(len(self.plies))]
        return Grid(columns, space // columns, lines, longest, value_width if with_value <= space // columns else 0)

    def _find_top(self, grid: Grid) -> int:
        line = next((number for number, cells in enumerate(grid.lines) if self.current - 1 in cells), 0)
        spare = max(0, len(grid.lines) - self.size.height)
        wanted = line - self.size.height + 2 if self.current < len(self.plies) else spare
        return min(spare, line, max(0, wanted))

    def all_lines(self, grid: Grid) -> list[Row]:
        lines = list[Row]()
        for cells in grid.lines:
            first = next(place for place in cells if place is not None)
            row: list[Run] = [(f"{self.plies[first].number:>3} ", Tone.DIM)]
            for place in cells:
                row += [(" " * grid.width, Tone.TEXT)] if place is None else self._entry(place, grid)
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
        column, line = 0 if event.x < NUMBER_WIDTH + grid.width else grid.columns - 1, event.y + self._find_top(grid)
        cells = grid.lines[line] if 0 <= line < len(grid.lines) else ()
        if column < len(cells) and (place := cells[column]) is not None:
            self.post_message(Jumped(place + 1))


LOW, TALL = 7, 11
"""The usual heights of a strip in lines: pointers, axis, and on each side half a line or one line for each step."""
STEPS = 4
"""The height of the tallest column, in steps."""
NEAR = ((2, 4), (5, 3), (11, 2))
"""The height of a column by the plies to the end, as (most plies, height), on a logarithmic scale. Farther: 1."""
FAR_AHEAD = ((16, 4), (8, 3), (4, 2))
"""The height of a column by the margin, as (smallest margin, height)."""
LIKELY = ((0.8, 4), (0.55, 3), (0.3, 2), (0.05, 1))
"""The height of a column in simultaneous games, as (smallest expected result, height)."""
WIDEST = 4
"""The greatest width of a column."""


@dataclass(frozen=True, slots=True)
class Column:
    """A ply: how good the position is for the first player, from -4 to 4 (`None`: not known), and the move's symbol."""

    height: int | None
    glyph: str = ""


@dataclass(frozen=True, slots=True)
class Strip:
    """The plies from the start. A pointer above the strip marks ply `at`, and one below, with a `caption`, marks ply
    `named`. `legend` says what up and down mean, and `scale` what a taller bar means. Until there is a bar,
    `explanation` is in its place: two lines above the axis and the others below."""

    columns: Sequence[Column]
    at: int
    named: int = 0
    caption: str = ""
    legend: str = ""
    scale: str = ""
    tones: tuple[AnyTone, AnyTone] = (Role.FIRST, Role.SECOND)
    explanation: Sequence[str] = ()


def value_height(value: Value, seat: Seat) -> int:
    """Return the height of a proven value that `seat` sees. It is positive if it is good for the first player."""
    value = turn_value(value, seat, 0)
    if value.margin is not None:
        size = next((h for least, h in FAR_AHEAD if abs(value.margin) >= least), 1)
        return size if value.margin > 0 else -size if value.margin < 0 else 0
    if value.outcome is Outcome.DRAW:
        return 0
    plies = value.remoteness
    size = 1 if plies is None else next((h for most, h in NEAR if plies <= most), 1)
    return size * value.outcome


def expected_height(expected: float) -> int:
    """Return the height for the first player's expected result, which is in [-1, 1]."""
    size = next((h for least, h in LIKELY if abs(expected) >= least), 0)
    return size if expected > 0 else -size


class ValueStrip(Canvas):
    """Draws a strip. A click on it goes to the ply."""

    def __init__(self) -> None:
        super().__init__(id="strip")
        self.strip = Strip((), 0)
        self.height = LOW

    def show(self, strip: Strip, height: int = LOW) -> None:
        if (strip, height) != (self.strip, self.height):
            self.strip, self.height = strip, height
            self.styles.height = height
            self.repaint()

    def _find_visible(self) -> tuple[int, range]:
        """Return the width of a column, more than 1 only if all plies fit, and the plies around the current one."""
        count = len(self.strip.columns)
        wide = max(1, min(WIDEST, self.size.width // max(1, count)))
        space = max(1, self.size.width // wide)
        first = max(0, min(count - space, self.strip.at - space // 2))
        return wide, range(first, min(count, first + space))

    def rows(self) -> Sequence[Row]:
        wide, plies = self._find_visible()
        rest = self.size.width - wide * len(plies)
        pointers, axis = list[Run](), list[Run]()
        for ply in plies:
            column = self.strip.columns[ply]
            sign = column.glyph[:1] or ("▼" if ply == self.strip.at else "")
            pointers.append((sign.ljust(wide), Tone.LOSS if column.glyph else Tone.CURRENT))
            line = "─" * wide
            axis += [("•", Tone.DRAW), (line[1:], Role.GRID)] if column.height == 0 else [(line, Role.GRID)]
        steps = range((self.height - 3) // 2)
        above, below = ([self._bars(side, step, wide, plies) for step in steps] for side in (0, 1))
        if self.strip.explanation and not any(column.height for column in self.strip.columns):
            lines: list[Row] = [[(line, Tone.DIM)] for line in self.strip.explanation]
            above[:2], below[: len(lines) - 2] = lines[1::-1], lines[2:]
        return [pointers, *above[::-1], [*axis, ("─" * rest, Role.GRID)], *below, self._add_caption(wide, plies.start)]

    def _bars(self, side: Seat, step: int, wide: int, plies: range) -> Row:
        """Return one line of the bars, which is `step` lines above the axis, or below it for the other side."""
        glyphs, tone, row = " ▀█" if side else " ▄█", self.strip.tones[side], list[Run]()
        for ply in plies:
            height = (self.strip.columns[ply].height or 0) * (-1 if side else 1)
            halves = height * (self.height - 3) // STEPS
            row.append((glyphs[max(0, min(2, halves - 2 * step))] * wide, tone))
        return row

    def _add_caption(self, wide: int, first: int) -> Row:
        here, caption, pointer = wide * (self.strip.named - first), self.strip.caption, ("▲", Tone.CURRENT)
        if here < 0:
            return [(caption, Tone.DIM)]
        if here + 2 + len(caption) <= self.size.width:
            return [(" " * here, Tone.TEXT), pointer, (f" {caption}", Tone.DIM)]
        before = f"{caption} " if len(caption) < here else ""
        return [(before.rjust(here), Tone.DIM), pointer]

    def on_click(self, event: events.Click) -> None:
        wide, plies = self._find_visible()
        if event.x // wide < len(plies):
            self.post_message(Jumped(plies[event.x // wide]))
