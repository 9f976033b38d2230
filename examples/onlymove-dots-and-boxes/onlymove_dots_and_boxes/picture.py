"""The picture of Dots and Boxes: the dots, the lines that are drawn, and the boxes that are closed."""

from __future__ import annotations

from onlymove.authoring import Place, Role, Scene, Sprite, Target, View

from .notation import NAMES
from .rules import BOXES, HEIGHT, SPOTS, WIDTH, Line, Position, Spot

LEFT = 4
ACROSS, UPRIGHT, CLOSED = "---", "|", "#"


def place(spot: Spot) -> Spot:
    """The column and row of a spot on the screen."""
    x, y = spot
    return LEFT + 3 * x, HEIGHT - 1 - y


def scene(view: View[Position, Line]) -> Scene:
    """The board, with the names of its columns below and of its rows on the left."""
    lines, sprites, places = view.position.lines, list[Sprite](), list[Place]()
    for y in range(HEIGHT):
        sprites.append(Sprite(1, HEIGHT - 1 - y, (str(y + 1),), Role.LABEL))
    for x in range(WIDTH):
        sprites.append(Sprite(place((x, 0))[0], HEIGHT + 1, (chr(ord("a") + x),), Role.LABEL))
    for x in range(0, WIDTH, 2):
        sprites += [Sprite(*place((x, y)), ("o",), Role.GRID) for y in range(0, HEIGHT, 2)]
    for name, spot, number in zip(NAMES, SPOTS, range(len(SPOTS)), strict=True):
        column, row = place(spot)
        mark = (ACROSS if spot[0] % 2 else UPRIGHT) if lines >> number & 1 else "."
        sprites.append(Sprite(column - len(mark) // 2, row, (mark,), Role.NEUTRAL if len(mark) > 1 else Role.GRID))
        places.append(Place(name, column - 1, row, 3, 1, framed=False))
    sprites += [Sprite(*place(spot), (CLOSED,), Role.NEUTRAL) for spot, box in BOXES.items() if lines & box == box]
    return Scene(LEFT + 3 * WIDTH, HEIGHT + 2, tuple(sprites), tuple(places))


def between(view: View[Position, Line]) -> tuple[Scene, ...]:
    """Nothing moves on the way."""
    return ()


def trace(position: Position, move: Line) -> tuple[Target, ...]:
    """The line that was drawn."""
    return (NAMES[move],)
