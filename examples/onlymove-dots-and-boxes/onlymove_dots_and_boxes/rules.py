"""The rules of Dots and Boxes. A move draws one line. A player who closes a box gets it and moves again.

Source: E. Lucas, L'arithmétique amusante, 1895.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from onlymove.authoring import GameOver, IllegalMove, Result, Seat, Symmetry, other

ROWS, COLUMNS = 2, 2
"""The boxes from bottom to top and from left to right."""
WIDTH, HEIGHT = 2 * COLUMNS + 1, 2 * ROWS + 1

Line: TypeAlias = int
"""The number of a line. Lines are numbered row by row from below: first the horizontal ones, then the vertical ones."""

Spot: TypeAlias = tuple[int, int]
"""A column and a row of the picture. Dots, lines and boxes alternate there."""
ACROSS: Final = [(x, y) for y in range(0, HEIGHT, 2) for x in range(1, WIDTH, 2)]
UPRIGHT: Final = [(x, y) for y in range(1, HEIGHT, 2) for x in range(0, WIDTH, 2)]
SPOTS: Final = (*ACROSS, *UPRIGHT)
"""Where each line is."""
BOXES: Final = {
    (x, y): sum(1 << SPOTS.index(spot) for spot in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)))
    for y in range(1, HEIGHT, 2)
    for x in range(1, WIDTH, 2)
}
"""The lines around each box, as bits."""
AROUND: Final = [[box for box in BOXES.values() if box >> line & 1] for line in range(len(SPOTS))]
"""The boxes beside each line."""
ALL: Final = (1 << len(SPOTS)) - 1


class Position(NamedTuple):
    """The lines that are drawn, as bits, who moves, and the boxes of both players."""

    lines: int
    seat: Seat
    boxes: tuple[int, int]


START = Position(0, 0, (0, 0))


def to_move(position: Position) -> Seat:
    """Who moves; after the end, who drew the last line."""
    return position.seat


def legal_moves(position: Position) -> Sequence[Line]:
    """The lines that are not drawn, in order."""
    return [line for line in range(len(SPOTS)) if not position.lines >> line & 1]


def play(position: Position, move: Line) -> Position:
    """The position after a move. Raises GameOver or IllegalMove."""
    if position.lines == ALL:
        raise GameOver("the game is over: all lines are drawn")
    if not 0 <= move < len(SPOTS) or position.lines >> move & 1:
        raise IllegalMove("that line is already drawn")
    lines, seat, (first, second) = position.lines | 1 << move, position.seat, position.boxes
    closed = sum(lines & box == box for box in AROUND[move])
    if not closed:
        return Position(lines, other(seat), position.boxes)
    return Position(lines, seat, (first, second + closed) if seat else (first + closed, second))


def result(position: Position) -> Result | None:
    """The player with more boxes wins."""
    if position.lines != ALL:
        return None
    first, second = position.boxes
    winner = None if first == second else 0 if first > second else 1
    return Result(winner, position.boxes, "all lines are drawn")


def points(position: Position) -> tuple[int, int]:
    return position.boxes


def points_left(position: Position) -> int:
    return len(BOXES) - sum(position.boxes)


def make_symmetry(name: str, image: Callable[[int, int], Spot]) -> Symmetry[Position, Line]:
    """The symmetry that takes every spot to its image."""
    places = [SPOTS.index(image(x, y)) for x, y in SPOTS]

    def map_position(position: Position) -> Position:
        lines = sum(1 << to for line, to in enumerate(places) if position.lines >> line & 1)
        return position._replace(lines=lines)

    return Symmetry(name, map_position, places.__getitem__)


def swap(position: Position) -> Position:
    first, second = position.boxes
    return Position(position.lines, other(position.seat), (second, first))


SYMMETRIES: tuple[Symmetry[Position, Line], ...] = (
    make_symmetry("left-right mirror", lambda x, y: (WIDTH - 1 - x, y)),
    make_symmetry("top-bottom mirror", lambda x, y: (x, HEIGHT - 1 - y)),
    Symmetry("players swapped", swap, lambda move: move, swaps_seats=True),
)
if ROWS == COLUMNS:
    SYMMETRIES += (make_symmetry("diagonal mirror", lambda x, y: (y, x)),)
