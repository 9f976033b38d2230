"""A position for the ear."""

from __future__ import annotations

from .rules import EMPTY, Cell, Position, Step

DIRECTIONS: dict[Step, str] = {"u": "up", "d": "down", "l": "left", "r": "right"}


def in_words(position: Position) -> list[str]:
    """Where each rider is, counted from the top left, and how far it could go straight on.

    >>> in_words(Position(4, 2, "0..." "x..1"))[0]
    'Rider 0: column 1, row 1; free up 0, down 0, left 0, right 3.'
    """
    found = []
    for seat in (0, 1):
        head = position.head(seat)
        if head is None:
            found.append(f"Rider {seat}: crashed.")
            continue
        row, column = divmod(head, position.width)
        free = ", ".join(f"{name} {free_ahead(position, head, step)}" for step, name in DIRECTIONS.items())
        found.append(f"Rider {seat}: column {column + 1}, row {row + 1}; free {free}.")
    return found


def free_ahead(position: Position, cell: Cell, step: Step) -> int:
    """How many empty cells lie ahead of `cell` in a straight line."""
    count, ahead = 0, position.beside(cell, step)
    while ahead is not None and position.cells[ahead] == EMPTY:
        count, ahead = count + 1, position.beside(ahead, step)
    return count
