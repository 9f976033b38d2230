"""A position for the ear."""

from __future__ import annotations

from .notation import SPELLED_CELLS
from .rules import BIT, CellSet, Position

SIDES = ("White", "Black")


def in_words(position: Position) -> list[str]:
    """Where each side's marbles lie, now and after the next shift.

    >>> from .notation import NOTATION
    >>> in_words(NOTATION.parse_position("WB../..../..../.... W"))
    ['White: a4; after the next shift a3.', 'Black: b4; after the next shift a4.']
    """
    pairs = zip(SIDES, position, position.shifted(), strict=True)
    return [
        f"{side}: {listed(now)}; after the next shift {listed(coming)}." if now else f"{side}: none."
        for side, now, coming in pairs
    ]


def listed(marbles: CellSet) -> str:
    """The cells of some marbles, by file and row."""
    return " ".join(cell for cell in sorted(SPELLED_CELLS) if marbles & BIT[cell])
