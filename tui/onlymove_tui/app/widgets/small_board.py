"""A board to look at beside a list. Its pictures were drawn elsewhere: drawing one may open a drawer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import LARGEST, Scene, View

from onlymove_tui.app.widgets.board import BoardView
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.paint import NO_MARKS


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
