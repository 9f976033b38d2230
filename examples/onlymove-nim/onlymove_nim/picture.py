"""Nim's picture: a stroke for each one that is left, and the numbers that can be taken."""

from __future__ import annotations

from onlymove.authoring import Place, Role, Scene, Sprite, Target, View

from .notation import HEAPS
from .rules import START, Position, Take

NUMBERS = range(1, max(START.heaps) + 1)
WIDTH, HEIGHT = 4 + 4 * len(NUMBERS), 2 + 2 * len(HEAPS)


def scene(view: View[Position, Take]) -> Scene:
    """A row for each heap, and one of numbers below them."""
    sprites, places = [], []
    for row, (name, left) in enumerate(zip(HEAPS, view.position.heaps, strict=True)):
        sprites.append(Sprite(1, 1 + 2 * row, (name,), Role.LABEL))
        sprites.append(Sprite(5, 1 + 2 * row, ("   ".join("|" * left),), Role.NEUTRAL))
        places.append(Place(name, 4, 1 + 2 * row, WIDTH - 5, 1, label=(1, 0), framed=False))
    for number in NUMBERS:
        sprites.append(Sprite(1 + 4 * number, HEIGHT - 1, (str(number),), Role.LABEL))
        places.append(Place(str(number), 4 * number, HEIGHT - 1, 3, 1, framed=False))
    return Scene(WIDTH, HEIGHT, tuple(sprites), tuple(places))


def between(view: View[Position, Take]) -> tuple[Scene, ...]:
    """Nothing moves on the way."""
    return ()


def trace(position: Position, move: Take) -> tuple[Target, ...]:
    """The heap that was taken from."""
    return (HEAPS[move.heap],)
