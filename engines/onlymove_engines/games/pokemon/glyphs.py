"""The two silhouettes at any size: a turtle seen from above, all round, and a dragon whose tail ends in a flame, all
corners. Both fill about the same share of their box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from onlymove_engines.core.scene import Shape, in_ascii, in_blocks
from onlymove_engines.core.value import Seat

FILLS: Final = ("o", "^")
"""What an ASCII silhouette is made of: round, pointed."""

SMALL: Final[dict[tuple[int, int], tuple[tuple[str, ...], tuple[str, ...]]]] = {
    (3, 2): (
        (
            "..##..",
            ".####.",
            "######",
            ".####.",
        ),
        (
            ".##..#",
            "###..#",
            ".###.#",
            "######",
        ),
    ),
    (5, 2): (
        (
            "....##....",
            "##.####.##",
            ".########.",
            ".##.##.##.",
        ),
        (
            "..###...#.",
            "#####...#.",
            "..####.##.",
            ".########.",
        ),
    ),
    (5, 3): (
        (
            "....##....",
            "##.####.##",
            ".########.",
            ".########.",
            ".########.",
            "##..##..##",
        ),
        (
            "..###...#.",
            "#####...#.",
            ".####..###",
            "..####.##.",
            ".#######..",
            "#########.",
        ),
    ),
    (7, 3): (
        (
            ".....####.....",
            ".##.######.##.",
            "..##########..",
            ".############.",
            "..##########..",
            ".##...##...##.",
        ),
        (
            "...####.....#.",
            ".#######....#.",
            ".######....###",
            "....#####..###",
            "..########.##.",
            ".############.",
        ),
    ),
    (7, 4): (
        (
            ".....####.....",
            ".##..####..##.",
            ".############.",
            "..##########..",
            "..##########..",
            "..##########..",
            ".############.",
            ".##...##...##.",
        ),
        (
            "...####.....#.",
            ".#######....#.",
            "########...##.",
            "..######...###",
            "..#######..###",
            "..########.##.",
            ".############.",
            "############..",
        ),
    ),
}  # fmt: skip
"""The smallest in blocks are drawn by hand, turtle and dragon: no rule would place so few quarters as well."""


def ellipse(x: float, y: float, across: float, down: float) -> Shape:
    """Round about (x, y), so far across and down."""
    return lambda px, py: ((px - x) / across) ** 2 + ((py - y) / down) ** 2 <= 1


def polygon(*corners: tuple[float, float]) -> Shape:
    """Straight from corner to corner and back; inside, a ray to the right crosses an odd number of sides."""
    sides = tuple(zip(corners, (*corners[1:], corners[0]), strict=True))

    def inside(x: float, y: float) -> bool:
        crossed = [x < x1 + (x2 - x1) * (y - y1) / (y2 - y1) for (x1, y1), (x2, y2) in sides if (y1 > y) != (y2 > y)]
        return sum(crossed) % 2 == 1

    return inside


@dataclass(frozen=True, slots=True)
class Figure:
    """A silhouette of any size, with the lines that are cut into it: round its plate, and its eyes. `letter` is
    where its letter stands."""

    body: tuple[Shape, ...]
    plate: Shape
    eyes: tuple[Shape, ...]
    letter: tuple[float, float]


TURTLE: Final = Figure(
    body=(
        ellipse(0, 0.16, 0.80, 0.74),
        ellipse(0, -0.70, 0.30, 0.30),
        ellipse(-0.74, -0.40, 0.26, 0.20),
        ellipse(0.74, -0.40, 0.26, 0.20),
        ellipse(-0.66, 0.76, 0.25, 0.22),
        ellipse(0.66, 0.76, 0.25, 0.22),
    ),
    plate=ellipse(0, 0.16, 0.60, 0.52),
    eyes=(ellipse(-0.14, -0.74, 0.04, 0.08), ellipse(0.14, -0.74, 0.04, 0.08)),
    letter=(0, 0.16),
)
"""Seen from above: the shell, the head, four legs."""

HEAD = ((-1, -0.48), (-0.55, -0.78), (-0.32, -1), (-0.16, -0.84), (0.22, -1), (0.34, -0.5), (0.05, -0.12), (-0.6, -0.2))
TRUNK = ((-0.5, -0.4), (0.08, -0.4), (0.5, 0.35), (0.55, 1), (0.15, 1), (0, 0.86), (-0.25, 0.86), (-0.35, 1))
DRAGON: Final = Figure(
    body=(
        polygon(*HEAD),
        polygon(*TRUNK, (-0.95, 1), (-0.75, 0.25)),
        polygon((0.3, 1), (0.8, 1), (1, 0.75), (0.93, 0.1), (0.7, 0.1), (0.68, 0.55), (0.3, 0.55)),
        polygon((0.8, -0.9), (1, -0.2), (0.93, 0.15), (0.68, 0.15), (0.58, -0.2)),
    ),
    plate=polygon((-0.45, -0.12), (0.12, -0.12), (0.32, 0.66), (-0.66, 0.66)),
    eyes=(polygon((-0.5, -0.66), (-0.38, -0.66), (-0.38, -0.5), (-0.5, -0.5)),),
    letter=(-0.15, 0.34),
)
"""Seen from the left: a head with two horns, the trunk, the tail, the flame at its end."""

FIGURES: Final = (TURTLE, DRAGON)
WITH_PLATE, WITH_EYES = 60, 100
"""From this many characters on there is room for the line round the plate, and for the eyes."""
SPECKS: Final = " ▘▝▖▗"
"""Less than half of a character."""


@dataclass(frozen=True, slots=True)
class Silhouette:
    """The rows of a silhouette, and the column and row in it where its letter stands."""

    rows: tuple[str, ...]
    letter: tuple[int, int]

    def faded(self, ascii_only: bool) -> tuple[str, ...]:
        """The rows of what is there no more: dim also where there are no colours."""
        fill = "." if ascii_only else "░"
        return tuple("".join(" " if glyph in SPECKS else fill for glyph in row) for row in self.rows)


@cache
def silhouette(seat: Seat, width: int, height: int, ascii_only: bool = False) -> Silhouette:
    """The silhouette of a team, `width` x `height` characters large."""
    shape = _shape(seat, width, height, ascii_only)
    rows = in_ascii(shape, width, height, FILLS[seat]) if ascii_only else in_blocks(shape, width, height)
    return Silhouette(rows, _letter(FIGURES[seat].letter, rows))


def _shape(seat: Seat, width: int, height: int, ascii_only: bool) -> Shape:
    if not ascii_only and (width, height) in SMALL:
        return _drawn(SMALL[width, height][seat])
    figure = FIGURES[seat]
    cuts = [] if ascii_only or width * height < WITH_PLATE else [_rim(figure.plate, 2 * width, 2 * height)]
    if width * height >= WITH_EYES:
        cuts.extend(figure.eyes)
    return lambda x, y: any(part(x, y) for part in figure.body) and not any(cut(x, y) for cut in cuts)


def _drawn(rows: Sequence[str]) -> Shape:
    """What the signs `#` cover."""
    height, width = len(rows), len(rows[0])
    return lambda x, y: rows[int((y + 1) / 2 * height)][int((x + 1) / 2 * width)] == "#"


def _rim(shape: Shape, columns: int, rows: int) -> Shape:
    """The outermost boxes of a shape on a raster: a line without gaps, one box wide."""
    inside = [[shape((2 * x + 1) / columns - 1, (2 * y + 1) / rows - 1) for x in range(columns)] for y in range(rows)]

    def is_rim(x: int, y: int) -> bool:
        return inside[y][x] and not all((inside[y][x - 1], inside[y][x + 1], inside[y - 1][x], inside[y + 1][x]))

    return _drawn(["".join("#" if is_rim(x, y) else "." for x in range(columns)) for y in range(rows)])


def _letter(wanted: tuple[float, float], rows: tuple[str, ...]) -> tuple[int, int]:
    """The full character nearest to where the letter should stand."""
    x, y = (wanted[0] + 1) / 2 * len(rows[0]) - 0.5, (wanted[1] + 1) / 2 * len(rows) - 0.5
    full = [(i, j) for j, row in enumerate(rows) for i, glyph in enumerate(row) if glyph in ("█", *FILLS)]
    return min(full, key=lambda place: (abs(place[0] - x) + 2 * abs(place[1] - y), place))
