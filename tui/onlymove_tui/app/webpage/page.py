"""A reviewed game as one HTML file: its boards, the values over time, every move with its sign and what was said of it.

The file fetches nothing, and its own policy forbids it. Links turn the pages; a few lines of script do it by keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from importlib.resources import files
from string import Template

from onlymove_engines.core.scene import View
from onlymove_engines.play.line import AnyNode

from onlymove_tui.app.panels import moves, reviewing, telling
from onlymove_tui.app.themes import ANSI, LIGHT, NAMES, USUAL, colour, named, style
from onlymove_tui.app.webpage.board import board_svg, segment
from onlymove_tui.app.webpage.svg import FONTS
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.app.widgets.move_list import Ply
from onlymove_tui.app.widgets.tones import AnyTone, Tone
from onlymove_tui.app.widgets.value_strip import Column
from onlymove_tui.play.match import Match
from onlymove_tui.play.phrases import ending

SCALE = 2
"""How large the boards are drawn: with room for details, and a page of a hundred moves below two megabytes."""
NOTE_WIDTH = 60
TALLEST = 4
"""Of a column of the strip."""
PAPER = ("background", "text", "accent", "dim", "panel")
"""The colours of the page itself."""


class WebPage:
    """The page of a match. What is not known yet is not on it."""

    def __init__(self, match: Match, names: tuple[str, str], date: str, theme: str) -> None:
        self.match, self.game = match, match.game
        self.names, self.date = names, date
        known = named(theme)
        self.theme = known if known in NAMES and known != ANSI else USUAL
        self.path = match.node.path()

    def text(self) -> str:
        """The file."""
        game, result = self.game, self.match.session.result
        players = "  -  ".join(f"{seat}: {name}" for seat, name in zip(game.seats, self.names, strict=True))
        return Template(files(__package__).joinpath("page.html").read_text("utf-8")).substitute(
            {name: self.ink(name) for name in PAPER},
            scheme="light" if self.theme == LIGHT else "dark",
            fonts=FONTS,
            title=escape(f"{game.title}: {players}"),
            game=escape(game.title),
            players=escape(players),
            date=escape(self.date),
            ending=escape(ending(game, result) if result is not None else "Not finished."),
            legend=escape("   ".join(f"{sign} {seat}" for sign, seat in zip("↑↓", game.seats, strict=True))),
            strip=self.strip(moves.columns_of(self.match, self.path, everything=True)),
            moves="\n".join(self.listed(moves.plies_of(self.match, self.path, everything=True))),
            plies="\n".join(map(self.ply, self.path)),
        )

    def ply(self, node: AnyNode) -> str:
        """The board after a move, what the move was worth and what was best instead."""
        mistake = ' class="mistake"' if moves.is_mistake(self.match, node, everything=True) else ""
        told = reviewing.notes(self.match, node, self.path, NOTE_WIDTH, False)
        rows = [reviewing.headline(self.match, node), reviewing.remark(self.match, node)]
        if node is self.match.node:
            rows += [[(text, Tone.TEXT)] for text in self.match.advice.reasons(node)]
        noted = [[(told.title, Tone.TITLE)], *told.rows] if told.rows else []
        texts = [f"<p>{self.html(row)}</p>" for row in rows if any(text for text, _ in row)]
        pre = "\n".join(map(self.html, noted))
        return f'<section id="p{node.ply}"{mistake}>{self.board(node)}{"".join(texts)}<pre>{pre}</pre></section>'

    def board(self, node: AnyNode) -> str:
        """The board after a move, both ends of the move marked."""
        seat = self.match.near_seat
        view: View[object, object] = self.match.session.line.view(
            node, flipped=self.match.is_turned, options={"seat": seat, "cursor": None}, scale=SCALE
        )
        last = () if node.parent is None else self.game.painter.trace(node.parent.position, node.move)
        return board_svg(self.game.painter.scene(view), last, self.theme)

    def html(self, row: Row) -> str:
        """A row of a panel."""
        return "".join(self.span(text, tone) for text, tone in row)

    def span(self, text: str, tone: AnyTone) -> str:
        look = segment(text, tone, self.theme).style
        return escape(text) if look is None else f'<span style="{look.get_html_style()}">{escape(text)}</span>'

    def strip(self, columns: Sequence[Column]) -> str:
        """The value over time, a column a ply; each leads to its board."""
        box = f"0 {-TALLEST - 1} {len(columns)} {2 * TALLEST + 2}"
        axis = f'<path stroke="{self.ink("grid")}" stroke-width=".1" d="M0 0h{len(columns)}"/>'
        bars = "".join(self.bar(ply, column) for ply, column in enumerate(columns))
        return f'<svg viewBox="{box}" preserveAspectRatio="none">{axis}{bars}</svg>'

    def bar(self, ply: int, column: Column) -> str:
        """A ply: all of its height can be clicked, and a mistake is marked above."""

        def rect(top: float, height: float, look: str) -> str:
            return f'<rect x="{ply}" y="{top:g}" width=".9" height="{height:g}" {look}/>'

        height = column.height or 0
        parts = [rect(-TALLEST - 1, 2 * TALLEST + 2, 'fill-opacity="0"')]
        if height:
            parts.append(rect(min(0, -height), abs(height), self.sides[height < 0]))
        elif column.height is not None:
            parts.append(rect(-0.2, 0.4, f'fill="{self.ink("even")}"'))
        if column.glyph:
            parts.append(rect(-TALLEST - 1, 0.6, f'fill="{self.ink("error")}"'))
        return f'<a href="#p{ply}">{"".join(parts)}</a>'

    @cached_property
    def sides(self) -> Sequence[str]:
        """What both sides' bars look like: as their pieces, with an edge where those stand on a ground of their own."""
        looks = []
        for seat in (0, 1):
            found = style(telling.piece_tone(self.game, seat), self.theme)
            fill, edge = (None if part is None else part.get_truecolor().hex for part in (found.color, found.bgcolor))
            looks.append(f'fill="{fill}"' + (f' stroke="{edge}" stroke-width=".1"' if edge else ""))
        return looks

    def ink(self, name: str) -> str:
        return colour(name, self.theme)

    def listed(self, plies: Sequence[Ply]) -> Iterator[str]:
        """The moves in two columns, as records number them; a round of both sides takes both."""
        is_joint = self.match.is_simultaneous
        for place, ply in enumerate(plies, 1):
            if not ply.is_second or place == 1:
                yield f'<span class="dim">{ply.number}</span>'
            words = [
                (ply.text, Tone.TEXT),
                (f" {ply.glyph}" if ply.glyph else "", ply.tone),
                (f"  {ply.value}", Tone.DIM),
            ]
            column = "both" if is_joint else "second" if ply.is_second else "first"
            yield f'<a class="{column}" href="#p{place}">{self.html(words)}</a>'
