"""From a scene and the marks on it to rows of glyphs. Every mark is a character of its own, not only a colour.

Knows no game and no terminal: the same rows serve the board widget and the tests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Place, Role, Scene

from onlymove_tui.app.widgets.tones import AnyTone, Ink, On, Tone
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
    values: Mapping[Target, tuple[str, Ink]] = field(default_factory=dict)


NO_MARKS = Marks()


def painted(scene: Scene, marks: Marks, ascii_only: bool = False) -> Grid:
    """The scene with its marks, as rows of (glyph, tone); tone is `None` where nothing was drawn."""
    sheet = Sheet(scene, ascii_only)
    places = {place.target: place for place in scene.places}
    for target, place in places.items():
        for sign, tone, offset in _signs(marks, target, place):
            sheet.write(*place.spot(offset), sign, tone)
    for target, (text, tone) in marks.values.items():
        if target in places:
            sheet.label(places[target], text, tone)
    if marks.cursor is not None and marks.cursor in places:
        sheet.frame(places[marks.cursor])
    return sheet.grid()


def _signs(marks: Marks, target: Target, place: Place) -> Iterator[tuple[str, Ink, tuple[int, int]]]:
    """The signs a target carries, each with its tone and its corner."""
    if target in marks.last:
        is_end = target == marks.last[-1]
        yield LAST_TO if is_end else LAST_FROM, Tone.LAST, place.last
    if target in marks.hint:
        yield HINT, Tone.HINT, place.hint
    if target in marks.chosen:
        yield str((marks.chosen.index(target) + 1) % 10), Tone.CHOSEN, place.mark
    elif target in marks.threat:
        yield THREAT, Tone.THREAT, place.mark
    elif target in marks.legal:
        yield LEGAL, Tone.LEGAL, place.mark


class Sheet:
    """A picture that marks are written on; they stand on the ground that is there."""

    def __init__(self, scene: Scene, ascii_only: bool) -> None:
        self._cells: list[list[tuple[str, Ink | None]]] = [list(row) for row in scene.cells()]
        self._grounds = scene.grounds()
        self._ascii_only = ascii_only

    def write(self, x: int, y: int, sign: str, tone: Ink) -> None:
        """One character, where the picture has one."""
        if 0 <= y < len(self._cells) and 0 <= x < len(self._cells[y]):
            self._cells[y][x] = (plain(sign) if self._ascii_only else sign, tone)

    def label(self, place: Place, text: str, tone: Ink) -> None:
        """A value, centred on its spot and kept on the picture, in place of what is drawn there."""
        x, y = place.spot(place.label)
        for spot in (x - 1, x, x + 1) if place.framed else ():
            self.write(spot, y, " ", tone)
        left = max(0, min(x - (len(text) - 1) // 2, len(self._cells[0]) - len(text)))
        for offset, sign in enumerate(text):
            self.write(left + offset, y, sign, tone)
            if self._grounds[y][left + offset] is not None:
                self._grounds[y][left + offset] = Role.CHIP

    def frame(self, place: Place) -> None:
        """The cursor round a place."""
        left, right, top, bottom = place.x, place.x + place.width - 1, place.y, place.y + place.height - 1
        if place.framed:
            corners = [(left - 1, top - 1), (right + 1, top - 1), (left - 1, bottom + 1), (right + 1, bottom + 1)]
            for sign, (x, y) in zip(CORNERS, corners, strict=True):
                self.write(x, y, sign, Tone.CURSOR)
        else:
            opening, closing = ASCII_BRACKETS if self._ascii_only else BRACKETS
            self.write(left, top, opening, Tone.CURSOR)
            self.write(right, top, closing, Tone.CURSOR)

    def grid(self) -> Grid:
        """Rows of (glyph, tone)."""
        return [
            [
                (glyph, tone if ground is None else On(Tone.TEXT if tone is None else tone, ground))
                for (glyph, tone), ground in zip(cells, grounds, strict=True)
            ]
            for cells, grounds in zip(self._cells, self._grounds, strict=True)
        ]


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
