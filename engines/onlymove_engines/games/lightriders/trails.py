"""A stretch of a rider's trail: its grain on a dark ground, brighter where the rider has just been."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from onlymove_engines.core.scene import Role, Sprite, Tint
from onlymove_engines.core.value import Seat

from .glyphs import trail

Piece: TypeAlias = Sprite | Tint

TRAIL: Final = (Role.FIRST, Role.SECOND)
GROOVE: Final = (Role.PLACE_FIRST, Role.PLACE_SECOND)
BRIGHT: Final = (Role.FIRST_FRESH, Role.SECOND_FRESH)


class Box(NamedTuple):
    """A rectangle of characters."""

    x: int
    y: int
    wide: int
    high: int


def stretch(seat: Seat, box: Box, ascii_only: bool, fresh: bool = False) -> Iterator[Piece]:
    """A box full of trail; between its grain shows the colour of the rider's ground."""
    yield Tint(*box, GROOVE[seat])
    yield Sprite(box.x, box.y, trail(seat, box.wide, box.high, ascii_only), (BRIGHT if fresh else TRAIL)[seat])
