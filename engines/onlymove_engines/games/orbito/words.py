"""A position for the ear."""

from __future__ import annotations

from .notation import SPELLED_CELLS
from .rules import BIT, FULL, RULES, CellSet, Position, at_rest, extra_shifts

SIDES = ("White", "Black")


def in_words(position: Position) -> list[str]:
    """Where each side's marbles lie, now and after the next shift; when the game is over, as they finally lie.

    >>> from .notation import NOTATION
    >>> in_words(NOTATION.parse_position("WB../..../..../.... W"))
    ['White: a4; after the next shift a3.', 'Black: b4; after the next shift a4.']
    """
    if RULES.result(position) is not None:
        return finally_lying(position)
    pairs = zip(SIDES, position, position.shifted(), strict=True)
    return [
        f"{side}: {listed(now)}; after the next shift {listed(coming)}." if now else f"{side}: none."
        for side, now, coming in pairs
    ]


def finally_lying(position: Position) -> list[str]:
    """The marbles of a finished game; a full board is told after its extra shifts, as it is shown."""
    extra = extra_shifts(position) if position.occupied == FULL else 0
    after = f", after {extra} extra shift{'s' * (extra > 1)}" if extra else ""
    return [f"{side}: {listed(marbles)}{after}." for side, marbles in zip(SIDES, at_rest(position), strict=True)]


def listed(marbles: CellSet) -> str:
    """The cells of some marbles, by file and row."""
    return " ".join(cell for cell in sorted(SPELLED_CELLS) if marbles & BIT[cell])
