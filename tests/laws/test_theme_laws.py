"""The laws of themes: texts can be read, opposites differ without red and green, and every colour is set."""

from __future__ import annotations

import pytest
from onlymove.pictures.colours import ANSI, COLOURS, INKS, NAMES, Tone, split_ink
from onlymove_engines.core.scene import Role
from onlymove_laws.law import Law
from onlymove_laws.test_picture_laws import TEXT, find_contrast, find_triplet
from rich.color_triplet import ColorTriplet

ON_SCREEN = ("background", "raised", "panel")


@pytest.mark.parametrize("theme", NAMES)
def test_every_text_can_be_read(theme: str, law: Law) -> None:
    for tone in Tone:
        for ground in law.each(ON_SCREEN):
            found = find_contrast(tone, ground, theme)
            assert found >= TEXT, f"{theme}: {tone} on {ground} has {found:.2f}:1"


def test_every_ink_has_a_colour(law: Law) -> None:
    assert {*INKS} == {*Tone, *Role}
    assert {split_ink(ink)[0] for ink in INKS} <= {*COLOURS}
    law.count_case()


OPPOSITES = (("first", "second"), ("good", "error"), ("good", "slip"), ("hint", "threat"))


def simulate_deuteranope(shown: ColorTriplet) -> tuple[float, float]:
    """Return the yellow and blue that a person without green vision sees (Machado, Oliveira and Fernandes 2009,
    severity 1)."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shown.normalized)
    return 0.367 * r + 0.861 * g - 0.228 * b, -0.012 * r + 0.043 * g + 0.969 * b


@pytest.mark.parametrize("pair", OPPOSITES, ids="-".join)
def test_opposites_differ_without_red_and_green(pair: tuple[str, str], law: Law) -> None:
    (yellow, blue), (other_yellow, other_blue) = (
        simulate_deuteranope(find_triplet(name, "colour-blind")) for name in pair
    )
    apart = abs(yellow - other_yellow) + abs(blue - other_blue)
    assert apart > 0.2, f"{pair} are {apart:.2f} apart"
    law.count_case()


def test_no_theme_but_the_terminals_own_leaves_a_colour_open(law: Law) -> None:
    for name, values in law.each(COLOURS.items()):
        assert [v[0] == "#" for v in values] == [theme != ANSI for theme in NAMES], name
