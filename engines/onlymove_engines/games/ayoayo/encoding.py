"""Every move by number, and positions as planes: each side sees its own row first, as it sows."""

from __future__ import annotations

from onlymove_engines.core.encoding import Encoding
from onlymove_engines.core.value import Seat, other

from .index import seen_by
from .rules import CELLS, Cell, Position

COLUMNS = len(CELLS)


def make_planes(position: Position, seat: Seat) -> bytes:
    """The seeds in the pits, the opponent's facing the own ones, and on whole planes what each side has captured."""
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


def make_encoding() -> Encoding[Position, Cell]:
    """The own pits in the direction of sowing."""
    return ENCODING
