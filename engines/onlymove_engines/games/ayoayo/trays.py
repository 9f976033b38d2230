"""What each side has captured: a tray that fills with groups of four, its owner's name and the count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from onlymove_engines.core.scene import Role, Sprite, Tint
from onlymove_engines.core.value import Seat

from .glyphs import group, number, twin
from .layout import WINNING, Size
from .rules import CAPTURED_AT

SEATS: Final = ("First", "Second")
ROLES: Final = (Role.FIRST, Role.SECOND)
FRESH: Final = (Role.FIRST_FRESH, Role.SECOND_FRESH)
GROUND: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
"""By seat: seeds in a row, seeds that the last move changed, and what they lie in."""

ENDS: Final = {1: ("▐", "▌"), 2: ("▗▝", "▖▘"), 5: ("▗▐▐▐▝", "▖▌▌▌▘")}
ASCII_ENDS: Final = {1: ("[", "]"), 2: ("/\\", "\\/"), 5: ("/|||\\", "\\|||/")}
"""The left and the right end of a tray so many rows high, from above."""


def tray(size: Size, y: int, seat: Seat, count: int, grows: bool, ascii_only: bool) -> Iterator[Sprite]:
    """A tray with its first row at `y`; `grows`: the last four have just come."""
    left = size.width - size.tray_width
    ends = (ASCII_ENDS if ascii_only else ENDS)[size.tray]
    for x, end in zip((left, size.width - 1), ends, strict=True):
        yield Sprite(x, y, tuple(end), Role.GRID if ascii_only else GROUND[seat])
    yield Sprite(size.group_at(WINNING) - 2, y, twin("│" * size.tray, ascii_only), Role.GRID)
    for start in range(0, count, CAPTURED_AT):
        is_new = grows and start + CAPTURED_AT >= count
        rows = group(size, min(CAPTURED_AT, count - start), ascii_only)
        yield Sprite(size.group_at(start // CAPTURED_AT), y, rows, Role.CAPTURE if is_new else ROLES[seat])


def caption(size: Size, y: int, seat: Seat, count: int, moves: bool, ascii_only: bool) -> Iterator[Sprite]:
    """Whose tray it is, whether it is their turn, and how many seeds are in it."""
    yield Sprite(0, y, twin((f"{'▸' if moves else ' '} {SEATS[seat]}",), ascii_only), ROLES[seat])
    if size.tray == 1:
        yield Sprite(9, y, (f"{count:>2}",), ROLES[seat])
    elif size.large:
        yield Sprite(2, y + 1, number(size, str(count), ascii_only), ROLES[seat])
    else:
        yield Sprite(2, y + 1, (f"{count} seed{'s' * (count != 1)}",), ROLES[seat])


def ground(size: Size, y: int, seat: Seat) -> Tint:
    """The ground of a tray."""
    return Tint(size.width - size.tray_width + 1, y, size.tray_width - 2, size.tray, GROUND[seat])
