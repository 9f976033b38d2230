"""What the terminal's drawing characters look like, in units of a cell. Knows no colour, no screen and no SVG.

A font draws these with gaps between the rows; drawn as shapes they join, whatever font the reader has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

WIDTH, HEIGHT = 8, 16
"""A cell: its eighths, which block elements are made of, are whole numbers."""
MIDDLE_X, MIDDLE_Y = WIDTH // 2, HEIGHT // 2


class Rect(NamedTuple):
    """A filled area, from its upper left corner."""

    x: int
    y: int
    width: int
    height: int

    def moved(self, x: int, y: int) -> Rect:
        """The same further right and down."""
        return Rect(self.x + x, self.y + y, self.width, self.height)


WHOLE: Final = Rect(0, 0, WIDTH, HEIGHT)
QUADRANTS: Final = tuple(Rect(x, y, MIDDLE_X, MIDDLE_Y) for y in (0, MIDDLE_Y) for x in (0, MIDDLE_X))
"""Upper left, upper right, lower left, lower right."""


def quadrants(bits: str) -> tuple[Rect, ...]:
    """The quadrants that are set in four bits."""
    return tuple(rect for rect, bit in zip(QUADRANTS, bits, strict=True) if bit == "1")


BLOCKS: Final[Mapping[str, tuple[Rect, ...]]] = {
    "█": (WHOLE,),
    "▀": (Rect(0, 0, WIDTH, MIDDLE_Y),),
    "▐": (Rect(MIDDLE_X, 0, MIDDLE_X, HEIGHT),),
    "▔": (Rect(0, 0, WIDTH, 2),),
    "▕": (Rect(WIDTH - 1, 0, 1, HEIGHT),),
    **{sign: (Rect(0, HEIGHT - 2 * n, WIDTH, 2 * n),) for n, sign in enumerate("▁▂▃▄▅▆▇", 1)},
    **{sign: (Rect(0, 0, WIDTH - n, HEIGHT),) for n, sign in enumerate("▉▊▋▌▍▎▏", 1)},
    **{
        sign: quadrants(bits)
        for sign, bits in {
            "▘": "1000", "▝": "0100", "▖": "0010", "▗": "0001", "▚": "1001",
            "▞": "0110", "▛": "1110", "▜": "1101", "▙": "1011", "▟": "0111",
        }.items()
    },
}  # fmt: skip
"""The filled parts of a character."""

SHADES: Final[Mapping[str, float]] = {"░": 0.25, "▒": 0.5, "▓": 0.75}
"""How much of the ink shows, the whole cell over."""

LIGHT, HEAVY = 1.25, 2.75
"""Strokes in pixels, a tenth and a fifth of a letter's height."""

ARMS: Final[Mapping[str, tuple[str, float]]] = {
    "─": ("lr", LIGHT), "│": ("ud", LIGHT), "┼": ("lrud", LIGHT), "┴": ("lru", LIGHT), "┬": ("lrd", LIGHT),
    "┤": ("udl", LIGHT), "├": ("udr", LIGHT), "┌": ("rd", LIGHT), "┐": ("ld", LIGHT), "└": ("ru", LIGHT),
    "┘": ("lu", LIGHT), "━": ("lr", HEAVY), "┃": ("ud", HEAVY), "┏": ("rd", HEAVY), "┓": ("ld", HEAVY),
    "┗": ("ru", HEAVY), "┛": ("lu", HEAVY),
}  # fmt: skip
"""Where a line leaves the middle of its cell (left, right, up, down), and how thick it is."""

ENDS: Final[Mapping[str, tuple[int, int]]] = {
    "l": (0, MIDDLE_Y), "r": (WIDTH, MIDDLE_Y), "u": (MIDDLE_X, 0), "d": (MIDDLE_X, HEIGHT),
}  # fmt: skip
"""The point of a cell's edge that an arm reaches."""

CURVES: Final[Mapping[str, str]] = {"╭": "rd", "╮": "ld", "╯": "lu", "╰": "ru"}
"""Rounded corners: the arms that they join."""

SLANTS: Final[Mapping[str, tuple[Rect, ...]]] = {
    "╱": (Rect(0, HEIGHT, WIDTH, -HEIGHT),),
    "╲": (Rect(0, 0, WIDTH, HEIGHT),),
    "╳": (Rect(0, HEIGHT, WIDTH, -HEIGHT), Rect(0, 0, WIDTH, HEIGHT)),
}
"""Strokes from a corner, by so much."""


def is_letter(sign: str) -> bool:
    """Whether a character comes from any monospaced font at its proper width; other signs stand alone."""
    return ord(sign) < 0x250 or 0x2010 <= ord(sign) <= 0x2030
