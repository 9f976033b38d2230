"""Implements the rules of Tobito and Haneto a second time, and solves the game backwards from its final positions. The
table is checked against the result. This code shares nothing with the solver except the counting of bits. Sets of cells
are masks as in `_kernel`."""

from __future__ import annotations

import numpy as np

from onlymove_engines.search.bitset import popcount
from onlymove_engines.search.jit import Array, inlined, kernel

MOST = 128
HOME, GOAL, MIDDLE, BOARD = 0x7000, 0x0007, 0x0FF8, 0x7FFF
LOST, WON, OPEN = 2, 127, 0
"""The codes of finished positions and of unsettled ones. A position n plies from a loss has the code LOST + n."""
WORDS = 8


@inlined
def next_boards(own, theirs, stone, sets, starts, found):
    """List every move. Write the masks after it, as the side that moved sees them, to `found`, and return the number of
    moves. `sets` are all sets of cells by their size. The sets of n cells begin at `starts[n]`."""
    if theirs & HOME == HOME or own & GOAL == GOAL:
        return 0
    taken = own | theirs | stone
    count = 0
    for cell in range(3, 15):
        if not own >> cell & 1:
            continue
        for across in range(-1, 2):
            for up in range(-1, 2):
                if across == 0 and up == 0:
                    continue
                column, row, jumped = cell % 3 + across, cell // 3 + up, 0
                while 0 <= column < 3 and 0 <= row < 5:
                    bit = 1 << (3 * row + column)
                    if not taken & bit:
                        break
                    if theirs & bit & HOME:
                        row = 5
                        break
                    jumped |= bit
                    column, row = column + across, row + up
                if not (0 <= column < 3 and 0 <= row < 5):
                    continue
                landing = 1 << (3 * row + column)
                mine = own & ~(1 << cell) | landing
                room = BOARD & ~(taken | landing)
                size = popcount(theirs & jumped)
                for k in range(starts[size], starts[size + 1]):
                    if sets[k] & ~room:
                        continue
                    after = theirs & ~jumped | sets[k]
                    if not stone & jumped:
                        if (mine | after | stone) & HOME != HOME:
                            found[count, 0], found[count, 1], found[count, 2] = mine, after, stone
                            count += 1
                        continue
                    for place in range(3, 12):
                        put = 1 << place
                        if put & room & ~sets[k] and (mine | after | put) & HOME != HOME:
                            found[count, 0], found[count, 1], found[count, 2] = mine, after, put
                            count += 1
    return count


@kernel
def list_children(boards: Array, sets: Array, starts: Array, turned: Array, ids: Array, numbers: Array) -> tuple:
    """List every move of every position. Return (first, children): the children of number k begin at `first[k]`.

    `boards` has the three masks of each number. `turned` turns a set upside down, and `ids` ranks sets of three cells.
    `numbers[own, theirs, cell of the stone or 0]` is the number of a position.
    """
    found = np.empty((MOST, 3), np.int64)
    first = np.zeros(len(boards) + 1, np.int64)
    for fills in range(2):
        children = np.empty(first[-1] if fills else 0, np.int32)
        for number in range(len(boards)):
            own, theirs, stone = boards[number, 0], boards[number, 1], boards[number, 2]
            count = next_boards(own, theirs, stone, sets, starts, found)
            if not fills:
                first[number + 1] = first[number] + count
                continue
            for k in range(count):
                mine, other, put = ids[turned[found[k, 0]]], ids[turned[found[k, 1]]], turned[found[k, 2]]
                children[first[number] + k] = numbers[other, mine, popcount(put - 1) if put else 0]
    return first, children


@kernel
def settle(boards: Array, first: Array, children: Array, codes: Array) -> None:
    """Set the code of every position that is not drawn, working backwards from the final positions. Drawn positions
    stay OPEN."""
    for number in range(len(boards)):
        own, theirs = boards[number, 0], boards[number, 1]
        codes[number] = LOST if theirs & HOME == HOME else WON if own & GOAL == GOAL else OPEN
    distance, settled = 0, 1
    while settled:
        distance += 1
        settled = 0
        for number in range(len(boards)):
            if codes[number] != OPEN or first[number] == first[number + 1]:
                continue
            is_due = distance % 2 == 0
            for edge in range(first[number], first[number + 1]):
                code = codes[children[edge]]
                if distance % 2 and code == LOST + distance - 1:
                    is_due = True
                    break
                if distance % 2 == 0 and (code == OPEN or code % 2 == 0):
                    is_due = False
                    break
            if is_due:
                codes[number] = LOST + distance
                settled += 1


@kernel
def visit(root: int, first: Array, children: Array, seen: Array) -> None:
    """Mark all positions that play from `root` can lead to."""
    stack = np.empty(len(seen), np.int32)
    stack[0], height, seen[root] = root, 1, True
    while height:
        height -= 1
        number = stack[height]
        for edge in range(first[number], first[number + 1]):
            child = children[edge]
            if not seen[child]:
                seen[child] = True
                stack[height] = child
                height += 1


@kernel
def list_parents(first: Array, children: Array) -> tuple:
    """Return the edges in reverse, as (first, parents)."""
    size = len(first) - 1
    starts = np.zeros(size + 1, np.int64)
    for child in children:
        starts[child + 1] += 1
    for number in range(size):
        starts[number + 1] += starts[number]
    ends = starts.copy()
    parents = np.empty(len(children), np.int32)
    for number in range(size):
        for edge in range(first[number], first[number + 1]):
            parents[ends[children[edge]]] = number
            ends[children[edge]] += 1
    return starts, parents


@kernel
def warm_up(ends: Array, first: Array, parents: Array, weights: Array, heats: Array) -> int:
    """Add the heat of up to 64 x WORDS `ends` to `heats`. Ends at an even distance add to row 0, and ends at an odd
    distance to row 1.

    `weights[d]` is the weight of an end at distance d. Return the largest distance found. If there is no weight for
    that distance, the heats are wrong.
    """
    size = len(first) - 1
    seen = np.zeros((2, size, WORDS), np.uint64)
    fresh = np.zeros((size, WORDS), np.uint64)
    reached = np.zeros((size, WORDS), np.uint64)
    for k in range(len(ends)):
        fresh[ends[k], k // 64] = np.uint64(1) << np.uint64(k % 64)
        seen[0, ends[k], k // 64] = fresh[ends[k], k // 64]
    distance, is_growing = 0, True
    while is_growing:
        distance += 1
        is_growing = False
        reached[:] = 0
        for number in range(size):
            is_fresh = False
            for word in range(WORDS):
                is_fresh |= fresh[number, word] != 0
            if is_fresh:
                for edge in range(first[number], first[number + 1]):
                    for word in range(WORDS):
                        reached[parents[edge], word] |= fresh[number, word]
        for number in range(size):
            for word in range(WORDS):
                new = reached[number, word] & ~seen[distance % 2, number, word]
                fresh[number, word] = new
                if new:
                    is_growing = True
                    seen[distance % 2, number, word] |= new
                    heats[distance % 2, number] += popcount(new) * weights[min(distance, len(weights) - 1)]
    return distance - 1
