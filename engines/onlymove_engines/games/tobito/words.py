"""A position for the ear."""

from __future__ import annotations

from .notation import NAMES
from .rules import CELLS, NEUTRAL, PAWN, SIDES, Position


def in_words(position: Position) -> list[str]:
    """Where each side's pawns stand.

    >>> from .rules import TOBITO, TOP
    >>> in_words(TOBITO.start_for(TOP))
    ['Top: a5 b5 c5.', 'Bottom: a1 b1 c1.']
    """
    owners = [*zip(SIDES, PAWN, strict=True), ("Neutral", NEUTRAL)]
    found = {who: [NAMES[cell] for cell in CELLS if position.cells[cell] == piece] for who, piece in owners}
    return [f"{who}: {' '.join(cells)}." for who, cells in found.items() if cells]
