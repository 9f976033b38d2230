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

from onlymove_engines.compiled.bitset import ONE, ZERO, lowest, popcount
from onlymove_engines.compiled.jit import Array, allocation_free, inlined
from onlymove_engines.compiled.vectors import (
    add_numbers,
    add_words,
    clip32,
    count_bits,
    fill32,
    fill_halves,
    fill_range,
    has_bits,
    load4,
    load32,
    load_twice16,
    load_whole32,
    mark_positive,
    only4,
    prefetch,
    shift_down,
    shift_up,
    shift_words,
    store4,
    store32,
)

from .chambers import (
    ABOVE,
    BATTLEFRONT,
    BESIDE,
    BEST,
    ODD,
    OWN,
    PLAIN,
    PLAN_CELLS,
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
    FILL_NODES,
    FILLS,
    MEETING,
    NODES,
    OPEN,
    SEEN_BITS,
    TO_CENTRE,
    TO_EDGE,
    UNITS,
    WORDS,
    Tools,
    copy,
    count,
    fill_part,
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

MAX_FIELD = 256.0
"""The largest number of open cells in the data that the net was fitted to. Larger numbers count as this one."""


MULTIPLY = np.uint64(0x9E3779B97F4A7C15)
S32 = np.uint64(32)
KEY = 7
"""The word of a remembered territory that holds its key. The words before it hold the figures as in
`tools.figure_words`."""


@inlined
def read_figures(me: int, you: int, mine: int, yours: int, tools) -> None:
    """Write the figures of both riders' territories to `tools.figures`. `mine` and `yours` are the numbers of steps
    that the riders have."""
    is_small = tools.own.shape[1] == WORDS
    keys = np.uint64(0), np.uint64(0)
    if is_small:
        keys = make_shape_key(0, me, tools), make_shape_key(1, you, tools)
        prefetch(tools.memory, find_memory(keys[0]))
        prefetch(tools.memory, find_memory(keys[1]))
    for rider in range(2):
        head = you if rider else me
        if is_small:
            recall_shape(rider, head, keys[1] if rider else keys[0], tools)
        else:
            read_shape(rider, head, tools)
        figures, words = tools.figures[rider], tools.figure_words[rider]
        figures[WAYS] = yours if rider else mine
        figures[EDGE], figures[CENTRE] = tools.places[head, TO_EDGE], tools.places[head, TO_CENTRE]
        words[STEPS >> 2], words[(STEPS >> 2) + 1] = tools.spread[rider, 0], tools.spread[rider, 1]


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
def recall_shape(rider, head, key, tools):
    """Compute the figures that depend only on a rider's territory, or take them from the cache.

    Two territories with the same key would share their figures. This is acceptable because it spoils only an estimate,
    and because it is very unlikely: keys have 63 random bits and each look-up compares only one key, so a billion
    look-ups find a wrong territory with a probability of about 1e-10."""
    seen, words = tools.memory[find_memory(key)], tools.figure_words[rider]
    if seen[KEY] == key:
        store4(load4(seen), words)
        words[4], words[5] = seen[4], seen[5]
        return
    read_shape(rider, head, tools)
    store4(load4(words), seen)
    seen[4], seen[5], seen[KEY] = words[4], words[5], key


@inlined
def read_shape(rider, head, tools):
    """Compute the figures of a territory by counting, on a field of any size."""
    region, figures = tools.own[rider], tools.figures[rider]
    figures[REACH], figures[FRONT] = count(region), count(tools.touch[rider])
    chambers = cut_territory(rider, head, tools)
    figures[CELLS], figures[DEGREES] = weigh_plans(chambers, BATTLEFRONT, tools)
    read_plans(chambers, figures, tools.chambers)
    figures[ONES], figures[TWOS], figures[THREES] = count_neighbours(region, tools)
    if tools.own.shape[1] == WORDS:
        read_sides_by_words(rider, head, figures, tools)
    else:
        read_sides_by_cells(rider, head, figures, tools)


@inlined
def read_plans(chambers, figures, table):
    """Compute the figures of the chambers and of the plans through them. The plans must have been computed before."""
    main = second = largest = disputed = beyond = following = 0
    for at in range(1, chambers):
        above, own, best = table[at, ABOVE], table[at, OWN], table[at, BEST]
        cells, planned = own >> PLAN_CELLS, best >> PLAN_CELLS
        largest = max(largest, cells)
        disputed += cells * (own & 1)
        if above > 0:
            if above == main:
                following = max(following, min(beyond, planned))
                beyond = max(beyond, planned)
        elif main == 0 and best == table[0, BEST]:
            main = at
        else:
            second = max(second, planned)
    own = table[main, OWN]
    figures[SECOND], figures[LARGEST], figures[DISPUTED] = second, largest, disputed
    figures[MAIN], figures[BEYOND], figures[NEXT] = own >> PLAN_CELLS, beyond, following
    figures[PARTS], figures[CONTACT], figures[EXPOSED] = chambers, table[0, BEST] & 1, own & 1


@inlined
def add_side(cells, is_busy, sides):
    """Return the figures of the sides (the largest, the second, the quiet cells, and how many are busy) with one more
    side of this many cells. `is_busy` means that it touches the front."""
    largest, second, quiet, busy = sides
    second = max(second, min(largest, cells))
    return max(largest, cells), second, quiet + (0 if is_busy else cells), busy + is_busy


@inlined
def read_sides_by_words(rider, head, figures, tools):
    """Compute the figures of a territory's sides, and the number of pieces of its front, on a field of at most 256
    cells.

    Where cells may join at corners, the pieces of a front less the holes in them are its cells, less the neighbouring
    pairs, plus the threes of cells in squares of 2 x 2, less the full squares (Euler)."""
    w, inner, space = np.uint64(tools.size[0]), tools.inner, tools.survey[BESIDE]
    not_first, not_last = load4(inner[0]), load4(inner[1])
    near, touch = only4(head), load4(tools.touch[rider])
    for _ in range(AROUND):
        near |= (shift_up(near, 1) & not_first) | (shift_down(near, 1) & not_last)
        near |= shift_up(near, w) | shift_down(near, w)
    rest = load4(tools.own[rider]) & ~near
    left, right, free = rest & not_last, rest & not_first, rest
    sides = 0, 0, 0, 0
    while has_bits(rest):
        part = fill_part(only4(pick_cell(rest, space)), free, left, right, w)
        rest &= ~part
        sides = add_side(add_words(count_bits(part)), np.int64(has_bits(part & touch)), sides)
    figures[SIDE], figures[OTHER_SIDE], figures[QUIET], figures[BUSY] = sides
    east, south = shift_down(touch, 1) & not_last, shift_down(touch, w)
    corner = shift_down(east, w)
    pair, cross = touch & east, south & corner
    links = count_bits(pair) + count_bits(touch & south) + count_bits(touch & corner) + count_bits(east & south)
    threes = count_bits(pair & south) + count_bits(pair & corner) + count_bits(cross & touch) + count_bits(cross & east)
    figures[FRONTS] = max(0, add_words(count_bits(touch) + threes - links - count_bits(pair & cross)))


@allocation_free
def read_sides_by_cells(rider: int, head: int, figures: Array, tools: Tools) -> None:
    """Compute the same figures on a field of any size, cell by cell."""
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
    sides = 0, 0, 0, 0
    for start in range(size):
        if seen[start]:
            continue
        begin, end, is_busy = 0, 1, np.int64(0)
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
        sides = add_side(end, is_busy, sides)
    figures[SIDE], figures[OTHER_SIDE], figures[QUIET], figures[BUSY] = sides


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
    open_cells = np.float32(figures[0, REACH] + figures[1, REACH])
    cell, size = np.float32(1.0) / (open_cells + np.float32(FLOOR)), min(open_cells, np.float32(MAX_FIELD))
    shares = fill_range(cell, np.float32(1.0), PLAIN_FROM, PLAIN_TO)
    a, b = load_whole32(figures[0]) * shares, load_whole32(figures[1]) * shares
    sums, gaps = units[2 * BLOCKS], units[2 * BLOCKS + 1]
    store32(a + b, sums)
    store32(a - b, gaps)
    meet, none = np.float32(meeting), fill32(np.float32(0.0))
    rows0, rows1, rows2 = net, net[BLOCK:], net[2 * BLOCK :]
    both0, both1, both2 = add_facts(rows0, size, meet), add_facts(rows1, size, meet), add_facts(rows2, size, meet)
    gap0 = gap1 = gap2 = none
    for k in range(FIGURES):
        each = fill32(sums[k])
        both0 += load32(rows0[k]) * each
        both1 += load32(rows1[k]) * each
        both2 += load32(rows2[k]) * each
        each = fill32(gaps[k])
        gap0 += load32(rows0[FIGURES + k]) * each
        gap1 += load32(rows1[FIGURES + k]) * each
        gap2 += load32(rows2[FIGURES + k]) * each
    answers = load32(net[SECOND_BIAS])
    answers = add_block(0, both0, gap0, answers, net, units)
    answers = add_block(1, both1, gap1, answers, net, units)
    answers = add_block(2, both2, gap2, answers, net, units)
    return add_numbers(load32(net[OUT]) * clip32(answers))


@inlined
def add_facts(rows, size, meeting):
    """Return what a block of the first layer begins with: its constants, and what it makes of the open cells and of the
    rounds until the fronts meet."""
    return load32(rows[BIAS]) + load32(rows[SIZE]) * fill32(size) + load32(rows[MEET]) * fill32(meeting)


@inlined
def add_block(block, both, gap, answers, net, units):
    """Add what the second layer makes of a block of the first one. About half of the units are 0 for both riders, and
    are left out."""
    mine, yours = both + gap, both - gap
    store32(clip32(mine), units[2 * block])
    store32(clip32(yours), units[2 * block + 1])
    active = mark_positive(mine) | mark_positive(yours)
    rows = net[SECOND_LAYER + block * UNITS :]
    while active != ZERO:
        k = lowest(active)
        active &= active - ONE
        answers += load_twice16(rows[k]) * fill_halves(units[2 * block, k], units[2 * block + 1, k])
    return answers


SURE = 0.95
"""All estimates stay below this."""

HALF = 0.11
"""A lead of this share of all open cells is worth 0.71 times SURE."""

DOUBT, SLACK = 0.6, 0.15
"""The same for separated riders. The bound on the longest path is uncertain by half a cell, plus a share of its
distance to the path that was found. In 1,540 separations in self-play, 98 % of the leads by two cells were wins."""


@allocation_free
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
        tools.stat[NODES] += tools.stat[FILL_NODES]
        their_least, their_most = find_longest(np.int64(1), you, tools.stat[FILLS], tools)
        tools.stat[NODES] += tools.stat[FILL_NODES]
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
        lead = np.float64(compute_lead(tools.figures, tools.stat[MEETING], tools.net, tools.sums))
        if lead == 0.0:
            return tools.draw[0]
        share = 2.0 / (1.0 + math.exp(-abs(lead))) - 1.0  # tanh(lead / 2), in half the time of `math.tanh`
        return SURE * (share if lead > 0.0 else -share)
    reach, their_reach = count(tools.own[0]), count(tools.own[1])
    if mode == FLOOD:
        lead = np.float64(reach - their_reach)
    else:
        lead = np.float64(plan(np.int64(0), me, PLAIN, tools)[0] - plan(np.int64(1), you, PLAIN, tools)[0])
    half = HALF * (reach + their_reach) + 0.5
    return SURE * lead / math.sqrt(lead * lead + half * half)
