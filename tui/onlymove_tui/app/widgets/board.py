"""The widgets that show a board: one for every game, and a small one to look at beside a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import LARGEST, Scene, View
from textual import events
from textual.geometry import Size

from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.themes import ANSI, AnyTone, Tone, theme_of
from onlymove_tui.app.widgets.canvas import Canvas, Row, Run
from onlymove_tui.app.widgets.paint import NO_MARKS, Draw, Marks, lines_shown, outlined, painted, scale_for

EMPTY = Scene(0, 0, ())


class BoardView(Canvas):
    """One widget for every game. A picture higher than the widget loses the lines that mean nothing; one that is still
    too high is scrolled so that the cursor is in sight."""

    def __init__(self) -> None:
        super().__init__(id="board")
        self.scene = EMPTY
        self.scale = 1
        self.marks = NO_MARKS
        self._draw: Draw = lambda _: EMPTY
        self._fitted: tuple[Size, int, int] = (Size(), 0, 0)

    def show(self, draw: Draw, marks: Marks) -> None:
        """Show what `draw` draws, at the largest scale there is room for, with these marks."""
        self._draw, self.marks = draw, marks
        self._fit()
        self.repaint()

    def _fit(self) -> None:
        """Draw; another scale is looked for only when the room or the picture has another size."""
        self.scene = self._draw(self.scale)
        if self._fitted != (self.size, self.scene.width, self.scene.height):
            self.scale = scale_for(self._draw, *self.size)
            self.scene = self._draw(self.scale)
            self._fitted = (self.size, self.scene.width, self.scene.height)

    def on_resize(self) -> None:
        """More or less room: the picture may have another scale."""
        self._fit()
        super().on_resize()

    def rows(self) -> Sequence[Row]:
        """The picture in the middle of the widget, or what of it fits."""
        ascii_only = bool(getattr(self.app, "ascii_only", False))
        grid = painted(self.scene, self.marks, ascii_only)
        grid = outlined(self.scene, grid, ascii_only) if theme_of(self.app) == ANSI else grid
        left, top = self.offset_of_scene()
        margin: list[Run] = [(" " * left, Tone.TEXT)]
        shown = [[*margin, *runs_of(grid[line])] for line in self.lines()]
        return [[]] * max(0, top) + shown[max(0, -top) :]

    def lines(self) -> Sequence[int]:
        """The lines of the picture that are shown, those without meaning left out where it is too high."""
        return lines_shown(self.scene, self.size.height or self.scene.height)

    def offset_of_scene(self) -> tuple[int, int]:
        """The column and row of the widget where the picture begins; negative rows are scrolled out."""
        lines = self.lines()
        spare = self.size.height - len(lines)
        left = max(0, (self.size.width - self.scene.width) // 2)
        if spare >= 0:
            return left, spare // 2
        place = self.scene.place(self.marks.cursor) if self.marks.cursor is not None else None
        middle = len(lines) // 2 if place is None else lines.index(place.y + place.height // 2)
        return left, max(spare, min(0, self.size.height // 2 - middle))

    def on_click(self, event: events.Click) -> None:
        """Say which target was clicked."""
        left, top = self.offset_of_scene()
        lines, y = self.lines(), event.y - top
        target = self.scene.target_at(event.x - left, lines[y]) if 0 <= y < len(lines) else None
        if target is not None:
            self.post_message(Pointed(target))


def runs_of(row: Sequence[tuple[str, AnyTone | None]]) -> list[Run]:
    """Neighbouring glyphs of one tone joined."""
    runs: list[Run] = []
    for glyph, tone in row:
        shown = Tone.TEXT if tone is None else tone
        if runs and runs[-1][1] == shown:
            runs[-1] = (runs[-1][0] + glyph, shown)
        else:
            runs.append((glyph, shown))
    return runs


@dataclass(frozen=True, slots=True)
class Picture:
    """The same moment at every scale, the smallest first; `notes` are facts with their names."""

    scenes: tuple[Scene, ...]
    notes: tuple[tuple[str, str], ...] = ()

    def __call__(self, scale: int) -> Scene:
        return self.scenes[min(scale, len(self.scenes)) - 1]


NO_PICTURE = Picture((Scene(0, 0, ()),))


def at_every_scale(game: AnyGame, view: View[object, object]) -> Picture:
    """What the drawer makes of a view; for a worker."""
    return Picture(tuple(game.painter.scene(replace(view, scale=scale)) for scale in range(1, LARGEST + 1)))


class SmallBoard(BoardView):
    """Shows a picture with every line that means something, or nothing."""

    def show_picture(self, picture: Picture) -> None:
        """Show this one, at the largest scale there is room for."""
        self.show(picture, NO_MARKS)

    def rows(self) -> Sequence[Row]:
        """Nothing where a part would be missing."""
        fits = self.scene.width <= self.size.width and len(self.lines()) <= self.size.height
        return super().rows() if fits else ()
