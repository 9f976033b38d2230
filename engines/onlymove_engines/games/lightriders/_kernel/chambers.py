"""What a rider's territory is worth: its chambers, the best plan through them, and the longest path. Compiled.

A territory is cut at its articulation points (cut cells) into chambers, which form a tree from the head. Chambers that
are connected in another way count as one. A rider cannot come back through a choke point, so a plan follows one branch.
A chamber on the front, where the other rider is near, counts its own cells and the steps to its gate. Any other chamber
adds to the chamber before it. This is the "battlefront" rule of Andy Sloane's Google AI Challenge winner (2010). The
best plan counts. Without a front, the same sum is an upper bound on any path, because steps alternate between the
colours of a chessboard.

On fields of at most 256 cells, a territory is cut without a walk from cell to cell. The eight cells around most cells
show that these cut nothing, because their neighbours are connected around them. The others, about 6 %, are candidates.
Without the candidates, the territory falls into parts, and each part is found by flooding with bits. No cell inside a
part can be a cut cell. So a walk through about a dozen nodes, candidates and parts, decides which candidates are cut
cells (Hopcroft and Tarjan 1973).

    the territory      candidates       nodes
    H . . # . .        H . . # . .      H - part - C - part
    . . . . . .        . . . C . .
    . . . # . .        . . . # . .
"""

from __future__ import annotations

import numpy as np

from onlymove_engines.search.bitset import ONE, ZERO, bit, lowest, popcount
from onlymove_engines.search.jit import inlined, lean

from .field import ALLOWED, U63, U64, WORDS, Tools, clear, grow4, is_set

ABOVE, GATE, DARKS, LIGHTS, EDGES, ON_FRONT, OWN, TOTAL, TOTAL_EDGES, TOUCHES = range(10)
"""Rows of the table of chambers."""

NEXT, CELL, NUMBER, LOW, PARENT, ORDER, CHAMBER, INDEX = 6, 7, 8, 9, 10, 11, 12, 13
"""Rows of the node table that come after `DARKS` to `ON_FRONT`. `NEXT` is the next way to try from a cell. `INDEX` maps
the cell of a candidate to its node."""

MOST_NODES = 64
"""The most nodes that a word of links can hold."""

CANDIDATES, ODD, TWO, FOUR = range(4)
"""Boards of a survey: the candidates, which may be cut cells, and the number of neighbours of each cell as three
bits."""

FILL_LENGTH, FILL_NODES, FILL_ALLOWED, FILL_GAVE_UP = range(4)
"""Indices in `tools.limit`: the longest length found, the nodes visited, the nodes allowed, and whether the fill gave
up."""

TRIED, FOUND = 0, 1
"""Rows of `tools.paths`: the line being tried, and the longest line found."""

PLAIN, BATTLEFRONT = np.bool_(False), np.bool_(True)
"""How plans are counted: as in the original program, which ignores contact, or with the battlefront rule."""


@inlined
def _find_cut_cells(t, n, s, t_below, n_below, s_below, t_above, n_above, s_above, not_first, not_last):
    """Return the cells of one word that may be cut cells, because their neighbours are not all connected around them.
    `_below` and `_above` are the words before and after it."""
    west, east = ((t << ONE) | (t_below >> U63)) & not_first, ((t >> ONE) | (t_above << U63)) & not_last
    nw, ne = ((n << ONE) | (n_below >> U63)) & not_first, ((n >> ONE) | (n_above << U63)) & not_last
    sw, se = ((s << ONE) | (s_below >> U63)) & not_first, ((s >> ONE) | (s_above << U63)) & not_last
    a, b, c, d = n & ne & east, east & se & s, s & sw & west, west & nw & n
    found = (n & s & ~((a & b) | (c & d))) | (east & west & ~((a & d) | (b & c)))
    found |= (n & east & ~a & ~(b & c & d)) | (east & s & ~b & ~(a & c & d))
    found |= (s & west & ~c & ~(a & b & d)) | (west & n & ~d & ~(a & b & c))
    return found & t


@inlined
def _count_neighbours(r, below, above, w, not_first, not_last, k, boards):
    """Count, for each cell of word `k` of the territory, its neighbours in the territory. The counts are written as
    three boards of bits."""
    v = U64 - w
    north, south = (r << w) | (below >> v), (r >> w) | (above << v)
    west, east = ((r << ONE) | (below >> U63)) & not_first, ((r >> ONE) | (above << U63)) & not_last
    x, y, p, q = north ^ south, west ^ east, north & south, west & east
    boards[ODD, k], boards[TWO, k], boards[FOUR, k] = (x ^ y) & r, (p ^ q ^ (x & y)) & r, p & q & r


@inlined
def mark_candidates(region, head, inner, size, boards):
    """Fill `boards` with the candidates. Return True if no cell of the territory is a candidate, and the head does not
    cut it either. The head is not part of the territory but is always a candidate."""
    w = np.uint64(size[0])
    r = (region[0], region[1], region[2], region[3])
    _count_neighbours(r[0], ZERO, r[1], w, inner[0, 0], inner[1, 0], 0, boards)
    _count_neighbours(r[1], r[0], r[2], w, inner[0, 1], inner[1, 1], 1, boards)
    _count_neighbours(r[2], r[1], r[3], w, inner[0, 2], inner[1, 2], 2, boards)
    _count_neighbours(r[3], r[2], ZERO, w, inner[0, 3], inner[1, 3], 3, boards)
    h, k = bit(head & 63), head >> 6
    t0 = r[0] | h if k == 0 else r[0]
    t1 = r[1] | h if k == 1 else r[1]
    t2 = r[2] | h if k == 2 else r[2]
    t3 = r[3] | h if k == 3 else r[3]
    v = U64 - w
    n0, n1, n2, n3 = t0 << w, (t1 << w) | (t0 >> v), (t2 << w) | (t1 >> v), (t3 << w) | (t2 >> v)
    s0, s1, s2, s3 = (t0 >> w) | (t1 << v), (t1 >> w) | (t2 << v), (t2 >> w) | (t3 << v), t3 >> w
    p0 = _find_cut_cells(t0, n0, s0, ZERO, ZERO, ZERO, t1, n1, s1, inner[0, 0], inner[1, 0])
    p1 = _find_cut_cells(t1, n1, s1, t0, n0, s0, t2, n2, s2, inner[0, 1], inner[1, 1])
    p2 = _find_cut_cells(t2, n2, s2, t1, n1, s1, t3, n3, s3, inner[0, 2], inner[1, 2])
    p3 = _find_cut_cells(t3, n3, s3, t2, n2, s2, ZERO, ZERO, ZERO, inner[0, 3], inner[1, 3])
    parted = boards[CANDIDATES]
    parted[0], parted[1], parted[2], parted[3] = p0, p1, p2, p3
    parted[k] |= h
    return (p0 | p1 | p2 | p3) == ZERO


@inlined
def _list_candidates(head, near, dark, touch, boards, nodes, links):
    """Make a node for each candidate, beginning with the head, and link neighbouring ones. Return the number of nodes,
    or MOST_NODES if there are too many."""
    parted, index = boards[CANDIDATES], nodes[INDEX]
    links[0] = ZERO
    index[head] = 0
    nodes[CELL, 0] = head
    number = 1
    for k in range(4):
        word = parted[k]
        while word != ZERO:
            cell = 64 * k + lowest(word)
            word &= word - ONE
            if cell == head:
                continue
            if number == MOST_NODES:
                return MOST_NODES
            index[cell] = number
            links[number] = ZERO
            is_dark = is_set(dark, cell)
            nodes[DARKS, number], nodes[LIGHTS, number] = is_dark, not is_dark
            edges = is_set(boards[ODD], cell) + 2 * is_set(boards[TWO], cell) + 4 * is_set(boards[FOUR], cell)
            nodes[CELL, number], nodes[EDGES, number], nodes[ON_FRONT, number] = cell, edges, is_set(touch, cell)
            number += 1
    for node in range(number):
        for way in (1, 3):  # down and right, so that every pair comes once
            beside = near[nodes[CELL, node], way]
            if beside >= 0 and is_set(parted, beside):
                other = index[beside]
                links[node] |= bit(other)
                links[other] |= bit(node)
    return number


@inlined
def _link(word, k, part, index, links):
    found = ZERO
    while word != ZERO:
        node = index[64 * k + lowest(word)]
        word &= word - ONE
        links[node] |= bit(part)
        found |= bit(node)
    return found


@inlined
def _list_parts(whole, region, touch, dark, inner, size, boards, number, nodes, links):
    """Make a node for each connected part that is left without the candidates. Return the number of all nodes."""
    w = np.uint64(size[0])
    p = (boards[CANDIDATES, 0], boards[CANDIDATES, 1], boards[CANDIDATES, 2], boards[CANDIDATES, 3])
    q = (p[0] & inner[1, 0], p[1] & inner[1, 1], p[2] & inner[1, 2], p[3] & inner[1, 3])
    o = (p[0] & inner[0, 0], p[1] & inner[0, 1], p[2] & inner[0, 2], p[3] & inner[0, 3])
    r = (region[0] & ~p[0], region[1] & ~p[1], region[2] & ~p[2], region[3] & ~p[3])
    left = (r[0] & inner[1, 0], r[1] & inner[1, 1], r[2] & inner[1, 2], r[3] & inner[1, 3])
    right = (r[0] & inner[0, 0], r[1] & inner[0, 1], r[2] & inner[0, 2], r[3] & inner[0, 3])
    u0, u1, u2, u3 = r
    index = nodes[INDEX]
    while (u0 | u1 | u2 | u3) != ZERO:
        if number == MOST_NODES:
            return MOST_NODES + 1
        f0 = f1 = f2 = f3 = ZERO
        if whole:
            f0, f1, f2, f3 = r
        elif u2 != ZERO:  # a cell in the middle of the field is nearer to every edge
            f2 = u2 & (~u2 + ONE)
        elif u1 != ZERO:
            f1 = u1 & (~u1 + ONE)
        elif u3 != ZERO:
            f3 = u3 & (~u3 + ONE)
        else:
            f0 = u0 & (~u0 + ONE)
        while not whole:
            g0, g1, g2, g3 = grow4(f0, f1, f2, f3, r, left, right, w)
            g0, g1, g2, g3 = g0 | f0, g1 | f1, g2 | f2, g3 | f3
            if ((g0 ^ f0) | (g1 ^ f1) | (g2 ^ f2) | (g3 ^ f3)) == ZERO:
                break
            f0, f1, f2, f3 = g0, g1, g2, g3
        u0, u1, u2, u3 = u0 & ~f0, u1 & ~f1, u2 & ~f2, u3 & ~f3
        g0, g1, g2, g3 = grow4(f0, f1, f2, f3, p, q, o, w)
        beside = _link(g0, 0, number, index, links) | _link(g1, 1, number, index, links)
        links[number] = beside | _link(g2, 2, number, index, links) | _link(g3, 3, number, index, links)
        darks = popcount(f0 & dark[0]) + popcount(f1 & dark[1]) + popcount(f2 & dark[2]) + popcount(f3 & dark[3])
        nodes[DARKS, number] = darks
        nodes[LIGHTS, number] = popcount(f0) + popcount(f1) + popcount(f2) + popcount(f3) - darks
        edges = 0
        for plane in (ODD, TWO, FOUR):
            b = boards[plane]
            some = popcount(f0 & b[0]) + popcount(f1 & b[1]) + popcount(f2 & b[2]) + popcount(f3 & b[3])
            edges += some << (plane - ODD)
        nodes[EDGES, number] = edges
        met = (f0 & touch[0]) | (f1 & touch[1]) | (f2 & touch[2]) | (f3 & touch[3])
        nodes[ON_FRONT, number] = met != ZERO
        number += 1
    return number


@inlined
def _walk_nodes(number, nodes, links):
    """Walk depth first through the nodes from the head. Fill in orders, parents and low points, use up the links, and
    return how many nodes were reached."""
    seen, low, parent, order = nodes[NUMBER], nodes[LOW], nodes[PARENT], nodes[ORDER]
    for node in range(number):
        seen[node] = 0
    seen[0] = low[0] = visited = 1
    at = order[0] = 0
    while True:
        word = links[at]
        if word != ZERO:
            links[at] = word & (word - ONE)
            node = lowest(word)
            if seen[node] == 0:
                order[visited] = node
                visited += 1
                seen[node] = low[node] = visited
                parent[node] = at
                links[node] &= ~bit(at)
                at = node
            else:
                low[at] = min(low[at], seen[node])
        else:
            if at == 0:
                return visited
            above = parent[at]
            low[above] = min(low[above], low[at])
            at = above


@inlined
def _chamber_tree(rows, candidates, visited, head, tools):
    """Cut the walked nodes into chambers, parents before children, in `tools.chambers`. Return how many there are,
    including number 0, which is the head's own. Only the first `candidates` nodes can separate parts."""
    table = tools.chambers
    order, number, low, parent, chamber = rows[ORDER], rows[NUMBER], rows[LOW], rows[PARENT], rows[CHAMBER]
    table[:7, 0] = 0
    table[GATE, 0] = head
    chamber[order[0]] = 0
    chambers = 1
    for i in range(1, visited):
        node = order[i]
        above = parent[node]
        at = chamber[above]
        if above < candidates and low[node] >= number[above]:
            table[:7, chambers] = 0
            table[ABOVE, chambers] = at
            table[GATE, chambers] = rows[CELL, above]
            at = chambers
            chambers += 1
        chamber[node] = at
        for row in range(DARKS, ON_FRONT):
            table[row, at] += rows[row, node]
        table[ON_FRONT, at] |= rows[ON_FRONT, node]
    return chambers


@inlined
def cut_by_words(region, touch, head, tools):
    """Cut a territory into chambers. Return how many there are, or 0 if it has too many nodes."""
    inner, dark, size, boards = tools.inner, tools.dark, tools.size, tools.survey
    nodes, links = tools.nodes, tools.links
    whole = mark_candidates(region, head, inner, size, boards)
    candidates = _list_candidates(head, tools.near, dark, touch, boards, nodes, links)
    if candidates == MOST_NODES:
        return 0
    number = _list_parts(whole, region, touch, dark, inner, size, boards, candidates, nodes, links)
    if number > MOST_NODES:
        return 0
    return _chamber_tree(nodes, candidates, _walk_nodes(number, nodes, links), head, tools)


@lean
def cut_by_cells(region, touch, head, tools):
    """Cut the territory into chambers on a field of any size, by a walk from cell to cell."""
    return _chamber_tree(tools.cells, tools.near.shape[0], _walk_cells(region, touch, head, tools), head, tools)


@inlined
def _walk_cells(region, touch, head, tools):
    """Walk depth first through the territory from the head. Fill in orders, parents and low points, and return how many
    cells were reached."""
    near, rows = tools.near, tools.cells
    order, number, low, parent, following = rows[ORDER], rows[NUMBER], rows[LOW], rows[PARENT], rows[NEXT]
    number[:] = 0
    rows[EDGES] = 0
    visited = 1
    at = order[0] = rows[CELL, head] = head
    number[head] = low[head] = 1
    following[head] = 0
    while True:
        way = following[at]
        if way < 4:
            following[at] = way + 1
            cell = near[at, way]
            if cell < 0 or not (cell == head or is_set(region, cell)):
                continue
            if cell != head:
                rows[EDGES, at] += 1
            if number[cell] == 0:
                order[visited] = rows[CELL, cell] = cell
                visited += 1
                number[cell] = low[cell] = visited
                parent[cell] = at
                following[cell] = 0
                is_dark = is_set(tools.dark, cell)
                rows[DARKS, cell], rows[LIGHTS, cell], rows[ON_FRONT, cell] = is_dark, not is_dark, is_set(touch, cell)
                at = cell
            elif cell != parent[at]:
                low[at] = min(low[at], number[cell])
        else:
            if at == head:
                return visited
            above = parent[at]
            low[above] = min(low[above], low[at])
            at = above


@lean
def cut_territory(rider, head, tools):
    """Cut a rider's territory into chambers, in `tools.chambers`. Return how many there are, including number 0, which
    is the head's own."""
    region, touch = tools.own[rider], tools.touch[rider]
    chambers = 0
    if region.shape[0] == WORDS:
        chambers = cut_by_words(region, touch, head, tools)
    if chambers == 0:
        chambers = cut_by_cells(region, touch, head, tools)
    return chambers


@inlined
def bound_path(darks, lights, gate_is_dark):
    """Return the most cells that a path can visit beyond a gate of this colour."""
    if gate_is_dark:
        return min(2 * lights, 2 * darks + 1)
    return min(2 * darks, 2 * lights + 1)


@lean
def plan(rider: int, head: int, fronts: np.bool_, tools: Tools) -> tuple[int, int]:
    """Return how many cells the rider can hope to fill in its territory, and how many neighbours those cells have in
    it. `fronts` is PLAIN or BATTLEFRONT. Of equal plans, the one with more neighbours counts."""
    return weigh_plans(cut_territory(rider, head, tools), fronts, tools)


@inlined
def weigh_plans(chambers, fronts, tools):
    """Find the best plan through a territory that is already cut. Write the best plan from each chamber to
    `tools.chambers`."""
    table = tools.chambers
    width = tools.size[0]
    for at in range(chambers):
        dark_gate = is_set(tools.dark, table[GATE, at])
        table[OWN, at] = table[TOTAL, at] = bound_path(table[DARKS, at], table[LIGHTS, at], dark_gate)
        table[TOTAL_EDGES, at] = table[EDGES, at]
        table[ON_FRONT, at] &= fronts
        table[TOUCHES, at] = table[ON_FRONT, at]
    for at in range(chambers - 1, 0, -1):
        above = table[ABOVE, at]
        contact = table[TOUCHES, at]
        if contact:
            gate, entry = table[GATE, at], table[GATE, above]
            steps = abs(gate % width - entry % width) + abs(gate // width - entry // width)
            cells = table[TOTAL, at] + steps
            edges = table[TOTAL_EDGES, at] + 2 * steps
        else:
            cells = table[TOTAL, at] + table[OWN, above]
            edges = table[TOTAL_EDGES, at] + table[EDGES, above]
        contact |= table[ON_FRONT, above]
        if (cells, edges, contact) > (table[TOTAL, above], table[TOTAL_EDGES, above], table[TOUCHES, above]):
            table[TOTAL, above] = cells
            table[TOTAL_EDGES, above] = edges
            table[TOUCHES, above] = contact
    return table[TOTAL, 0], table[TOTAL_EDGES, 0]


@inlined
def count_ways(region, cell, near):
    number = 0
    for way in range(4):
        beside = near[cell, way]
        if beside >= 0 and is_set(region, beside):
            number += 1
    return number


@lean
def greedy_fill(region, head, near):
    """Return the length of one path from `head`, which is a lower bound on the longest path. The path always continues
    with the empty cell that has the fewest ways onward. `region` is changed."""
    length = 0
    at = head
    while True:
        best, fewest = -1, 9
        for way in range(4):
            cell = near[at, way]
            if cell < 0 or not is_set(region, cell):
                continue
            rank = count_ways(region, cell, near) or 8
            if rank < fewest:
                best, fewest = cell, rank
        if best < 0:
            return length
        clear(region, best)
        length += 1
        at = best


@lean
def fill(rider: int, at: int, length: int, tools: Tools) -> None:
    """Search every way to continue from `at` through the rider's territory, `length` cells into the line.

    The search is depth-first and uses the bound by chambers. It tries the cell with the fewest exits first, so that the
    first line it finds is already good.
    """
    limit, paths, region = tools.limit, tools.paths, tools.own[rider]
    limit[FILL_NODES] += 1
    if limit[FILL_NODES] > limit[FILL_ALLOWED] or tools.stat[ALLOWED] == 0:
        limit[FILL_GAVE_UP] = 1
    if length > limit[FILL_LENGTH]:
        limit[FILL_LENGTH] = length
        for k in range(length):
            paths[FOUND, k] = paths[TRIED, k]
    steps, ranks = tools.fills[length, 0], tools.fills[length, 1]
    number = 0
    for way in range(4):
        cell = tools.near[at, way]
        if cell < 0 or not is_set(region, cell):
            continue
        rank = count_ways(region, cell, tools.near) or 9
        k = number
        while k > 0 and ranks[k - 1] > rank:
            ranks[k], steps[k] = ranks[k - 1], steps[k - 1]
            k -= 1
        ranks[k], steps[k] = rank, cell
        number += 1
    stopped = limit[FILL_GAVE_UP] and length < limit[FILL_LENGTH]  # the first line is always followed to its end
    if number == 0 or stopped or length + plan(rider, at, BATTLEFRONT, tools)[0] <= limit[FILL_LENGTH]:
        return
    for k in range(number):
        cell = np.int64(steps[k])
        clear(region, cell)
        paths[TRIED, length] = cell
        fill(rider, cell, length + 1, tools)
        region[cell >> 6] |= ONE << np.uint64(cell & 63)
        if limit[FILL_GAVE_UP]:
            return


@lean
def find_longest(rider: int, at: int, nodes: int, tools: Tools) -> tuple[int, int]:
    """Return bounds on the longest path from `at` through the rider's territory: the length of the path found, and an
    upper bound."""
    limit = tools.limit
    limit[FILL_LENGTH], limit[FILL_NODES], limit[FILL_ALLOWED], limit[FILL_GAVE_UP] = 0, 0, nodes, 0
    tools.touch[rider, :] = 0
    most = plan(rider, at, BATTLEFRONT, tools)[0]
    fill(rider, at, np.int64(0), tools)  # a literal would make a second form, which cannot be restored
    return limit[FILL_LENGTH], most if limit[FILL_GAVE_UP] else limit[FILL_LENGTH]
