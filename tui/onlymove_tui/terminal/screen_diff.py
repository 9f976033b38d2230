"""Sends only the characters that differ from what the terminal already shows.

Textual paints whole lines of a widget, most of which the terminal already shows. `TerminalDiff` has a copy of the
screen and of the pen (the colours and attributes in use). It skips unchanged cells and sends only changes of the pen.
`driver` resets the pen at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from onlymove_engines.core.ascii import to_ascii
from onlymove_engines.core.text import clean_lines
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import ControlType, Segment
from rich.style import Style

PLAIN = Style()

Place: TypeAlias = tuple[int, int]
"""Line and column, both counted from 0."""

Pen: TypeAlias = tuple[str, ...]
"""Attributes, foreground and background, as parameters of the terminal's colour command. Empty for plain text."""


Cell: TypeAlias = tuple[str, Pen, int]
"""A character, the pen that draws it, and the columns that it takes. A blank has the plainest pen that draws it."""


Look: TypeAlias = tuple[bool, Pen]
"""Whether cells are blank, and their pen."""


@dataclass(slots=True)
class Run:
    """Neighbouring changed cells with the same look. `end` is where the cursor is after writing them. It is `None`
    after the last column, because terminals differ there."""

    place: Place
    look: Look
    text: str
    end: Place | None


MARKING = frozenset("479")
"""Attributes that are visible on a blank: underlined, reverse, struck."""

ENDS = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29"}
"""The code that ends each attribute. Bold and dim end together."""

BRIDGE = 4
"""Up to this many unchanged characters are written again, because that takes no more than moving over them."""


class TerminalDiff:
    """Remembers what the terminal shows, and finds the output that changes it."""

    def __init__(self, ascii_only: bool = False) -> None:
        self._ascii_only = ascii_only
        self._cells: dict[Place, Cell] = {}
        self._pen: Pen | None = None
        self.size: tuple[int, int] = (0, 0)

    def forget(self) -> None:
        """Assume nothing about what the terminal shows. Call this after a suspension or to redraw."""
        self._cells.clear()
        self._pen = None

    def encode(self, segments: Iterable[Segment], colours: ColorSystem | None, size: tuple[int, int]) -> str:
        """Return the output that makes a terminal of this size show `segments`: the changed cells from the top down, or
        look by look if that is shorter. Anything beyond its edges is left out. After a change of size everything is
        drawn, because wider lines may have wrapped."""
        if size != self.size:
            self.forget()
            self.size = size
        runs = self._changed_runs(segments, colours)
        text, self._pen = min(map(self._write, (runs, self._look_by_look(runs))), key=lambda written: len(written[0]))
        return text

    def _changed_runs(self, segments: Iterable[Segment], colours: ColorSystem | None) -> list[Run]:
        """Return the changed cells from the top down. From now on they count as shown."""
        x = y = 0
        width, height = self.size
        changed: dict[Place, Cell] = {}
        for text, style, control in segments:
            if control:
                for code in control:
                    if code[0] is ControlType.CURSOR_MOVE_TO:
                        x, y = int(code[1]), int(code[2])  # type: ignore[misc]
                continue
            inked, blank = find_pens(style or PLAIN, colours)
            # No screen shows what would do something to the terminal, whatever it is given.
            for glyph in clean_lines(text):
                if glyph == "\n":
                    x, y = 0, y + 1
                    continue
                # This also turns Textual's own widgets into ASCII.
                sign = to_ascii(glyph) or "?" if self._ascii_only else glyph
                columns = cell_len(glyph)
                cell = (sign, blank if sign == " " else inked, columns)
                if self._cells.get((y, x)) != cell and x + columns <= width and y < height:
                    self._cells[y, x] = changed[y, x] = cell
                x += columns
        runs: list[Run] = []
        for place, (text, pen, columns) in sorted(changed.items()):
            look, column = (text == " ", pen), place[1] + columns
            end = (place[0], column) if column < width else None
            if runs and runs[-1].end == place and runs[-1].look == look:
                runs[-1].text += text
                runs[-1].end = end
            else:
                runs.append(Run(place, look, text, end))
        return runs

    def _look_by_look(self, runs: Iterable[Run]) -> list[Run]:
        """Return the runs grouped by look. The next look is the one to which a change takes the fewest characters."""
        groups: dict[Look, list[Run]] = {}
        for run in runs:
            groups.setdefault(run.look, []).append(run)
        ordered, pen = list[Run](), self._pen
        while groups:
            _, look = min((len(encode_transition(pen, find_pen(look, pen))), look) for look in groups)
            ordered += groups.pop(look)
            pen = find_pen(look, pen)
        return ordered

    def _write(self, runs: Iterable[Run]) -> tuple[str, Pen | None]:
        """Return the text that draws the runs in this order, and the pen that is in use after it."""
        out: list[str] = []
        pen, at = self._pen, None
        for run in runs:
            if at != run.place:
                out.append(self._bridge(at, run.place, pen) or encode_movement(at, run.place))
            wanted = find_pen(run.look, pen)
            out += encode_transition(pen, wanted), run.text
            pen, at = wanted, run.end
        return "".join(out), pen

    def _bridge(self, at: Place | None, to: Place, pen: Pen | None) -> str:
        """Return the few unchanged characters between two runs, if the current pen can draw them."""
        if at is None or at[0] != to[0] or not 0 < to[1] - at[1] <= BRIDGE:
            return ""
        between = [self._cells.get((at[0], column)) for column in range(at[1], to[1])]
        texts = [cell[0] for cell in between if cell is not None and cell[1] == pen]
        return "".join(texts) if len(texts) == len(between) else ""


@lru_cache(1 << 9)
def find_pen(look: Look, pen: Pen | None) -> Pen:
    """Return the pen that draws a look. A blank keeps what it can of `pen`, because only its background shows."""
    is_blank, codes = look
    attributes, fore, back = codes or ("", "", "")
    if not is_blank or attributes or not pen or MARKING & set(pen[0].split(";")):
        return codes
    kept = (pen[0], pen[1] or fore, back)
    return kept if any(kept) else ()


@lru_cache(1 << 9)
def encode_movement(at: Place | None, to: Place) -> str:
    """Return the shortest command that moves the cursor from `at` to `to`. The cache answers two of five calls, in
    0.2 MB. One four times larger would answer half of them."""
    y, x = to
    named = f"\x1b[{y + 1};{x + 1}H"
    if at is None:
        return named
    down, right = y - at[0], x - at[1]
    vertical = f"\x1b[{abs(down) if abs(down) > 1 else ''}{'B' if down > 0 else 'A'}" if down else ""
    back = min("\b" * -right, f"\x1b[{-right}D", key=len)
    across = f"\x1b[{right if right > 1 else ''}C" if right > 0 else back
    return min(named, vertical + across, f"{vertical}\x1b[{x + 1}G", key=len)


@lru_cache(1 << 10)
def find_pens(style: Style, colours: ColorSystem | None) -> tuple[Pen, Pen]:
    """Return the pens of a style for its characters and for its blanks, which show neither text colour nor boldness."""
    if colours is None:
        return (), ()
    is_on = {
        "1": style.bold, "2": style.dim, "3": style.italic, "4": style.underline, "7": style.reverse, "9": style.strike,
    }  # fmt: skip
    attributes = ";".join(code for code, on in is_on.items() if on)
    fore, back = (
        "" if colour is None else ";".join(colour.downgrade(colours).get_ansi_codes(foreground=is_ink))
        for colour, is_ink in ((style.color, True), (style.bgcolor, False))
    )
    codes = (attributes, "" if fore == "39" else fore, "" if back == "49" else back)
    ground = ("", "", codes[2])
    inked = codes if any(codes) else ()
    is_marked = style.underline or style.reverse or style.strike
    return inked, inked if is_marked else ground if ground[2] else ()


@lru_cache(1 << 9)
def encode_transition(pen: Pen | None, codes: Pen) -> str:
    """Return the shortest command that turns `pen` (`None`: unknown) into `codes`: the differences, or everything."""
    if pen == codes:
        return ""
    anew = ";".join(("0", *(code for code in codes if code)))
    if pen is None or not codes:
        return f"\x1b[{anew}m"
    pen = pen or ("", "", "")
    before, after = (set(filter(None, attributes.split(";"))) for attributes in (pen[0], codes[0]))
    ended = {ENDS[code] for code in before - after}
    begun = sorted(code for code in after if code not in before or ENDS[code] in ended)
    inks = [new or default for old, new, default in zip(pen[1:], codes[1:], ("39", "49"), strict=True) if old != new]
    return f"\x1b[{min(';'.join([*sorted(ended), *begun, *inks]), anew, key=len)}m"
