"""Every move of the closed boards; compiled."""

import numpy as np

from onlymove_engines.search.jit import Array, kernel

from .sow import children, closed_board, closed_number, net


@kernel
def list_boards(
    begin: int,
    end: int,
    margins: Array,
    boards: Array,
    pits: Array,
    gains: Array,
    sown: Array,
    worth: Array,
    ends: Array,
) -> None:
    """The boards `begin`..`end`-1, the side to move first, and every move: its pit, what it captures (packed), the
    board after it (`sown`), the other side first, and the margin it leads to, what it captures included. The moves of
    row k end at `ends[k]`."""
    board = np.empty(12, np.int64)
    after = np.empty((6, 12), np.int64)
    taken = np.empty(6, np.int64)
    chosen = np.empty(6, np.int64)
    total = 0
    for number in range(begin, end):
        row = number - begin
        closed_board(number, board)
        boards[row] = board
        for m in range(children(board, after, taken, chosen)):
            pits[total], gains[total], sown[total] = chosen[m], taken[m], after[m]
            worth[total] = net(taken[m]) - margins[closed_number(after[m])]
            total += 1
        ends[row] = total
