"""Lists all moves of many positions, with the numbers of the positions after them.

Analysis, building and statistics all take their moves from `list_moves`. A move is packed into a word. Each cell takes
four bits, and 15 stands for no cell:

    bit 20     16     12      8       4       0
    neutral  pawn3  pawn2  pawn1  landing  origin

Numbers are those of `index`. They are computed from ranks of sets of cells, and a position and its mirror image share
the smaller of their numbers.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.bitset import popcount
from onlymove_engines.compiled.jit import Array, kernel

ALL = 0x7FFF
COLUMN_A = 0x1249
NONE = 15
"""Stands for no cell in a packed move."""
HOMES = np.array([0x7000, 0x0007], np.int64)
MAX_MOVES = 128
TRIPLES = np.array([mask for mask in range(1 << 15) if mask.bit_count() == 3], np.int64)
"""All sets of three cells. In the order of their masks, they are in colexicographic order."""
RANK = np.zeros(1 << 15, np.int16)
RANK[TRIPLES] = np.arange(len(TRIPLES))


@kernel
def overturned(mask):
    """Turn a set of cells upside down."""
    return (mask & 7) << 12 | (mask & 0x38) << 6 | mask & 0x1C0 | (mask & 0xE00) >> 6 | mask >> 12


@kernel
def mirrored(mask):
    """Swap columns a and c."""
    return (mask & COLUMN_A) << 2 | mask & (COLUMN_A << 1) | (mask >> 2) & COLUMN_A


@kernel
def rank(mask, taken):
    """Return the rank of three cells among all sets of three cells that are not `taken`."""
    while taken:
        lowest = taken & -taken
        below = mask & lowest - 1
        mask = below | (mask ^ below) >> 1
        taken = (taken ^ lowest) >> 1
    return np.int64(RANK[mask])


@kernel
def plain_number(own, opp, neutral):
    """Return the number, as in `index`, of a position with Top to move. Mirror images have different numbers."""
    if neutral == 0:
        return rank(own, 0) * 220 + rank(opp, own)
    place = popcount(neutral - 1) - 3
    return (place * 364 + rank(own, neutral)) * 165 + rank(opp, own | neutral)


@kernel
def number_position(own, opp, neutral, seat, is_folded):
    """Return the number of a position with this seat to move. With `is_folded`, mirror images share the smaller of
    their numbers."""
    if seat == 1:
        own, opp, neutral = overturned(own), overturned(opp), overturned(neutral)
    number = plain_number(own, opp, neutral)
    return min(number, plain_number(mirrored(own), mirrored(opp), mirrored(neutral))) if is_folded else number


def _list_lines():
    """List the cells on each of eight lines from each cell, with -1 beyond the edge. The directions are in the order of
    `rules`."""
    lines = np.full((15, 8, 4), -1, np.int8)
    steps = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
    for cell in range(15):
        for direction, (columns, rows) in enumerate(steps):
            for step in range(1, 5):
                row, column = cell // 3 + step * rows, cell % 3 + step * columns
                if 0 <= row < 5 and 0 <= column < 3:
                    lines[cell, direction, step - 1] = 3 * row + column
    return lines


LINES = _list_lines()


def _list_puts():
    """List every set of up to three cells: their masks, their cells packed as in a move, and where the sets of each
    size begin. Smaller sets come first. Sets of one size are in the order of `rules`."""
    sets = [cells for size in range(4) for cells in combinations(range(15), size)]
    masks = [sum(1 << cell for cell in cells) for cells in sets]
    words = [sum(cell << 4 * k for k, cell in enumerate((*cells, *[NONE] * 3)[:3])) << 8 for cells in sets]
    return np.array(masks), np.array(words), np.searchsorted([len(cells) for cells in sets], range(5))


PUTS, PUT_WORDS, PUT_STARTS = _list_puts()


@kernel
def generate(own: int, opp: int, neutral: int, seat: int, moves: Array, boards: Array) -> int:
    """List every legal move in the order of `rules`, and return how many there are. There are none if the game is over.
    For each move, write its packed form and the masks after it. `own` still belongs to the side that moved."""
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
            mine = own ^ 1 << origin | 1 << landing
            free = ALL & ~(occupied | 1 << landing)
            pawns = popcount(opp & jumped)
            for k in range(PUT_STARTS[pawns], PUT_STARTS[pawns + 1]):
                put = PUTS[k]
                if put & ~free:
                    continue
                theirs, word = opp & ~jumped | put, origin | landing << 4 | PUT_WORDS[k]
                for cell in range(3, 12) if neutral & jumped else range(NONE, NONE + 1):
                    stone = 1 << cell if neutral & jumped else neutral
                    if (cell == NONE or stone & free & ~put) and (mine | theirs | stone) & home != home:
                        moves[count] = word | cell << 20
                        boards[count, 0], boards[count, 1], boards[count, 2] = mine, theirs, stone
                        count += 1
    return count


class Moves(NamedTuple):
    """The moves of several positions, listed one position after the other. The moves of position k end at `ends[k]`.

    For each move, `words` has its packed form and `after` the masks of the mover's pawns, the opponent's pawns and the
    neutral pawn after it. `numbers` has the number of the new position.
    """

    words: Array
    after: Array
    numbers: Array
    ends: Array


@kernel
def number_positions(boards: Array, seats: Array) -> Array:
    """Return the numbers of the positions with these masks (own, opp, neutral) and sides to move. Mirror images share a
    number."""
    numbers = np.empty(len(boards), np.int32)
    for row in range(len(boards)):
        numbers[row] = number_position(boards[row, 0], boards[row, 1], boards[row, 2], seats[row], True)
    return numbers


@kernel
def list_moves(boards: Array, seats: Array, is_folded: bool) -> Moves:
    """List every legal move of the positions with these masks (own, opp, neutral) and sides to move. With `is_folded`,
    mirror images share a number."""
    room = len(boards) * MAX_MOVES
    words, after, numbers = np.empty(room, np.int32), np.empty((room, 3), np.int16), np.empty(room, np.int32)
    ends = np.empty(len(boards), np.int64)
    total = 0
    for row in range(len(boards)):
        seat = np.int64(seats[row])
        begin = total
        total += generate(boards[row, 0], boards[row, 1], boards[row, 2], seat, words[begin:], after[begin:])
        for k in range(begin, total):
            numbers[k] = number_position(after[k, 1], after[k, 0], after[k, 2], 1 - seat, is_folded)
        ends[row] = total
    return Moves(words[:total], after[:total], numbers[:total], ends)
