"""Solves Tobito or Haneto again, with code that shares nothing with the solver except the meaning of numbers and the
counting of bits. The table is checked against the result. Every position with Top to move is listed, and so is its
mirror image. Sets of cells are masks as in `_kernel`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from onlymove_engines.compiled.bitset import popcount
from onlymove_engines.compiled.jit import Array, inlined, kernel

MAX_MOVES = 128
HOME, GOAL, BOARD, COLUMN_A = 0x7000, 0x0007, 0x7FFF, 0x1249
LOST, WON, OPEN = 2, 127, 0
"""The codes of finished positions and of unsettled ones. A position n plies from a loss has the code LOST + n."""
WORDS = 8
TOGETHER = 64 * WORDS
"""How many ends spread heat together."""

SETS = np.array(sorted((cells for cells in range(1 << 15) if cells.bit_count() <= 3), key=int.bit_count))
"""The sets of up to three cells, the smaller ones first."""
STARTS = np.searchsorted(np.bitwise_count(SETS), range(5))
"""Where the sets of each size begin."""
RANKS = np.zeros(1 << 15, np.int16)
"""The rank of each set of three cells among all of them."""
RANKS[SETS[STARTS[3] :]] = np.arange(len(SETS) - STARTS[3])


@inlined
def overturned(cells):
    """Turn a set of cells upside down."""
    found = 0
    for row in range(5):
        found |= (cells >> 3 * row & 7) << 12 - 3 * row
    return found


@inlined
def next_boards(own, theirs, stone, found):
    """List every move. Write the masks after it, as the side that moved sees them, to `found`, and return the number of
    moves."""
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
                for k in range(STARTS[size], STARTS[size + 1]):
                    if SETS[k] & ~room:
                        continue
                    after = theirs & ~jumped | SETS[k]
                    for place in range(3, 12 if stone & jumped else 4):
                        put = 1 << place if stone & jumped else stone
                        is_possible = not stone & jumped or put & room & ~SETS[k]
                        if is_possible and (mine | after | put) & HOME != HOME:
                            found[count, 0], found[count, 1], found[count, 2] = mine, after, put
                            count += 1
    return count


@kernel
def list_children(boards: Array, numbers: Array) -> tuple[Array, Array]:
    """List every move of every position. Return (first, children): the children of number k begin at `first[k]`.

    `boards` has the three masks of each number. `numbers` has the number of a position by the ranks of the mover's and
    the opponent's pawns and the cell of the neutral pawn, or 0 without one.
    """
    found = np.empty((MAX_MOVES, 3), np.int64)
    first = np.zeros(len(boards) + 1, np.int64)
    for fills in range(2):
        children = np.empty(first[-1] if fills else 0, np.int32)
        for number in range(len(boards)):
            count = next_boards(boards[number, 0], boards[number, 1], boards[number, 2], found)
            if not fills:
                first[number + 1] = first[number] + count
                continue
            for k in range(count):
                mine, theirs, stone = overturned(found[k, 0]), overturned(found[k, 1]), overturned(found[k, 2])
                children[first[number] + k] = numbers[RANKS[theirs], RANKS[mine], popcount(max(stone, 1) - 1)]
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
def list_parents(first: Array, children: Array) -> tuple[Array, Array]:
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
def warm_up(ends: Array, first: Array, parents: Array, unit: int, heats: Array) -> None:
    """Add the heat of up to TOGETHER `ends`, in this unit. Ends at an even distance add to row 0 of `heats`, and ends
    at an odd distance to row 1."""
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
        weight, is_growing = (unit // distance) ** 2, False
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
                    heats[distance % 2, number] += popcount(new) * weight


def find_places(boards: Array) -> tuple[Array, Array, Array]:
    """Return where `numbers` in `list_children` has the numbers of these positions."""
    own, theirs, stone = boards.T
    return RANKS[own], RANKS[theirs], np.bitwise_count(np.maximum(stone, 1) - 1)


def list_boards(has_neutral: bool) -> Array:
    """List, for each number in order, the masks of the mover's pawns, the opponent's pawns and the neutral pawn."""
    triples, stones = SETS[STARTS[3] :], 1 << np.arange(3, 12) if has_neutral else np.zeros(1, np.int64)
    stone, own, theirs = (masks.ravel() for masks in np.meshgrid(stones, triples, triples, indexing="ij"))
    return np.column_stack((own, theirs, stone))[own & stone | theirs & (own | stone) == 0]


def derive(
    has_neutral: bool,
    root: int,
    draw: int,
    reachable: int,
    unit: int,
    most: int,
    report: Callable[[str, float], object],
) -> dict[str, Array]:
    """Compute every section of the table: the values from the ends backwards, the positions that play from number
    `root` can reach, and the heats. The codes of drawn and reachable positions are `draw` and `reachable`, the unit of
    heat is `unit`, and a winner's heat at the end is `most`."""
    report("listing positions again", 0.0)
    boards = list_boards(has_neutral)
    numbers = np.full((*[len(SETS) - STARTS[3]] * 2, 15), -1, np.int32)
    numbers[find_places(boards)] = np.arange(len(boards))
    first, children = list_children(boards, numbers)
    codes, seen = np.empty(len(boards), np.uint8), np.zeros(len(boards), np.bool_)
    report("solving it again", 0.3)
    settle(boards, first, children, codes)
    has_lost, has_won = codes == LOST, codes == WON
    codes[codes == OPEN] = draw
    visit(root, first, children, seen)
    codes[seen] |= reachable
    report("computing the heat a second time", 0.5)
    first, parents = list_parents(first, children)
    heats, ends = np.zeros((2, len(boards)), np.int64), np.flatnonzero(has_lost)
    for begin in range(0, len(ends), TOGETHER):
        warm_up(ends[begin : begin + TOGETHER], first, parents, unit, heats)
    heats[:, has_lost | has_won] = 0
    heats[0, has_lost] = heats[1, has_won] = most
    images = (boards & COLUMN_A) << 2 | boards & COLUMN_A << 1 | boards >> 2 & COLUMN_A
    is_class = np.arange(len(boards)) <= numbers[find_places(images)]
    return {"codes": codes * is_class, "heat_own": heats[1] * is_class, "heat_other": heats[0] * is_class}
