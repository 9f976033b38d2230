"""The glyphs of Orbito: marbles, arrows and the lines round the rings. Every one has an ASCII form.

White is a full disc and Black one with a hole, so that they differ without colours as well; both fill the same box.
"""

from __future__ import annotations

from functools import cache

from onlymove_engines.core.scene import QUADRANTS, disc, in_ascii, in_blocks, ring
from onlymove_engines.core.value import Seat

HOLE = 0.4
"""The radius of the hole in a black marble, as a share of the marble's own."""

FILLS = ("#", "O")
CHECKED = str.maketrans({glyph: QUADRANTS[bits & 9] for bits, glyph in enumerate(QUADRANTS)} | {"#": "%", "O": ":"})
"""A marble that is not there yet: every other quarter of a character; lighter characters in ASCII."""
SOLID = frozenset("█▚#O%:")
"""Characters that are marble all over."""
PIPS = (("●", "○"), ("@", "o"))

ARROWS = (
    {(1, 0): ("─", "►"), (-1, 0): ("─", "◄"), (0, 1): ("│", "▼"), (0, -1): ("│", "▲")},
    {(1, 0): ("-", ">"), (-1, 0): ("-", "<"), (0, 1): ("|", "v"), (0, -1): ("|", "^")},
)
"""By direction: shaft and head."""

FRAMES = (("╭", "╮", "╰", "╯"), ("+", "+", "+", "+"))
"""The corners of a frame."""
RIMS = (("╭─╮", "│", "╰─╯"), ("+-+", "|", "+-+"))
"""The upper edge of a band with its corners, the sides, the lower edge."""
HALVES = (("▗▄▖", "│", "▝▀▘"), RIMS[1])
"""The same where the upper edge of a band is in the middle of a row."""
ACROSS, DOWN, FALLING, RISING = ("━", "="), ("▐▌", "||"), ("▀▄", "\\\\"), ("▀▄", "//")
"""What the line through four marbles is made of; the slanting ones where it passes the upper and the lower half."""


@cache
def marble(seat: Seat, box: tuple[int, int], ascii_only: bool) -> tuple[str, ...]:
    """A marble that fills a box of so many columns and rows."""
    shape = ring(HOLE) if seat else disc
    return in_ascii(shape, *box, FILLS[seat]) if ascii_only else in_blocks(shape, *box)


@cache
def ghost(seat: Seat, box: tuple[int, int], ascii_only: bool) -> tuple[str, ...]:
    """A marble that is not there yet."""
    return tuple(row.translate(CHECKED) for row in marble(seat, box, ascii_only))


def arrow(direction: tuple[int, int], length: int, ascii_only: bool) -> tuple[str, ...]:
    """An arrow of so many characters, as rows from its top left corner.

    >>> arrow((-1, 0), 3, False), arrow((0, 1), 2, False)
    (('◄──',), ('│', '▼'))
    """
    shaft, head = ARROWS[ascii_only][direction]
    signs = shaft * (length - 1) + head if sum(direction) > 0 else head + shaft * (length - 1)
    return (signs,) if direction[0] else tuple(signs)


def together(one: str, other: str) -> str:
    """The blocks of both characters; the first of two that are not made of quarters.

    >>> together("▄", "▘"), together("━", "▘")
    ('▙', '━')
    """
    if one in QUADRANTS and other in QUADRANTS:
        return QUADRANTS[QUADRANTS.index(one) | QUADRANTS.index(other)]
    return one
