"""Numbers for moves and planes for positions, for programs that learn. A game can leave this out."""

from __future__ import annotations

from onlymove.authoring import Encoding, Seat, other

from .rules import Cell, Position

CELLS = tuple(range(9))


def make_planes(position: Position, seat: Seat) -> bytes:
    """1 for each own cell, then 1 for each cell of the other side, row by row from the top left."""
    return bytes(owner == side for side in (seat, other(seat)) for owner in position.owners)


def make_encoding() -> Encoding[Position, Cell]:
    """The number of a move is its cell, for both sides."""
    return Encoding(moves=(CELLS, CELLS), channels=("own", "other"), rows=3, columns=3, planes=make_planes)
