"""The rules of Pong Hau K'i, a children's game from China: two pieces each on five points, one of them empty.

A move takes a piece along a line to the empty point. A player who cannot move has lost.
Source: R. C. Bell, Board and Table Games from Many Civilizations, volume 2, 1969.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from onlymove.authoring import GameOver, IllegalMove, Result, Seat, Symmetry, other

Point: TypeAlias = int
"""0 to 4, as in the picture. There is no line between 3 and 4."""

#   3     4
#   | \ / |
#   |  2  |
#   | / \ |
#   0 --- 1
LINES = ((1, 2, 3), (0, 2, 4), (0, 1, 3, 4), (0, 2), (1, 2))
"""The points beside each point."""

PIECES = "xo"
EMPTY = "."


class Position(NamedTuple):
    """What stands on each point, and who moves."""

    points: str
    seat: Seat


START = Position("xx.oo", 0)


def to_move(position: Position) -> Seat:
    """Who moves; after the end, who would."""
    return position.seat


def legal_moves(position: Position) -> Sequence[Point]:
    """The points whose piece can go to the empty one, in ascending order."""
    points, seat = position
    return [point for point in LINES[points.index(EMPTY)] if points[point] == PIECES[seat]]


def play(position: Position, move: Point) -> Position:
    """The position after a move. Raises GameOver or IllegalMove."""
    moves = legal_moves(position)
    if not moves:
        raise GameOver("the game is over: no piece can move")
    if move not in moves:
        raise IllegalMove("no piece of yours can go from there to the empty point")
    points = list(position.points)
    points[points.index(EMPTY)], points[move] = points[move], EMPTY
    return Position("".join(points), other(position.seat))


def result(position: Position) -> Result | None:
    """A player who cannot move has lost."""
    return None if legal_moves(position) else Result(other(position.seat), reason="no piece can move")


MIRRORED = (1, 0, 2, 4, 3)


def mirror(position: Position) -> Position:
    return Position("".join(position.points[point] for point in MIRRORED), position.seat)


MIRROR: Symmetry[Position, Point] = Symmetry("left-right mirror", mirror, lambda move: MIRRORED[move])
