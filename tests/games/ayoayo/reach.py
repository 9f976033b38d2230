"""Visits every board that play can reach, whatever has been captured. Boards begin with the side to move."""

import numpy as np
from onlymove_engines.compiled.jit import Array, kernel
from onlymove_engines.games.ayoayo._kernel.moves import DROP_LIMIT, ENDLESS, key, list_children, sow
from onlymove_engines.games.ayoayo._kernel.search import find_slot

BOARDS, MOVES, ENDLESS_BOARDS, LONGEST, LONGER = 0, 1, 2, 3, 4
"""Indices in `figures`. The last two count sowings that end after at least, and after more than, a given number of
drops."""


@kernel
def board_of(bits: int, board: Array) -> None:
    """Write the board with this key to `board`."""
    bits >>= 1
    for pit in range(11, -1, -1):
        seeds = 0
        while bits & 1 == 0:
            seeds += 1
            bits >>= 1
        board[pit] = seeds
        bits >>= 1


@kernel
def find_or_store(bits: int, slots: Array) -> bool:
    """Return whether this key is already in the hash table `slots`, and store it there."""
    slot = find_slot(bits, len(slots))
    while slots[slot] != 0:
        if slots[slot] == bits:
            return True
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = bits
    return False


@kernel
def count_long_sowings(board: Array, work: Array, drops: int, figures: Array) -> None:
    """Count the sowings of a board that never end, and those that take `drops` drops or more."""
    endless = 0
    for pit in range(6):
        work[:] = board
        if board[pit] == 0 or sow(work, pit, drops - 1) != ENDLESS:
            continue
        work[:] = board
        if sow(work, pit, DROP_LIMIT) == ENDLESS:
            endless += 1
            continue
        figures[LONGEST] += 1
        work[:] = board
        figures[LONGER] += sow(work, pit, drops) == ENDLESS
    figures[ENDLESS_BOARDS] += endless > 0


@kernel
def explore(start: Array, drops: int, slots: Array, queue: Array, figures: Array) -> bool:
    """Visit every board that permitted moves from `start` lead to, each once. Return False if `queue` is too short.

    `slots` and `queue` are working memory. `slots` contains zeros, and its length is a power of two above the number of
    boards. Boards without a permitted move are counted, but not the swept boards after them.
    """
    board, work = np.empty(12, np.int64), np.empty(12, np.int64)
    after, gains, pits = np.empty((6, 12), np.int64), np.empty(6, np.int64), np.empty(6, np.int64)
    find_or_store(key(start), slots)
    queue[0] = key(start)
    head, tail = 0, 1
    while head < tail:
        board_of(queue[head], board)
        head += 1
        count_long_sowings(board, work, drops, figures)
        moves = list_children(board, after, gains, pits)
        figures[MOVES] += moves
        for m in range(moves):
            bits = key(after[m])
            if not find_or_store(bits, slots):
                if tail == len(queue):
                    return False
                queue[tail] = bits
                tail += 1
    figures[BOARDS] = tail
    return True
