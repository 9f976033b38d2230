"""What a rider's territory is worth: true articulation points, chambers beyond them, the chessboard bound; compiled.

A territory is cut at its articulation points into chambers, a tree from the head (chambers that reconnect are one:
no single cell parts them). Passing a choke point is for good, so a plan runs down one branch. A chamber that touches
the other rider's reach counts itself and the steps to its gate, any other adds to the chamber before it (the
"battlefront" rule of Andy Sloane's Google AI Challenge winner, 2010); the best plan counts. Without contact the same
sum is an upper bound on any path, because steps alternate between the colours of a chessboard.
"""

import numpy as np

from onlymove_engines.search.bits import popcount
from onlymove_engines.search.jit import inlined, lean

from .exact import ONE, ZERO
from .field import U63, U64, WORDS, count, is_set

ORDER, NUMBER, LOW, PARENT, NEXT, CHAMBER, DEGREE = 3, 4, 5, 6, 7, 8, 9
ABOVE, GATE, DARKS, LIGHTS, EDGES, FRONT, OWN, TOTAL, TOTAL_EDGES = 0, 1, 2, 3, 4, 5, 6, 7, 8


@inlined
def alternating(darks, lights, gate_is_dark):
    """The most cells a path can take beyond a gate of this colour."""
    if gate_is_dark:
        return min(2 * lights, 2 * darks + 1)
    return min(2 * darks, 2 * lights + 1)


@inlined
def _down(r, k, w):
    """Word k of a board shifted so that every cell holds what was above it."""
    word = r[k] << w
    if k > 0:
        word |= r[k - 1] >> (U64 - w)
    return word


@inlined
def _up(r, k, w):
    """Word k of a board shifted so that every cell holds what was below it."""
    word = r[k] >> w
    if k + 1 < r.shape[0]:
        word |= r[k + 1] << (U64 - w)
    return word


@inlined
def looks_whole(region, head, field):
    """True only if no cell of the territory, nor the head, can part it: decided by the eight cells around each.

    Also returns twice the number of neighbouring pairs of cells in the territory.
    """
    w = np.uint64(field.size[0])
    inner = field.inner
    r = (region[0], region[1], region[2], region[3])
    h = ONE << np.uint64(head & 63)
    k = head >> 6
    t0 = r[0] | h if k == 0 else r[0]
    t1 = r[1] | h if k == 1 else r[1]
    t2 = r[2] | h if k == 2 else r[2]
    t3 = r[3] | h if k == 3 else r[3]
    v = U64 - w
    n0, n1, n2, n3 = t0 << w, (t1 << w) | (t0 >> v), (t2 << w) | (t1 >> v), (t3 << w) | (t2 >> v)
    s0, s1, s2, s3 = (t0 >> w) | (t1 << v), (t1 >> w) | (t2 << v), (t2 >> w) | (t3 << v), t3 >> w
    parted = _parted(t0, n0, s0, ZERO, ZERO, ZERO, t1, n1, s1, inner[0, 0], inner[1, 0])
    parted |= _parted(t1, n1, s1, t0, n0, s0, t2, n2, s2, inner[0, 1], inner[1, 1])
    parted |= _parted(t2, n2, s2, t1, n1, s1, t3, n3, s3, inner[0, 2], inner[1, 2])
    parted |= _parted(t3, n3, s3, t2, n2, s2, ZERO, ZERO, ZERO, inner[0, 3], inner[1, 3])
    edges = popcount(r[0] & _down(r, 0, w)) + popcount(r[0] & _down(r, 0, ONE) & inner[0, 0])
    edges += popcount(r[1] & _down(r, 1, w)) + popcount(r[1] & _down(r, 1, ONE) & inner[0, 1])
    edges += popcount(r[2] & _down(r, 2, w)) + popcount(r[2] & _down(r, 2, ONE) & inner[0, 2])
    edges += popcount(r[3] & _down(r, 3, w)) + popcount(r[3] & _down(r, 3, ONE) & inner[0, 3])
    return parted == ZERO, 2 * edges


@inlined
def _parted(t, n, s, t_below, n_below, s_below, t_above, n_above, s_above, not_first, not_last):
    """The cells of one word whose neighbours are not joined around them; `_below`: the word before, `_above`: after."""
    west, east = ((t << ONE) | (t_below >> U63)) & not_first, ((t >> ONE) | (t_above << U63)) & not_last
    nw, ne = ((n << ONE) | (n_below >> U63)) & not_first, ((n >> ONE) | (n_above << U63)) & not_last
    sw, se = ((s << ONE) | (s_below >> U63)) & not_first, ((s >> ONE) | (s_above << U63)) & not_last
    a, b, c, d = n & ne & east, east & se & s, s & sw & west, west & nw & n
    found = (n & s & ~((a & b) | (c & d))) | (east & west & ~((a & d) | (b & c)))
    found |= (n & east & ~a & ~(b & c & d)) | (east & s & ~b & ~(a & c & d))
    found |= (s & west & ~c & ~(a & b & d)) | (west & n & ~d & ~(a & b & c))
    return found & t


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
    for at in range(chambers):
        dark_gate = is_set(field.dark, table[GATE, at])
        table[OWN, at] = alternating(table[DARKS, at], table[LIGHTS, at], dark_gate)
        table[TOTAL, at] = table[OWN, at]
        table[TOTAL_EDGES, at] = table[EDGES, at]
    return chambers


@inlined
def best_plan(chambers, field, scratch):
    """The most cells, and their degrees, of a plan down the tree of chambers."""
    table = scratch.chambers
    width = field.size[0]
    for at in range(chambers - 1, 0, -1):
        above = table[ABOVE, at]
        if table[FRONT, at]:
            gate, entry = table[GATE, at], table[GATE, above]
            steps = abs(gate % width - entry % width) + abs(gate // width - entry // width)
            cells = table[TOTAL, at] + steps
            edges = table[TOTAL_EDGES, at] + 2 * steps
        else:
            cells = table[TOTAL, at] + table[OWN, above]
            edges = table[TOTAL_EDGES, at] + table[EDGES, above]
        if cells > table[TOTAL, above]:
            table[TOTAL, above] = cells
            table[TOTAL_EDGES, above] = edges
            if table[FRONT, at]:
                table[FRONT, above] = 1
    return table[TOTAL, 0], table[TOTAL_EDGES, 0]


@inlined
def plain_plan(chambers, scratch):
    """The most cells of a path down the tree of chambers: each counts with the best one beyond it."""
    table = scratch.chambers
    for at in range(chambers - 1, 0, -1):
        above = table[ABOVE, at]
        table[TOTAL, above] = max(table[TOTAL, above], table[TOTAL, at] + table[OWN, above])
    return table[TOTAL, 0]


@inlined
def in_one_piece(region, head, field):
    """The most cells of a path through a territory that no cell parts."""
    darks = 0
    for k in range(region.shape[0]):
        darks += popcount(region[k] & field.dark[k])
    return alternating(darks, count(region) - darks, is_set(field.dark, head))


@inlined
def plain_worth(rider: int, head: int, field, scratch) -> int:
    """The same by chambers alone, as the seed has it: cells only, and contact makes no difference."""
    region, touch = scratch.own[rider], scratch.touch[rider]
    if region.shape[0] == WORDS and looks_whole(region, head, field)[0]:
        return in_one_piece(region, head, field)
    visited = walk(region, head, field, scratch)
    return plain_plan(chamber_tree(touch, head, visited, field, scratch), scratch)


@inlined
def worth(rider: int, head: int, field, scratch) -> tuple[int, int]:
    """How many cells the rider may hope to fill in its territory, and the sum of their degrees there."""
    region, touch = scratch.own[rider], scratch.touch[rider]
    if region.shape[0] == WORDS:
        whole, edges = looks_whole(region, head, field)
        if whole:
            return in_one_piece(region, head, field), edges
    visited = walk(region, head, field, scratch)
    chambers = chamber_tree(touch, head, visited, field, scratch)
    return best_plan(chambers, field, scratch)


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
