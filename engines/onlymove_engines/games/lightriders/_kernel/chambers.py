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

from onlymove_engines.compiled.bitset import ONE, ZERO, bit, lowest
from onlymove_engines.compiled.jit import allocation_free, inlined
from onlymove_engines.compiled.vectors import (
    add_words,
    count_bits,
    has_bits,
    lift_words,
    load4,
    only4,
    shift_down,
    shift_up,
    store4,
)

from .field import (
    ALLOWED,
    COLUMN,
    FILL_ALLOWED,
    FILL_GAVE_UP,
    FILL_LENGTH,
    FILL_NODES,
    LINE,
    WORDS,
    Tools,
    clear,
    fill_part,
    grow,
    is_set,
)

ABOVE, GATE, OWN, BEST = range(4)
"""Columns of the table of chambers: the chamber before this one, the cell that leads into it, what it is worth alone,
and the best plan from it on. OWN first holds the chamber's counts. The last two are then plans."""

LIGHTS, EDGES, ON_FRONT = 16, 32, 48
"""The first bits of numbers in packed counts: the dark cells from bit 0 on, the light cells, the neighbours that all
cells have, and how many cells are on the front."""

PLAN_CELLS, PLAN_EDGES = 32, 1
"""The first bits of numbers in a packed plan, so that the larger number is the better plan: its cells, and their
neighbours. Bit 0 says whether the plan touches the front."""

NEXT, CELL, NUMBER, LOW, PARENT, ORDER, CHAMBER, INDEX, BEGINS = range(9)
"""Rows of `tools.cells` in a walk. `NEXT` is the next way to try from a cell. `INDEX` maps the cell of a candidate to
its node. `BEGINS` says whether a chamber begins with the node."""

MAX_NODES = 64
"""The most nodes that a word of links can hold."""

CANDIDATES, ODD, TWO, FOUR, BESIDE, PAIRS = range(6)
"""Boards of a survey: the candidates, which may be cut cells, the number of neighbours of each cell as three bits, and
space for the candidates beside a part and for pairs of candidates."""

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
def _list_candidates(dark, touch, inner, size, boards, rows, counts, links):
    """Make a node for each candidate, and link neighbouring ones. Return the number of nodes, or MAX_NODES if there
    are too many."""
    parted, index, cells = boards[CANDIDATES], rows[INDEX], rows[CELL]
    number = 0
    for k in range(WORDS):
        word = parted[k]
        while word != ZERO:
            place = np.uint64(lowest(word))
            word &= word - ONE
            if number == MAX_NODES:
                return MAX_NODES
            edges = boards[ODD, k] >> place & ONE
            edges += (boards[TWO, k] >> place & ONE) << ONE
            edges += (boards[FOUR, k] >> place & ONE) << np.uint64(2)
            colour = ONE << (np.uint64(LIGHTS) * (~dark[k] >> place & ONE))
            front = touch[k] >> place & ONE
            counts[number] = colour | edges << np.uint64(EDGES) | front << np.uint64(ON_FRONT)
            cell = 64 * k + np.int64(place)
            index[cell], cells[number], links[number] = number, cell, ZERO
            number += 1
    p = load4(parted)
    _link_pairs(p & shift_down(p, 1) & load4(inner[1]), 1, boards[PAIRS], index, links)
    _link_pairs(p & shift_down(p, np.uint64(size[0])), size[0], boards[PAIRS], index, links)
    return number


@inlined
def _link_pairs(pairs, step, space, index, links):
    """Link each candidate on the board `pairs` with the one `step` cells behind it."""
    if not has_bits(pairs):
        return
    store4(pairs, space)
    for k in range(WORDS):
        word = space[k]
        while word != ZERO:
            cell = 64 * k + lowest(word)
            word &= word - ONE
            node, other = index[cell], index[cell + step]
            links[node] |= bit(other)
            links[other] |= bit(node)


@inlined
def _list_parts(whole, region, touch, dark, inner, size, boards, candidates, cells, counts, links):
    """Make a node for each connected part that is left without the candidates. Return the number of all nodes."""
    w = np.uint64(size[0])
    not_first, not_last = load4(inner[0]), load4(inner[1])
    p = load4(boards[CANDIDATES])
    beside_left, beside_right = p & not_last, p & not_first
    r = load4(region) & ~p
    left, right = r & not_last, r & not_first
    unseen = r
    contact, darks, beside = load4(touch), load4(dark), boards[BESIDE]
    odd, two, four = load4(boards[ODD]), load4(boards[TWO]), load4(boards[FOUR])
    number = candidates
    while has_bits(unseen):
        if number == MAX_NODES:
            return MAX_NODES + 1
        part = unseen if whole else fill_part(only4(pick_cell(unseen, beside)), r, left, right, w)
        unseen &= ~part
        store4(grow(part, p, beside_left, beside_right, w), beside)
        found = ZERO
        for node in range(candidates):
            is_beside = beside[cells[node] >> 6] >> np.uint64(cells[node] & 63) & ONE
            links[node] |= is_beside << np.uint64(number)
            found |= is_beside << np.uint64(node)
        links[number] = found
        edges = count_bits(part & odd) + lift_words(count_bits(part & two), 1) + lift_words(count_bits(part & four), 2)
        colours = count_bits(part & darks) + lift_words(count_bits(part & ~darks), LIGHTS)
        front = lift_words(count_bits(part & contact), ON_FRONT)
        counts[number] = add_words(colours + lift_words(edges, EDGES) + front)
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
def _walk_nodes(root, candidates, rows, links):
    """Walk depth first through the nodes from the root. Fill in orders and parents, and mark the nodes with which a
    chamber begins. Return how many nodes were reached. Only the first `candidates` nodes can separate parts."""
    number, low, parent, order, begins = rows[NUMBER], rows[LOW], rows[PARENT], rows[ORDER], rows[BEGINS]
    unseen = ~bit(root)
    number[root] = low[root] = visited = 1
    at = order[0] = root
    while True:
        word = links[at] & unseen
        if word != ZERO:
            node = lowest(word)
            unseen ^= bit(node)
            order[visited] = node
            visited += 1
            parent[node] = at
            number[node] = least = visited
            back = links[node] & ~unseen & ~bit(at)
            while back != ZERO:
                least = min(least, np.int64(number[lowest(back)]))
                back &= back - ONE
            low[node] = least
            at = node
        else:
            if at == root:
                return visited
            above = parent[at]
            begins[at] = above < candidates and low[at] >= number[above]
            low[above] = min(low[above], low[at])
            at = above


@inlined
def _chamber_tree(visited, head, tools):
    """Cut the visited nodes into chambers, parents before children, in `tools.chambers`. Return how many chambers there
    are, including number 0, which contains the head."""
    table, rows, counts = tools.chambers, tools.cells, tools.counts
    order, parent, chamber, begins = rows[ORDER], rows[PARENT], rows[CHAMBER], rows[BEGINS]
    table[0, ABOVE], table[0, GATE], table[0, OWN] = 0, head, 0
    chamber[order[0]] = 0
    chambers = 1
    for i in range(1, visited):
        node = order[i]
        above = parent[node]
        at = np.int64(chamber[above])
        if begins[node]:
            table[chambers, ABOVE], table[chambers, GATE], table[chambers, OWN] = at, rows[CELL, above], 0
            at = chambers
            chambers += 1
        chamber[node] = at
        table[at, OWN] += counts[node]
    return chambers


@inlined
def _walk_parts(region, touch, head, tools):
    """Walk depth first through the candidates and parts of a territory, as `_walk_nodes` does. Return how many nodes
    were reached, or 0 if there are too many."""
    inner, dark, size, boards = tools.inner, tools.dark, tools.size, tools.survey
    rows, counts, links = tools.cells, tools.counts, tools.links
    whole = mark_candidates(region, head, inner, size, boards)
    candidates = _list_candidates(dark, touch, inner, size, boards, rows, counts, links)
    if candidates == MAX_NODES:
        return 0
    number = _list_parts(whole, region, touch, dark, inner, size, boards, candidates, rows[CELL], counts, links)
    if number > MAX_NODES:
        return 0
    return _walk_nodes(np.int64(rows[INDEX, head]), candidates, rows, links)


@allocation_free
def _walk_cells(region, touch, head, tools):
    """Walk depth first through a territory of any size, as `_walk_nodes` does, with a node for each cell."""
    near, rows, counts = tools.near, tools.cells, tools.counts
    order, number, low, parent, following = rows[ORDER], rows[NUMBER], rows[LOW], rows[PARENT], rows[NEXT]
    number[:] = 0
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
            if number[cell] == 0:
                order[visited] = rows[CELL, cell] = cell
                visited += 1
                number[cell] = low[cell] = visited
                parent[cell] = at
                following[cell] = 0
                first = 0 if is_set(tools.dark, cell) else LIGHTS
                edges = count_ways(region, cell, near)
                counts[cell] = 1 << first | edges << EDGES | np.int64(is_set(touch, cell)) << ON_FRONT
                at = cell
            elif cell != parent[at]:
                low[at] = min(low[at], number[cell])
        else:
            if at == head:
                return visited
            above = parent[at]
            rows[BEGINS, at] = low[at] >= number[above]
            low[above] = min(low[above], low[at])
            at = above


@allocation_free
def cut_territory(rider, head, tools):
    """Cut a rider's territory into chambers, in `tools.chambers`. Return how many chambers there are, including number
    0, which contains the head."""
    region, touch = tools.own[rider], tools.touch[rider]
    visited = np.int64(0)
    if region.shape[0] == WORDS:
        visited = _walk_parts(region, touch, head, tools)
    if visited == 0:
        visited = _walk_cells(region, touch, head, tools)
    return _chamber_tree(visited, head, tools)


@inlined
def bound_path(darks, lights, gate_is_dark):
    """Return the most cells that a path can visit beyond a gate of this colour."""
    if gate_is_dark:
        return min(2 * lights, 2 * darks + 1)
    return min(2 * darks, 2 * lights + 1)


@allocation_free
def plan(rider: int, head: int, fronts: np.bool_, tools: Tools) -> tuple[int, int]:
    """Return how many cells the rider can hope to fill in its territory, and how many neighbours those cells have in
    it. `fronts` is PLAIN or BATTLEFRONT. Of equal plans, the one with more neighbours counts."""
    return weigh_plans(cut_territory(rider, head, tools), fronts, tools)


@inlined
def weigh_plans(chambers, fronts, tools):
    """Find the best plan through a territory that is already cut. Write what each chamber is worth and the best plan
    from it on to `tools.chambers`."""
    table, places = tools.chambers, tools.places
    for at in range(chambers):
        counts = table[at, OWN]
        darks, lights, edges = counts & 0xFFFF, counts >> LIGHTS & 0xFFFF, counts >> EDGES & 0xFFFF
        cells = bound_path(darks, lights, is_set(tools.dark, table[at, GATE]))
        touches = np.int64(fronts and counts >> ON_FRONT > 0)
        table[at, OWN] = table[at, BEST] = cells << PLAN_CELLS | edges << PLAN_EDGES | touches
    for at in range(chambers - 1, 0, -1):
        above, best = table[at, ABOVE], table[at, BEST]
        own = table[above, OWN]
        if best & 1:
            gate, entry = places[table[at, GATE]], places[table[above, GATE]]
            steps = abs(np.int64(gate[COLUMN] - entry[COLUMN])) + abs(np.int64(gate[LINE] - entry[LINE]))
            best += steps << PLAN_CELLS | 2 * steps << PLAN_EDGES
        else:
            best += own & ~1
        table[above, BEST] = max(table[above, BEST], best | (own & 1))
    best = table[0, BEST]
    return best >> PLAN_CELLS, (best & (1 << PLAN_CELLS) - 1) >> PLAN_EDGES


@inlined
def count_ways(region, cell, near):
    number = 0
    for way in range(4):
        beside = near[cell, way]
        if beside >= 0 and is_set(region, beside):
            number += 1
    return number


@allocation_free
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


@allocation_free
def fill(rider: int, at: int, length: int, tools: Tools) -> None:
    """Search every way to continue from `at` through the rider's territory, `length` cells into the line.

    The search is depth-first and uses the bound by chambers. It tries the cell with the fewest exits first, so that the
    first line it finds is already good.
    """
    stat, paths, region = tools.stat, tools.paths, tools.own[rider]
    stat[FILL_NODES] += 1
    if stat[FILL_NODES] > stat[FILL_ALLOWED] or stat[ALLOWED] == 0:
        stat[FILL_GAVE_UP] = 1
    if length > stat[FILL_LENGTH]:
        stat[FILL_LENGTH] = length
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
    stopped = stat[FILL_GAVE_UP] and length < stat[FILL_LENGTH]  # the first line is always followed to its end
    if number == 0 or stopped or length + plan(rider, at, BATTLEFRONT, tools)[0] <= stat[FILL_LENGTH]:
        return
    for k in range(number):
        cell = np.int64(steps[k])
        clear(region, cell)
        paths[TRIED, length] = cell
        fill(rider, cell, length + 1, tools)
        region[cell >> 6] |= ONE << np.uint64(cell & 63)
        if stat[FILL_GAVE_UP]:
            return


@allocation_free
def find_longest(rider: int, at: int, nodes: int, tools: Tools) -> tuple[int, int]:
    """Return bounds on the longest path from `at` through the rider's territory: the length of the path found, and an
    upper bound."""
    stat = tools.stat
    stat[FILL_LENGTH], stat[FILL_NODES], stat[FILL_ALLOWED], stat[FILL_GAVE_UP] = 0, 0, nodes, 0
    tools.touch[rider, :] = 0
    most = plan(rider, at, BATTLEFRONT, tools)[0]
    fill(rider, at, np.int64(0), tools)  # a literal would make a second form, which cannot be restored
    return stat[FILL_LENGTH], most if stat[FILL_GAVE_UP] else stat[FILL_LENGTH]
