"""Makes random fields on which the riders cannot meet."""

from __future__ import annotations

import random
from collections.abc import Callable

from onlymove_engines.games.lightriders.rules import Position
from onlymove_engines.games.lightriders.territory import are_separated


def make_separated_fields(dice: random.Random, make: Callable[..., Position], count: int) -> list[Position]:
    """Return fields on which the riders cannot meet, with at most 24 empty cells."""
    found: list[Position] = []
    while len(found) < count:
        field = make(dice, 4, 8, 0.3)
        column = dice.randrange(1, field.width - 1)
        cells = ["x" if at % field.width == column else sign for at, sign in enumerate(field.cells)]
        position = Position(field.width, field.height, "".join(cells))
        if are_separated(position) and 4 <= position.cells.count(".") <= 24:
            found.append(position)
    return found
