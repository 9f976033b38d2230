"""Shapes as text: a disc, a ring, a silhouette of any size, drawn in quadrant blocks or in ASCII.

A shape says for a point in the square from -1 to 1 whether it is inside; y grows downwards. Knows no game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

Shape: TypeAlias = Callable[[float, float], bool]

QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By the bits upper left 1, upper right 2, lower left 4, lower right 8."""
SAMPLES: Final = 4
"""Points looked at across and down in a quarter of a character."""
HALF: Final = 0.5
"""From this share of a box on it is filled."""


def in_blocks(shape: Shape, width: int, height: int) -> tuple[str, ...]:
    """The shape `width` x `height` characters large, two by two quarters a character.

    >>> in_blocks(disc, 7, 3)
    ('▗▟███▙▖', '███████', '▝▜███▛▘')
    """
    filled = _coverage(shape, 2 * width, 2 * height)
    return tuple(
        "".join(
            QUADRANTS[
                sum(
                    bit
                    for bit, (dx, dy) in ((1, (0, 0)), (2, (1, 0)), (4, (0, 1)), (8, (1, 1)))
                    if filled[2 * y + dy][2 * x + dx] >= HALF
                )
            ]
            for x in range(width)
        )
        for y in range(height)
    )


def in_ascii(shape: Shape, width: int, height: int, fill: str) -> tuple[str, ...]:
    """The shape in one ASCII character.

    >>> in_ascii(disc, 7, 3, "#")
    (' ##### ', '#######', ' ##### ')
    """
    filled = _coverage(shape, width, height)
    return tuple("".join(fill if share >= HALF else " " for share in row) for row in filled)


def _coverage(shape: Shape, columns: int, rows: int) -> list[list[float]]:
    """Which share of each box of a `columns` x `rows` raster lies in the shape."""

    def share(x: int, y: int) -> float:
        points = [
            (2 * (x + (i + 0.5) / SAMPLES) / columns - 1, 2 * (y + (j + 0.5) / SAMPLES) / rows - 1)
            for i in range(SAMPLES)
            for j in range(SAMPLES)
        ]
        return sum(shape(*point) for point in points) / len(points)

    return [[share(x, y) for x in range(columns)] for y in range(rows)]


def disc(x: float, y: float) -> bool:
    """Round and full."""
    return x * x + y * y <= 1


def ring(inner: float) -> Shape:
    """Round, with a hole of radius `inner`."""
    return lambda x, y: inner * inner <= x * x + y * y <= 1


def lozenge(x: float, y: float) -> bool:
    """A square on its corner."""
    return abs(x) + abs(y) <= 1
