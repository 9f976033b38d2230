"""A position for the ear."""

from __future__ import annotations

from .rules import PLACE, TEAMS, Position
from .scene import NAMES
from .targets import CELL_NAMES, SIZES


def in_words(position: Position) -> list[str]:
    """What each side shows on the board and has in hand; a cell is its column and row, as in a move.

    >>> from .rules import START
    >>> in_words(START)[0]
    'Squirtle: none on the board; in hand 2 small a, 2 middle b, 2 large c.'
    """
    return [
        f"{name}: {', '.join(shown(position, team)) or 'none on the board'}; in hand {in_hand(position, team)}."
        for name, team in zip(NAMES, TEAMS, strict=True)
    ]


def shown(position: Position, team: str) -> list[str]:
    """The visible pieces of a team, the largest last."""
    return [
        f"{size} {piece} on {cell}"
        for size, piece in zip(SIZES, team, strict=True)
        for cell, visible in zip(CELL_NAMES, position.cells, strict=True)
        if visible == piece
    ]


def in_hand(position: Position, team: str) -> str:
    """The pieces that a team has left."""
    left = {f"{size} {piece}": position.hands[PLACE[piece]] for size, piece in zip(SIZES, team, strict=True)}
    return ", ".join(f"{count} {name}" for name, count in left.items() if count) or "nothing"
