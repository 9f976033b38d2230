"""Every move of many numbered positions; compiled."""

import numpy as np

from onlymove_engines.search.jit import Array, kernel

from .law import ALL_IMAGES, COVERED_STATES, MOST_MOVES, boards_of, children, parted
from .table import find


@kernel
def list_classes(
    numbers: Array,
    table: Array,
    buckets: Array,
    shift: int,
    codes: Array,
    boards: Array,
    hands: Array,
    weight: Array,
    words: Array,
    after: Array,
    ends: Array,
) -> None:
    """What stands on the nine cells of each position, what is left in hand (7: by kind, entry 0 unused), how many
    positions share its number, and every move: its word and the code of the position after it. The moves of row k end
    at `ends[k]`. `table`, `buckets` and `shift` are what `find` looks numbers up in."""
    board = np.zeros(9, np.int64)
    left = np.zeros(7, np.int64)
    images = np.empty(ALL_IMAGES, np.int64)
    born = np.zeros(MOST_MOVES, np.int64)
    moves = np.zeros(MOST_MOVES, np.int64)
    total = 0
    for n in range(len(numbers)):
        number = np.int64(numbers[n])
        seat = parted(number, board, left)
        boards[n], hands[n] = board, left
        boards_of(board, images)
        weight[n] = ALL_IMAGES // np.sum(images == number // COVERED_STATES)
        count = children(board, left, seat, number % COVERED_STATES, ALL_IMAGES, images, born, moves)
        for k in range(count):
            words[total] = moves[k]
            after[total] = codes[find(table, buckets, shift, born[k])]
            total += 1
        ends[n] = total
