"""Which rule forbids a move, in the words of the rules page: found target by target, as a move is entered."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Seat

from .rules import PLACE, SIZE, TEAMS, Position
from .targets import CELLS, SIZES


def forbidden_by(position: Position, seat: Seat, path: Sequence[Target]) -> str:
    """What forbids the first of these targets that cannot be chosen; else what is missing."""
    size, *rest = path
    if size not in SIZES:
        return "first take a piece from your hand: 1 small, 2 middle, 3 large"
    piece = TEAMS[seat][SIZES.index(size)]
    if not position.hands[PLACE[piece]]:
        return f"no {size} piece is left in your hand"
    if all(SIZE[visible] >= SIZE[piece] for visible in position.cells):
        return f"no cell is empty, and nothing is smaller than a {size} piece"
    if not rest:
        return "now put it on an empty cell or on top of a smaller piece"
    if rest[0] in SIZES:
        return f"the {size} piece is in your hand already: now pick a cell, or Esc"
    if SIZE[position.cells[CELLS.index(rest[0])]] >= SIZE[piece]:
        return f"a {size} piece goes on an empty cell or on top of a smaller piece"
    return ""
