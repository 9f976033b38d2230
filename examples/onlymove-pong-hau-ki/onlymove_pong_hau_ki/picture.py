"""Pong Hau K'i's picture: five points, the lines between them, and the pieces."""

from __future__ import annotations

from onlymove.authoring import Place, Role, Scene, Sprite, Target, View

from .notation import NAMES
from .rules import EMPTY, PIECES, Point, Position

SPOTS = ((4, 6), (14, 6), (9, 3), (4, 0), (14, 0))
"""Column and row of each point."""

LINES = (
    "",
    r"|  \   /  |",
    r"|   \ /   |",
    r"|         |",
    r"|   / \   |",
    r"|  /   \  |",
    r"  -------  ",
)
ROLES = {PIECES[0]: Role.FIRST, PIECES[1]: Role.SECOND, EMPTY: Role.GRID}
WIDTH, HEIGHT = 17, 8


def scene(view: View[Position, Point]) -> Scene:
    """The board, with names of the columns below and of the rows on the left."""
    sprites = [Sprite(4, 0, LINES, Role.GRID)]
    sprites += [Sprite(1, row, (name,), Role.LABEL) for row, name in ((0, "3"), (3, "2"), (6, "1"))]
    sprites += [Sprite(column, 7, (name,), Role.LABEL) for column, name in ((4, "a"), (9, "b"), (14, "c"))]
    places = []
    for name, (column, row), piece in zip(NAMES, SPOTS, view.position.points, strict=True):
        sprites.append(Sprite(column, row, (piece,), ROLES[piece]))
        places.append(Place(name, column - 1, row, 3, 1, framed=False))
    return Scene(WIDTH, HEIGHT, tuple(sprites), tuple(places))


def between(view: View[Position, Point]) -> tuple[Scene, ...]:
    """Nothing moves on the way."""
    return ()


def trace(position: Position, move: Point) -> tuple[Target, ...]:
    """The point that the piece left."""
    return (NAMES[move],)
