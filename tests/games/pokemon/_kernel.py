"""What the tests alone compile: how many moves of the drawn positions keep the draw."""

from __future__ import annotations

import numpy as np
from onlymove_engines.games.pokemon._kernel.law import ALL_IMAGES, COVERED_STATES, MOST_MOVES, children, parted
from onlymove_engines.games.pokemon._kernel.table import DRAWN, OPEN_DRAW, find
from onlymove_engines.search.jit import Array, kernel


@kernel
def choices(table: Array, buckets: Array, shift: int, codes: Array, figures: Array) -> None:
    """Count all moves (`figures[0]`) and keeping moves (`figures[1]`) of the open draws of a table."""
    board = np.zeros(9, np.int64)
    left = np.zeros(7, np.int64)
    born = np.zeros(MOST_MOVES, np.int64)
    moves = np.zeros(MOST_MOVES, np.int64)
    boards = np.zeros(ALL_IMAGES, np.int64)
    for n in range(len(table)):
        if codes[n] >= OPEN_DRAW:
            seat = parted(np.int64(table[n]), board, left)
            count = children(board, left, seat, np.int64(table[n]) % COVERED_STATES, ALL_IMAGES, boards, born, moves)
            figures[0] += count
            for k in range(count):
                at = find(table, buckets, shift, born[k])
                figures[1] += at >= 0 and codes[at] >= DRAWN
