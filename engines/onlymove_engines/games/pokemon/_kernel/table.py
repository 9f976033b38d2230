"""Loops over many positions: the two passes that build the table, and a list of every move with its code. `codes.py`
explains the codes.

A layer of positions is found with a hash set. The number of its slots is a power of two above the count of numbers.
Each slot is a word:

    bits 40..47   32..39   0..31
         lure     code     number

A word of 0 is a free slot, because no move leads to number 0, the start position.
"""

from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.jit import Array, allocation_free, inlined, kernel

from .moves import (
    ALL_IMAGES,
    COVERED_STATES,
    HASH,
    MAX_MOVES,
    boards_of,
    has_line,
    list_children,
    make_node,
    pack,
    seat_of,
    unpack,
    wins_now,
)

# Kernels are compiled with these constants, so they are repeated here. codes.py explains them.
DRAWN = 12
OPEN_DRAW = 13
TRAP_SCALE = 240
KEEPING_WEIGHT = 8
NO_CODE = 255

BUCKET_SHIFT = 12
"""A number is found by its bucket, which is number >> 12, and then by binary search."""

NUMBER = 0xFFFFFFFF


class Table(NamedTuple):
    """A finished table, stored so that `find` can search it: the sorted numbers of all positions, and their codes.
    `buckets[h]` is how many numbers are below h << BUCKET_SHIFT."""

    numbers: Array
    buckets: Array
    codes: Array


@allocation_free
def find(table: Table, number: int) -> int:
    """Return the index of a number in the table, or -1."""
    bucket = number >> BUCKET_SHIFT
    if bucket >= len(table.buckets) - 1:
        return -1
    low = np.int64(table.buckets[bucket])
    end = np.int64(table.buckets[bucket + 1])
    high = end
    while low < high:
        middle = (low + high) // 2
        if np.int64(table.numbers[middle]) < number:
            low = middle + 1
        else:
            high = middle
    return low if low < end and np.int64(table.numbers[low]) == number else -1


@allocation_free
def value_from_children(count, words):
    """Return (code, lure) of a position, computed from the words of the positions after its moves.

    The lure is the best trap that the side to move can set next, and 0 if the position is not drawn. A trap is a
    weighted mean over all moves, rounded to the nearest number. A losing move counts TRAP_SCALE with weight 1. A move
    that holds the draw counts the lure after it, with weight KEEPING_WEIGHT. Without moves, the game is drawn.
    """
    if count == 0:
        return DRAWN, 0
    win, loss, losing, drawn, hopes, lure = 100, -1, 0, 0, 0, 0
    for k in range(count):
        c = words[k] >> 32 & 255
        if c >= DRAWN:
            drawn += 1
            hopes += words[k] >> 40
            lure = max(lure, c - OPEN_DRAW)
        elif c % 2 == 0:
            win = min(win, c + 1)
        else:
            losing += 1
            loss = max(loss, c + 1)
    if win < 100:
        return win, 0
    if drawn == 0:
        return loss, 0
    weight = losing + KEEPING_WEIGHT * drawn
    total = losing * TRAP_SCALE + KEEPING_WEIGHT * hopes
    return OPEN_DRAW + (2 * total + weight) // (2 * weight), lure


@inlined
def slot_of(number, slots):
    """Return the slot of a number in a hash set, or the free slot where it belongs."""
    at = (number * HASH) >> 16 & (len(slots) - 1)
    while slots[at] != 0 and slots[at] & NUMBER != number:
        at = (at + 1) & (len(slots) - 1)
    return at


@kernel
def gather(numbers: Array, slots: Array) -> None:
    """Put the numbers of all positions after moves from `numbers` into the empty hash set `slots`."""
    node = make_node()
    for n in range(len(numbers)):
        number = np.int64(numbers[n])
        seat = unpack(number, node.board, node.left)
        for k in range(list_children(node, seat, number % COVERED_STATES)):
            slots[slot_of(node.numbers[k], slots)] = node.numbers[k]


@kernel
def keep(words: Array, slots: Array) -> None:
    """Put the words of a layer into the empty hash set `slots`."""
    for word in words:
        slots[slot_of(word & NUMBER, slots)] = word


@kernel
def value(numbers: Array, slots: Array, words: Array) -> None:
    """Write the word of each of `numbers`, with its code and lure. The positions after their moves must be in the hash
    set `slots`."""
    node = make_node()
    after = np.zeros(MAX_MOVES, np.int64)
    for n in range(len(numbers)):
        number = np.int64(numbers[n])
        seat = unpack(number, node.board, node.left)
        lure = 0
        if has_line(node.board):
            code = 0
        elif wins_now(node.board, node.left, seat):
            code = 1
        else:
            count = list_children(node, seat, number % COVERED_STATES)
            for k in range(count):
                after[k] = slots[slot_of(node.numbers[k], slots)]
            code, lure = value_from_children(count, after)
        words[n] = number | code << 32 | lure << 40


@kernel
def lay_out(numbers: Array) -> tuple[Array, Array, Array]:
    """Unpack positions: the pieces that their cells show (n x 9, 0..6), the pieces in hand (n x 6, in the order a A b B
    c C), and how many different boards there are among each position's images. Hands are negative if a number describes
    no position, as in a damaged table."""
    size = len(numbers)
    boards, hands, images = np.empty((size, 9), np.uint8), np.empty((size, 6), np.int64), np.empty(size, np.int64)
    node = make_node()
    for n in range(size):
        unpack(np.int64(numbers[n]), node.board, node.left)
        boards_of(node.board, node.images)
        same = 0
        for s in range(ALL_IMAGES):
            same += node.images[s] == node.images[0]
        boards[n], images[n] = node.board, ALL_IMAGES // same
        for t in range(6):
            hands[n, 2 * (t % 3) + t // 3] = node.left[t + 1]
    return boards, hands, images


@kernel
def list_moves(boards: Array, hands: Array, table: Table) -> tuple[Array, Array, Array, Array]:
    """Return the code of each position, the packed form of every move, the code of the position after each move, and
    the number of moves of each position. `boards` and `hands` are as in `lay_out`. A position that is not in the table
    gets the code NO_CODE and no moves."""
    size, room = len(boards), len(boards) * MAX_MOVES
    here, counts = np.empty(size, np.uint8), np.empty(size, np.int64)
    words, after = np.empty(room, np.uint8), np.empty(room, np.uint8)
    node = make_node()
    total = 0
    for n in range(size):
        node.board[:] = boards[n]
        for t in range(6):
            node.left[t + 1] = hands[n, 2 * (t % 3) + t // 3]
        number = pack(node)
        at = find(table, number) if number >= 0 else -1
        here[n] = NO_CODE if at < 0 else table.codes[at]
        counts[n] = 0 if at < 0 else list_children(node, seat_of(node.left), number % COVERED_STATES)
        for k in range(counts[n]):
            words[total] = node.moves[k]
            after[total] = table.codes[find(table, node.numbers[k])]
            total += 1
    return here, words[:total], after[:total], counts
