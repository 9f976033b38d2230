"""The value of a game over time, one column a ply: above the line the first player's, below the second's.

The nearer the end, or the larger the margin, the taller the column; a dot is a draw, a bare line is not known or
not to be seen yet. A mistake carries its sign, the current ply stands between two pointers, and below it its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlymove_engines.core.scene import Role
from onlymove_engines.core.value import ForFirst, Outcome, Seat
from textual import events

from onlymove_tui.app.messages import Jumped
from onlymove_tui.app.themes import AnyTone, Tone
from onlymove_tui.app.widgets.canvas import Canvas, Row, Run

LOW, TALL = 7, 11
"""Lines of a strip: the pointers, the axis, and for either side half a line or a whole one for each step of height."""
NEAR = ((2, 4), (5, 3), (11, 2))
"""(plies to the end, height): a log scale; anything farther is 1 high."""
FAR_AHEAD = ((16, 4), (8, 3), (4, 2))
"""(margin at least, height)."""
LIKELY = ((0.8, 4), (0.55, 3), (0.3, 2), (0.05, 1))
"""(expected result at least, height) where both move at once."""
WIDEST = 4
"""Columns of a ply, at most."""


@dataclass(frozen=True, slots=True)
class Column:
    """One ply: how good for the first player, -4..4 (0: even; `None`: not known), and its move's sign."""

    height: int | None
    glyph: str = ""


@dataclass(frozen=True, slots=True)
class Strip:
    """The plies, the start first; `at` is pointed at from above, `named` from below, with a `caption`. `legend` says
    what up and down mean."""

    columns: Sequence[Column]
    at: int
    named: int = 0
    caption: str = ""
    legend: str = ""
    tones: tuple[AnyTone, AnyTone] = (Role.FIRST, Role.SECOND)


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
        self.strip = Strip((), 0)
        self.lines = LOW

    @property
    def columns(self) -> Sequence[Column]:
        """The plies that are shown."""
        return self.strip.columns

    def show(self, strip: Strip, lines: int = LOW) -> None:
        """Show these plies in so many lines."""
        self.strip, self.lines = strip, lines
        self.styles.height = lines
        self.repaint()

    @property
    def _wide(self) -> int:
        """Columns of a ply: more than one where all of them fit."""
        return max(1, min(WIDEST, self.size.width // max(1, len(self.columns))))

    def _in_sight(self) -> range:
        """The plies in sight: the current one is among them."""
        room = max(1, self.size.width // self._wide)
        first = max(0, min(len(self.columns) - room, self.strip.at - room // 2))
        return range(first, min(len(self.columns), first + room))

    def rows(self) -> Sequence[Row]:
        """From the top: pointer or sign, the first player's side, the axis, the second's, pointer and caption."""
        steps = range((self.lines - 3) // 2)
        return [
            [self._pointer(ply) for ply in self._in_sight()],
            *(self._bars(step, 0) for step in reversed(steps)),
            [
                *(run for ply in self._in_sight() for run in self._axis(ply)),
                ("─" * self._rest, Role.GRID),
            ],
            *(self._bars(step, 1) for step in steps),
            self._captioned(),
        ]

    @property
    def _rest(self) -> int:
        """Columns after the last ply in sight."""
        return self.size.width - self._wide * len(self._in_sight())

    def _pointer(self, ply: int) -> Run:
        glyph, is_here = self.columns[ply].glyph, ply == self.strip.at
        tone = Tone.LOSS if glyph else Tone.CURRENT
        return ((glyph[0] if glyph else "▼" if is_here else "").ljust(self._wide), tone)

    def _bars(self, step: int, side: Seat) -> Row:
        """A line of bars. A ground of their own goes on behind the last, which may have the colour of the screen."""
        return [*(self._bar(ply, step, side) for ply in self._in_sight()), (" "[: self._rest], self.strip.tones[side])]

    def _bar(self, ply: int, step: int, side: Seat) -> Run:
        """What of a column stands in the line `step` away from the axis: a line is two steps of height, or one."""
        height = (self.columns[ply].height or 0) * (-1 if side else 1)
        glyphs = " █" if self.lines == TALL else " ▀█" if side else " ▄█"
        most = len(glyphs) - 1
        return (glyphs[max(0, min(most, height - most * step))] * self._wide, self.strip.tones[side])

    def _axis(self, ply: int) -> list[Run]:
        is_draw, line = self.columns[ply].height == 0, "─" * self._wide
        return [("•", Tone.DRAW), (line[1:], Role.GRID)] if is_draw else [(line, Role.GRID)]

    def _captioned(self) -> Row:
        """The lower pointer with the name of its ply on whichever side of it there is room."""
        here = self._wide * (self.strip.named - self._in_sight().start)
        if here < 0:
            return [(self.strip.caption, Tone.DIM)]
        caption, pointer = self.strip.caption, ("▲", Tone.CURRENT)
        if here + 2 + len(caption) <= self.size.width:
            return [(" " * here, Tone.TEXT), pointer, (f" {caption}", Tone.DIM)]
        before = f"{caption} " if len(caption) < here else ""
        return [(before.rjust(here), Tone.DIM), pointer]

    def on_click(self, event: events.Click) -> None:
        """Say which ply was clicked."""
        place = event.x // self._wide
        if place < len(self._in_sight()):
            self.post_message(Jumped(self._in_sight()[place]))
