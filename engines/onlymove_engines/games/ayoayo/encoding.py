"""Moves as numbers and positions as planes. Each side sees its own row first, in the direction of sowing."""

from __future__ import annotations

from onlymove_engines.core.encoding import Encoding
from onlymove_engines.core.value import Seat, other

from .index import seen_by
from .rules import CELLS, Cell, Position

COLUMNS = len(CELLS)


def make_planes(position: Position, seat: Seat) -> bytes:
    """Return the planes of a position. The first shows the seeds, with each of the player's pits above the pit
    opposite. The others are filled with what each side has captured."""
    pits = seen_by(position.pits, seat)
    own, theirs = position.captured[seat], position.captured[other(seat)]
    size = 2 * COLUMNS
    return bytes(pits[:COLUMNS] + pits[: -COLUMNS - 1 : -1]) + bytes((own,)) * size + bytes((theirs,)) * size


ENCODING: Encoding[Position, Cell] = Encoding(
    moves=(tuple(reversed(CELLS)), tuple(CELLS)),
    channels=("seeds", "own captured", "other captured"),
    rows=2,
    columns=COLUMNS,
    planes=make_planes,
)
