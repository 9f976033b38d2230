"""What goes over the wire: only the characters that differ from what the terminal already shows.

Textual paints whole lines of a widget; over SSH most of that is already there. The wire keeps a copy of the
screen and of the pen, skips what has not changed, and switches colours by what differs. Who leaves the screen resets
the pen (`driver`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import permutations
from typing import TypeAlias

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import ControlType, Segment
from rich.style import Style

from onlymove_tui.terminal.capabilities import plain

PLAIN = Style()

Place: TypeAlias = tuple[int, int]
"""Line and column, from 0."""

Pen: TypeAlias = tuple[str, ...]
"""(attributes, foreground, background) as parameters of the terminal's colour command; empty when plain."""

Cell: TypeAlias = tuple[str, Pen]
"""A character and the pen that draws it; for a blank the plainest that does."""

Group: TypeAlias = tuple[bool, Pen]
"""Cells of one pen: whether they are blanks, and the pen."""

FEW = 512
"""Up to so many changed cells are also tried in the order of their colours: corners of a cursor, pieces of a move."""

PENS, NEAR = 5, 16
"""So many pens are tried in every order, of more the nearest is always the next; so many cells of one pen are written
in the order of the shortest ways, more from left to right."""

MARKING = frozenset("479")
"""Attributes that are seen on a blank: underlined, reverse, struck."""

ENDS = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29"}
"""What ends an attribute; bold and dim end together."""

BRIDGE = 4
"""Unchanged characters up to this many are written again: moving over them costs as much."""


class Wire:
    """The terminal as it looks after everything that was sent."""

    def __init__(self, ascii_only: bool = False) -> None:
        self._ascii_only = ascii_only
        self._cells: dict[Place, Cell] = {}
        self._pens: dict[Style, tuple[Pen, Pen]] = {}
        self._pen: Pen | None = None
        self.size: tuple[int, int] = (0, 0)

    def forget(self) -> None:
        """The terminal may show anything: a new size, a return from suspension, a repaint on demand."""
        self._cells.clear()
        self._pen = None

    def encode(self, segments: Iterable[Segment], colours: ColorSystem | None, size: tuple[int, int]) -> str:
        """The shortest way found to bring a terminal of this size from what it shows to what `segments` draw; what they
        draw beyond its edges is left out. The first frame of another size is drawn whole: a last wide one may have
        broken its lines."""
        if size != self.size:
            self.forget()
            self.size = size
        changed = sorted(self._changes(segments, colours).items())
        orders = [changed, self._by_pen(changed)] if len(changed) <= FEW else [changed]
        text, self._pen = min(map(self._written, orders), key=lambda written: len(written[0]))
        return text

    def _by_pen(self, changed: Sequence[tuple[Place, Cell]]) -> list[tuple[Place, Cell]]:
        """The cells of one pen after the other, those of a pen by the shortest ways."""
        groups: dict[Group, list[tuple[Place, Cell]]] = {}
        for place, (text, pen) in changed:
            groups.setdefault((text == " ", pen), []).append((place, (text, pen)))
        ordered: list[tuple[Place, Cell]] = []
        for group in in_turn(self._pen, tuple(groups)):
            left = groups[group]
            while 1 < len(left) <= NEAR:
                at = behind(*ordered[-1]) if ordered else None
                ordered.append(left.pop(min(range(len(left)), key=lambda n: len(self._moved(at, left[n][0])))))
            ordered += left
        return ordered

    def _written(self, changed: Sequence[tuple[Place, Cell]]) -> tuple[str, Pen | None]:
        """The cells in this order, and the pen that wrote the last."""
        out: list[str] = []
        pen = self._pen
        at: Place | None = None
        for place, (text, codes) in changed:
            wanted = for_a_blank(pen, codes) if text == " " else codes
            if at != place and (at is None or not self._bridge(out, at, place, pen)):
                out.append(self._moved(at, place))
            if pen != wanted:
                out.append(transition(pen, wanted))
            out.append(text)
            pen, at = wanted, behind(place, (text, codes))
        return "".join(out), pen

    def _changes(self, segments: Iterable[Segment], colours: ColorSystem | None) -> dict[Place, Cell]:
        x = y = 0
        width, height = self.size
        changed: dict[Place, Cell] = {}
        for text, style, control in segments:
            if control:
                for code in control:
                    if code[0] is ControlType.CURSOR_MOVE_TO:
                        x, y = int(code[1]), int(code[2])  # type: ignore[misc]
                continue
            inked, blank = self._pens_of(style or PLAIN, colours)
            for glyph in text:
                if glyph == "\n":
                    x, y = 0, y + 1
                    continue
                # The last gate: what stock widgets and cut texts draw passes here as well.
                sign = plain(glyph) or "?" if self._ascii_only else glyph
                cell = (sign, blank if sign == " " else inked)
                columns = cell_len(glyph)
                if self._cells.get((y, x)) != cell and x + columns <= width and y < height:
                    self._cells[y, x] = changed[y, x] = cell
                x += columns
        return changed

    def _bridge(self, out: list[str], at: Place, to: Place, pen: Pen | None) -> bool:
        """Write the few unchanged characters between two changed ones again, if the pen is right for them."""
        if at[0] != to[0] or not 0 <= to[1] - at[1] <= BRIDGE:
            return False
        between = [self._cells.get((at[0], column)) for column in range(at[1], to[1])]
        if any(cell is None or cell[1] != pen for cell in between):
            return False
        out.extend(cell[0] for cell in between if cell is not None)
        return True

    def _moved(self, at: Place | None, to: Place) -> str:
        """The shortest way there. After the last column only by name: terminals do not agree on where they are then."""
        return moved(at if at is None or at[1] < self.size[0] else None, to)

    def _pens_of(self, style: Style, colours: ColorSystem | None) -> tuple[Pen, Pen]:
        """The pen of a style, and that of its blanks: of them neither ink nor weight is seen."""
        if style not in self._pens:
            is_marked = style.underline or style.reverse or style.strike
            inked = codes_of(style, colours)
            self._pens[style] = inked, inked if is_marked else codes_of(Style(bgcolor=style.bgcolor), colours)
        return self._pens[style]


def in_turn(pen: Pen | None, groups: Sequence[Group]) -> Sequence[Group]:
    """The groups in the order in which changing pens costs least, starting with `pen`; of many always the nearest."""
    if len(groups) <= PENS:
        return min(permutations(groups), key=lambda order: cost_of(pen, order))
    nearest = min(groups, key=lambda group: cost_of(pen, [group]))
    return [nearest, *in_turn(pen_for(pen, nearest), [group for group in groups if group != nearest])]


def cost_of(pen: Pen | None, groups: Iterable[Group]) -> int:
    """The characters that it takes to change to each pen in turn."""
    cost = 0
    for group in groups:
        before, pen = pen, pen_for(pen, group)
        cost += len(transition(before, pen))
    return cost


def pen_for(pen: Pen | None, group: Group) -> Pen:
    """The pen that writes a group, coming from another one."""
    is_blank, codes = group
    return for_a_blank(pen, codes) if is_blank else codes


def behind(place: Place, cell: Cell) -> Place:
    """Where the cursor is when this has been written there."""
    y, x = place
    return y, x + cell_len(cell[0])


def for_a_blank(pen: Pen | None, codes: Pen) -> Pen:
    """A pen that draws the same blank as `codes`, as near to `pen` as can be: only its ground is seen."""
    attributes, fore, back = codes or ("", "", "")
    if attributes or not pen or MARKING & set(pen[0].split(";")):
        return codes
    kept = (pen[0], pen[1] or fore, back)
    return kept if any(kept) else ()


def moved(at: Place | None, to: Place) -> str:
    """The shortest command that brings the cursor from `at` to `to`."""
    y, x = to
    ways = [f"\x1b[{y + 1};{x + 1}H"]
    if at is not None:
        down, right = y - at[0], x - at[1]
        vertical = f"\x1b[{abs(down) if abs(down) > 1 else ''}{'B' if down > 0 else 'A'}" if down else ""
        ways += [vertical + across for across in _across(right, x)]
    return min(ways, key=len)


def _across(right: int, x: int) -> Iterator[str]:
    """Ways to column `x`, so many to the right of here, on the same line."""
    if right > 0:
        yield f"\x1b[{right if right > 1 else ''}C"
    else:
        yield "\b" * -right
        yield f"\x1b[{-right}D"
    yield f"\x1b[{x + 1}G"


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


@cache
def transition(pen: Pen | None, codes: Pen) -> str:
    """The shorter of two commands that turn one pen into another: what differs, or everything anew. `None`: any pen."""
    if pen == codes:
        return ""
    anew = ";".join(("0", *(code for code in codes if code)))
    if pen is None or not codes:
        return f"\x1b[{anew}m"
    differing = ";".join(_differing(pen or ("", "", ""), codes))
    return f"\x1b[{min(differing, anew, key=len)}m"


def _differing(pen: Pen, codes: Pen) -> Iterator[str]:
    """What has to end, and what begins."""
    before, after = (set(filter(None, attributes.split(";"))) for attributes in (pen[0], codes[0]))
    ended = {ENDS[code] for code in before - after}
    yield from sorted(ended)
    yield from sorted(code for code in after if code not in before or ENDS[code] in ended)
    for old, new, default in ((pen[1], codes[1], "39"), (pen[2], codes[2], "49")):
        if old != new:
            yield new or default
