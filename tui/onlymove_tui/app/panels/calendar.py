"""The next days as a strip: how many drills come due on each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.tones import Tone

DAY_WIDTH = 4
DAYS = 14
"""How far ahead one looks."""


def strip(counts: Sequence[int], today: date, width: int) -> list[Row]:
    """Weekdays, and under each its drills; as many days as there is room for, today first."""
    shown = list(enumerate(counts[: max(1, width // DAY_WIDTH)]))
    days = [today + timedelta(days=ahead) for ahead, _ in shown]
    names: Row = [
        (f"{day:%a}"[:2].rjust(DAY_WIDTH - 1) + " ", Tone.STRONG if ahead == 0 else Tone.DIM)
        for (ahead, _), day in zip(shown, days, strict=True)
    ]
    numbers: Row = [
        (f"{min(count, 999) or '.':>{DAY_WIDTH - 1}} ", (Tone.KEY if ahead == 0 else Tone.TEXT) if count else Tone.DIM)
        for ahead, count in shown
    ]
    return [names, numbers]


def streak_words(streak: int) -> str:
    """`3 days in a row`; nothing for none."""
    return f"{streak} day{'s' if streak > 1 else ''} in a row" if streak else ""
