"""Every move of many numbered positions; compiled."""

import numpy as np

from onlymove_engines.search.jit import Array, kernel

from .law import MOST_MOVES, generate
from .numbers import class_number, position


@kernel
def list_classes(
    numbers: Array, has_neutral: bool, boards: Array, passed: Array, words: Array, after: Array, ends: Array
) -> None:
    """The masks (own, opp, neutral) of each position, Top to move, its number if the other side had to move (`passed`),
    and every move: its word and the number after it. The moves of row k end at `ends[k]`."""
    moves = np.empty(MOST_MOVES, np.int32)
    found = np.empty((MOST_MOVES, 3), np.int64)
    total = 0
    for row in range(len(numbers)):
        own, opp, neutral = position(numbers[row], has_neutral)
        boards[row, 0], boards[row, 1], boards[row, 2] = own, opp, neutral
        passed[row] = class_number(opp, own, neutral, 1)
        for k in range(generate(own, opp, neutral, 0, moves, found)):
            words[total] = moves[k]
            after[total] = class_number(found[k, 1], found[k, 0], found[k, 2], 1)
            total += 1
        ends[row] = total
