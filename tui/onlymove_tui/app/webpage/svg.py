"""Draws boards and screens as SVG: grounds and blocks as areas, lines as strokes, and everything else as text.

The page loads nothing, so text uses the reader's monospaced font. Each run has a fixed length, so that columns line up.
Blocks and lines are drawn as shapes, because a font leaves gaps between rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final, NamedTuple

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Scene
from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from onlymove_tui.app.themes import AnyTone, Tone, colour, style
from onlymove_tui.app.widgets.board_view import Marks, paint

WIDTH, HEIGHT = 8, 16
"""The size of a cell. Block characters consist of eighths of a cell, and an eighth is a whole number here."""
MIDDLE_X, MIDDLE_Y = WIDTH // 2, HEIGHT // 2


class Rect(NamedTuple):
    """A filled area, given by its upper left corner and its size."""

    x: int
    y: int
    width: int
    height: int

    def move(self, x: int, y: int) -> Rect:
        return Rect(self.x + x, self.y + y, self.width, self.height)


WHOLE: Final = Rect(0, 0, WIDTH, HEIGHT)
QUADRANTS: Final = tuple(Rect(x, y, MIDDLE_X, MIDDLE_Y) for y in (0, MIDDLE_Y) for x in (0, MIDDLE_X))
"""Upper left, upper right, lower left, lower right."""


BLOCKS: Final[Mapping[str, tuple[Rect, ...]]] = {
    "█": (WHOLE,),
    "▀": (Rect(0, 0, WIDTH, MIDDLE_Y),),
    "▐": (Rect(MIDDLE_X, 0, MIDDLE_X, HEIGHT),),
    "▔": (Rect(0, 0, WIDTH, 2),),
    "▕": (Rect(WIDTH - 1, 0, 1, HEIGHT),),
    **{sign: (Rect(0, HEIGHT - 2 * n, WIDTH, 2 * n),) for n, sign in enumerate("▁▂▃▄▅▆▇", 1)},
    **{sign: (Rect(0, 0, WIDTH - n, HEIGHT),) for n, sign in enumerate("▉▊▋▌▍▎▏", 1)},
    **{
        sign: tuple(rect for rect, bit in zip(QUADRANTS, bits, strict=True) if bit == "1")
        for sign, bits in {
            "▘": "1000", "▝": "0100", "▖": "0010", "▗": "0001", "▚": "1001",
            "▞": "0110", "▛": "1110", "▜": "1101", "▙": "1011", "▟": "0111",
        }.items()
    },
}  # fmt: skip
"""The filled parts of a character."""

SHADES: Final[Mapping[str, float]] = {"░": 0.25, "▒": 0.5, "▓": 0.75}
"""How much of the cell's colour is ink. The rest is background."""

LIGHT, HEAVY = 1.25, 2.75
"""The width of strokes in pixels, about a tenth and a fifth of a letter's height."""

ARMS: Final[Mapping[str, tuple[str, float]]] = {
    "─": ("lr", LIGHT), "│": ("ud", LIGHT), "┼": ("lrud", LIGHT), "┴": ("lru", LIGHT), "┬": ("lrd", LIGHT),
    "┤": ("udl", LIGHT), "├": ("udr", LIGHT), "┌": ("rd", LIGHT), "┐": ("ld", LIGHT), "└": ("ru", LIGHT),
    "┘": ("lu", LIGHT), "━": ("lr", HEAVY), "┃": ("ud", HEAVY), "┏": ("rd", HEAVY), "┓": ("ld", HEAVY),
    "┗": ("ru", HEAVY), "┛": ("lu", HEAVY),
}  # fmt: skip
"""The arms of a line from the middle of its cell (left, right, up, down), and its thickness."""

ENDS: Final[Mapping[str, tuple[int, int]]] = {
    "l": (0, MIDDLE_Y), "r": (WIDTH, MIDDLE_Y), "u": (MIDDLE_X, 0), "d": (MIDDLE_X, HEIGHT),
}  # fmt: skip
"""The point on a cell's edge that an arm reaches."""

CURVES: Final[Mapping[str, str]] = {"╭": "rd", "╮": "ld", "╯": "lu", "╰": "ru"}
"""Rounded corners, with the arms that they join."""

SLANTS: Final[Mapping[str, tuple[Rect, ...]]] = {
    "╱": (Rect(0, HEIGHT, WIDTH, -HEIGHT),),
    "╲": (Rect(0, 0, WIDTH, HEIGHT),),
    "╳": (Rect(0, HEIGHT, WIDTH, -HEIGHT), Rect(0, 0, WIDTH, HEIGHT)),
}
"""Strokes from a corner, with their width and height."""


FONT_SIZE = 13.3
"""At this size, letters of common monospaced fonts (0.6 em) are as wide as a cell."""
BASELINE = 12
FONTS = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


@dataclass(frozen=True, slots=True)
class Cell:
    """A character with its colour and its background."""

    sign: str
    ink: str
    ground: str
    is_bold: bool


def find_triplet(colour: Color | None, otherwise: ColorTriplet) -> ColorTriplet:
    return otherwise if colour is None or colour.triplet is None else colour.triplet


def list_cells(strip: Strip, ink: ColorTriplet, ground: ColorTriplet) -> list[Cell]:
    found = []
    for text, own, _ in strip:
        look = own or Style()
        front, back = find_triplet(look.color, ink), find_triplet(look.bgcolor, ground)
        if look.reverse:
            front, back = back, front
        for sign in text:
            drawn = front
            if part := SHADES.get(sign):
                drawn = ColorTriplet(*(round(part * f + (1 - part) * b) for f, b in zip(front, back, strict=True)))
            found.append(Cell("█" if part else sign, drawn.hex, back.hex, bool(look.bold)))
    return found


def join_rows(rects: Iterable[Rect]) -> list[Rect]:
    rows: list[Rect] = []
    for rect in sorted(rects, key=lambda r: (r.y, r.height, r.x)):
        last = rows[-1] if rows else None
        if last and (last.y, last.height, last.x + last.width) == (rect.y, rect.height, rect.x):
            rows[-1] = last._replace(width=last.width + rect.width)
        else:
            rows.append(rect)
    return rows


def join_rects(rects: Iterable[Rect]) -> list[Rect]:
    stacks = join_rows(Rect(rect.y, rect.x, rect.height, rect.width) for rect in join_rows(rects))
    return sorted((Rect(x, y, width, height) for y, x, height, width in stacks), key=lambda r: (r.y, r.x))


class Drawing:
    """Collects the shapes and texts of a screen, grouped by how they are drawn."""

    def __init__(self) -> None:
        self.grounds: dict[str, list[Rect]] = defaultdict(list)
        self.blocks: dict[str, list[Rect]] = defaultdict(list)
        self.strokes: dict[tuple[str, float], list[Rect]] = defaultdict(list)
        self.curves: dict[tuple[str, float], list[str]] = defaultdict(list)
        self.texts: list[str] = []

    def add_shapes(self, cell: Cell, x: int, y: int) -> None:
        """Add the shapes of a character that is not text."""
        self.blocks[cell.ink] += [rect.move(x, y) for rect in BLOCKS.get(cell.sign, ())]
        arms, thickness = ARMS.get(cell.sign, ("", LIGHT))
        pen = cell.ink, thickness
        for arm in arms:
            # Begin at the left or the top, so that strokes that touch can be joined.
            ends = sorted([(MIDDLE_X, MIDDLE_Y), ENDS[arm]])
            (left, top), (right, bottom) = ends
            self.strokes[pen].append(Rect(left + x, top + y, right - left, bottom - top))
        for slant in SLANTS.get(cell.sign, ()):
            self.curves[pen].append(f"M{x + slant.x} {y + slant.y}l{slant.width} {slant.height}")
        if cell.sign in CURVES:
            side, end = (ENDS[arm] for arm in CURVES[cell.sign])
            bend = MIDDLE_Y + (MIDDLE_X if end[1] else -MIDDLE_X)
            self.curves[pen].append(
                f"M{x + side[0]} {y + side[1]}Q{x + MIDDLE_X} {y + MIDDLE_Y} {x + MIDDLE_X} {y + bend}V{y + end[1]}"
            )

    def elements(self) -> Iterator[str]:
        """Yield the SVG elements. Grounds come first, then blocks, strokes and text, each drawn over the last."""
        for ink, rects in [*self.grounds.items(), *self.blocks.items()]:
            area = "".join(f"M{x} {y}h{w}v{h}h-{w}z" for x, y, w, h in join_rects(rects))
            if area:
                yield f'<path shape-rendering="crispEdges" fill="{ink}" d="{area}"/>'
        for pen in dict.fromkeys([*self.strokes, *self.curves]):
            (ink, thickness), strokes = pen, self.strokes.get(pen, [])
            across, down = join_rects(s for s in strokes if s.width), join_rects(s for s in strokes if s.height)
            lines = [f"M{x} {y}{f'h{w}' if w else f'v{h}'}" for x, y, w, h in (*across, *down)]
            path = "".join([*lines, *self.curves.get(pen, [])])
            yield f'<path fill="none" stroke="{ink}" stroke-width="{thickness}" d="{path}"/>'
        yield from self.texts


def draw_texts(row: Sequence[Cell], y: int) -> Iterator[str]:
    """Yield the texts of a line: runs of letters that look alike, which every monospaced font has at the right width,
    and each other symbol in the middle of its cell."""

    def look(numbered: tuple[int, Cell]) -> tuple[bool, bool, str, bool]:
        cell = numbered[1]
        is_shape = any(cell.sign in drawn for drawn in (BLOCKS, ARMS, CURVES, SLANTS))
        is_letter = ord(cell.sign) < 0x250 or 0x2010 <= ord(cell.sign) <= 0x2030
        return is_shape, is_letter, cell.ink, cell.is_bold

    for (is_shape, is_word, ink, is_bold), group in groupby(enumerate(row), look):
        if is_shape:
            continue
        run = list(group)
        whole = "".join(cell.sign for _, cell in run)
        drawn_as = f'fill="{ink}"' + (' font-weight="bold"' if is_bold else "")
        for start, text in split_gaps(whole) if is_word else enumerate(whole):
            x = (run[0][0] + start) * WIDTH
            if len(text) > 1:
                place = f'x="{x}" y="{y + BASELINE}" textLength="{len(text) * WIDTH}"'
            else:
                place = f'x="{x + MIDDLE_X}" y="{y + BASELINE}" text-anchor="middle"'
            yield f"<text {place} {drawn_as}>{escape(text, quote=False)}</text>"


def split_gaps(text: str) -> Iterator[tuple[int, str]]:
    """Yield the parts between gaps of two or more blanks, with their columns. SVG would collapse the gaps."""
    start = 0
    for part in text.split("  "):
        words = part.strip()
        if words:
            yield start + part.index(words), words
        start += len(part) + 2


def measure(strips: Sequence[Strip]) -> tuple[int, int]:
    return max(strip.cell_length for strip in strips) * WIDTH, len(strips) * HEIGHT


def draw_elements(strips: Sequence[Strip], ink: str, ground: str) -> Iterator[str]:
    """Yield the shapes and texts of the strips from (0, 0), without the `ground` itself."""
    drawing = Drawing()
    front, back = (find_triplet(Color.parse(colour), ColorTriplet(0, 0, 0)) for colour in (ink, ground))
    for number, strip in enumerate(strips):
        row, y = list_cells(strip, front, back), number * HEIGHT
        for column, cell in enumerate(row):
            if cell.ground != back.hex and cell.sign != "█":
                drawing.grounds[cell.ground].append(WHOLE.move(column * WIDTH, y))
            drawing.add_shapes(cell, column * WIDTH, y)
        drawing.texts += draw_texts(row, y)
    return drawing.elements()


def draw_board(scene: Scene, last: Sequence[Target], theme: str) -> str:
    """Return a board in the colours of a theme as part of a page. Both ends of the `last` move are marked."""
    rows = paint(scene, Marks(last=tuple(last)))
    strips = [Strip([make_segment(sign, tone, theme) for sign, tone in row]) for row in rows]
    width, height = measure(strips)
    drawn = "".join(draw_elements(strips, colour("text", theme), colour("background", theme)))
    box = f'viewBox="0 0 {width} {height}" font-family="{FONTS}" font-size="{FONT_SIZE}"'
    return f"<svg {box}>{drawn}</svg>"


def make_segment(text: str, tone: AnyTone | None, theme: str) -> Segment:
    return Segment(text, None if tone in (None, Tone.TEXT) else style(tone, theme))
