"""The rules of tic-tac-toe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from onlymove.authoring import GameOver, IllegalMove, Result, Seat, Symmetry, other

Cell = int
"""A cell is a number from 0 to 8, row by row from the top left."""

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


@dataclass(frozen=True, slots=True)
class Position:
    """The owner of each cell: seat 0, seat 1, or `None` if it is free."""

    owners: tuple[Seat | None, ...]


START = Position((None,) * 9)


def to_move(position: Position) -> Seat:
    """Return the side to move. Seat 0 begins, and the sides take turns."""
    return sum(owner is not None for owner in position.owners) % 2


def legal_moves(position: Position) -> Sequence[Cell]:
    """Return the free cells, always in the same order. There are none once the game is over."""
    if result(position) is not None:
        return ()
    return [cell for cell, owner in enumerate(position.owners) if owner is None]


def play(position: Position, move: Cell) -> Position:
    """Return the position after a move. Raises GameOver or IllegalMove, which says why in one line."""
    if result(position) is not None:
        raise GameOver("The game is over.")
    if move not in legal_moves(position):
        raise IllegalMove("That cell is taken.")
    owners = list(position.owners)
    owners[move] = to_move(position)
    return Position(tuple(owners))


def result(position: Position) -> Result | None:
    """Return how the game ended, or `None` while it goes on."""
    for line in LINES:
        owners = {position.owners[cell] for cell in line}
        if len(owners) == 1 and None not in owners:
            return Result(other(to_move(position)), reason="three in a row")
    return Result(None, reason="the board is full") if None not in position.owners else None


def turned(cells: tuple[int, ...]) -> Symmetry[Position, Cell]:
    """Return the symmetry that moves cell `cells[k]` to cell k."""
    return Symmetry(
        "to " + "".join(map(str, cells)),
        lambda position: Position(tuple(position.owners[cell] for cell in cells)),
        cells.index,
    )


QUARTER, MIRROR = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)


def all_symmetries() -> tuple[Symmetry[Position, Cell], ...]:
    """Return the four rotations and their mirror images. A game without symmetries does not need this."""
    found, cells = [], tuple(range(9))
    for _ in range(4):
        cells = tuple(cells[cell] for cell in QUARTER)
        found += [turned(cells), turned(tuple(cells[cell] for cell in MIRROR))]
    return tuple(found)


SYMMETRIES = all_symmetries()
