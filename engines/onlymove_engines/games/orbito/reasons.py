"""Which rule forbids a move, in the words of the rules page: found target by target, as a move is entered."""

from __future__ import annotations

from collections.abc import Sequence

from onlymove_engines.core.rules import Target
from onlymove_engines.core.value import Seat

from .rules import BIT, NEIGHBOURS, Position

BESIDE = "up, down, left or right"


def forbidden_by(position: Position, seat: Seat, path: Sequence[Target]) -> str:
    """What forbids the first of these targets that cannot be chosen; else what is missing."""
    if any(cell not in BIT for cell in path):
        return "a cell is a file and a row, a1 to d4"
    first, *rest = path
    if position[seat] & BIT[first]:
        return "your own marbles stay: place one, and only move one marble of the opponent"
    if not position.occupied & BIT[first]:
        return f"{first} holds no marble of the opponent to move" if rest else ""
    if all(position.occupied & BIT[near] for near in NEIGHBOURS[first]):
        return f"{first} has no free cell beside it, {BESIDE}"
    return _pushing(position, first, rest)


def _pushing(position: Position, origin: Target, rest: Sequence[Target]) -> str:
    if not rest:
        return f"{origin} is not free: to move its marble, say where to and where yours goes"
    destination = rest[0]
    if destination not in NEIGHBOURS[origin]:
        return f"the opponent's marble goes to a free cell beside it, {BESIDE}"
    if position.occupied & BIT[destination]:
        return f"{destination} is not a free cell"
    if len(rest) == 1:
        return "now place one marble of your own on a free cell"
    if rest[1] == destination:
        return f"{destination} is not free: it is the one the marble went to"
    return "" if rest[1] == origin or not position.occupied & BIT[rest[1]] else f"{rest[1]} is not a free cell"
