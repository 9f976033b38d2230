"""The empty board of Orbito: two bands, the arrows of the shift on them, the names of files and rows."""

from __future__ import annotations

from collections.abc import Set
from functools import cache

from onlymove_engines.core.scene import Role, Sprite

from .glyphs import HALVES, RIMS, arrow
from .layout import Layout
from .rules import NEXT, READING_ORDER, Cell


@cache
def board(layout: Layout, ascii_only: bool) -> tuple[Sprite, ...]:
    """All of it but the grounds."""
    return (
        *_outer_rim(layout, ascii_only),
        *_inner_rim(layout, ascii_only),
        *_names(layout),
        *(_arrow(layout, cell, ascii_only) for cell in READING_ORDER),
    )


def _names(layout: Layout) -> list[Sprite]:
    """Files above, rows at the left."""
    x, _, _, _ = layout.size.board
    files = [Sprite(int(layout.middle(file + "4")[0] - 0.5), 0, (file,), Role.LABEL) for file in "abcd"]
    return files + [Sprite(x - 2, int(layout.middle("a" + row)[1]), (row,), Role.LABEL) for row in "1234"]


def _arrow(layout: Layout, cell: Cell, ascii_only: bool) -> Sprite:
    """The arrow half way between the marbles of `cell` and the next one on its ring."""
    (x, y), (next_x, next_y) = layout.middle(cell), layout.middle(NEXT[cell])
    direction = ((next_x > x) - (next_x < x), (next_y > y) - (next_y < y))
    rows = arrow(direction, layout.size.arrow[direction[0] == 0], ascii_only)
    left, top = (x + next_x - len(rows[0])) / 2, (y + next_y - len(rows)) / 2
    return Sprite(int(left), int(top), rows, Role.FLOW)


def _outer_rim(layout: Layout, ascii_only: bool) -> list[Sprite]:
    """A thin line along the edge of the outer band."""
    return _rim(layout.size.board, RIMS[ascii_only], frozenset(), ascii_only)


def _inner_rim(layout: Layout, ascii_only: bool) -> list[Sprite]:
    """The edge of the inner band, half a row of the band itself where the gap has a middle line. The rest of it is
    only seen where no ground is. Its sides are interrupted where marks stand, and where a cursor that leaves would
    have two inks on two grounds to restore: that takes too many bytes."""
    x, y, width, height = layout.size.inner
    free = layout.kept_free()
    if layout.size.gap % 2 == 0:
        return _rim((x, y, width, height), RIMS[ascii_only], free, ascii_only)
    corners = {(edge, y + height // 2) for edge in (x, x + width - 1)}
    return _rim((x, y - 1, width, height + 2), HALVES[ascii_only], free | corners, ascii_only)


def _rim(
    box: tuple[int, int, int, int], signs: tuple[str, str, str], free: Set[tuple[int, int]], ascii_only: bool
) -> list[Sprite]:
    """A frame along the inside of a box, its sides interrupted where it has to be free. All of it has the ink of the
    inner band, so that a cursor that leaves has one ink to restore."""
    (x, y, width, height), (above, side, below) = box, signs
    role = Role.GRID if ascii_only else Role.BAND_INNER
    rows = range(y + 1, y + height - 1)
    sides = [
        Sprite(edge, y + 1, tuple(" " if (edge, row) in free else side for row in rows), role)
        for edge in (x, x + width - 1)
    ]
    ends = [
        Sprite(x, row, (f"{end[0]}{end[1] * (width - 2)}{end[2]}",), role)
        for row, end in ((y, above), (y + height - 1, below))
    ]
    return [*sides, *ends]
