"""Every board that play can reach, the side to move first, whatever has been captured."""

import numpy as np
from onlymove_engines.games.ayoayo._kernel.moves import DROP_LIMIT, ENDLESS, key, list_children, sow
from onlymove_engines.games.ayoayo._kernel.search import find_slot
from onlymove_engines.search.jit import Array, kernel

BOARDS, MOVES, ENDLESS_BOARDS, LONGEST, LONGER = 0, 1, 2, 3, 4
"""Places in `figures`; the last two count sowings of at least, and of more than, so many drops that end."""


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
def seen(bits: int, slots: Array) -> bool:
    """Whether this key is in the open hash table `slots` already; puts it there."""
    slot = find_slot(bits, len(slots))
    while slots[slot] != 0:
        if slots[slot] == bits:
            return True
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = bits
    return False


@kernel
def long_sowings(board: Array, work: Array, drops: int, figures: Array) -> None:
    """Count the sowings of a board that never end, and those that take `drops` drops and more."""
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
    """Visit every board reachable from `start` by permitted moves, each once; false when `queue` is too short.

    `slots` (zeros, a power of two, longer than the number of boards) and `queue` are working memory. Boards
    without a permitted move are counted, the swept ones after them are not.
    """
    board, work = np.empty(12, np.int64), np.empty(12, np.int64)
    after, gains, pits = np.empty((6, 12), np.int64), np.empty(6, np.int64), np.empty(6, np.int64)
    seen(key(start), slots)
    queue[0] = key(start)
    head, tail = 0, 1
    while head < tail:
        board_of(queue[head], board)
        head += 1
        long_sowings(board, work, drops, figures)
        moves = list_children(board, after, gains, pits)
        figures[MOVES] += moves
        for m in range(moves):
            bits = key(after[m])
            if not seen(bits, slots):
                if tail == len(queue):
                    return False
                queue[tail] = bits
                tail += 1
    figures[BOARDS] = tail
    return True
