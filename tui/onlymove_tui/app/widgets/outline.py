"""What grounds with rounded edges look like where no ground is seen: a thin line along the inside of each.

Knows cells and tones, no game; other grounds have lines of their own round them, drawn as glyphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import lru_cache
from typing import Final, TypeAlias

from onlymove_engines.core.scene import GROUNDS, Role, Scene

from onlymove_tui.app.widgets.paint import NO_MARKS, Grid, painted
from onlymove_tui.app.widgets.tones import AnyTone, On

Spot: TypeAlias = tuple[int, int]

WAYS: Final = ((1, 0, -1), (2, 1, 0), (4, 0, 1), (8, -1, 0))
"""Up, right, down, left: a bit, and the step there."""
ACROSS: Final = 2 | 8
ENDS: Final = (0, 1, 2, 4, 8)
LINES: Final = " │─╰││╭├─╯─┴╮┤┬┼"
"""The line that goes these ways, by the sum of their bits."""
EDGES: Final = str.maketrans("▗▖▝▘▟▙▜▛▄▀▐▌", "╭╮╰╯╱╲╲╱──││")
"""Parts of a character that a ground fills, and the line they make where they are inside another ground."""


def outlined(scene: Scene, grid: Grid, ascii_only: bool = False) -> Grid:
    """A picture, marked as in `grid`, for a terminal without colours. Marks stay what they are."""
    bare, lines = _bare(scene, ascii_only)
    return [
        [
            (lines.get((x, y), cell[0].translate(EDGES)), Role.GRID)
            if _is_edge(cell[1]) or ((x, y) in lines and cell == bare[y][x])
            else cell
            for x, cell in enumerate(row)
        ]
        for y, row in enumerate(grid)
    ]


@lru_cache(maxsize=4)
def _bare(scene: Scene, ascii_only: bool) -> tuple[Grid, Mapping[Spot, str]]:
    """A picture without marks, and the lines on it."""
    bare = painted(scene, NO_MARKS, ascii_only)
    return bare, dict(_lines(bare))


def _is_edge(tone: AnyTone | None) -> bool:
    """Whether a glyph is the edge of a ground."""
    return (tone.ink if isinstance(tone, On) else tone) in GROUNDS


def _lines(grid: Grid) -> Iterator[tuple[Spot, str]]:
    """The lines that are drawn, in place of edges and on blanks."""
    cells = {(x, y): cell for y, row in enumerate(grid) for x, cell in enumerate(row)}
    edges: dict[AnyTone | None, set[Spot]] = {}
    grounds: dict[AnyTone | None, set[Spot]] = {}
    for spot, (_, tone) in cells.items():
        if _is_edge(tone):
            edges.setdefault(tone.ink if isinstance(tone, On) else tone, set()).add(spot)
        if isinstance(tone, On):
            grounds.setdefault(tone.ground, set()).add(spot)
    blank = {spot for spot, (glyph, _) in cells.items() if glyph == " "}
    for ground, rim in edges.items():
        inside = _joined(rim, rim | grounds.get(ground, set()))
        ways = {spot: _ways(spot, inside) for spot in inside}
        free = {spot for spot in inside & blank if ways[spot]}
        strung = _strung({spot for spot in free if ways[spot] == ACROSS}, inside - blank - rim)
        for spot in rim | free - strung:
            if ways[spot] not in ENDS:
                yield spot, LINES[ways[spot]]


def _strung(across: Set[Spot], pieces: Set[Spot]) -> set[Spot]:
    """The stretches across in which a piece lies: they would be taken for a string that it hangs on."""
    found = set[Spot]()
    for x, y in pieces:
        for step in (1, -1):
            there = (x + step, y)
            while there in across:
                found.add(there)
                there = (there[0] + step, y)
    return found


def _joined(start: Set[Spot], all_spots: Set[Spot]) -> set[Spot]:
    """What can be reached from `start`."""
    found, todo = set(start), list(start)
    while todo:
        x, y = todo.pop()
        near = [spot for _, dx, dy in WAYS if (spot := (x + dx, y + dy)) in all_spots and spot not in found]
        found.update(near)
        todo += near
    return found


def _ways(spot: Spot, inside: Set[Spot]) -> int:
    """The ways in which the line along the inside goes on from here: to spots inside that it does not enclose."""
    x, y = spot
    bits = 0
    for bit, dx, dy in WAYS:
        there = (x + dx, y + dy)
        beside = [{(x + side * dy, y + side * dx), (there[0] + side * dy, there[1] + side * dx)} for side in (1, -1)]
        if there in inside and not all(pair <= inside for pair in beside):
            bits |= bit
    return bits
