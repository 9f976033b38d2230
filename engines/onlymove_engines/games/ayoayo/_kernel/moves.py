"""The rules of Ayòayò compiled: sowing, legal moves, and boards and captures as single numbers."""

import numpy as np

from onlymove_engines.compiled.jit import Array, allocation_free, inlined

DROP_LIMIT = 200
"""The same limit as in the rules. No sowing that ends takes more than 91 drops."""

ENDLESS = -1

# Captures of both sides in one number, in seeds. For a move, `first` are the mover's and `second` the other side's.
# For a game, they are the first and the second player's.
#
#     bits    16 ... 8    7 ... 0
#              second      first


@inlined
def pack(first: int, second: int) -> int:
    return first | second << 8


@inlined
def unpack(captures: int) -> tuple[int, int]:
    return captures & 255, captures >> 8


@inlined
def net(captures: int) -> int:
    """Return the mover's captures minus those of the other side."""
    first, second = unpack(captures)
    return first - second


@allocation_free
def sow(board: Array, pit: int, limit: int) -> int:
    """Sow `pit`, changing `board`. Return the packed captures of both sides, the mover's first, or ENDLESS after
    `limit` drops."""
    captured = 0
    hand = board[pit]
    board[pit] = 0
    for _ in range(limit):
        pit = pit + 1 if pit < 11 else 0
        seeds = board[pit] + 1
        hand -= 1
        if seeds == 4:
            board[pit] = 0
            captured += pack(4, 0) if hand == 0 or pit < 6 else pack(0, 4)
            if hand == 0:
                return captured
        elif hand == 0:
            if seeds == 1:
                board[pit] = 1
                return captured
            hand = seeds
            board[pit] = 0
        else:
            board[pit] = seeds
    return ENDLESS


@allocation_free
def list_children(board: Array, after: Array, gains: Array, pits: Array) -> int:
    """List every legal move by ascending pit, and return how many there are.

    Write the boards after the moves, as seen by the other side, to `after` (6 x 12), the packed captures to `gains`,
    and the pits to `pits`.
    """
    others = board[6] + board[7] + board[8] + board[9] + board[10] + board[11]
    count = 0
    for pit in range(6):
        if board[pit] == 0:
            continue
        child = after[count]
        for i in range(12):
            child[i] = board[i]
        gain = sow(child, pit, DROP_LIMIT)
        if gain == ENDLESS:
            continue
        if others == 0 and child[6] + child[7] + child[8] + child[9] + child[10] + child[11] == 0:
            continue
        for i in range(6):
            child[i], child[i + 6] = child[i + 6], child[i]
        gains[count] = gain
        pits[count] = pit
        count += 1
    return count


@allocation_free
def count_own_seeds(board: Array) -> int:
    """Count the seeds in the row of the side to move. It sweeps them if it has no legal move."""
    return board[0] + board[1] + board[2] + board[3] + board[4] + board[5]


@allocation_free
def count_seeds(board: Array) -> int:
    total = 0
    for pit in range(12):
        total += board[pit]
    return total


@allocation_free
def number_closed(board: Array) -> int:
    """Return the number of a closed board as defined in `index`. Return -1 if a pit holds more than 3 seeds, or if the
    number of seeds is not a multiple of 4."""
    number = 0
    for pit in range(11):
        if board[pit] > 3:
            return -1
        number |= board[pit] << (2 * pit)
    return number if board[11] <= 3 else -1


@allocation_free
def write_closed_board(number: int, board: Array) -> int:
    """Write the closed board with this number to `board`. Return its number of seeds."""
    total = 0
    for pit in range(11):
        board[pit] = (number >> (2 * pit)) & 3
        total += board[pit]
    board[11] = -total & 3
    return total + board[11]


@allocation_free
def key(board: Array) -> int:
    """Return a number that identifies the board. In binary, it has a zero for each seed and a one after each pit:

    pits 2,0,1,...   ->   1 001 1 01 ...      at most 48 zeros and 13 ones
    """
    bits = np.int64(1)
    for pit in range(12):
        bits = (bits << (board[pit] + 1)) | 1
    return bits
