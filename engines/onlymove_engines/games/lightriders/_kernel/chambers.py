"""Finds what a rider's territory is worth, compiled: its chambers, the best plan through them, and the longest path.

A territory is cut at its articulation points (cut cells) into chambers, which form a tree from the head. A rider cannot
come back through a cut cell, so a plan follows one branch of the tree. A chamber on the front, where the other rider is
near, counts its own cells and the steps to its gate. Any other chamber adds to the chamber before it. This is the
"battlefront" rule of Andy Sloane's Google AI Challenge winner (2010). Without a front, the sum is an upper bound on any
path, because steps alternate between the colours of a chessboard.

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

from onlymove_engines.search.bitset import ONE, ZERO, bit, lowest
from onlymove_engines.search.jit import inlined, lean
from onlymove_engines.search.vectors import add_words, count_bits, has_bits, load4, only4, shift_down, shift_up, store4

from .field import ALLOWED, WORDS, Tools, clear, grow, is_set

ABOVE, GATE, DARKS, LIGHTS, EDGES, ON_FRONT, OWN, TOTAL, TOTAL_EDGES, TOUCHES = range(10)
"""Rows of the table of chambers."""

NEXT, CELL, NUMBER, LOW, PARENT, ORDER, CHAMBER, INDEX = 6, 7, 8, 9, 10, 11, 12, 13
"""Rows of the node table that come after `DARKS` to `ON_FRONT`. `NEXT` is the next way to try from a cell. `INDEX` maps
the cell of a candidate to its node."""

MOST_NODES = 64
"""The most nodes that a word of links can hold."""

CANDIDATES, ODD, TWO, FOUR, BESIDE = range(5)
"""Boards of a survey: the candidates, which may be cut cells, the number of neighbours of each cell as three bits, and
space for the candidates beside a part."""

FILL_LENGTH, FILL_NODES, FILL_ALLOWED, FILL_GAVE_UP = range(4)
"""Indices in `tools.limit`: the longest length found, the nodes visited, the nodes allowed, and whether the fill gave
up."""

TRIED, FOUND = 0, 1
"""Rows of `tools.paths`: the line being tried, and the longest line found."""

PLAIN, BATTLEFRONT = np.bool_(False), np.bool_(True)
"""How plans are counted: as in the original program, which ignores contact, or with the battlefront rule."""


@inlined
def mark_candidates(region, head, inner, size, boards):
    """Fill `boards` with the candidates: the cells whose neighbours are not all connected around them, and the head,
    which is not part of the territory. Return True if no cell of the territory is a candidate, and the head does not
    cut it either."""
    w = np.uint64(size[0])
    not_first, not_last = load4(inner[0]), load4(inner[1])
    r = load4(region)
    north, south = shift_up(r, w), shift_down(r, w)
    west, east = shift_up(r, 1) & not_first, shift_down(r, 1) & not_last
    x, y, p, q = north ^ south, west ^ east, north & south, west & east
    store4((x ^ y) & r, boards[ODD])
    store4((p ^ q ^ (x & y)) & r, boards[TWO])
    store4(p & q & r, boards[FOUR])
    h = only4(head)
    t = r | h
    n, s = shift_up(t, w), shift_down(t, w)
    west, east = shift_up(t, 1) & not_first, shift_down(t, 1) & not_last
    nw, ne = shift_up(n, 1) & not_first, shift_down(n, 1) & not_last
    sw, se = shift_up(s, 1) & not_first, shift_down(s, 1) & not_last
    a, b, c, d = n & ne & east, east & se & s, s & sw & west, west & nw & n
    found = (n & s & ~((a & b) | (c & d))) | (east & west & ~((a & d) | (b & c)))
    found |= (n & east & ~a & ~(b & c & d)) | (east & s & ~b & ~(a & c & d))
    found |= (s & west & ~c & ~(a & b & d)) | (west & n & ~d & ~(a & b & c))
    found &= t
    store4(found | h, boards[CANDIDATES])
    return not has_bits(found)


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
def _count_common(first, second):
    return add_words(count_bits(first & second))


@inlined
def _list_parts(whole, region, touch, dark, inner, size, boards, number, nodes, links):
    """Make a node for each connected part that is left without the candidates. Return the number of all nodes."""
    w = np.uint64(size[0])
    not_first, not_last = load4(inner[0]), load4(inner[1])
    candidates = boards[CANDIDATES]
    p = load4(candidates)
    beside_left, beside_right = p & not_last, p & not_first
    r = load4(region) & ~p
    left, right = r & not_last, r & not_first
    unseen = r
    contact, darks, beside = load4(touch), load4(dark), boards[BESIDE]
    odd, two, four = load4(boards[ODD]), load4(boards[TWO]), load4(boards[FOUR])
    index = nodes[INDEX]
    while has_bits(unseen):
        if number == MOST_NODES:
            return MOST_NODES + 1
        part = unseen if whole else only4(pick_cell(unseen, beside))
        while not whole:
            grown = grow(part, r, left, right, w) | part
            if not has_bits(grown ^ part):
                break
            part = grown
        unseen &= ~part
        store4(grow(part, p, beside_left, beside_right, w), beside)
        links[number] = ZERO
        for k in range(4):
            links[number] |= _link(beside[k], k, number, index, links)
        dark_cells = _count_common(part, darks)
        nodes[DARKS, number] = dark_cells
        nodes[LIGHTS, number] = add_words(count_bits(part)) - dark_cells
        ones, twos, fours = _count_common(part, odd), _count_common(part, two), _count_common(part, four)
        nodes[EDGES, number] = ones + 2 * twos + 4 * fours
        nodes[ON_FRONT, number] = has_bits(part & contact)
        number += 1
    return number


@inlined
def pick_cell(cells, space):
    """Return a cell of a board that is not empty, from its middle rows if possible. Such a cell is nearer to every
    edge."""
    store4(cells, space)
    k = 2 if space[2] != ZERO else 1 if space[1] != ZERO else 3 if space[3] != ZERO else 0
    return 64 * k + lowest(space[k])


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
    """Cut the visited nodes into chambers, parents before children, in `tools.chambers`. Return how many chambers there
    are, including number 0, which contains the head. Only the first `candidates` nodes can separate parts."""
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
    """Cut a rider's territory into chambers, in `tools.chambers`. Return how many chambers there are, including number
    0, which contains the head."""
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
def greedy_fill(region, head, enough, near):
    """Return the length of one path from `head`, which is a lower bound on the longest path. The path always continues
    with the empty cell that has the fewest ways onward. It ends when it is longer than `enough`. `region` is changed.
    """
    length = 0
    at = head
    while length <= enough:
        best, fewest = -1, 9
        for way in range(4):
            cell = near[at, way]
            if cell < 0 or not is_set(region, cell):
                continue
            rank = count_ways(region, cell, near) or 8
            if rank < fewest:
                best, fewest = cell, rank
        if best < 0:
            break
        clear(region, best)
        length += 1
        at = best
    return length


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
