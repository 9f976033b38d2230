"""What a rider's territory is worth: true articulation points, chambers beyond them, the chessboard bound; compiled.

A territory is cut at its articulation points into chambers, a tree from the head (chambers that reconnect are one:
no single cell parts them). Passing a choke point is for good, so a plan runs down one branch. A chamber that touches
the other rider's reach counts itself and the steps to its gate, any other adds to the chamber before it (the
"battlefront" rule of Andy Sloane's Google AI Challenge winner, 2010); the best plan counts. Without contact the same
sum is an upper bound on any path, because steps alternate between the colours of a chessboard.
"""

from typing import Any

import numpy as np

from onlymove_engines.search.bitset import ONE
from onlymove_engines.search.jit import inlined, lean

from .cut import ABOVE, CONTACT, DARKS, EDGES, FRONT, GATE, LIGHTS, OWN, TOTAL, TOTAL_EDGES, cut
from .field import WORDS, is_set

ORDER, NUMBER, LOW, PARENT, NEXT, CHAMBER, DEGREE = 3, 4, 5, 6, 7, 8, 9
"""Rows of the cells in a walk."""

PLAIN, BATTLEFRONT = np.bool_(False), np.bool_(True)
"""How plans are counted: as the seed has it, contact makes no difference; by the rule above."""


@inlined
def alternating(darks, lights, gate_is_dark):
    """The most cells a path can take beyond a gate of this colour."""
    if gate_is_dark:
        return min(2 * lights, 2 * darks + 1)
    return min(2 * darks, 2 * lights + 1)


@inlined
def walk(region, head, field, scratch):
    """Depth first through the territory (Hopcroft and Tarjan 1973): order, parents, low points; cells visited."""
    near, cells = field.near, scratch.cells
    order, number, low = cells[ORDER], cells[NUMBER], cells[LOW]
    parent, following, degree = cells[PARENT], cells[NEXT], cells[DEGREE]
    number[:] = 0
    visited = 1
    order[0] = head
    number[head] = low[head] = 1
    parent[head] = head
    following[head] = degree[head] = 0
    at = head
    while True:
        way = following[at]
        if way < 4:
            following[at] = way + 1
            cell = near[at, way]
            if cell < 0 or not (cell == head or is_set(region, cell)):
                continue
            if cell != head:
                degree[at] += 1
            if number[cell] == 0:
                order[visited] = cell
                visited += 1
                number[cell] = low[cell] = visited
                parent[cell] = at
                following[cell] = degree[cell] = 0
                at = cell
            elif cell != parent[at]:
                low[at] = min(low[at], number[cell])
        else:
            if at == head:
                return visited
            above = parent[at]
            low[above] = min(low[above], low[at])
            at = above


@inlined
def chamber_tree(touch, head, visited, field, scratch):
    """Cut the walked territory into chambers, parents before children; how many, the head's own 0 included."""
    cells, table = scratch.cells, scratch.chambers
    order, number, low, parent = cells[ORDER], cells[NUMBER], cells[LOW], cells[PARENT]
    chamber, degree = cells[CHAMBER], cells[DEGREE]
    table[:7, 0] = 0
    table[GATE, 0] = head
    chamber[head] = 0
    chambers = 1
    for i in range(1, visited):
        cell = order[i]
        above = parent[cell]
        if low[cell] >= number[above]:
            at = chambers
            chambers += 1
            table[:7, at] = 0
            table[ABOVE, at] = chamber[above]
            table[GATE, at] = above
        else:
            at = chamber[above]
        chamber[cell] = at
        if is_set(field.dark, cell):
            table[DARKS, at] += 1
        else:
            table[LIGHTS, at] += 1
        table[EDGES, at] += degree[cell]
        if is_set(touch, cell):
            table[FRONT, at] = 1
    return chambers


@lean
def chambers_of(rider, head, tools):
    """Cut a territory into chambers, in `tools.chambers`; how many, the head's own 0 included."""
    region, touch = tools.own[rider], tools.touch[rider]
    chambers = 0
    if region.shape[0] == WORDS:
        chambers = cut(region, touch, head, tools)
    if chambers == 0:
        chambers = walked(region, touch, head, tools)
    return chambers


@lean
def walked(region, touch, head, tools):
    """The same cell by cell."""
    return chamber_tree(touch, head, walk(region, head, tools, tools), tools, tools)


@lean
def worth(rider: int, head: int, fronts: np.bool_, tools: Any) -> tuple[int, int]:
    """How many cells the rider may hope to fill in its territory, and the sum of their degrees there.

    `fronts`: PLAIN or BATTLEFRONT. Of equal plans the one with more neighbours counts.
    """
    return weigh(chambers_of(rider, head, tools), fronts, tools)


@inlined
def weigh(chambers, fronts, tools):
    """The same once the territory is cut; `tools.chambers` knows the best plan from each chamber on."""
    table = tools.chambers
    width = tools.size[0]
    for at in range(chambers):
        dark_gate = is_set(tools.dark, table[GATE, at])
        table[OWN, at] = table[TOTAL, at] = alternating(table[DARKS, at], table[LIGHTS, at], dark_gate)
        table[TOTAL_EDGES, at] = table[EDGES, at]
        table[FRONT, at] &= fronts
        table[CONTACT, at] = table[FRONT, at]
    for at in range(chambers - 1, 0, -1):
        above = table[ABOVE, at]
        contact = table[CONTACT, at]
        if contact:
            gate, entry = table[GATE, at], table[GATE, above]
            steps = abs(gate % width - entry % width) + abs(gate // width - entry // width)
            cells = table[TOTAL, at] + steps
            edges = table[TOTAL_EDGES, at] + 2 * steps
        else:
            cells = table[TOTAL, at] + table[OWN, above]
            edges = table[TOTAL_EDGES, at] + table[EDGES, above]
        contact |= table[FRONT, above]
        if (cells, edges, contact) > (table[TOTAL, above], table[TOTAL_EDGES, above], table[CONTACT, above]):
            table[TOTAL, above] = cells
            table[TOTAL_EDGES, above] = edges
            table[CONTACT, above] = contact
    return table[TOTAL, 0], table[TOTAL_EDGES, 0]


@lean
def greedy_fill(region, head, field):
    """The length of one path from `head`: always the empty cell with the fewest ways onward; a lower bound.

    `region` is used up.
    """
    near = field.near
    length = 0
    at = head
    while True:
        best, fewest = -1, 9
        for way in range(4):
            cell = near[at, way]
            if cell < 0 or not is_set(region, cell):
                continue
            onward = 0
            for other in range(4):
                beyond = near[cell, other]
                if beyond >= 0 and is_set(region, beyond):
                    onward += 1
            rank = 8 if onward == 0 else onward
            if rank < fewest:
                best, fewest = cell, rank
        if best < 0:
            return length
        region[best >> 6] &= ~(ONE << np.uint64(best & 63))
        length += 1
        at = best
