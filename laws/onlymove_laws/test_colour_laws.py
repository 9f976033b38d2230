"""Contrast, computed: everything that is ever drawn on a board, and every text, in every theme."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.scene import GROUNDS, LARGEST, Role, Scene, View
from onlymove_tui.app.themes import ANSI, COLOURS, INKS, NAMES, Ink, Tone, colour, parts
from rich.color import Color
from rich.color_triplet import ColorTriplet

from .amounts import amounts
from .fixtures import playout
from .law import Law

TEXT, SHAPE = 4.5, 3.0
MARKS = (Tone.CURSOR, Tone.LEGAL, Tone.LAST, Tone.HINT, Tone.THREAT)
WORDS = (Role.LABEL, Role.NOTE, Role.HOME_FIRST, Role.HOME_SECOND)
LINES = (Role.GRID, Role.STORE, Role.FLOW, Role.WALL, Role.BAND_INNER)
BACKDROP = (*LINES, *GROUNDS, Role.SPENT, Role.CONTROL_FIRST, Role.CONTROL_SECOND)
"""Lines, edges of grounds, what is used up or drawn behind everything else: nothing is read off them alone."""
ON_SCREEN = ("background", "raised", "panel")
XTERM = (Color.parse("#000000").triplet, Color.parse("#e5e5e5").triplet)
"""What stands for a terminal's own colours: light on black."""


def triplet(name: str, theme: str, is_ground: bool = False) -> ColorTriplet:
    shown = colour(name, theme)
    found = XTERM[not is_ground] if shown == "default" else Color.parse(shown).get_truecolor()
    assert found is not None
    return found


def luminance(shown: ColorTriplet) -> float:
    """WCAG 2.2, relative luminance."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shown.normalized]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(ink: Ink, ground: str, theme: str) -> float:
    """WCAG 2.2, contrast ratio of an ink on a named ground."""
    name, _ = parts(ink)
    pair = [luminance(triplet(name, theme)), luminance(triplet(ground, theme, is_ground=True))]
    return (max(pair) + 0.05) / (min(pair) + 0.05)


def seen(game: AnyGame, step: int) -> Iterator[Scene]:
    """Pictures of a few games, at every scale, with and without overlay, half entered and on their way; of every so
    many-th position, and of the last one."""
    for start in (game.default_start(), *(game.start({o.id: c}, 1) for o in game.options for c in o.choices[:2])):
        positions: list[object] = []
        moves: list[object] = []
        for position, move in playout(game, start, Random(7)):
            positions.append(position)
            if len(moves) % step and move is not None:
                moves.append(move)
                continue
            for scale in range(1, LARGEST + 1):
                for overlay in (False, True):
                    view = View(tuple(positions), tuple(moves), overlay=overlay, scale=scale)
                    yield game.painter.scene(view)
                yield from game.painter.between(view)
            if move is None or len(moves) > 30:
                break
            if not game.facts.simultaneous:
                path = game.notation.paths(position, move)[0]
                yield game.painter.scene(View(tuple(positions), tuple(moves), chosen=path[:-1]))
            moves.append(move)


@amounts("step", 25, 1)
def test_what_is_drawn_on_a_board_can_be_seen(game: AnyGame, step: int, law: Law) -> None:
    pairs: set[tuple[Ink, Role | None]] = set()
    for scene in seen(game, step):
        for cells, grounds in zip(scene.cells(), scene.grounds(), strict=True):
            pairs |= {(role, ground) for (_, role), ground in zip(cells, grounds, strict=True) if role is not None}
        pairs |= {(mark, scene.grounds()[place.y][place.x]) for place in scene.places for mark in MARKS}
    for ink, role in pairs:
        ground = "background" if role is None else parts(role)[0]
        for theme in NAMES:
            least = TEXT if ink in WORDS else 1.0 if ink in BACKDROP else SHAPE
            found = contrast(ink, ground, theme)
            assert found >= least, f"{game.id}, {theme}: {ink} on {ground} has {found:.2f}:1, not {least}:1"
            law.held()


@pytest.mark.parametrize("theme", NAMES)
def test_every_text_can_be_read(theme: str, law: Law) -> None:
    for tone in Tone:
        for ground in ON_SCREEN:
            found = contrast(tone, ground, theme)
            assert found >= TEXT, f"{theme}: {tone} on {ground} has {found:.2f}:1"
            law.held()


def test_every_ink_has_a_colour(law: Law) -> None:
    assert {*INKS} == {*Tone, *Role}
    assert {parts(ink)[0] for ink in INKS} <= {*COLOURS}
    law.held()


OPPOSITES = (("first", "second"), ("good", "error"), ("good", "slip"), ("hint", "threat"))


def as_deuteranope(shown: ColorTriplet) -> tuple[float, float]:
    """What is left of a colour: yellow and blue, after Machado, Oliveira and Fernandes (2009), severity 1."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shown.normalized)
    return 0.367 * r + 0.861 * g - 0.228 * b, -0.012 * r + 0.043 * g + 0.969 * b


@pytest.mark.parametrize("pair", OPPOSITES, ids="-".join)
def test_opposites_differ_without_red_and_green(pair: tuple[str, str], law: Law) -> None:
    (yellow, blue), (other_yellow, other_blue) = (as_deuteranope(triplet(name, "colour-blind")) for name in pair)
    apart = abs(yellow - other_yellow) + abs(blue - other_blue)
    assert apart > 0.2, f"{pair} are {apart:.2f} apart"
    law.held()


def test_no_theme_but_the_terminals_own_leaves_a_colour_open(law: Law) -> None:
    for name, values in COLOURS.items():
        assert [v[0] == "#" for v in values] == [theme != ANSI for theme in NAMES], name
        law.held()
