"""The law of bytes: how much a step of the cursor sends, wherever the cursor and the pen were before."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import NamedTuple

from onlymove.pictures.colours import USUAL, colour
from onlymove.pictures.painting import Marks, paint
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Scene, View
from onlymove_laws.law import Law, games_with_a_cursor, play_randomly, to_text
from onlymove_tui.app.themes import style
from onlymove_tui.app.widgets.board_view import find_neighbour
from onlymove_tui.terminal.screen_diff import TerminalDiff
from rich.color import ColorSystem
from rich.control import Control
from rich.segment import Segment
from rich.style import Style

from tests.amounts import parametrize_sample

WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))


class ScreenSize(NamedTuple):
    """A scale, the size of its terminal, and the most bytes that a step may send there."""

    scale: int
    size: tuple[int, int]
    most_bytes: int


SMALL, LARGE = ScreenSize(1, (80, 24), 144), ScreenSize(2, (120, 40), 256)

PLAIN = Style(color=colour("text", USUAL), bgcolor=colour("background", USUAL))


def picture(scene: Scene, cursor: Target, x: int = 3, y: int = 2) -> list[Segment]:
    """Return a scene with the cursor and all targets marked, somewhere on a screen."""
    marks = Marks(cursor=cursor, legal=tuple(place.target for place in scene.places))
    drawn: list[Segment] = []
    for line, row in enumerate(paint(scene, marks)):
        drawn.append(Control.move_to(x, y + line).segment)
        drawn += [Segment(glyph, PLAIN if tone is None else PLAIN + style(tone, USUAL)) for glyph, tone in row]
    return drawn


def list_steps(scene: Scene) -> Iterator[tuple[Target, Target]]:
    """Yield the start and the end of every step that an arrow key makes."""
    targets = [place.target for place in scene.places]
    for start in targets:
        ends = {find_neighbour(scene, start, targets, *way) for way in WAYS} - {start, None}
        yield from ((start, end) for end in ends if end is not None)


@games_with_a_cursor
@parametrize_sample(("positions", "screen"), [(1, SMALL)], product([12], [SMALL, LARGE]))
def test_a_cursor_step_costs_few_bytes_from_everywhere(
    game: AnyGame, screen: ScreenSize, positions: int, law: Law
) -> None:
    walk = [position for position, _ in islice(play_randomly(game, game.default_start(), Random(4)), 3 + positions)]
    for position in walk[-positions:]:
        scene = game.painter.scene(View((position,), scale=screen.scale))
        pictures = {place.target: picture(scene, place.target) for place in scene.places}
        wire = TerminalDiff()
        for start, end in law.each(list_steps(scene)):
            wire.encode(pictures[start], ColorSystem.TRUECOLOR, screen.size)
            sent = wire.encode(pictures[end], ColorSystem.TRUECOLOR, screen.size)
            assert len(sent) <= screen.most_bytes, (
                f"{to_text(game, position)}: {start} to {end} sends {len(sent)}: {sent!r}"
            )
