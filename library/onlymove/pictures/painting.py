"""Paints a board with its marks, as characters with tones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from onlymove_engines.core.ascii import to_ascii
from onlymove_engines.core.rules import Target
from onlymove_engines.core.scene import Place, Role, Scene

from onlymove.pictures.colours import AnyTone, Ink, On, Tone

Grid: TypeAlias = list[list[tuple[str, AnyTone | None]]]

LEGAL, LAST_FROM, LAST_TO, HINT, THREAT = "·", "◇", "◆", "★", "!"
CORNERS = ("┏", "┓", "┗", "┛")
BRACKETS = ("▐", "▌")
ASCII_BRACKETS = ("[", "]")


@dataclass(frozen=True)
class Marks:
    """What to mark on a picture: the framed `cursor`, the targets `chosen` so far (numbered), the targets that are
    `legal` next, both ends of the `last` move, the coach's `hint` and `threat`, and the `values` of targets, each with
    its text and tone."""

    cursor: Target | None = None
    chosen: tuple[Target, ...] = ()
    legal: tuple[Target, ...] = ()
    last: tuple[Target, ...] = ()
    hint: tuple[Target, ...] = ()
    threat: tuple[Target, ...] = ()
    values: Mapping[Target, tuple[str, Ink]] = field(default_factory=dict)


NO_MARKS = Marks()
BLANKS = {ground: On(Tone.TEXT, ground) for ground in Role}
"""The tone of a cell in which nothing is drawn, by its background."""


def paint(scene: Scene, marks: Marks, ascii_only: bool = False) -> Grid:
    """Return the scene with its marks as rows of (glyph, tone). The tone is `None` where nothing was drawn. Marks do
    not change the background."""
    cells: list[list[tuple[str, Ink | None]]] = [list(row) for row in scene.cells()]
    grounds = scene.compute_grounds()

    def write(x: int, y: int, sign: str, tone: Ink) -> None:
        if 0 <= y < len(cells) and 0 <= x < len(cells[y]):
            cells[y][x] = (to_ascii(sign) if ascii_only else sign, tone)

    places = {place.target: place for place in scene.places}
    for target, place in places.items():
        if target in marks.last:
            is_end = target == marks.last[-1]
            write(*place.spot(place.last), LAST_TO if is_end else LAST_FROM, Tone.LAST)
        if target in marks.hint:
            write(*place.spot(place.hint), HINT, Tone.HINT)
        if target in marks.chosen:
            write(*place.spot(place.mark), str((marks.chosen.index(target) + 1) % 10), Tone.CHOSEN)
        elif target in marks.threat:
            write(*place.spot(place.mark), THREAT, Tone.THREAT)
        elif target in marks.legal:
            write(*place.spot(place.mark), LEGAL, Tone.LEGAL)
    for target, (text, tone) in marks.values.items():
        if target not in places:
            continue
        # A value replaces what is drawn at its spot. It is centred there, but does not leave the board's ground.
        x, y = places[target].spot(places[target].label)
        for spot in (x - 1, x, x + 1) if places[target].framed else ():
            write(spot, y, " ", tone)
        # Words of four letters are shifted to the left, so that they end beside the edge of a cell, as numbers of three
        # characters do.
        inside = [column for column, ground in enumerate(grounds[y]) if (ground is None) is (grounds[y][x] is None)]
        wanted = x - (len(text) // 2 if len(text) > 3 else (len(text) - 1) // 2)
        left = max(inside[0], min(wanted, inside[-1] + 1 - len(text)))
        for column, sign in enumerate(text, left):
            write(column, y, sign, tone)
            if grounds[y][column] is not None:
                grounds[y][column] = Role.CHIP
    if marks.cursor is not None and marks.cursor in places:
        for x, y, sign in cursor_signs(places[marks.cursor], ascii_only):
            write(x, y, sign, Tone.CURSOR)
    return [
        [
            (glyph, tone if ground is None else BLANKS[ground] if tone is None else On(tone, ground))
            for (glyph, tone), ground in zip(row, row_grounds, strict=True)
        ]
        for row, row_grounds in zip(cells, grounds, strict=True)
    ]


def cursor_signs(place: Place, ascii_only: bool) -> list[tuple[int, int, str]]:
    """Return the cursor's characters around a place. They are corners, or brackets if a frame does not fit."""
    left, right = place.x - place.framed, place.x + place.width - 1 + place.framed
    if place.framed:
        upper, lower = place.y + place.frame_top, place.y + place.height
        spots = ((left, upper), (right, upper), (left, lower), (right, lower))
        return [(*spot, sign) for spot, sign in zip(spots, CORNERS, strict=True)]
    opening, closing = ASCII_BRACKETS if ascii_only else BRACKETS
    return [(left, place.y, opening), (right, place.y, closing)]
