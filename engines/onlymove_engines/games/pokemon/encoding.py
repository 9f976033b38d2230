"""Moves as numbers and positions as planes. The side to move sees its own team first."""

from __future__ import annotations

from onlymove_engines.core.encoding import Encoding, mark_letter
from onlymove_engines.core.value import Seat, other

from .notation import SIZES
from .rules import PLACE, TEAMS, Placement, Position

CELLS = 9
MARKS = {piece: mark_letter(piece) for team in TEAMS for piece in team}


def make_planes(position: Position, seat: Seat) -> bytes:
    """Return planes that show where each piece is visible, followed by planes filled with the number of each piece left
    in hand."""
    cells, pieces = position.cells.encode(), TEAMS[seat] + TEAMS[other(seat)]
    seen = [cells.translate(MARKS[piece]) for piece in pieces]
    return b"".join(seen + [bytes((position.hands[PLACE[piece]],)) * CELLS for piece in pieces])


def list_moves(seat: Seat) -> tuple[Placement, ...]:
    return tuple(Placement(piece, cell) for cell in range(CELLS) for piece in TEAMS[seat])


ENCODING: Encoding[Position, Placement] = Encoding(
    moves=(list_moves(0), list_moves(1)),
    channels=(
        *(f"{whose} {size}" for whose in ("own", "other") for size in SIZES),
        *(f"{whose} {size} in hand" for whose in ("own", "other") for size in SIZES),
    ),
    rows=3,
    columns=3,
    planes=make_planes,
)
