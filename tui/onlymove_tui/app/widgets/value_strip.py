"""The value of a game over time, one column a ply: above the line the first player's, below the second's.

The nearer the end, or the larger the margin, the taller the column; a dot is a draw, a bare line is not known or
not to be seen yet. A mistake carries its sign, the current ply stands between two pointers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlymove_engines.core.scene import Role
from onlymove_engines.core.value import ForFirst, Outcome
from textual import events

from onlymove_tui.app.messages import Jumped
from onlymove_tui.app.widgets.canvas import Canvas, Row, Run
from onlymove_tui.app.widgets.tones import Tone

FULL_HEIGHT = 4
NEAR = ((2, 4), (5, 3), (11, 2))
"""(plies to the end, height): a log scale; anything farther is 1 high."""
FAR_AHEAD = ((16, 4), (8, 3), (4, 2))
"""(margin at least, height)."""
LIKELY = ((0.8, 4), (0.55, 3), (0.3, 2), (0.05, 1))
"""(expected result at least, height) where both move at once."""


@dataclass(frozen=True, slots=True)
class Column:
    """One ply: how good for the first player, -4..4 (0: even; `None`: not known), and its move's sign."""

    height: int | None
    glyph: str = ""


def height_of(seen: ForFirst) -> int:
    """How tall a proven value stands, signed for the first player."""
    value = seen.value
    if value.margin is not None:
        size = next((h for least, h in FAR_AHEAD if abs(value.margin) >= least), 1)
        return size if value.margin > 0 else -size if value.margin < 0 else 0
    if value.outcome is Outcome.DRAW:
        return 0
    plies = value.remoteness
    size = 1 if plies is None else next((h for most, h in NEAR if plies <= most), 1)
    return size * value.outcome


def height_of_expected(expected: float) -> int:
    """How tall an expected result in [-1, 1] for the first player stands."""
    size = next((h for least, h in LIKELY if abs(expected) >= least), 0)
    return size if expected > 0 else -size


class ValueStrip(Canvas):
    """Drawn, and clicked to go somewhere."""

    def __init__(self) -> None:
        super().__init__(id="strip")
        self.columns: Sequence[Column] = ()
        self.current = 0

    def show(self, columns: Sequence[Column], current: int) -> None:
        """Show these plies (the start first) with `current` pointed at."""
        self.columns, self.current = columns, current
        self.repaint()

    def _first(self) -> int:
        """The ply in the first column: the current one stays in sight."""
        room = max(1, self.size.width - 1)
        return max(0, min(len(self.columns) - room, self.current - room // 2))

    def rows(self) -> Sequence[Row]:
        """Seven lines: pointer or sign, two above the axis, the axis, two below, pointer."""
        first = self._first()
        shown = self.columns[first : first + max(1, self.size.width - 1)]
        here = self.current - first
        return [
            [self._top(column, place == here) for place, column in enumerate(shown)],
            [(" ▄█"[max(0, min(2, (c.height or 0) - 2))], Role.FIRST) for c in shown],
            [(" ▄█"[max(0, min(2, c.height or 0))], Role.FIRST) for c in shown],
            [*(_axis(column) for column in shown), ("─" * max(0, self.size.width - 1 - len(shown)), Role.GRID)],
            [(" ▀█"[max(0, min(2, -(c.height or 0)))], Role.SECOND) for c in shown],
            [(" ▀█"[max(0, min(2, -(c.height or 0) - 2))], Role.SECOND) for c in shown],
            [("▲" if place == here else " ", Tone.CURRENT) for place in range(len(shown))],
        ]

    @staticmethod
    def _top(column: Column, is_here: bool) -> Run:
        if column.glyph:
            return (column.glyph[0], Tone.LOSS)
        return ("▼" if is_here else " ", Tone.CURRENT)

    def on_click(self, event: events.Click) -> None:
        """Say which ply was clicked."""
        ply = self._first() + event.x
        if 0 <= ply < len(self.columns):
            self.post_message(Jumped(ply))


def _axis(column: Column) -> Run:
    return ("•", Tone.DRAW) if column.height == 0 else ("─", Role.GRID)
