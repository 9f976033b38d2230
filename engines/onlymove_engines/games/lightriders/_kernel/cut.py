"""A territory cut into chambers without a walk from cell to cell: fields of at most 256 cells; compiled.

The eight cells around a cell tell of most that they part nothing: its neighbours are joined around it. The others are
candidates, six in a hundred. What is left without them falls into rooms, found by a flood of bits each. No cell of a
room parts anything, so whether a candidate does is decided among a dozen nodes, candidates and rooms, by a walk
through those (Hopcroft and Tarjan 1973).

    the territory      candidates       nodes
    H . . # . .        H . . # . .      H - room - C - room
    . . . . . .        . . . C . .
    . . . # . .        . . . # . .
"""

import numpy as np

from onlymove_engines.search.bitset import ONE, ZERO, bit, lowest, popcount
from onlymove_engines.search.jit import inlined

from .field import U63, U64, grow4, is_set

ABOVE, GATE, DARKS, LIGHTS, EDGES, FRONT, OWN, TOTAL, TOTAL_EDGES, CONTACT = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
"""Rows of the table of chambers."""

CELL, NUMBER, LOW, PARENT, ORDER, CHAMBER, INDEX = 7, 8, 9, 10, 11, 12, 13
"""Rows of the nodes beside `DARKS` to `FRONT`; `INDEX`: of a candidate's cell its node."""

NODES = 64
"""More nodes do not fit into a word of links."""

CANDIDATES, ODD, TWO, FOUR = 0, 1, 2, 3
"""Boards of a survey: cells that may part the territory; of each cell the number of its neighbours, bit by bit."""


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
def _count_neighbours(r, below, above, w, not_first, not_last, k, boards):
    """The number of neighbours in the territory of each cell of its word k, as three boards."""
    v = U64 - w
    north, south = (r << w) | (below >> v), (r >> w) | (above << v)
    west, east = ((r << ONE) | (below >> U63)) & not_first, ((r >> ONE) | (above << U63)) & not_last
    x, y, p, q = north ^ south, west ^ east, north & south, west & east
    boards[ODD, k], boards[TWO, k], boards[FOUR, k] = (x ^ y) & r, (p ^ q ^ (x & y)) & r, p & q & r


@inlined
def survey(region, head, inner, size, boards):
    """Fill `boards`; whether no cell parts the territory, nor the head, which is not in it but always a candidate."""
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
    p0 = _parted(t0, n0, s0, ZERO, ZERO, ZERO, t1, n1, s1, inner[0, 0], inner[1, 0])
    p1 = _parted(t1, n1, s1, t0, n0, s0, t2, n2, s2, inner[0, 1], inner[1, 1])
    p2 = _parted(t2, n2, s2, t1, n1, s1, t3, n3, s3, inner[0, 2], inner[1, 2])
    p3 = _parted(t3, n3, s3, t2, n2, s2, ZERO, ZERO, ZERO, inner[0, 3], inner[1, 3])
    parted = boards[CANDIDATES]
    parted[0], parted[1], parted[2], parted[3] = p0, p1, p2, p3
    parted[k] |= h
    return (p0 | p1 | p2 | p3) == ZERO


@inlined
def _candidates(head, near, dark, touch, boards, nodes, links):
    """The candidates as nodes, the head first, linked with each other; how many, or NODES if they are too many."""
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
            if number == NODES:
                return NODES
            index[cell] = number
            links[number] = ZERO
            is_dark = is_set(dark, cell)
            nodes[DARKS, number], nodes[LIGHTS, number] = is_dark, not is_dark
            edges = is_set(boards[ODD], cell) + 2 * is_set(boards[TWO], cell) + 4 * is_set(boards[FOUR], cell)
            nodes[CELL, number], nodes[EDGES, number], nodes[FRONT, number] = cell, edges, is_set(touch, cell)
            number += 1
    for node in range(number):
        for way in (1, 3):  # down and right: every pair once
            beside = near[nodes[CELL, node], way]
            if beside >= 0 and is_set(parted, beside):
                other = index[beside]
                links[node] |= bit(other)
                links[other] |= bit(node)
    return number


@inlined
def _linked(word, k, room, index, links):
    """Link the candidates of word k, which lie beside a room, with it; they as a word of links."""
    found = ZERO
    while word != ZERO:
        node = index[64 * k + lowest(word)]
        word &= word - ONE
        links[node] |= bit(room)
        found |= bit(node)
    return found


@inlined
def _rooms(whole, region, touch, dark, inner, size, boards, number, nodes, links):
    """What is left without the candidates, a node for each connected part; how many nodes in all, at most NODES."""
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
        if number == NODES:
            return NODES + 1
        f0 = f1 = f2 = f3 = ZERO
        if whole:
            f0, f1, f2, f3 = r
        elif u2 != ZERO:  # from the middle of the field it is nearer to every edge
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
        beside = _linked(g0, 0, number, index, links) | _linked(g1, 1, number, index, links)
        links[number] = beside | _linked(g2, 2, number, index, links) | _linked(g3, 3, number, index, links)
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
        nodes[FRONT, number] = met != ZERO
        number += 1
    return number


@inlined
def _walk_nodes(number, nodes, links):
    """Depth first through the nodes from the head: order, parents, low points; uses up the links; nodes reached."""
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
def cut(region, touch, head, tools):
    """The chambers of a territory into `table`, parents before children; how many, the head's own included.

    0 where the territory has too many nodes.
    """
    near, inner, dark, size, boards = tools.near, tools.inner, tools.dark, tools.size, tools.survey
    nodes, links, table = tools.nodes, tools.links, tools.chambers
    whole = survey(region, head, inner, size, boards)
    candidates = _candidates(head, near, dark, touch, boards, nodes, links)
    if candidates == NODES:
        return 0
    number = _rooms(whole, region, touch, dark, inner, size, boards, candidates, nodes, links)
    if number > NODES:
        return 0
    visited = _walk_nodes(number, nodes, links)
    chamber, low, seen = nodes[CHAMBER], nodes[LOW], nodes[NUMBER]
    table[:7, 0] = 0
    table[GATE, 0] = head
    chamber[0] = 0
    chambers = 1
    for i in range(1, visited):
        node = nodes[ORDER, i]
        above = nodes[PARENT, node]
        at = chamber[above]
        if above < candidates and low[node] >= seen[above]:
            table[:7, chambers] = 0
            table[ABOVE, chambers] = at
            table[GATE, chambers] = nodes[CELL, above]
            at = chambers
            chambers += 1
        chamber[node] = at
        for row in range(DARKS, FRONT):
            table[row, at] += nodes[row, node]
        table[FRONT, at] |= nodes[FRONT, node]
    return chambers
