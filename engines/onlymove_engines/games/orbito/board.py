"""The empty board of Orbito: two bands, the arrows of the shift on them, the names of files and rows."""

from __future__ import annotations

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
    above, below, left, right = RIMS[ascii_only]
    x, y, width, height = layout.size.board
    return [
        Sprite(x, y + 1, (left,) * (height - 2), Role.GRID),
        Sprite(x + width - 1, y + 1, (right,) * (height - 2), Role.GRID),
        Sprite(x, y, (above * width,), Role.GRID),
        Sprite(x, y + height - 1, (below * width,), Role.GRID),
    ]


def _inner_rim(layout: Layout, ascii_only: bool) -> list[Sprite]:
    """A thin line along the edge of the inner band; where the gap has no middle line, half a row of the band itself.

    The sides are drawn in the places left and right of the edge, where no mark stands.
    """
    above, below, left, _ = RIMS[ascii_only]
    x, y, width, height = layout.size.inner
    side = tuple(" " if (x, row) in layout.kept_free() else left for row in range(y, y + height))
    sides = [Sprite(edge, y, side, Role.GRID) for edge in (x, x + width)]
    if layout.size.gap % 2 == 0:
        return [
            *sides,
            Sprite(x, y, (above * width,), Role.GRID),
            Sprite(x, y + height - 1, (below * width,), Role.GRID),
        ]
    upper, lower = HALVES[ascii_only]
    role = Role.GRID if ascii_only else Role.BAND_INNER
    return [*sides, Sprite(x, y - 1, (lower * width,), role), Sprite(x, y + height, (upper * width,), role)]
