"""What stands on a cell, as text of any size: trails told apart by their grain, heads with number and direction.

Rider 0's grain is upright, rider 1's is flat, seven eighths of a cell filled by either; their territories have the
same grain in thin strokes. Knows no field.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from onlymove_engines.core.scene import Shape, disc, in_ascii, in_blocks
from onlymove_engines.core.value import Seat

from .rules import Step

Rows: TypeAlias = tuple[str, ...]

CROSS_ARM: Final = 0.35
"""How thick the arms of the cross of a crash are."""


NOSE: Final = 0.2
"""How wide a rider is in front, half of it."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Every sign of the picture; (rider 0, rider 1) where the riders differ, two columns where a cell begins so."""

    trail: tuple[str, str]
    wall: str
    arrows: dict[Step, str]
    crash: str
    empty: str
    held: tuple[str, str]
    beyond: tuple[str, str]
    frame: str
    """Corners clockwise from the top left, then horizontal, vertical, horizontal where the field goes on."""


BLOCKS: Final = Glyphs(
    trail=("█▊", "▇▇"),
    wall="█",
    arrows={"u": "▲", "d": "▼", "l": "◄", "r": "►", "": "●"},
    crash="╳╳",
    empty="·",
    held=("╹", "╸"),
    beyond=("╵", "╴"),
    frame="╭╮╯╰─│┄",
)

PLAIN: Final = Glyphs(
    trail=("##", "=="),
    wall="%",
    arrows={"u": "^", "d": "v", "l": "<", "r": ">", "": "o"},
    crash="XX",
    empty=".",
    held=("|", "-"),
    beyond=(":", "~"),
    frame="++++-|~",
)


def glyphs_for(ascii_only: bool) -> Glyphs:
    """The signs of a terminal."""
    return PLAIN if ascii_only else BLOCKS


@cache
def trail(seat: Seat, wide: int, high: int, ascii_only: bool) -> Rows:
    """A stretch of a rider's trail."""
    grain = glyphs_for(ascii_only).trail[seat]
    return ((grain * wide)[:wide],) * high


@cache
def wall(cell: int, ascii_only: bool) -> Rows:
    """A wall that nobody's trail is known to be."""
    return (glyphs_for(ascii_only).wall * 2 * cell,) * cell


@cache
def crash(cell: int, ascii_only: bool) -> Rows:
    """A cross."""
    signs = glyphs_for(ascii_only)
    return (signs.crash,) if cell == 1 else in_cell(cross, cell, signs.crash[0], ascii_only)


@cache
def hull(heading: Step, cell: int, ascii_only: bool) -> Rows:
    """A rider seen from above, a wedge; none where a cell has room for its name only."""
    return in_cell(turned(heading), cell, glyphs_for(ascii_only).arrows[heading], ascii_only) if cell > 1 else ()


def name(seat: Seat, heading: Step, ascii_only: bool) -> str:
    """The rider's number behind or beside its direction, two columns wide."""
    arrow = glyphs_for(ascii_only).arrows[heading]
    return arrow + str(seat) if heading == "l" else str(seat) + arrow


def name_spot(heading: Step, cell: int) -> tuple[int, int]:
    """Where in its cell the name begins: in the middle, or else behind it, off the point."""
    back = 0 if cell == 1 else {"l": 1, "r": -1}.get(heading, 0)
    return cell - 1 + back, cell // 2 if heading == "u" else (cell - 1) // 2


def in_cell(shape: Shape, cell: int, fill: str, ascii_only: bool) -> Rows:
    """A shape that fills a cell."""
    return in_ascii(shape, 2 * cell, cell, fill) if ascii_only else in_blocks(shape, 2 * cell, cell)


def turned(heading: Step) -> Shape:
    """A rider's outline that looks where it goes."""
    ways: dict[Step, Shape] = {
        "u": pointing_up,
        "d": lambda x, y: pointing_up(x, -y),
        "l": lambda x, y: pointing_up(y, x),
        "r": lambda x, y: pointing_up(y, -x),
    }
    return ways.get(heading, disc)


def pointing_up(x: float, y: float) -> bool:
    """Square behind, a blunt point in front."""
    return abs(x) <= NOSE + (1 - NOSE) * (1 + y)


def cross(x: float, y: float) -> bool:
    """Two arms from corner to corner."""
    return abs(abs(x) - abs(y)) <= CROSS_ARM
