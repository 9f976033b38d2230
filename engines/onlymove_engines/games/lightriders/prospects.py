"""The territories in numbers, to be read beside the picture: cells, and how long a rider can last in its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onlymove_engines.core.value import Seat

from .rules import EMPTY, Cell, Position
from .territory import beyond_chokes, distances, regions


def prospects(position: Position) -> Sequence[str]:
    """A line for each rider, and one for the cells that both reach at once; nothing once a rider has crashed."""
    heads = [position.head(seat) for seat in (0, 1)]
    if None in heads:
        return ()
    held, contested = regions(position), len(level(position))
    lines = [
        f"Rider {seat}: {len(held[seat])} cells, at most {longest_plan(position, seat, held[seat])} rounds in them"
        for seat in (0, 1)
    ]
    return (*lines, f"Contested: {contested} cell{'' if contested == 1 else 's'}")


def level(position: Position) -> set[Cell]:
    """The cells that both riders reach after as many steps."""
    first, second = distances(position, 0), distances(position, 1)
    return {cell for cell, steps in first.items() if second.get(cell) == steps}


def longest_plan(position: Position, seat: Seat, region: set[Cell]) -> int:
    """The most rounds that a rider can last within `region`: the cells before all choke points and those beyond one of
    them, as many as a path can use that changes the colour of the chessboard with every step."""
    head = position.head(seat)
    if head is None:
        return 0
    beyond = beyond_chokes(position, head, region)
    near = region - beyond
    return max(alternating(position, head, near | chamber) for chamber in (set[Cell](), *chambers(position, beyond)))


def chambers(position: Position, cells: set[Cell]) -> Iterator[set[Cell]]:
    """The connected parts of these cells."""
    rest = set(cells)
    while rest:
        found, front = set[Cell](), [rest.pop()]
        while front:
            cell = front.pop()
            found.add(cell)
            near = {each for each in position.around(cell) if each in rest and position.cells[each] == EMPTY}
            rest -= near
            front += near
        yield found


def alternating(position: Position, head: Cell, cells: set[Cell]) -> int:
    """How many of these cells a path from `head` can visit at most, by the colours alone."""
    dark = sum(divmod(head, position.width)) % 2
    same = sum(sum(divmod(cell, position.width)) % 2 == dark for cell in cells)
    return min(2 * (len(cells) - same), 2 * same + 1)
