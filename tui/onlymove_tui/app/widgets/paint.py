"""From a scene and the marks on it to rows of glyphs. Every mark is a character of its own, not only a colour.

Knows no game and no terminal: the same rows serve the board widget and the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Place, Scene

from onlymove_tui.app.widgets.tones import AnyTone, Tone
from onlymove_tui.terminal.ascii import plain

Grid: TypeAlias = list[list[tuple[str, AnyTone | None]]]

LEGAL, LAST_FROM, LAST_TO, HINT, THREAT = "·", "◇", "◆", "★", "!"
CORNERS = ("┏", "┓", "┗", "┛")
BRACKETS = ("▐", "▌")
ASCII_BRACKETS = ("[", "]")


@dataclass(frozen=True)
class Marks:
    """What the board shows on top of the picture.

    `cursor` is framed; `chosen` are the targets picked so far, numbered; `legal` can be picked next; `last` are
    both ends of the last move, `hint` what the coach points at, `threat` where it goes wrong. `values` are the
    labels of what each target leads to, with the tone that tells win, draw and loss.
    """

    cursor: Target | None = None
    chosen: tuple[Target, ...] = ()
    legal: tuple[Target, ...] = ()
    last: tuple[Target, ...] = ()
    hint: tuple[Target, ...] = ()
    threat: tuple[Target, ...] = ()
    values: Mapping[Target, tuple[str, AnyTone]] = field(default_factory=dict)


NO_MARKS = Marks()


def painted(scene: Scene, marks: Marks, ascii_only: bool = False) -> Grid:
    """The scene with its marks, as rows of (glyph, tone); tone is `None` where nothing was drawn."""
    grid: Grid = [list(row) for row in scene.cells()]
    places = {place.target: place for place in scene.places}
    for target, (sign, tone) in _signs(marks).items():
        if target in places:
            _put_mark(grid, places[target], plain(sign) if ascii_only else sign, tone)
    for target, (text, tone) in marks.values.items():
        if target in places:
            _put_label(grid, places[target], text, tone)
    if marks.cursor is not None and marks.cursor in places:
        _put_cursor(grid, places[marks.cursor], ascii_only)
    return grid


def _signs(marks: Marks) -> dict[Target, tuple[str, AnyTone]]:
    """The one sign each target carries: the more urgent covers the others."""
    signs: dict[Target, tuple[str, AnyTone]] = dict.fromkeys(marks.legal, (LEGAL, Tone.LEGAL))
    for place, target in enumerate(marks.last):
        is_end = place == len(marks.last) - 1
        signs[target] = (LAST_TO if is_end else LAST_FROM, Tone.LAST)
    signs |= dict.fromkeys(marks.threat, (THREAT, Tone.THREAT))
    signs |= dict.fromkeys(marks.hint, (HINT, Tone.HINT))
    signs |= {target: (str(number % 10), Tone.CHOSEN) for number, target in enumerate(marks.chosen, 1)}
    return signs


def _put(grid: Grid, x: int, y: int, sign: str, tone: AnyTone) -> None:
    if 0 <= y < len(grid) and 0 <= x < len(grid[y]):
        grid[y][x] = (sign, tone)


def _put_mark(grid: Grid, place: Place, sign: str, tone: AnyTone) -> None:
    dx, dy = place.mark
    if sign == LEGAL and tone is Tone.LEGAL and _is_blank(grid, place):
        dx, dy = place.width // 2, place.height // 2
    _put(grid, place.x + dx, place.y + dy, sign, tone)


def _is_blank(grid: Grid, place: Place) -> bool:
    rows = range(place.y, place.y + place.height)
    return all(grid[y][x][0] == " " for y in rows for x in range(place.x, place.x + place.width))


def _put_label(grid: Grid, place: Place, text: str, tone: AnyTone) -> None:
    dx, dy = place.label
    left = place.x + dx - (len(text) - 1) // 2
    left = max(0, min(left, len(grid[0]) - len(text)))
    for offset, sign in enumerate(text):
        _put(grid, left + offset, place.y + dy, sign, tone)


def _put_cursor(grid: Grid, place: Place, ascii_only: bool) -> None:
    if place.framed:
        left, right, top, bottom = place.x - 1, place.x + place.width, place.y - 1, place.y + place.height
        for sign, (x, y) in zip(CORNERS, [(left, top), (right, top), (left, bottom), (right, bottom)], strict=True):
            _put(grid, x, y, plain(sign) if ascii_only else sign, Tone.CURSOR)
        return
    opening, closing = ASCII_BRACKETS if ascii_only else BRACKETS
    _put(grid, place.x, place.y, opening, Tone.CURSOR)
    _put(grid, place.x + place.width - 1, place.y, closing, Tone.CURSOR)


def neighbour(scene: Scene, current: Target | None, targets: Iterable[Target], dx: int, dy: int) -> Target | None:
    """The target next to `current` in a direction, among `targets`; unchanged when there is none that way.

    Up and down lead to the nearest row with a target, and there to the nearest one; left and right go along the
    row, and only where it ends to the nearest one that way. So every target can be reached from every other.
    """
    here = None if current is None else scene.place(current)
    if here is None:
        return nearest(scene, current, targets)
    x, y = _centre(here)
    best: tuple[tuple[float, float, float], Target] | None = None
    for place in map(scene.place, targets):
        if place is None or place.target == current:
            continue
        px, py = _centre(place)
        ahead, aside = (px - x) * dx + (py - y) * dy, abs((px - x) * dy) + abs((py - y) * dx)
        cost = (ahead, aside, 0.0) if dy else (float(aside > 0), ahead + 2 * aside, ahead)
        if ahead > 0 and (best is None or cost < best[0]):
            best = (cost, place.target)
    return current if best is None else best[1]


def nearest(scene: Scene, current: Target | None, targets: Iterable[Target]) -> Target | None:
    """`current` if it is among `targets`, else the one closest to where it was, else the first."""
    options = tuple(targets)
    if current in options:
        return current
    here = None if current is None else scene.place(current)
    placed = [place for place in map(scene.place, options) if place is not None]
    if here is None or not placed:
        return options[0] if options else None
    x, y = _centre(here)
    return min(placed, key=lambda place: abs(_centre(place)[0] - x) + abs(_centre(place)[1] - y)).target


def _centre(place: Place) -> tuple[float, float]:
    return (place.x + place.width / 2) / 2, place.y + place.height / 2
