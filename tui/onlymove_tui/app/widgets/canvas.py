"""Rows of text in runs of one tone, and the base of all widgets, which repaints only the rows that have changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile, zip_longest
from typing import Any, Final, TypeAlias, TypeVar

from onlymove.pictures.colours import LIGHT, AnyTone, Tone
from onlymove_engines.core.ascii import to_ascii
from rich.segment import Segment
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from onlymove_tui.app.themes import find_theme_id, style, swap_sign
from onlymove_tui.play.keys import Key, Phrase, split_phrase

Run: TypeAlias = tuple[str, AnyTone | Key]
"""A text and its tone. The tone of a key's name is the `Key` itself, so that a click on it finds its command."""

Row: TypeAlias = Sequence[Run]
T = TypeVar("T", bound=Sequence[Any])


def phrase_row(words: Phrase, tone: AnyTone = Tone.TEXT) -> Row:
    """Return a sentence as a row. The names of its keys are still empty."""
    return [("", part) if isinstance(part, Key) else (part, tone) for part in split_phrase(words) if part]


KEY_GAP = "   "
"""Separates the keys in a row of them."""


def key_row(keys: Sequence[tuple[str, str]], gap: str = KEY_GAP) -> Row:
    """Return a row of (command, word). The names of the keys are still empty."""
    row: list[Run] = []
    for command, word in keys:
        row += [(gap if row else "", Tone.TEXT), ("", Key(command)), (f" {word}", Tone.TEXT)]
    return row


def name_keys(row: Row, name: Callable[[str], str]) -> Row:
    """Return a row with the names of its keys, by command. Lay out a row only after that, because its width depends on
    the player's keymap. All other runs stay the same objects."""
    return [(name(run[1].command), run[1]) if isinstance(run[1], Key) else run for run in row]


def names_key(row: Row) -> bool:
    return any(isinstance(tone, Key) for _, tone in row)


def lay_out(rows: Sequence[Row], width: int, name: Callable[[str], str]) -> Sequence[Row]:
    """Return these rows with the names of their keys, by command. Rows that are too long with them are broken."""
    return [line for row in rows for line in (fold(name_keys(row, name), width) if names_key(row) else [row])]


def are_same(rows: Sequence[Row], others: Sequence[Row]) -> bool:
    """Whether rows have the same runs. It does not matter whether they are lists or tuples."""
    return len(rows) == len(others) and all(tuple(row) == tuple(other) for row, other in zip(rows, others, strict=True))


def row_width(row: Row) -> int:
    """Return the width of a row in columns. Every character here is one column wide."""
    return sum(len(text) for text, _ in row)


def clip(row: Row, width: int) -> list[Run]:
    """Cut a row to `width` columns. An ellipsis marks the cut."""
    if row_width(row) <= width:
        return list(row)
    kept: list[Run] = []
    space = max(0, width - 1)
    for text, tone in row:
        kept.append((text[:space], tone))
        space -= len(text)
        if space <= 0:
            break
    return [*kept, ("…" if width > 0 else "", Tone.DIM)]


def choose_fitting(versions: Sequence[T], space: int, measure: Callable[[T], int] = len) -> T:
    """Return the first of these versions of a text that fits, or else the last."""
    return next((version for version in versions if measure(version) <= space), versions[-1])


FURTHER: Final[Run] = ("  ", Tone.TEXT)
"""The indentation with which each further line of a sentence begins."""


def fold(row: Row, width: int, indent: Row = ()) -> list[Row]:
    """Break a row into lines of `width` columns. Further ones begin with `indent`. Keys stay with their words."""
    if row_width(row) <= width:
        return [row]
    lines: list[list[Run]] = [[]]
    keys = list(split_keys(row))
    for word in keys if all(row_width(key) <= width for key in keys) else split_words(row):
        begun = row_width(lines[-1])
        is_full = begun > row_width(indent) and begun + row_width(word) > width
        if is_full:
            lines.append([*indent])
        lines[-1] += dropwhile(lambda run: not run[0].strip(), word) if is_full else word
    return list(lines)


def split_keys(row: Row) -> Iterator[list[Run]]:
    """Yield the keys of a row, each with its word and the gap before it. Another row is one part."""
    part: list[Run] = []
    begins_with_key = isinstance(next((tone for text, tone in row if text.strip()), None), Key)
    for text, tone in row:
        if begins_with_key and part and text and not text.strip():
            yield part
            part = []
        part.append((text, tone))
    if part:
        yield part


def split_words(row: Row) -> Iterator[list[Run]]:
    """Yield the words of a row, each with the blanks before it. A word may have several tones, such as (`a`)."""
    word: list[Run] = []
    for text, tone in row:
        for piece in re.findall(r" +|[^ ]+", text):
            if piece[0] == " " and word and word[-1][0].strip():
                yield word
                word = []
            word.append((piece, tone))
    if word:
        yield word


def is_further_line(row: Row) -> bool:
    return bool(row) and row[0] is FURTHER


class Canvas(Widget):
    """A widget made of rows: `lines`, or what a subclass returns from `rows`."""

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.lines: Sequence[Row] = ()
        self._shown: list[list[Run]] = []
        self._width = 0
        """The columns that `_shown` was laid out for."""

    def rows(self) -> Sequence[Row]:
        return self.lines

    def repaint(self) -> None:
        """Lay out the rows, and paint those that have changed."""
        if not self.is_mounted:
            return
        before, self._shown = self._shown, self._lay_out()
        if len(before) != len(self._shown) and self.styles.height is not None and self.styles.height.is_auto:
            self.refresh(layout=True)
            return
        no_row: list[Run] = []
        pairs = zip_longest(before, self._shown, fillvalue=no_row)
        changed = [y for y, (old, new) in enumerate(pairs) if old != new]
        if changed:
            self.refresh(*(Region(0, y, self._width, 1) for y in changed))

    def text(self) -> str:
        """Return the rows as plain text, for tests and for copying."""
        return "\n".join("".join(text for text, _ in row).rstrip() for row in self._lay_out())

    def _lay_out(self) -> list[list[Run]]:
        self._width = width = self.size.width
        rows = [[run for run in row if run[0]] for row in self.rows()]
        rows = [clip(row, width) if width else row for row in rows]
        if getattr(self.app, "ascii_only", False):
            rows = [[(to_ascii(text), tone) for text, tone in row] for row in rows]
        return rows

    def on_resize(self) -> None:
        self.redraw()

    def redraw(self) -> None:
        """Lay out and paint everything again, in the current size, colours and characters."""
        self._shown = self._lay_out()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if not self._shown or self._width != width:
            self._shown = self._lay_out()
        base, theme = self.visual_style.rich_style, find_theme_id(self.app)
        row = self._shown[y] if y < len(self._shown) else []
        if theme == LIGHT:
            row = [swap_sign(*run) for run in row]
        segments = [Segment(text, base if tone is Tone.TEXT else base + style(tone, theme)) for text, tone in row]
        return Strip(segments, row_width(row)).adjust_cell_length(width, base)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self.rows())
