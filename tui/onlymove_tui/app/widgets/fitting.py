"""How a picture is made to fit. The largest scale there is room for; where even the smallest is too high, blank lines
go first, then borders, outermost first. No line with a target, a piece or a word goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from onlymove_engines.core.scene import LARGEST, Role, Scene

Draw: TypeAlias = Callable[[int], Scene]
"""The picture at a scale."""

FRAME = frozenset({Role.GRID, Role.STORE, Role.HOME_FIRST, Role.HOME_SECOND, Role.BAND_INNER, None})
"""What a line may consist of that only separates others."""
FRAME_WITH_ARROWS = FRAME | {Role.FLOW}


def scale_for(draw: Draw, width: int, height: int) -> int:
    """The largest scale whose picture, drawn by `draw`, fits; 1 where none does."""
    for scale in range(LARGEST, 1, -1):
        scene = draw(scale)
        if scene.width <= width and scene.height <= height:
            return scale
    return 1


def lines_shown(scene: Scene, height: int) -> Sequence[int]:
    """The numbers of the lines that fit into `height`, from the top; more than that where no other can go."""
    lines = list(range(scene.height))
    for line in dispensable(scene):
        if len(lines) <= height:
            break
        lines.remove(line)
    return lines


def dispensable(scene: Scene) -> list[int]:
    """The lines that can go, the first to go first."""
    cells = scene.cells()
    used = {y for place in scene.places for y in range(place.y, place.y + place.height)}
    free = [y for y in range(scene.height) if y not in used]
    blank = [y for y in reversed(free) if all(glyph == " " for glyph, _ in cells[y])]
    full = [y for y in free if y not in blank and 2 * sum(glyph != " " for glyph, _ in cells[y]) > len(cells[y]) // 2]
    borders = [y for y in full if {role for _, role in cells[y]} <= FRAME]
    arrows = [y for y in full if y not in borders and {role for _, role in cells[y]} <= FRAME_WITH_ARROWS]
    return [*blank, *_outermost_first(borders), *_outermost_first(arrows)]


def _outermost_first(lines: Sequence[int]) -> list[int]:
    rest, ordered = list(lines), list[int]()
    while rest:
        ordered.append(rest.pop())
        if rest:
            ordered.append(rest.pop(0))
    return ordered
