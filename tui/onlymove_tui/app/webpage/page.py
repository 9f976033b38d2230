"""Writes reviewed games as one HTML file, with boards, the values over time, and every move with its judgement.

The file loads nothing else, and its own policy forbids it to. Links lead from move to move, and a short script does the
same with keys. Boards are SVG: grounds and blocks as areas, lines as strokes, and everything else as text in the
reader's monospaced font. Each run of text has a fixed length, so that columns line up. Blocks and lines are shapes,
because a font leaves gaps between rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import groupby, takewhile
from string import Template
from typing import Final, NamedTuple

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Scene, View
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.tree import AnyNode
from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from onlymove_tui.app.panels import game_rows, side_panels
from onlymove_tui.app.themes import ANSI, LIGHT, NAMES, USUAL, AnyTone, Tone, colour, find_theme, split_ink, style
from onlymove_tui.app.widgets.board_view import Marks, paint
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.course import Column, Ply
from onlymove_tui.play.phrases import ending_text

SCALE = 2
"""The scale of the boards. It shows details, and a page of a hundred moves stays below two megabytes."""
NOTE_WIDTH = 60
TALLEST = 4
"""The greatest height of a column of the strip."""
NOT_KNOWN = "?"
"""In a tag, this stands for an unknown player or an unknown part of a date."""
PAPER = ("background", "text", "accent", "dim", "panel")
"""The colours of the page itself."""


@dataclass(frozen=True, slots=True)
class GameShown:
    """A game for a page, with players and date as in the tags of a record."""

    live: LiveGame
    names: tuple[str, str]
    date: str

    @property
    def players(self) -> str:
        sides = zip(self.live.game.seats, self.names, strict=True)
        return "  -  ".join(seat if name == NOT_KNOWN else f"{seat}: {name}" for seat, name in sides)

    @property
    def day(self) -> str:
        """The known part of the date, such as `2026.11.22` or `2026.11`, or an empty text."""
        parts = self.date.split(".")
        return ".".join(takewhile(lambda part: not set(part) <= {NOT_KNOWN}, parts))


def web_page(games: Sequence[GameShown], theme: str) -> str:
    """Return the HTML file, with the values that are already known. Several games begin with links to them."""
    known = find_theme(theme)
    theme = known if known in NAMES and known != ANSI else USUAL
    prefixes = ["", *(f"g{number}" for number in range(2, len(games) + 1))]
    names = [f"{shown.live.game.facts.title}: {shown.players}" for shown in games]
    links = [f'<a href="#{prefix}p0">{escape(name)}</a>' for prefix, name in zip(prefixes, names, strict=True)]
    articles = [Article(shown, theme, prefix).text() for shown, prefix in zip(games, prefixes, strict=True)]
    return _fill(
        "page.html",
        {name: colour(name, theme) for name in PAPER},
        scheme="light" if theme == LIGHT else "dark",
        fonts=FONTS,
        title=escape(names[0] if len(games) == 1 else f"{len(games)} games"),
        games="<nav>\n" + "\n".join(links) + "\n</nav>" if len(games) > 1 else "",
        articles="\n".join(articles),
    )


def _fill(template: str, *mappings: Mapping[str, str], **texts: str) -> str:
    return Template(files(__package__).joinpath(template).read_text("utf-8")).substitute(*mappings, **texts)


class Article:
    """One game of a page. The ids of its boards begin with `prefix`."""

    def __init__(self, shown: GameShown, theme: str, prefix: str) -> None:
        self.shown, self.live, self.game = shown, shown.live, shown.live.game
        self.theme, self.prefix = theme, prefix
        self.path = self.live.node.path()

    def text(self) -> str:
        game, result = self.game, self.live.session.result
        return _fill(
            "game.html",
            game=escape(game.facts.title),
            players=escape(self.shown.players),
            date=escape(self.shown.day),
            ending=escape(ending_text(game, result) if result is not None else "The game is not finished."),
            legend=escape("   ".join(f"{sign} {seat}" for sign, seat in zip("↑↓", game.seats, strict=True))),
            strip=self.strip(side_panels.list_columns(self.live, self.path, everything=True)),
            moves="\n".join(self.list_plies(side_panels.list_plies(self.live, self.path, everything=True))),
            plies="\n".join(map(self.ply, self.path)),
        )

    def ply(self, node: AnyNode) -> str:
        """Return the board after a move, with the judgement and the alternatives."""
        mistake = ' class="mistake"' if side_panels.is_marked(self.live, node, everything=True) else ""
        note = side_panels.review_notes(self.live, node, self.path, NOTE_WIDTH, False)
        rows = [side_panels.review_headline(self.live, node), side_panels.review_comment(self.live, node)]
        if node is self.live.node:
            rows += [[(text, Tone.TEXT)] for text in self.live.list_reasons(node)]
        noted = [[(note.title, Tone.TITLE)], *note.rows] if note.rows else []
        texts = [f"<p>{self.html(row)}</p>" for row in rows if any(text for text, _ in row)]
        pre = "\n".join(map(self.html, noted))
        inside = f"{self.board(node)}{''.join(texts)}<pre>{pre}</pre>"
        return f'<section id="{self.prefix}p{node.ply}"{mistake}>{inside}</section>'

    def board(self, node: AnyNode) -> str:
        view: View[object, object] = self.live.session.tree.view(
            node, flipped=self.live.is_turned, seat=self.live.session.near_seat, scale=SCALE
        )
        last = () if node.parent is None else self.game.painter.trace(node.parent.position, node.move)
        return draw_board(self.game.painter.scene(view), last, self.theme)

    def html(self, row: Row) -> str:
        parts = []
        for text, tone in row:
            look = make_segment(text, tone, self.theme).style
            style = "" if look is None else look.get_html_style()
            parts.append(escape(text) if look is None else f'<span style="{style}">{escape(text)}</span>')
        return "".join(parts)

    def strip(self, columns: Sequence[Column]) -> str:
        """Return the values over time as a strip. Every column links to its board. A mistake has a symbol above it."""

        def rect(ply: int, top: float, height: float, look: str) -> str:
            return f'<rect x="{ply}" y="{top:g}" width=".9" height="{height:g}" {look}/>'

        def fill(ink: str) -> str:
            return f'fill="{colour(ink, self.theme)}"'

        sides = [split_ink(game_rows.piece_tone(self.game, seat))[0] for seat in (0, 1)]
        parts = [f'<path stroke="{colour("grid", self.theme)}" stroke-width=".1" d="M0 0h{len(columns)}"/>']
        for ply, column in enumerate(columns):
            bars = rect(ply, -TALLEST - 1, 2 * TALLEST + 2, 'fill-opacity="0"')
            if column.height:
                bars += rect(ply, min(0, -column.height), abs(column.height), fill(sides[column.height < 0]))
            elif column.height is not None:
                bars += rect(ply, -0.2, 0.4, fill("even"))
            if column.glyph:
                bars += rect(ply, -TALLEST - 1, 0.6, fill("error"))
            parts.append(f'<a href="#{self.prefix}p{ply}">{bars}</a>')
        box = f"0 {-TALLEST - 1} {len(columns)} {2 * TALLEST + 2}"
        return f'<svg viewBox="{box}" preserveAspectRatio="none">{"".join(parts)}</svg>'

    def list_plies(self, plies: Sequence[Ply]) -> Iterator[str]:
        """Yield the moves in two columns with their numbers. A simultaneous round takes both columns."""
        is_joint = self.live.is_simultaneous
        for place, ply in enumerate(plies, 1):
            if not ply.is_second or place == 1:
                yield f'<span class="dim">{ply.number}</span>'
            glyph = f" {ply.glyph}" if ply.glyph else ""
            words = self.html([(ply.text, Tone.TEXT), (glyph, ply.tone), (f"  {ply.value}", Tone.DIM)])
            column = "both" if is_joint else "second" if ply.is_second else "first"
            yield f'<a class="{column}" href="#{self.prefix}p{place}">{words}</a>'


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
