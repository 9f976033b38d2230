"""Whether a game can lead to a position, found by taking moves back. Needs no table; slower than one.

The last move put a visible piece of the side not to move on its cell, which showed nothing or one of the smaller
pieces that are covered now. Nobody had won before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from .rules import EACH, EMPTY, KINDS, PLACE, SIZE, START, TEAM_OF, Position, full_lines


def can_be_reached(position: Position) -> bool:
    """Whether some sequence of legal moves leads from the start to `position`."""
    if position == START:
        return True
    hidden = {kind: EACH - position.hands[PLACE[kind]] - position.cells.count(kind) for kind in KINDS}
    if hidden["c"] or hidden["C"]:
        return False
    return _can_be_reached(position)


@lru_cache(maxsize=1 << 16)
def _can_be_reached(position: Position) -> bool:
    return position == START or any(map(_can_be_reached, _before(position)))


def _before(position: Position) -> Iterator[Position]:
    """The positions from which one legal move leads here, those that uncover something first."""
    cells, hands, seat = position
    hidden = [k for k in KINDS if hands[PLACE[k]] + cells.count(k) < EACH]
    for shown in (*hidden, EMPTY):
        for cell, piece in enumerate(cells):
            if piece == EMPTY or TEAM_OF[piece] == seat or SIZE[piece] <= SIZE[shown]:
                continue
            earlier = cells[:cell] + shown + cells[cell + 1 :]
            place = PLACE[piece]
            if not full_lines(earlier):
                yield Position(earlier, (*hands[:place], hands[place] + 1, *hands[place + 1 :]), 1 - seat)
