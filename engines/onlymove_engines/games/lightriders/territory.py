"""Finds which rider reaches each cell first, and which cells are beyond a choke point. It is plain Python, for the
screen. A test checks that the faster kernels find the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from onlymove_engines.core.value import Seat

from .rules import EMPTY, RULES, Cell, Position, neighbours


@dataclass(frozen=True, slots=True)
class Control:
    """The rider that reaches a cell first, and whether every way there passes a choke point."""

    seat: Seat
    beyond: bool


def measure_distances(position: Position, seat: Seat) -> dict[Cell, int]:
    """Count the steps from the rider's head to every empty cell that it can reach. The head itself is left out."""
    head = position.head(seat)
    reached: dict[Cell, int] = {}
    front = [] if head is None else [head]
    steps, table = 0, neighbours(position.width, position.height)
    while front:
        steps += 1
        near = {n for cell in front for n in table[cell]}
        front = [cell for cell in sorted(near) if position.cells[cell] == EMPTY and cell not in reached]
        reached.update(dict.fromkeys(front, steps))
    return reached


def find_reachable(position: Position) -> set[Cell]:
    return {*measure_distances(position, 0), *measure_distances(position, 1)}


def are_separated(position: Position) -> bool:
    """Whether both riders are on the field and no empty cell can be reached by both."""
    return RULES.result(position) is None and measure_distances(position, 0).keys().isdisjoint(
        measure_distances(position, 1)
    )


def find_regions(position: Position) -> tuple[set[Cell], set[Cell]]:
    """Return the cells that each rider reaches before the other."""
    first, second = measure_distances(position, 0), measure_distances(position, 1)
    far = position.width * position.height
    own = {cell for cell, steps in first.items() if steps < second.get(cell, far)}
    return own, {cell for cell, steps in second.items() if steps < first.get(cell, far)}


def find_beyond_chokes(position: Position, head: Cell, region: set[Cell]) -> set[Cell]:
    """Return the cells of `region` that can be reached from `head` only through some other single cell of it.

    Uses depth-first search with low points (Hopcroft and Tarjan 1973). If a subtree has no way past its parent, it can
    only be reached through the parent.
    """
    order, low, parent = {head: 0}, {head: 0}, {head: head}
    stack = [(head, iter(position.list_neighbours(head)))]
    while stack:
        cell, rest = stack[-1]
        near = next((n for n in rest if n in region or n == head), None)
        if near is None:
            stack.pop()
            low[parent[cell]] = min(low[parent[cell]], low[cell])
        elif near not in order:
            order[near] = low[near] = len(order)
            parent[near] = cell
            stack.append((near, iter(position.list_neighbours(near))))
        elif near != parent[cell]:
            low[cell] = min(low[cell], order[near])
    beyond: set[Cell] = set()
    for cell in order:
        above = parent[cell]
        if above != head and (above in beyond or low[cell] >= order[above]):
            beyond.add(cell)
    return beyond


@lru_cache(8)
def map_control(position: Position) -> Mapping[Cell, Control]:
    """Return the map for the overlay: every cell that one rider reaches first."""
    found: dict[Cell, Control] = {}
    for seat, region in enumerate(find_regions(position)):
        head = position.head(seat)
        if head is not None:
            beyond = find_beyond_chokes(position, head, region)
            found.update({cell: Control(seat, cell in beyond) for cell in region})
    return found
