"""Positions and their children by number, and the best of the children's codes; compiled."""

import numpy as np

from onlymove_engines.search.jit import Array, kernel

from .law import HOMES, MOST_MOVES, generate
from .masks import mirrored, overturned
from .numbers import class_number, plain_number, position

# Compiled into the kernels, so they stand here and not in `codes`, which says what they mean; a test compares them.
DRAW = 1
SETTLED = 2
HAS_WON = 127
VALUE = 127


@kernel
def expand(
    start: int, stop: int, has_neutral: bool, folded: bool, degrees: Array, ended: Array, children: Array
) -> int:
    """Children of the positions `start`..`stop`-1 with Top to move, as numbers.

    With `folded` they are class numbers and a number that is a mirror image of a smaller one has no children.
    Fills `degrees` and `ended` (-1: the side to move has lost, 1: it has won) from index 0; returns how many
    `children` there are, for which there must be room.
    """
    moves = np.empty(MOST_MOVES, np.int32)
    boards = np.empty((MOST_MOVES, 3), np.int64)
    total = 0
    for number in range(start, stop):
        own, opp, neutral = position(number, has_neutral)
        here = number - start
        degrees[here] = 0
        ended[here] = 0
        if folded and plain_number(mirrored(own), mirrored(opp), mirrored(neutral)) < number:
            continue
        if opp & HOMES[0] == HOMES[0]:
            ended[here] = -1
        elif own & HOMES[1] == HOMES[1]:
            ended[here] = 1
        count = generate(own, opp, neutral, 0, moves, boards)
        degrees[here] = count
        for k in range(count):
            mine, theirs, stone = boards[k, 0], boards[k, 1], boards[k, 2]
            if folded:
                children[total] = class_number(theirs, mine, stone, 1)
            else:
                children[total] = plain_number(overturned(theirs), overturned(mine), overturned(stone))
            total += 1
    return total


@kernel
def best_code(codes):
    """The code of a position whose children have these codes: the quickest win, else a draw, else the slowest loss."""
    win, loss, is_drawn = HAS_WON, -1, False
    for code in codes:
        value = code & VALUE
        if value == DRAW:
            is_drawn = True
        elif value % 2 == 0:
            win = min(win, value + 1)
        else:
            loss = max(loss, value + 1)
    if win < HAS_WON:
        return win
    return DRAW if is_drawn or loss < 0 else loss


@kernel
def orbits(start: int, stop: int, has_neutral: bool, sizes: Array) -> None:
    """How many positions, both sides to move, share each of the numbers `start`..`stop`-1: 4, 2, or 0 when the
    number is not in use."""
    for number in range(start, stop):
        own, opp, neutral = position(number, has_neutral)
        image = plain_number(mirrored(own), mirrored(opp), mirrored(neutral))
        sizes[number - start] = 0 if image < number else 2 if image == number else 4
