"""What the picture of Ayòayò is made of: bowls, seeds in them, groups in a tray, large numbers; each also in ASCII.

Everything here is rows of text that depend on a size and a count alone, so each is made once.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, TypeAlias

from onlymove_engines.core.scene import QUADRANTS, disc, in_ascii, in_blocks

from .layout import Size

Rows: TypeAlias = tuple[str, ...]
Bitmap: TypeAlias = Sequence[str]
"""Rows of `#` where something is, two by two quarters a character."""


class Kind(enum.Enum):
    """How seeds look: at rest, taken up, captured by the mover or by the owner of the row."""

    SEED = "seed"
    LIFTED = "lifted"
    MOVER_TAKES = "mover takes"
    OWNER_TAKES = "owner takes"


SIGN: Final = {Kind.SEED: "●", Kind.LIFTED: "○", Kind.MOVER_TAKES: "■", Kind.OWNER_TAKES: "□"}
PEBBLE: Final = {
    Kind.SEED: (".###.", "#####", ".###."),
    Kind.LIFTED: (".###.", "#...#", ".###."),
    Kind.MOVER_TAKES: ("#####", "#####", "#####"),
    Kind.OWNER_TAKES: ("#####", "#...#", "#####"),
}
"""A seed two and a half columns wide and one and a half rows high."""
ASCII_PEBBLE: Final = {Kind.SEED: "()", Kind.LIFTED: "..", Kind.MOVER_TAKES: "**", Kind.OWNER_TAKES: "%%"}
TWINS: Final = str.maketrans("─│●○■□▼←→↑↓▸▐▌»▗▖▝▘▟▛▙▜▀▄█░", "-|o.*%@<>^v>[]&..''//\\\\'.#~")

LINES: Final = (
    *((0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 0, 2), (2, 0, 2), (2, 1, 2), (3, 0, 3)),
    *((3, 1, 3), (3, 2, 3), (3, 3, 3), (3, 4, 3), (4, 3, 4), (4, 4, 4)),
)
"""How many seeds of 0..12 lie in the upper, the middle and the lower line, so that they are seen and not counted."""
CLOSER: Final = 0.75
"""Seeds in one or two lines are drawn together, where there is room between lines."""
COUNTABLE: Final = len(LINES) - 1

DIGITS: Final = (
    *(
        "### #.# #.# #.# ###",
        ".#. ##. .#. .#. ###",
        "### ..# ### #.. ###",
        "### ..# .## ..# ###",
        "#.# #.# ### ..# ..#",
    ),
    *(
        "### #.. ### ..# ###",
        "### #.. ### #.# ###",
        "### ..# ..# ..# ..#",
        "### #.# ### #.# ###",
        "### #.# ### ..# ###",
    ),
)


def twin(rows: Iterable[str], ascii_only: bool) -> Rows:
    """The rows, in ASCII where nothing else is allowed."""
    return tuple(row.translate(TWINS) if ascii_only else row for row in rows)


@cache
def bowl(size: Size) -> tuple[Rows, tuple[tuple[int, int], ...]]:
    """The rounded edge of a bowl, and for each row the column where its ground begins and how wide it is."""
    rows = in_blocks(lambda x, y: abs(x) ** size.curve + abs(y) ** size.curve <= 1, size.bowl_width, size.bowl_height)
    return tuple(row.replace("█", " ") for row in rows), tuple((row.index("█"), row.count("█")) for row in rows)


@cache
def seeds(size: Size, count: int, kind: Kind, ascii_only: bool) -> Rows:
    """The seeds of a pit, as large as its bowl: every one, or a heap where there is no room to see them apart."""
    if count > COUNTABLE:
        return heap(size, kind, ascii_only)
    lines = LINES[count]
    is_few = size.line > 1 and 0 in lines
    away, closer = (size.line // 2, CLOSER) if is_few else (size.line, 1)
    spots = [
        (closer * shift, line)
        for line, number in zip((-away, 0, away), lines, strict=True)
        for shift in (size.shifts[number - 1] if number else ())
    ]
    return scattered(size, spots, kind, ascii_only)


def scattered(size: Size, spots: Sequence[tuple[float, int]], kind: Kind, ascii_only: bool) -> Rows:
    """Seeds at columns and rows counted from the middle of a bowl."""
    if size.large and not ascii_only:
        wide, high = 2 * size.bowl_width, 2 * size.bowl_height
        return quartered(
            wide, high, [(wide // 2 - 2 + int(2 * x), high // 2 - 2 + 2 * y, PEBBLE[kind]) for x, y in spots]
        )
    sign = ASCII_PEBBLE[kind] if size.large else SIGN[kind]
    canvas = [[" "] * size.bowl_width for _ in range(size.bowl_height)]
    for x, y in spots:
        left = int(size.bowl_width / 2 + x - len(sign) / 2)
        canvas[(size.bowl_height - 1) // 2 + y][left : left + len(sign)] = sign
    return twin(("".join(row) for row in canvas), ascii_only)


def quartered(width: int, height: int, bitmaps: Iterable[tuple[int, int, Bitmap]]) -> Rows:
    """Bitmaps on a raster of `width` x `height` quarters, as text of half that width and height."""
    filled = {
        (x + dx, y + dy)
        for x, y, rows in bitmaps
        for dy, row in enumerate(rows)
        for dx, dot in enumerate(row)
        if dot == "#"
    }
    bits = ((1, 0, 0), (2, 1, 0), (4, 0, 1), (8, 1, 1))
    return tuple(
        "".join(QUADRANTS[sum(bit for bit, dx, dy in bits if (x + dx, y + dy) in filled)] for x in range(0, width, 2))
        for y in range(0, height, 2)
    )


def heap(size: Size, kind: Kind, ascii_only: bool) -> Rows:
    """A full bowl without a single seed to count; its number tells how many."""
    wide, high = size.bowl_width - 2, size.bowl_height - 2 * size.large
    if kind is Kind.LIFTED:
        rows = in_ascii(disc, wide, high, "~" if ascii_only else "░")
    else:
        rows = in_ascii(disc, wide, high, "#") if ascii_only else in_blocks(disc, wide, high)
    blank = (" " * size.bowl_width,) * ((size.bowl_height - high) // 2)
    return (*blank, *(f" {row} " for row in rows), *blank)


@cache
def group(size: Size, count: int, ascii_only: bool) -> Rows:
    """Up to four captured seeds in a tray, two by two, as high as the tray."""
    spots = [(0, 0), (1, 0), (0, 1), (1, 1)][:count]
    if size.tray == 1:
        return (":" * (count // 2) + "." * (count % 2),)
    wide = size.group - size.gap
    if size.large and not ascii_only:
        return quartered(2 * wide, 2 * size.tray, [(6 * x, 1 + 5 * y, PEBBLE[Kind.SEED]) for x, y in spots])
    sign = ASCII_PEBBLE[Kind.SEED] if size.large else SIGN[Kind.SEED]
    canvas = [[" "] * wide for _ in range(size.tray)]
    for x, y in spots:
        left = (len(sign) + 1) * x
        canvas[size.tray // 4 + y * size.tray // 2][left : left + len(sign)] = sign
    return twin(("".join(row) for row in canvas), ascii_only)


@cache
def number(size: Size, text: str, ascii_only: bool) -> Rows:
    """A number in as many rows as the size has for one; a sign before it stays small."""
    if not size.large or ascii_only:
        before = ("",) * ((size.number - 1) // 2)
        return twin((*before, text), ascii_only)
    sign, digits = (text[0], text[1:]) if not text[0].isdigit() else ("", text)
    shapes = [DIGITS[int(digit)].split() for digit in digits]
    pixels = [" ".join(shape[row] for shape in shapes) for row in range(5)] + ["." * 20]
    rows = [
        "".join(" ▀▄█"[(upper == "#") + 2 * (lower == "#")] for upper, lower in zip(*pixels[y : y + 2], strict=False))
        for y in (0, 2, 4)
    ]
    return tuple(f"{sign if y == 1 else ' ' * len(sign)}{' ' * len(sign)}{row}" for y, row in enumerate(rows))
