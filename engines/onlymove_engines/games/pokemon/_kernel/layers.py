"""The two passes that build the table: finding the children of a layer, and valuing a layer from them.

A layer is found by a hash set. Its slots, a power of two that exceeds the numbers in it, are words:

    bits 40..47   32..39   0..31
         lure     code     number      a word of 0 is a free slot: number 0, the start, is nobody's child

Knows nothing of how a finished table is read or checked.
"""

import numpy as np

from onlymove_engines.search.jit import Array, inlined, kernel

from .law import ALL_IMAGES, COVERED_STATES, HASH, LINES, MOST_MOVES, SIZE, children, has_line, parted
from .table import worth

NUMBER = 0xFFFFFFFF
LINE_MASKS = np.sum(1 << LINES, axis=1)
"""The cells of every line as bits."""


@inlined
def slot_of(number, slots):
    """Where a number is in a hash set, or the free slot where it belongs."""
    at = (number * HASH) >> 16 & (len(slots) - 1)
    while slots[at] != 0 and slots[at] & NUMBER != number:
        at = (at + 1) & (len(slots) - 1)
    return at


@kernel
def gather(numbers: Array, slots: Array) -> int:
    """Put the numbers of all children of all `numbers` into the empty hash set `slots`, each once; give how many."""
    board = np.zeros(9, np.int64)
    left = np.zeros(7, np.int64)
    boards = np.zeros(ALL_IMAGES, np.int64)
    born = np.zeros(MOST_MOVES, np.int64)
    moves = np.zeros(MOST_MOVES, np.int64)
    found = 0
    for n in range(len(numbers)):
        number = np.int64(numbers[n])
        seat = parted(number, board, left)
        count = children(board, left, seat, number % COVERED_STATES, ALL_IMAGES, boards, born, moves)
        for k in range(count):
            at = slot_of(born[k], slots)
            found += slots[at] == 0
            slots[at] = born[k]
    return found


@kernel
def emptied(slots: Array, numbers: Array) -> None:
    """Write the numbers of a hash set to `numbers`, for which there must be room, and empty it."""
    count = 0
    for at in range(len(slots)):
        if slots[at] != 0:
            numbers[count] = slots[at]
            slots[at] = 0
            count += 1


@kernel
def keep(numbers: Array, codes: Array, lures: Array, slots: Array) -> None:
    """Put the numbers of a layer with their codes and lures into the empty hash set `slots`."""
    for n in range(len(numbers)):
        number = np.int64(numbers[n])
        slots[slot_of(number, slots)] = number | np.int64(codes[n]) << 32 | np.int64(lures[n]) << 40


@inlined
def wins_now(board, left, seat):
    """Whether a piece in hand completes a line of the side to move."""
    largest = 2 if left[3 * seat + 3] else 1 if left[3 * seat + 2] else 0 if left[3 * seat + 1] else -1
    own, free = 0, 0
    for i in range(9):
        own |= (board[i] > 3 * seat and board[i] <= 3 * seat + 3) << i
        free |= (SIZE[board[i]] <= largest) << i
    for line in LINE_MASKS:
        lacking = line & ~own
        if lacking & (lacking - 1) == 0 and lacking & free:
            return True
    return False


@kernel
def value(numbers: Array, slots: Array, codes: Array, lures: Array) -> None:
    """Code and lure of each of `numbers` from its children's, which are all in the hash set `slots`."""
    board = np.zeros(9, np.int64)
    left = np.zeros(7, np.int64)
    boards = np.zeros(ALL_IMAGES, np.int64)
    born = np.zeros(MOST_MOVES, np.int64)
    moves = np.zeros(MOST_MOVES, np.int64)
    child_codes = np.zeros(MOST_MOVES, np.int64)
    child_lures = np.zeros(MOST_MOVES, np.int64)
    for n in range(len(numbers)):
        number = np.int64(numbers[n])
        seat = parted(number, board, left)
        lures[n] = 0
        if has_line(board):
            codes[n] = 0
            continue
        if wins_now(board, left, seat):
            codes[n] = 1
            continue
        count = children(board, left, seat, number % COVERED_STATES, ALL_IMAGES, boards, born, moves)
        for k in range(count):
            word = slots[slot_of(born[k], slots)]
            child_codes[k] = word >> 32 & 255
            child_lures[k] = word >> 40
        codes[n], lures[n] = worth(count, child_codes, child_lures)
