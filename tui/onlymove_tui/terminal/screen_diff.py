"""What goes over the wire: only the characters that differ from what the terminal already shows.

Textual paints whole lines of a widget; over SSH most of that is already there. The wire keeps a copy of the
screen and of the pen, skips what has not changed, and switches colours by what differs. Who leaves the screen resets
the pen (`driver`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import ControlType, Segment
from rich.style import Style

from onlymove_tui.terminal.ascii import plain

PLAIN = Style()

Place: TypeAlias = tuple[int, int]
"""Line and column, from 0."""

Cell: TypeAlias = tuple[str, Style]

Pen: TypeAlias = tuple[str, ...]
"""(attributes, foreground, background) as parameters of the terminal's colour command; empty when plain."""

FEW = 64
"""Up to so many changed cells are also tried in the order of their colours: corners of a cursor, say."""

BRIDGE = 4
"""Unchanged characters up to this many are written again: moving over them costs as much."""


class Wire:
    """The terminal as it looks after everything that was sent."""

    def __init__(self, ascii_only: bool = False) -> None:
        self._ascii_only = ascii_only
        self._cells: dict[Place, Cell] = {}
        self._codes: dict[Style, Pen] = {}
        self._pen: Pen | None = None

    def forget(self) -> None:
        """The terminal may show anything: a new size, a return from suspension, a repaint on demand."""
        self._cells.clear()
        self._pen = None

    def encode(self, segments: Iterable[Segment], colours: ColorSystem | None) -> str:
        """The shortest way found to bring the terminal from what it shows to what `segments` draw."""
        changed = sorted(self._changes(segments).items())
        text, pen = self._written(changed, colours)
        if len(changed) <= FEW:
            by_pen = sorted(changed, key=lambda cell: rank(self._sgr(cell[1][1], colours), self._pen))
            text, pen = min((text, pen), self._written(by_pen, colours), key=lambda written: len(written[0]))
        self._pen = pen
        return text

    def _written(self, changed: Sequence[tuple[Place, Cell]], colours: ColorSystem | None) -> tuple[str, Pen | None]:
        """The cells in this order, and the pen that wrote the last."""
        out: list[str] = []
        pen = self._pen
        at: Place | None = None
        for (y, x), (text, style) in changed:
            codes = self._sgr(style, colours)
            if at is None or not self._bridge(out, at, (y, x), pen, colours):
                out.append(moved(at, (y, x)))
            out.append(transition(pen, codes))
            out.append(text)
            pen, at = codes, (y, x + cell_len(text))
        return "".join(out), pen

    def _changes(self, segments: Iterable[Segment]) -> dict[Place, Cell]:
        x = y = 0
        changed: dict[Place, Cell] = {}
        for text, style, control in segments:
            if control:
                for code in control:
                    if code[0] is ControlType.CURSOR_MOVE_TO:
                        x, y = int(code[1]), int(code[2])  # type: ignore[misc]
                continue
            for glyph in text:
                if glyph == "\n":
                    x, y = 0, y + 1
                    continue
                # The last gate: what stock widgets and cut texts draw passes here as well.
                sign = plain(glyph) or "?" if self._ascii_only else glyph
                cell = (sign, style or PLAIN)
                if self._cells.get((y, x)) != cell:
                    self._cells[y, x] = changed[y, x] = cell
                x += cell_len(glyph)
        return changed

    def _bridge(self, out: list[str], at: Place, to: Place, pen: Pen | None, colours: ColorSystem | None) -> bool:
        """Write the few unchanged characters between two changed ones again, if the pen is right for them."""
        if at[0] != to[0] or not 0 <= to[1] - at[1] <= BRIDGE:
            return False
        between = [self._cells.get((at[0], column)) for column in range(at[1], to[1])]
        if any(cell is None or self._sgr(cell[1], colours) != pen for cell in between):
            return False
        out.extend(cell[0] for cell in between if cell is not None)
        return True

    def _sgr(self, style: Style, colours: ColorSystem | None) -> Pen:
        if style not in self._codes:
            self._codes[style] = codes_of(style, colours)
        return self._codes[style]


def rank(pen: Pen, held: Pen | None) -> tuple[bool, Pen]:
    """In which order pens are taken up: first the one that is held already."""
    return pen != held, pen


def moved(at: Place | None, to: Place) -> str:
    """The shortest command that brings the cursor from `at` to `to`."""
    y, x = to
    if at is None or at[0] != y:
        return f"\x1b[{y + 1};{x + 1}H"
    return f"\x1b[{x - at[1]}C" if x > at[1] else f"\x1b[{x + 1}G"


def codes_of(style: Style, colours: ColorSystem | None) -> Pen:
    """The pen that draws this style."""
    if colours is None:
        return ()
    attributes = ";".join(
        code
        for is_on, code in (
            (style.bold, "1"),
            (style.dim, "2"),
            (style.italic, "3"),
            (style.underline, "4"),
            (style.reverse, "7"),
            (style.strike, "9"),
        )
        if is_on
    )
    fore = "" if style.color is None else ";".join(style.color.downgrade(colours).get_ansi_codes())
    back = "" if style.bgcolor is None else ";".join(style.bgcolor.downgrade(colours).get_ansi_codes(foreground=False))
    codes = (attributes, "" if fore == "39" else fore, "" if back == "49" else back)
    return codes if any(codes) else ()


def transition(pen: Pen | None, codes: Pen) -> str:
    """The command that turns one pen into another: only what differs where that is possible. `None`: any pen."""
    if pen == codes:
        return ""
    if pen is None or not codes:
        return f"\x1b[{';'.join(('0', *(code for code in codes if code)))}m"
    before = pen or ("", "", "")
    pairs = list(zip(before, codes, strict=True))
    # Attributes and colours can be added one by one; what must go, goes with everything else.
    if (before[0] and before[0] != codes[0]) or any(old and not new for old, new in pairs):
        return f"\x1b[{';'.join(('0', *(code for code in codes if code)))}m"
    return f"\x1b[{';'.join(new for old, new in pairs if old != new)}m"
