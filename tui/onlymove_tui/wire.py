"""What goes over the wire: only the characters that differ from what the terminal already shows.

Textual paints whole lines of a widget; over SSH most of that is already there. The wire keeps a copy of the
screen, skips what has not changed, and switches colours by what differs instead of resetting them each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import ControlType, Segment
from rich.style import Style

PLAIN = Style()
Place: TypeAlias = tuple[int, int]
"""Line and column, from 0."""

Cell: TypeAlias = tuple[str, Style]

FEW = 64
"""Up to so many changed cells are also tried in the order of their colours: corners of a cursor, say."""

BRIDGE = 4
"""Unchanged characters up to this many are written again: moving over them costs as much."""


class Wire:
    """The terminal as it looks after everything that was sent."""

    def __init__(self) -> None:
        self._cells: dict[Place, Cell] = {}
        self._codes: dict[Style, tuple[str, ...]] = {}

    def forget(self) -> None:
        """The terminal may show anything: a new size, a return from suspension, a repaint on demand."""
        self._cells.clear()

    def encode(self, segments: Iterable[Segment], colours: ColorSystem | None) -> str:
        """The shortest way found to bring the terminal from what it shows to what `segments` draw."""
        changed = sorted(self._changes(segments).items())
        by_place = self._written(changed, colours)
        if len(changed) > FEW:
            return by_place
        by_pen = self._written(sorted(changed, key=lambda cell: self._sgr(cell[1][1], colours)), colours)
        return min(by_place, by_pen, key=len)

    def _written(self, changed: Sequence[tuple[Place, Cell]], colours: ColorSystem | None) -> str:
        """The cells in this order."""
        out: list[str] = []
        pen: tuple[str, ...] = ()
        at: Place | None = None
        for (y, x), (text, style) in changed:
            codes = self._sgr(style, colours)
            if at is None or at[0] != y or not 0 <= x - at[1] <= BRIDGE or not self._bridge(out, at, x, pen, colours):
                out.append(f"\x1b[{y + 1};{x + 1}H" if at is None or at[0] != y else f"\x1b[{x + 1}G")
            out.append(transition(pen, codes))
            out.append(text)
            pen, at = codes, (y, x + cell_len(text))
        if pen:
            out.append("\x1b[0m")
        return "".join(out)

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
                cell = (glyph, style or PLAIN)
                if self._cells.get((y, x)) != cell:
                    self._cells[y, x] = changed[y, x] = cell
                x += cell_len(glyph)
        return changed

    def _bridge(self, out: list[str], at: Place, x: int, pen: tuple[str, ...], colours: ColorSystem | None) -> bool:
        """Write the few unchanged characters between two changed ones again, if the pen is right for them."""
        between = [self._cells.get((at[0], column)) for column in range(at[1], x)]
        if any(cell is None or self._sgr(cell[1], colours) != pen for cell in between):
            return False
        out.extend(cell[0] for cell in between if cell is not None)
        return True

    def _sgr(self, style: Style, colours: ColorSystem | None) -> tuple[str, ...]:
        if style not in self._codes:
            self._codes[style] = codes_of(style, colours)
        return self._codes[style]


def codes_of(style: Style, colours: ColorSystem | None) -> tuple[str, ...]:
    """(attributes, foreground, background) as parameters of the terminal's colour command; empty when plain."""
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


def transition(pen: tuple[str, ...], codes: tuple[str, ...]) -> str:
    """The command that turns one pen into another: only what differs where that is possible."""
    if pen == codes:
        return ""
    if not codes:
        return "\x1b[0m"
    if pen and pen[0] == codes[0] and not any(old and not new for old, new in zip(pen[1:], codes[1:], strict=True)):
        return f"\x1b[{';'.join(new for old, new in zip(pen[1:], codes[1:], strict=True) if old != new)}m"
    if not pen or (not pen[0] and all(new or not old for old, new in zip(pen, codes, strict=True))):
        before = pen or ("", "", "")
        return f"\x1b[{';'.join(new for old, new in zip(before, codes, strict=True) if old != new)}m"
    return f"\x1b[0;{';'.join(code for code in codes if code)}m"
