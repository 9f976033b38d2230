"""Draws a board as SVG, for notebooks and web pages, and any other rows of characters.

Grounds and blocks are areas, lines are strokes, and everything else is text in the reader's monospaced font. Each run
of text has a fixed length, so that columns line up. Blocks and lines are shapes, because a font leaves gaps between
rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Scene

from onlymove.pictures.colours import AnyTone, On, Tone, colour, split_ink
from onlymove.pictures.painting import Marks, paint

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

THIN, THICK = 1.25, 2.75
"""The width of strokes in pixels, about a tenth and a fifth of a letter's height."""

ARMS: Final[Mapping[str, tuple[str, float]]] = {
    "─": ("lr", THIN), "│": ("ud", THIN), "┼": ("lrud", THIN), "┴": ("lru", THIN), "┬": ("lrd", THIN),
    "┤": ("udl", THIN), "├": ("udr", THIN), "┌": ("rd", THIN), "┐": ("ld", THIN), "└": ("ru", THIN),
    "┘": ("lu", THIN), "━": ("lr", THICK), "┃": ("ud", THICK), "┏": ("rd", THICK), "┓": ("ld", THICK),
    "┗": ("ru", THICK), "┛": ("lu", THICK),
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
    """A character with its colour and its background (`#rrggbb`). A shade is a block in a mixture of both."""

    sign: str
    ink: str
    ground: str
    is_bold: bool


def make_cell(sign: str, ink: str, ground: str, is_bold: bool = False) -> Cell:
    """Return the cell that shows a character, which may be a shade.

    >>> make_cell("▒", "#ffffff", "#000000")
    Cell(sign='█', ink='#808080', ground='#000000', is_bold=False)
    """
    part = SHADES.get(sign)
    return Cell(sign, ink, ground, is_bold) if part is None else Cell("█", mix(ink, ground, part), ground, is_bold)


def mix(ink: str, ground: str, part: float) -> str:
    """Return the colour that is `part` ink and otherwise ground."""
    pairs = zip(bytes.fromhex(ink[1:]), bytes.fromhex(ground[1:]), strict=True)
    return "#" + bytes(round(part * front + (1 - part) * back) for front, back in pairs).hex()


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
        arms, thickness = ARMS.get(cell.sign, ("", THIN))
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


Cells: TypeAlias = Sequence[Sequence[Cell]]
"""Rows of cells."""


def measure(rows: Cells) -> tuple[int, int]:
    """Return the width and height of a drawing in pixels."""
    return max(map(len, rows)) * WIDTH, len(rows) * HEIGHT


def draw_elements(rows: Cells, ground: str) -> Iterator[str]:
    """Yield the shapes and texts of the cells from (0, 0). Backgrounds of the colour `ground` are left out."""
    drawing = Drawing()
    for number, row in enumerate(rows):
        y = number * HEIGHT
        for column, cell in enumerate(row):
            if cell.ground != ground and cell.sign != "█":
                drawing.grounds[cell.ground].append(WHOLE.move(column * WIDTH, y))
            drawing.add_shapes(cell, column * WIDTH, y)
        drawing.texts += draw_texts(row, y)
    return drawing.elements()


def draw_board(scene: Scene, last: Sequence[Target], theme: str) -> str:
    """Return a board in the colours of a theme as an SVG element for a page. Both ends of the `last` move are marked.
    The theme must not be `ansi`, because only a terminal knows its colours."""
    rows = [[colour_cell(sign, tone, theme) for sign, tone in row] for row in paint(scene, Marks(last=tuple(last)))]
    width, height = measure(rows)
    drawn = "".join(draw_elements(rows, colour("background", theme)))
    box = f'viewBox="0 0 {width} {height}" font-family="{FONTS}" font-size="{FONT_SIZE}"'
    return f"<svg {box}>{drawn}</svg>"


def colour_cell(sign: str, tone: AnyTone | None, theme: str) -> Cell:
    """Return a painted character in the colours of a theme."""
    ink, ground = (tone.ink, split_ink(tone.ground)[0]) if isinstance(tone, On) else (tone or Tone.TEXT, "background")
    name, attributes = split_ink(ink)
    front, back = colour(name, theme), colour(ground, theme)
    if "reverse" in attributes:
        front, back = back, front
    return make_cell(sign, front, back, "bold" in attributes)
