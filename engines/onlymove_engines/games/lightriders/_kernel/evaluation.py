"""Evaluates leaves of a search: who fills longer if the riders are separated, and an estimate if they can still meet.

Values are expected results from -1 to 1. They are fitted to the results of games, so that values for separated riders
and for open positions can be compared and mixed. Estimates come from a small neural net with 30 figures about each
territory. The first of them depend on the territory alone:

    REACH                       the cells the rider reaches first
    CELLS, DEGREES              its best plan through the chambers: cells, and how many neighbours they have
    FRONT                       its cells next to one that the other rider reaches no later
    ONES, TWOS, THREES          how many of its cells have one, two or three neighbours in its territory
    SECOND                      the best plan behind another of the head's ways, 0 if all lead into one chamber
    LARGEST, DISPUTED           the largest chamber; the cells of all chambers on the front
    MAIN, BEYOND, NEXT          the first chamber of the best plan; the best and second-best plans behind it
    SIDE, OTHER_SIDE            the largest and second-largest side of the territory
    QUIET                       the cells of the sides that do not touch the front
    PARTS, CONTACT, EXPOSED     how many chambers; whether the best plan, and its first chamber, touch the front
    BUSY                        how many sides touch the front
    FRONTS                      how many pieces the front has, less the holes in them; they may join at corners
    WAYS, EDGE, CENTRE          free cells beside the head; its steps to the nearest edge; twice those to the centre
    STEPS, GROWTH ...           the sum of the steps to its cells; how many are 1 or 2 steps away, 3 to 5, ... to 14

The sides of a territory are the parts that are left without the cells near the head, which are at most two columns and
two rows from it. Numbers of cells are shares of all cells that one rider reaches first. The net reads the sums of both
riders' figures, their differences as each rider sees them, the number of open cells, and the rounds until the fronts
meet. The result is the difference of both riders' views, so a symmetric position is worth 0, and swapping the riders
changes the sign.

    62 inputs -> 96 units -> 16 units, each max(0, weighted sum) -> lead

The weights in `net.txt` are fitted to searches and results of games that the engine played against itself
(`benchmarks/fitting`).
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from onlymove_engines.search.bitset import ONE, popcount
from onlymove_engines.search.jit import Array, inlined, lean
from onlymove_engines.search.vectors import (
    add_numbers,
    add_words,
    clip32,
    count_bits,
    fill32,
    fill_halves,
    has_bits,
    load4,
    load32,
    only4,
    prefetch,
    shift_down,
    shift_up,
    shift_words,
    store32,
)

from .chambers import (
    ABOVE,
    BATTLEFRONT,
    BESIDE,
    FILL_NODES,
    ODD,
    ON_FRONT,
    OWN,
    PLAIN,
    TOTAL,
    TOTAL_EDGES,
    TOUCHES,
    TWO,
    count_ways,
    cut_territory,
    find_longest,
    greedy_fill,
    pick_cell,
    plan,
    weigh_plans,
)
from .field import (
    BELIEVED,
    BLOCKS,
    FIGURES,
    FILLS,
    MEETING,
    NODES,
    OPEN,
    SEEN_BITS,
    UNITS,
    WORDS,
    Tools,
    copy,
    count,
    grow,
    is_set,
)

FLOOD: Final = 0
"""Evaluate a leaf by the number of cells that each rider reaches first."""

CHAMBERS: Final = 1
"""Evaluate a leaf by the best plan through the chambers, as in the original program."""

FITTED: Final = 2
"""Evaluate a leaf with a small neural net, from chambers with the battlefront rule and the shapes of both
territories."""

LAST: Final = 3
"""Do not evaluate leaves, because the game is drawn after this many rounds (`max_rounds`)."""

REACH, CELLS, DEGREES, FRONT, ONES, TWOS, THREES, SECOND, LARGEST, DISPUTED, MAIN, BEYOND, NEXT = range(13)
SIDE, OTHER_SIDE, QUIET, PARTS, CONTACT, EXPOSED, BUSY, FRONTS, WAYS, EDGE, CENTRE, STEPS, GROWTH = range(13, 26)
SHAPE, PLAIN_FROM, PLAIN_TO = WAYS, PARTS, STEPS
"""How many figures depend on the territory alone, and the range of figures that are not shares of cells."""

SIZE, MEET, BIAS, BLOCK = 2 * FIGURES, 2 * FIGURES + 1, 2 * FIGURES + 2, 2 * FIGURES + 3
"""Rows of a block of the first layer after those of the figures: the open cells, the rounds until the fronts meet, and
the constants. A block has BLOCK rows, and the blocks follow each other."""

SECOND_LAYER = BLOCKS * BLOCK
"""The first row of the second layer, which has a row for each unit of the first."""

SECOND_BIAS, OUT = SECOND_LAYER + BLOCKS * UNITS, SECOND_LAYER + BLOCKS * UNITS + 1
"""Rows of the net for the second layer's constants and for the weight of each of its units."""

LAST_UNITS = UNITS // 2
"""How many units the second layer has. Each row of its weights holds them twice, once for each rider, and the last row
has the opposite sign in its second half."""

AROUND = 2
"""Cells are near the head if they are at most this many columns and rows from it."""

FLOOR = 5.0
"""Added to the number of open cells, so that shares of very few cells stay small."""

LARGEST_FIELD = 256.0
"""The largest number of open cells in the data that the net was fitted to. Larger numbers count as this one."""


MULTIPLY = np.uint64(0x9E3779B97F4A7C15)
S32, LOW16 = np.uint64(32), np.uint64(0xFFFF)
KEPT, FIGURE_WORDS = 1, (SHAPE + 3) // 4
"""The first word of a remembered territory is its key. The figures fill FIGURE_WORDS words from KEPT on, four in each
word."""


@inlined
def read_figures(me: int, you: int, mine: int, yours: int, tools) -> None:
    """Write the figures of both riders' territories to `tools.figures`. `mine` and `yours` are the numbers of steps
    that the riders have."""
    width, high = tools.size[0], tools.size[1]
    is_small = tools.own.shape[1] == WORDS
    keys = np.uint64(0), np.uint64(0)
    if is_small:
        keys = make_shape_key(0, me, tools), make_shape_key(1, you, tools)
        prefetch(tools.memory, find_memory(keys[0]))
        prefetch(tools.memory, find_memory(keys[1]))
    for rider in range(2):
        head, figures, spread = you if rider else me, tools.figures[rider], tools.spread[rider]
        y = head // width
        x = head - y * width
        figures[WAYS] = yours if rider else mine
        figures[EDGE] = min(min(x, width - 1 - x), min(y, high - 1 - y))
        figures[CENTRE] = abs(2 * x - width + 1) + abs(2 * y - high + 1)
        for k in range(FIGURES - STEPS):
            figures[STEPS + k] = spread[k]
    for rider in range(2):
        head, figures = you if rider else me, tools.figures[rider]
        if is_small:
            recall_shape(rider, head, figures, keys[1] if rider else keys[0], tools)
        else:
            read_shape(rider, head, figures, tools)


@inlined
def find_memory(key):
    """Return the row of `tools.memory` for a territory."""
    return np.int64(key >> np.uint64(64 - SEEN_BITS))


@inlined
def make_shape_key(rider, head, tools):
    """Return a number for a rider's territory: its cells, its front and the head. It is never 0."""
    region, touch = load4(tools.own[rider]), load4(tools.touch[rider])
    region ^= shift_words(region, S32)  # so that the products spread the high bits, too
    touch ^= shift_words(touch, S32)
    mixed = add_words(region * load4(tools.zobrist[0]) + touch * load4(tools.zobrist[1]))
    mixed = (np.uint64(mixed) ^ tools.zobrist[2, head]) * MULTIPLY
    return mixed | ONE


@inlined
def recall_shape(rider, head, figures, key, tools):
    """Compute the figures that depend only on a rider's territory, or take them from the cache.

    Two territories with the same key would share their figures. This is acceptable because it spoils only an estimate,
    and because it is very unlikely: keys have 63 random bits and each look-up compares only one key, so a billion
    look-ups find a wrong territory with a probability of about 1e-10."""
    seen = tools.memory[find_memory(key)]
    if seen[0] == key:
        for k in range(SHAPE):
            figures[k] = (seen[KEPT + (k >> 2)] >> np.uint64(16 * (k & 3))) & LOW16
        return
    read_shape(rider, head, figures, tools)
    for k in range(FIGURE_WORDS):
        seen[KEPT + k] = np.uint64(0)
    seen[0] = key
    for k in range(SHAPE):
        seen[KEPT + (k >> 2)] |= np.uint64(figures[k]) << np.uint64(16 * (k & 3))


@inlined
def read_shape(rider, head, figures, tools):
    """Compute the figures of a territory by counting, on a field of any size."""
    region = tools.own[rider]
    figures[REACH], figures[FRONT] = count(region), count(tools.touch[rider])
    chambers = cut_territory(rider, head, tools)
    figures[CELLS], figures[DEGREES] = weigh_plans(chambers, BATTLEFRONT, tools)
    read_plans(chambers, figures, tools.chambers)
    figures[ONES], figures[TWOS], figures[THREES] = count_neighbours(region, tools)
    read_sides(rider, head, figures, tools)


@inlined
def read_plans(chambers, figures, table):
    """Compute the figures of the chambers and of the plans through them. The plans must have been computed before."""
    main, second, best = 0, 0, (table[TOTAL, 0], table[TOTAL_EDGES, 0], table[TOUCHES, 0])
    largest = disputed = 0
    for at in range(1, chambers):
        largest = max(largest, table[OWN, at])
        if table[ON_FRONT, at]:
            disputed += table[OWN, at]
        if table[ABOVE, at] == 0:
            if main == 0 and (table[TOTAL, at], table[TOTAL_EDGES, at], table[TOUCHES, at]) == best:
                main = at
            else:
                second = max(second, table[TOTAL, at])
    beyond = following = 0
    for at in range(main + 1, chambers):
        if main > 0 and table[ABOVE, at] == main:
            following = max(following, min(beyond, table[TOTAL, at]))
            beyond = max(beyond, table[TOTAL, at])
    figures[SECOND], figures[LARGEST], figures[DISPUTED] = second, largest, disputed
    figures[MAIN], figures[BEYOND], figures[NEXT] = table[OWN, main], beyond, following
    figures[PARTS], figures[CONTACT], figures[EXPOSED] = chambers, table[TOUCHES, 0], table[ON_FRONT, main]


@inlined
def read_sides(rider, head, figures, tools):
    """Compute the figures of a territory's sides, and the number of pieces of its front."""
    figures[SIDE] = figures[OTHER_SIDE] = figures[QUIET] = figures[BUSY] = 0
    if tools.own.shape[1] == WORDS:
        read_sides_by_words(rider, head, figures, tools)
    else:
        read_sides_by_cells(rider, head, figures, tools)


@inlined
def add_side(cells, is_busy, figures):
    """Add a side of this many cells to the figures. `is_busy` means that it touches the front."""
    figures[OTHER_SIDE] = max(figures[OTHER_SIDE], min(figures[SIDE], cells))
    figures[SIDE] = max(figures[SIDE], cells)
    if is_busy:
        figures[BUSY] += 1
    else:
        figures[QUIET] += cells


@inlined
def read_sides_by_words(rider, head, figures, tools):
    """Compute these figures on a field of at most 256 cells.

    Where cells may join at corners, the pieces of a front less the holes in them are its cells, less the neighbouring
    pairs, plus the threes of cells in squares of 2 x 2, less the full squares (Euler)."""
    w, inner, space = np.uint64(tools.size[0]), tools.inner, tools.survey[BESIDE]
    not_first, not_last = load4(inner[0]), load4(inner[1])
    near, touch = only4(head), load4(tools.touch[rider])
    for _ in range(AROUND):
        near |= (shift_up(near, 1) & not_first) | (shift_down(near, 1) & not_last)
        near |= shift_up(near, w) | shift_down(near, w)
    rest = load4(tools.own[rider]) & ~near
    left, right = rest & not_last, rest & not_first
    while has_bits(rest):
        part = only4(pick_cell(rest, space))
        while True:
            grown = grow(part, rest, left, right, w) | part
            if not has_bits(grown ^ part):
                break
            part = grown
        rest &= ~part
        add_side(add_words(count_bits(part)), has_bits(part & touch), figures)
    east, south = shift_down(touch, 1) & not_last, shift_down(touch, w)
    corner = shift_down(east, w)
    pair, cross = touch & east, south & corner
    links = count_bits(pair) + count_bits(touch & south) + count_bits(touch & corner) + count_bits(east & south)
    threes = count_bits(pair & south) + count_bits(pair & corner) + count_bits(cross & touch) + count_bits(cross & east)
    figures[FRONTS] = max(0, add_words(count_bits(touch) + threes - links - count_bits(pair & cross)))


@lean
def read_sides_by_cells(rider: int, head: int, figures: Array, tools: Tools) -> None:
    """Compute these figures on a field of any size, cell by cell."""
    near, region, touch, width = tools.near, tools.own[rider], tools.touch[rider], tools.size[0]
    queue, seen = tools.cells[0], tools.cells[1]
    size = near.shape[0]
    pieces = 0
    for cell in range(size):
        is_near = max(abs(cell % width - head % width), abs(cell // width - head // width)) <= AROUND
        seen[cell] = is_near or not is_set(region, cell)
        east, south = near[cell, 3], near[cell, 1]
        a, b = is_set(touch, cell), east >= 0 and is_set(touch, east)
        c, d = south >= 0 and is_set(touch, south), east >= 0 and south >= 0 and is_set(touch, south + 1)
        number = a + b + c + d
        threes = 4 if number == 4 else np.int64(number == 3)
        pieces += a + threes - (a & b) - (a & c) - (a & d) - (b & c) - (number == 4)
    figures[FRONTS] = max(0, pieces)
    for start in range(size):
        if seen[start]:
            continue
        begin, end, is_busy = 0, 1, False
        queue[0], seen[start] = start, 1
        while begin < end:
            cell = queue[begin]
            begin += 1
            is_busy |= is_set(touch, cell)
            for way in range(4):
                beside = near[cell, way]
                if beside >= 0 and not seen[beside]:
                    queue[end], seen[beside] = beside, 1
                    end += 1
        add_side(end, is_busy, figures)


@inlined
def count_neighbours(region, tools):
    """Count the cells of a territory that have one, two and three neighbours in it. The territory must have been cut
    into chambers."""
    ones = twos = threes = 0
    if region.shape[0] == WORDS:
        odd, two = tools.survey[ODD], tools.survey[TWO]
        for k in range(WORDS):
            ones += popcount(odd[k] & ~two[k])
            twos += popcount(two[k] & ~odd[k])
            threes += popcount(odd[k] & two[k])
        return ones, twos, threes
    for cell in range(tools.near.shape[0]):
        if is_set(region, cell):
            beside = count_ways(region, cell, tools.near)
            ones += beside == 1
            twos += beside == 2
            threes += beside == 3
    return ones, twos, threes


@inlined
def compute_lead(figures: Array, meeting: int, net: Array, units: Array) -> float:
    """Return my lead from both riders' figures. It is the logarithm of the odds that I win. `units` is space for the
    inputs and the first layer, as in `tools.sums`."""
    open_cells = figures[0, REACH] + figures[1, REACH]
    cell, size = np.float32(1.0) / (open_cells + np.float32(FLOOR)), min(open_cells, np.float32(LARGEST_FIELD))
    sums, gaps = units[2 * BLOCKS], units[2 * BLOCKS + 1]
    for k in range(FIGURES):
        share = np.float32(1.0) if PLAIN_FROM <= k < PLAIN_TO else cell
        a, b = figures[0, k] * share, figures[1, k] * share
        sums[k], gaps[k] = a + b, a - b
    for block in range(BLOCKS):
        rows = net[block * BLOCK :]
        both = load32(rows[BIAS]) + load32(rows[SIZE]) * fill32(size) + load32(rows[MEET]) * fill32(np.float32(meeting))
        gap = fill32(np.float32(0.0))
        for k in range(FIGURES):
            both += load32(rows[k]) * fill32(sums[k])
            gap += load32(rows[FIGURES + k]) * fill32(gaps[k])
        store32(clip32(both + gap), units[2 * block])
        store32(clip32(both - gap), units[2 * block + 1])
    answers = load32(net[SECOND_BIAS])
    for block in range(BLOCKS):
        rows = net[SECOND_LAYER + block * UNITS :]
        for k in range(UNITS):
            answers += load32(rows[k]) * fill_halves(units[2 * block, k], units[2 * block + 1, k])
    return add_numbers(load32(net[OUT]) * clip32(answers))


SURE = 0.95
"""All estimates stay below this."""

HALF = 0.11
"""A lead of this share of all open cells is worth 0.71 times SURE."""

DOUBT, SLACK = 0.6, 0.15
"""The same for separated riders. The bound on the longest path is uncertain by half a cell, plus a share of its
distance to the path that was found. In 1,540 separations in self-play, 98 % of the leads by two cells were wins."""


@lean
def compare_fills(me: int, you: int, tools: Tools) -> float:
    """Return the value if the riders cannot meet. It is proven if the bounds on what both can fill decide it, and
    otherwise an estimate."""
    most, their_most = plan(np.int64(0), me, BATTLEFRONT, tools)[0], plan(np.int64(1), you, BATTLEFRONT, tools)[0]
    spare = tools.boards[tools.boards.shape[0] - 1]
    least, their_least = most, their_most
    if most >= their_most:
        copy(tools.own[0], spare)
        least = greedy_fill(spare, me, their_most, tools.near)
        if least > their_most:
            return 1.0
    if most <= their_most:
        copy(tools.own[1], spare)
        their_least = greedy_fill(spare, you, most, tools.near)
        if their_least > most:
            return -1.0
    if least == most == their_least == their_most:
        return tools.draw[0]
    if tools.stat[FILLS] > 0:
        least, most = find_longest(np.int64(0), me, tools.stat[FILLS], tools)
        tools.stat[NODES] += tools.limit[FILL_NODES]
        their_least, their_most = find_longest(np.int64(1), you, tools.stat[FILLS], tools)
        tools.stat[NODES] += tools.limit[FILL_NODES]
        if least > their_most or most < their_least:
            return np.sign(np.float64(least - their_least))
        if least == most == their_least == their_most:
            return tools.draw[0]
    tools.stat[BELIEVED] += 1
    lead = np.float64(most - their_most)
    doubt = DOUBT + SLACK * (most - least + their_most - their_least)
    value = SURE * lead / math.sqrt(lead * lead + doubt * doubt)
    return value + tools.draw[0] * (1.0 - abs(value))


@inlined
def estimate(me, you, mine, yours, mode, tools):
    """Estimate what a position is worth to me while the riders can still meet. The territories must be known."""
    tools.stat[BELIEVED] += 1
    tools.stat[OPEN] += 1
    if mode == FITTED:
        read_figures(me, you, mine, yours, tools)
        lead = compute_lead(tools.figures, tools.spread[0, MEETING], tools.net, tools.sums)
        return tools.draw[0] if lead == 0.0 else SURE * math.tanh(0.5 * lead)
    reach, their_reach = count(tools.own[0]), count(tools.own[1])
    if mode == FLOOD:
        lead = np.float64(reach - their_reach)
    else:
        lead = np.float64(plan(np.int64(0), me, PLAIN, tools)[0] - plan(np.int64(1), you, PLAIN, tools)[0])
    half = HALF * (reach + their_reach) + 0.5
    return SURE * lead / math.sqrt(lead * lead + half * half)
