"""Numbers for moves and planes for positions, for programs that learn. A game can do without this module."""

from __future__ import annotations

from onlymove.authoring import Encoding, Seat, other

from .rules import Cell, Position

CELLS = tuple(range(9))


def make_planes(position: Position, seat: Seat) -> bytes:
    """Return two planes: 1 for each of the player's own cells, then 1 for each of the opponent's. Cells are listed row
    by row from the top left."""
    return bytes(owner == side for side in (seat, other(seat)) for owner in position.owners)


def make_encoding() -> Encoding[Position, Cell]:
    """Number the moves by their cells. Both sides use the same numbers."""
    return Encoding(moves=(CELLS, CELLS), channels=("own", "other"), rows=3, columns=3, planes=make_planes)
