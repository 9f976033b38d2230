"""Whose trail is whose, and how much either rider holds: two bars in the grain of their trails, each with its number.

They stand under the field, growing towards each other, or in the gutters beside it, growing down. Without counts a
bar is as long as a sample of the trail.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from onlymove_engines.core.scene import Sprite
from onlymove_engines.core.value import Seat

from .layout import GUTTER, Layout
from .trails import TRAIL, Box, Piece, stretch

Counts: TypeAlias = tuple[int, int]

NUMBER: Final = 2
"""Columns of a rider's number and the gap behind it."""
COUNT: Final = 4
"""Columns of a count and the gap before it."""
SAMPLE: Final = 4
"""Columns or rows of a bar that counts nothing."""


def tally(seen: Layout, counts: Counts | None, ascii_only: bool) -> Iterator[Piece]:
    """Number, bar and count of both riders."""
    beside = beside_field if seen.counts == 0 else under_field
    for seat in (0, 1):
        yield from beside(seen, seat, counts, ascii_only)


def under_field(seen: Layout, seat: Seat, counts: Counts | None, ascii_only: bool) -> Iterator[Piece]:
    """On the lines under the field, from the edges to the middle."""
    high = max(1, seen.counts - 1)
    top, half = seen.height - high, seen.width // 2
    wide = length(half - NUMBER - COUNT, seat, counts)
    outwards = (0, NUMBER, NUMBER + wide + 1)
    yield text(seen, seat, outwards[0], top, str(seat))
    yield from stretch(seat, Box(mirrored(seen, seat, outwards[1], wide), top, wide, high), ascii_only)
    if counts is not None:
        yield text(seen, seat, outwards[2], top, str(counts[seat]))


def beside_field(seen: Layout, seat: Seat, counts: Counts | None, ascii_only: bool) -> Iterator[Piece]:
    """In the gutter, from the top down."""
    wide = GUTTER - 1
    high = length(seen.high - 3, seat, counts)
    yield text(seen, seat, 0, seen.top, str(seat))
    if counts is not None:
        yield text(seen, seat, 0, seen.top + 1, str(counts[seat]))
    yield from stretch(seat, Box(mirrored(seen, seat, 0, wide), seen.top + 2, wide, high), ascii_only)


def length(most: int, seat: Seat, counts: Counts | None) -> int:
    """How long a bar is, of at most `most`: the rider's share of what is held."""
    return min(SAMPLE, most) if counts is None else most * counts[seat] // max(1, sum(counts))


def text(seen: Layout, seat: Seat, outwards: int, y: int, said: str) -> Sprite:
    """A word so many columns from the rider's edge of the picture."""
    return Sprite(mirrored(seen, seat, outwards, len(said)), y, (said,), TRAIL[seat])


def mirrored(seen: Layout, seat: Seat, outwards: int, wide: int) -> int:
    """The column where something begins that is so many columns from the edge of the rider's side."""
    return outwards if seat == 0 else seen.width - outwards - wide
