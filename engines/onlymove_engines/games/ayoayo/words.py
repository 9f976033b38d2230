"""A position for the ear."""

from __future__ import annotations

from .rules import Position
from .trays import SEATS


def in_words(position: Position) -> list[str]:
    """The seeds of each side in pits 1 to 6, and what it has captured.

    >>> from .rules import START
    >>> in_words(START)
    ['First: pits 4 4 4 4 4 4; captured 0.', 'Second: pits 4 4 4 4 4 4; captured 0.']
    """
    return [
        f"{name}: pits {' '.join(map(str, position.row(seat)))}; captured {position.captured[seat]}."
        for seat, name in enumerate(SEATS)
    ]
