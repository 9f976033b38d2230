"""Rows for many positions at once, from the table; compiled."""

import numpy as np

from onlymove_engines.search.jit import Array, kernel

from .graph import DRAW, VALUE, best_code
from .law import MOST_MOVES, generate
from .numbers import class_number


@kernel
def masks(letters, seat):
    """The masks (own, opp, neutral) of 15 letters as bytes."""
    own, opp, neutral = 0, 0, 0
    for cell in range(15):
        letter = letters[cell]
        if letter == 78:  # N
            neutral |= 1 << cell
        elif letter == (84 if seat == 0 else 66):  # T, B
            own |= 1 << cell
        elif letter != 46:  # a point
            opp |= 1 << cell
    return own, opp, neutral


@kernel
def list_moves(
    cells: Array, seats: Array, here: Array, words: Array, numbers: Array, texts: Array, ends: Array
) -> None:
    """The class number of each position, and every move: its word, the class number after it, and the letters of that
    board in the places of a spelled position (`texts`, filled with a spelled empty board). The moves of row k end at
    `ends[k]`.
    """
    moves = np.empty(MOST_MOVES, np.int32)
    boards = np.empty((MOST_MOVES, 3), np.int64)
    total = 0
    for row in range(len(seats)):
        seat = seats[row]
        own, opp, neutral = masks(cells[row], seat)
        here[row] = class_number(own, opp, neutral, seat)
        mine, theirs = (84, 66) if seat == 0 else (66, 84)
        for k in range(generate(own, opp, neutral, seat, moves, boards)):
            words[total] = moves[k]
            numbers[total] = class_number(boards[k, 1], boards[k, 0], boards[k, 2], 1 - seat)
            for cell in range(15):
                place = 4 * (4 - cell // 3) + cell % 3
                if boards[k, 0] >> cell & 1:
                    texts[total, place] = mine
                elif boards[k, 1] >> cell & 1:
                    texts[total, place] = theirs
                elif boards[k, 2] >> cell & 1:
                    texts[total, place] = 78
            texts[total, 20] = theirs
            total += 1
        ends[row] = total


@kernel
def summarise(
    cells: Array, seats: Array, codes: Array, values: Array, counts: Array, keeping: Array, best: Array, ends: Array
) -> None:
    """A row for each position: its code, its moves, how many keep the result, and the co-best moves.

    `cells` are rows of 15 letters as bytes. The codes of the co-best moves of row k are
    `best[ends[k - 1]:ends[k]]`.
    """
    moves = np.empty(MOST_MOVES, np.int32)
    boards = np.empty((MOST_MOVES, 3), np.int64)
    found = np.empty(MOST_MOVES, np.uint8)
    total = 0
    for row in range(len(seats)):
        seat = seats[row]
        own, opp, neutral = masks(cells[row], seat)
        values[row] = codes[class_number(own, opp, neutral, seat)] & VALUE
        count = generate(own, opp, neutral, seat, moves, boards)
        for k in range(count):
            found[k] = codes[class_number(boards[k, 1], boards[k, 0], boards[k, 2], 1 - seat)] & VALUE
        counts[row] = count
        keeping[row] = 0
        right = best_code(found[:count])
        for k in range(count):
            is_kept = found[k] == DRAW if right == DRAW else found[k] != DRAW and found[k] % 2 != right % 2
            if is_kept:
                keeping[row] += 1
                if right == DRAW or found[k] + 1 == right:
                    best[total] = moves[k]
                    total += 1
        ends[row] = total
