"""Shapes drawn with characters: filled quarters of characters, or one ASCII character."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

Spot: TypeAlias = tuple[int, int]
"""The column and row of a character."""
Shape: TypeAlias = Callable[[float, float], bool]
Rows: TypeAlias = tuple[str, ...]

QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""The character for each set of filled quarters. Bit 1 is the upper left quarter, 2 the upper right, 4 the lower left
and 8 the lower right."""
SAMPLES: Final = 4
"""How many points are sampled across and down in each box of a raster."""


def join_quarters(filled: Iterable[Spot]) -> dict[Spot, str]:
    """Return the characters that fill these quarters. Columns and rows of quarters count two for each character.

    >>> join_quarters([(0, 0), (1, 0), (2, 1)])
    {(0, 0): '▀', (1, 0): '▖'}
    """
    found: dict[Spot, int] = {}
    for x, y in filled:
        spot = x // 2, y // 2
        found[spot] = found.get(spot, 0) | 1 << (x % 2 + 2 * (y % 2))
    return {spot: QUADRANTS[bits] for spot, bits in found.items()}


def draw_quarters(filled: Iterable[Spot], width: int, height: int) -> Rows:
    """Draw these quarters, `width` x `height` characters large."""
    glyphs = join_quarters(filled)
    return tuple("".join(glyphs.get((x, y), " ") for x in range(width)) for y in range(height))


def in_blocks(shape: Shape, width: int, height: int) -> Rows:
    """Draw the shape with quarter blocks, `width` x `height` characters large.

    >>> in_blocks(disc, 7, 3)
    ('▗▟███▙▖', '███████', '▝▜███▛▘')
    """
    return draw_quarters(_list_filled(shape, 2 * width, 2 * height), width, height)


def in_ascii(shape: Shape, width: int, height: int, fill: str) -> Rows:
    """Draw the shape with one ASCII character.

    >>> in_ascii(disc, 7, 3, "#")
    (' ##### ', '#######', ' ##### ')
    """
    filled = _list_filled(shape, width, height)
    return tuple("".join(fill if (x, y) in filled else " " for x in range(width)) for y in range(height))


FADED: Final = str.maketrans({glyph: QUADRANTS[bits & 9] for bits, glyph in enumerate(QUADRANTS)})


def fade(rows: Rows) -> Rows:
    """Return the ghost of a piece drawn with quarter blocks: the same shape as a chequered pattern.

    >>> fade(('▗▟███▙▖', '███████'))
    ('▗▗▚▚▚▚ ', '▚▚▚▚▚▚▚')
    """
    return tuple(row.translate(FADED) for row in rows)


def _list_filled(shape: Shape, columns: int, rows: int) -> set[Spot]:
    """Return the boxes of a `columns` x `rows` raster of which the shape covers at least half."""
    wide, high = SAMPLES * columns, SAMPLES * rows
    points = [(x, y) for x in range(wide) for y in range(high) if shape((2 * x + 1) / wide - 1, (2 * y + 1) / high - 1)]
    covered = Counter((x // SAMPLES, y // SAMPLES) for x, y in points)
    return {box for box, count in covered.items() if 2 * count >= SAMPLES**2}


def disc(x: float, y: float) -> bool:
    return x * x + y * y <= 1


def ring(inner: float) -> Shape:
    return lambda x, y: inner * inner <= x * x + y * y <= 1


def lozenge(x: float, y: float) -> bool:
    return abs(x) + abs(y) <= 1
