"""The law of the game: every move of a position, and the masks after it; compiled.

A move is packed into a word, its cells in four bits each, 15 for none:

    bit 20     16     12      8       4       0
    neutral  pawn3  pawn2  pawn1  landing  origin
"""

import numpy as np

from onlymove_engines.search.bitset import popcount
from onlymove_engines.search.jit import Array, inlined, kernel

from .masks import ALL, NONE

HOMES = np.array([0x7000, 0x0007], np.int64)
MOST_MOVES = 128


def _lines():
    """The cells of each of eight lines from each cell, -1 beyond the edge; directions as in `rules`."""
    lines = np.full((15, 8, 4), -1, np.int8)
    steps = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
    for cell in range(15):
        for direction, (columns, rows) in enumerate(steps):
            for step in range(1, 5):
                row, column = cell // 3 + step * rows, cell % 3 + step * columns
                if 0 <= row < 5 and 0 <= column < 3:
                    lines[cell, direction, step - 1] = 3 * row + column
    return lines


LINES = _lines()


@inlined
def packed(origin, landing, pawn1, pawn2, pawn3, neutral):
    """The word of a move."""
    return origin | landing << 4 | pawn1 << 8 | pawn2 << 12 | pawn3 << 16 | neutral << 20


def parted(word: int) -> tuple[int, ...]:
    """The cells of a move: origin, landing, three pawns, neutral. For Python: no kernel takes a move apart."""
    return tuple(word >> shift & 15 for shift in range(0, 24, 4))


@kernel
def put_down(own, opp, neutral, lifted, free, home, word, count, moves, boards):
    """Add the moves that put the pawns into `opp` and, where it is `lifted`, the neutral pawn on each free cell.
    `word` is the move with 0 for the neutral pawn."""
    if not lifted:
        if (own | opp | neutral) & home != home:
            moves[count] = word | packed(0, 0, 0, 0, 0, NONE)
            boards[count, 0], boards[count, 1], boards[count, 2] = own, opp, neutral
            count += 1
        return count
    for cell in range(3, 12):
        bit = 1 << cell
        if free & bit and not opp & bit and (own | opp | bit) & home != home:
            moves[count] = word | packed(0, 0, 0, 0, 0, cell)
            boards[count, 0], boards[count, 1], boards[count, 2] = own, opp, bit
            count += 1
    return count


@kernel
def generate(own: int, opp: int, neutral: int, seat: int, moves: Array, boards: Array) -> int:
    """Every legal move in the order of `rules` unless the game is over: its word, and the masks after it (own is
    still the mover's). Returns how many."""
    home, goal = HOMES[seat], HOMES[1 - seat]
    if own & goal == goal or opp & home == home:
        return 0
    occupied = own | opp | neutral
    count = 0
    for origin in range(15):
        if not own & ~goal & 1 << origin:
            continue
        for direction in range(8):
            landing, jumped = NONE, 0
            for step in range(4):
                cell = LINES[origin, direction, step]
                if cell < 0 or opp & home & 1 << cell:
                    break
                if not occupied & 1 << cell:
                    landing = cell
                    break
                jumped |= 1 << cell
            if landing == NONE:
                continue
            moved = own ^ 1 << origin | 1 << landing
            kept = opp & ~jumped
            lifted = neutral & jumped
            free = ALL & ~(occupied | 1 << landing)
            pawns = popcount(opp & jumped)
            if pawns == 0:
                word = packed(origin, landing, NONE, NONE, NONE, 0)
                count = put_down(moved, kept, neutral, lifted, free, home, word, count, moves, boards)
                continue
            for a in range(15):
                if not free & 1 << a:
                    continue
                if pawns == 1:
                    word = packed(origin, landing, a, NONE, NONE, 0)
                    count = put_down(moved, kept | 1 << a, neutral, lifted, free, home, word, count, moves, boards)
                    continue
                for b in range(a + 1, 15):
                    if not free & 1 << b:
                        continue
                    two = kept | 1 << a | 1 << b
                    if pawns == 2:
                        word = packed(origin, landing, a, b, NONE, 0)
                        count = put_down(moved, two, neutral, lifted, free, home, word, count, moves, boards)
                        continue
                    for c in range(b + 1, 15):
                        if free & 1 << c:
                            three, word = two | 1 << c, packed(origin, landing, a, b, c, 0)
                            count = put_down(moved, three, neutral, lifted, free, home, word, count, moves, boards)
    return count
