"""How it went over the weeks as a chart, and what kinds of mistake there were as bars."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from onlymove_tui.app.widgets.canvas import Row, Run
from onlymove_tui.app.widgets.tones import Tone
from onlymove_tui.store.progress import Week

LINES = 5
"""How high the chart is, without its axis."""
EIGHTHS, MARK = " ▁▂▃▄▅▆▇█", "◆"
ASCII_FULL, ASCII_MARK = "#", "o"
AXIS_WIDTH, WEEK_WIDTH = 6, 4
KIND_WIDTH = 16
LONGEST_BAR = 20


def chart(weeks: Sequence[Week], width: int, ascii_only: bool) -> list[Row]:
    """A bar a week for how much of the value was kept, a mark for the accuracy; as many weeks as there is room for."""
    shown = list(weeks)[-max(1, (width - AXIS_WIDTH) // WEEK_WIDTH) :]
    if not any(week.decisions for week in shown):
        return []
    rows: list[Row] = [legend(ascii_only)]
    labels = {LINES - 1: "100 %", LINES // 2: " 50 %", 0: "  0 %"}
    for line in range(LINES - 1, -1, -1):
        axis: Run = (labels.get(line, "").rjust(AXIS_WIDTH - 1) + "┤" if line in labels else " " * 5 + "│", Tone.DIM)
        rows.append([axis, *(run for week in shown for run in cell(week, line, ascii_only))])
    rows.append([(" " * 5 + "└" + "─" * (WEEK_WIDTH * len(shown)), Tone.DIM)])
    return [*rows, dates(shown[0].monday, shown[-1].monday, WEEK_WIDTH * len(shown))]


def legend(ascii_only: bool) -> Row:
    """What bar and mark are."""
    full, mark = (ASCII_FULL, ASCII_MARK) if ascii_only else (EIGHTHS[-1], MARK)
    return [(full, Tone.WIN), (" value kept  ", Tone.DIM), (mark, Tone.KEY), (" accuracy, by weeks", Tone.DIM)]


def cell(week: Week, line: int, ascii_only: bool) -> list[Run]:
    """What a line of the chart shows of a week; the lowest line is 0. A week without a decision is a dot."""
    if not week.decisions:
        return [(" .  " if line == 0 else " " * WEEK_WIDTH, Tone.DIM)]
    height = round(8 * LINES * week.kept / week.decisions)
    part = max(0, min(8, height - 8 * line))
    full = (ASCII_FULL if part >= 4 else " ") if ascii_only else EIGHTHS[part]
    at = min(LINES - 1, int(LINES * week.accuracy / 100))
    mark = (ASCII_MARK if ascii_only else MARK) if at == line else " "
    return [(full * 2, Tone.WIN), (mark, Tone.KEY), (" ", Tone.TEXT)]


def dates(first: date, last: date, width: int) -> Row:
    """The first and the last Monday under the axis."""
    left, right = f"{first:%b %d}", f"{last:%b %d}"
    gap = width - len(left) - len(right)
    text = f"{left}{' ' * gap}{right}" if gap > 0 else left
    return [(" " * AXIS_WIDTH + text, Tone.DIM)]


def kind_rows(kinds: Sequence[tuple[str, int]], width: int, ascii_only: bool) -> list[Row]:
    """`missed win  ███ 3`: how often each kind of mistake was made lately."""
    most = max((count for _, count in kinds), default=0)
    room = max(1, min(LONGEST_BAR, width - KIND_WIDTH - 5))
    full = ASCII_FULL if ascii_only else EIGHTHS[-1]
    return [
        [
            (kind.ljust(KIND_WIDTH), Tone.TEXT),
            (full * max(1, count * room // most), Tone.SLIP),
            (f" {count}", Tone.STRONG),
        ]
        for kind, count in kinds
    ]
