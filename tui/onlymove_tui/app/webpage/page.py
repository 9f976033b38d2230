"""Writes reviewed games as one HTML file, with boards, the values over time, and every move with its judgement.

The file loads nothing else, and its own policy forbids it to. Links lead from move to move, and a short script does the
same with keys. Boards are SVG, as in notebooks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from itertools import takewhile
from string import Template

from onlymove.pictures.colours import ANSI, LIGHT, NAMES, USUAL, Tone, colour, split_ink
from onlymove.pictures.svg import FONTS, draw_board
from onlymove_engines.core.scene import View
from onlymove_engines.live.live_game import LiveGame, is_marked
from onlymove_engines.play.tree import AnyNode

from onlymove_tui.app.panels import game_rows, side_panels
from onlymove_tui.app.themes import find_theme, style
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.course import Column, Ply
from onlymove_tui.play.phrases import describe_counting, ending_text

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
            counting=escape(describe_counting(game)),
            strip=self.strip(side_panels.list_columns(self.live, self.path, everything=True)),
            moves="\n".join(self.list_plies(side_panels.list_plies(self.live, self.path, everything=True))),
            plies="\n".join(map(self.ply, self.path)),
        )

    def ply(self, node: AnyNode) -> str:
        """Return the board after a move, with the judgement and the alternatives."""
        mistake = ' class="mistake"' if is_marked(self.live, node, everything=True) else ""
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
            look = "" if tone is Tone.TEXT else f' style="{style(tone, self.theme).get_html_style()}"'
            parts.append(f"<span{look}>{escape(text)}</span>" if look else escape(text))
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
