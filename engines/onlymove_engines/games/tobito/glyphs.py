"""The shapes of the board and its pieces at any size, in block elements and in ASCII. Knows no position and no colour.

Top's pawns are discs, Bottom's are thick rings of about the same mass, the neutral one is a lozenge.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from onlymove_engines.core.scene import QUADRANTS, Shape, disc, in_ascii, in_blocks, lozenge, ring

from .layout import Layout
from .rules import NEUTRAL, PAWN

Rows: TypeAlias = tuple[str, ...]

HOLE: Final = 0.45
"""Radius of the hole in a ring."""
SWELL: Final = 1.1
"""By how much a lozenge is larger than what fits into its box: less its tips, it has a disc's mass."""
FREE: Final = 0.8
"""How many rows less than its box a pawn is high: a whole row would leave it flat on top."""
FREE_LIFTED: Final = 1.6
"""The same of pieces in the air: flatter, so that those in one line stay apart."""


def _lozenge(x: float, y: float) -> bool:
    return lozenge(x / SWELL, y / SWELL)


SHAPES: Final[dict[str, Shape]] = {PAWN[0]: disc, PAWN[1]: ring(HOLE), NEUTRAL: _lozenge}
FILLS: Final = {PAWN[0]: "#", PAWN[1]: "O", NEUTRAL: "N"}
LIFTED, GHOST = "▒", "░"
PLAIN_LIFTED, PLAIN_GHOST = ":", "."


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The glyphs of the grid: each horizontal line as left end, flat, crossing, right end; the vertical ones; their
    first and last character between two rows without a line. `strokes` make the way of a pawn by the direction
    (columns, rows) in which it flies, `arrows` its head."""

    flats: tuple[tuple[str, ...], ...]
    wall: str
    begins: str
    ends: str
    strokes: dict[tuple[int, int], str]
    arrows: dict[tuple[int, int], str]


def _both_ways(upright: str, level: str, falling: str, rising: str) -> dict[tuple[int, int], str]:
    ways = {(0, 1): upright, (1, 0): level, (1, 1): falling, (1, -1): rising}
    return ways | {(-columns, -rows): glyph for (columns, rows), glyph in ways.items()}


_STROKES = _both_ways("┃", "━", "╲", "╱")
_PLAIN_STROKES = _both_ways("|", "-", "\\", "/")
BLOCKS: Final = Lines(
    tuple(map(tuple, ("╭─┬╮", "├─┼┤", "├─┼┤", "╰─┴╯"))),
    "│",
    "┬",
    "┴",
    _STROKES,
    _STROKES | {(0, 1): "▼", (0, -1): "▲", (1, 0): "►", (-1, 0): "◄"},
)
PLAIN: Final = Lines(
    (tuple("+-++"),) * 4,
    "|",
    "+",
    "+",
    _PLAIN_STROKES,
    _PLAIN_STROKES | {(0, 1): "v", (0, -1): "^", (1, 0): ">", (-1, 0): "<"},
)


@cache
def standing(piece: str, layout: Layout, ascii_only: bool) -> Rows:
    """A piece on the board."""
    shape, width, height = SHAPES[piece], layout.piece_width, layout.cell_height
    if ascii_only:
        return in_ascii(shape, width, height, FILLS[piece])
    return in_blocks(shape if piece == NEUTRAL else _lower(shape, height, FREE), width, height)


@cache
def lifted(piece: str, layout: Layout, ascii_only: bool) -> Rows:
    """A piece that was jumped and is not yet put down."""
    shape = _lower(SHAPES[piece], layout.cell_height, FREE_LIFTED)
    return in_ascii(shape, layout.piece_width, layout.cell_height, PLAIN_LIFTED if ascii_only else LIFTED)


@cache
def ghost(piece: str, layout: Layout, ascii_only: bool) -> Rows:
    """Where a piece stood."""
    return in_ascii(SHAPES[piece], layout.piece_width, layout.cell_height, PLAIN_GHOST if ascii_only else GHOST)


def _lower(shape: Shape, height: int, free: float) -> Shape:
    """The shape `free` rows less high than its box of `height` rows, in the middle of it."""
    stretch = height / (height - free)
    return lambda x, y: shape(x, y * stretch)


def way(start: tuple[int, int], end: tuple[int, int]) -> dict[tuple[int, int], str]:
    """A thin straight line between two characters, in quadrant blocks by their column and row."""
    (x, y), (to_x, to_y) = start, end
    steps = 2 * max(abs(to_x - x), abs(to_y - y))
    bits: dict[tuple[int, int], int] = {}
    for step in range(steps + 1):
        at_x, at_y = (
            (2 * x + 1) * (steps - step) + (2 * to_x + 1) * step,
            (2 * y + 1) * (steps - step) + (2 * to_y + 1) * step,
        )
        column, row = at_x // steps, at_y // steps
        bits[column // 2, row // 2] = bits.get((column // 2, row // 2), 0) | 1 << (column % 2 + 2 * (row % 2))
    return {spot: QUADRANTS[found] for spot, found in bits.items()}
