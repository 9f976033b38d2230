"""A board as SVG, as the app draws it."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Scene
from rich.segment import Segment
from textual.strip import Strip

from onlymove_tui.app.themes import AnyTone, Tone, colour, style
from onlymove_tui.app.webpage.svg import FONT_SIZE, FONTS, elements, size_of
from onlymove_tui.app.widgets.paint import Marks, painted


def board_svg(scene: Scene, last: Sequence[Target], theme: str) -> str:
    """A picture of a position in the colours of a theme, `last` being where the last move began and ended. A part of a
    page: alone it needs SVG's name space."""
    strips = [
        Strip([segment(sign, tone, theme) for sign, tone in row]) for row in painted(scene, Marks(last=tuple(last)))
    ]
    width, height = size_of(strips)
    drawn = "".join(elements(strips, colour("text", theme), colour("background", theme)))
    box = f'viewBox="0 0 {width} {height}" font-family="{FONTS}" font-size="{FONT_SIZE}"'
    return f"<svg {box}>{drawn}</svg>"


def segment(text: str, tone: AnyTone | None, theme: str) -> Segment:
    """A piece of a line; plain text in the colours of what it stands on."""
    return Segment(text, None if tone in (None, Tone.TEXT) else style(tone, theme))
