"""Solves the boards of the table backwards: the margin to come, and how far away the next capture is.

Seeds leave the board only by captures, so boards with the fewest seeds are solved first. Among boards with the same
number of seeds, play can be endless, which is worth 0. A margin above 0 has to be forced.
"""

import numpy as np

from onlymove_engines.compiled.jit import Array, kernel

from .moves import count_own_seeds, list_children, net, number_closed, write_closed_board

NOTHING = -128
"""The best margin of a capturing move if no move captures."""


@kernel
def expand(margins: Array, place: Array, numbers: Array, quiet: Array, best: Array, left: Array) -> None:
    """List every move of these boards of one layer. `place` gives a board's index in the layer by its number.

    Row i of `quiet` (n x 6) gets the indices of the boards after moves that capture nothing, with -1 after the last,
    and `left[i]` gets their number. `best[i]` gets the best margin of a move that captures, or of the final sweep.
    """
    board = np.empty(12, np.int64)
    after = np.empty((6, 12), np.int64)
    gains = np.empty(6, np.int64)
    pits = np.empty(6, np.int64)
    for i in range(len(numbers)):
        write_closed_board(numbers[i], board)
        count = list_children(board, after, gains, pits)
        best[i] = NOTHING if count else count_own_seeds(board)
        stay = 0
        for m in range(count):
            child = number_closed(after[m])
            if gains[m] == 0:
                quiet[i, stay] = place[child]
                stay += 1
            else:
                best[i] = max(best[i], net(gains[m]) - margins[child])
        left[i] = stay
        for m in range(stay, 6):
            quiet[i, m] = -1


@kernel
def list_parents(quiet: Array) -> tuple[Array, Array]:
    """Return, for each board, the boards from which a move without a capture leads to it, as (parents, starts). The
    parents of board i are parents[starts[i]:starts[i + 1]]."""
    n = len(quiet)
    starts = np.zeros(n + 1, np.int64)
    for i in range(n):
        for m in range(6):
            if quiet[i, m] >= 0:
                starts[quiet[i, m] + 1] += 1
    for i in range(n):
        starts[i + 1] += starts[i]
    ends = starts.copy()
    found = np.empty(starts[n], np.int32)
    for i in range(n):
        for m in range(6):
            if quiet[i, m] >= 0:
                found[ends[quiet[i, m]]] = i
                ends[quiet[i, m]] += 1
    return found, starts


@kernel
def settle(best: Array, left: Array, found: Array, starts: Array, value: Array, rank: Array) -> None:
    """Write the margins and ranks of a layer, for each margin t from the largest to the smallest.

    A board is worth t if a capture is worth t or a quiet move leads to a board worth -t. It is worth -t if no capture
    is worth more and every quiet move leads to a board worth t or more. The rank is the round in which the board was
    settled. The side that gains the margin always has a capture or a move to a lower rank. A board that is never
    settled has value 0 and rank 0. `left` counts the quiet moves that are not refuted yet.
    """
    n = len(best)
    settled = np.zeros(n, np.bool_)
    queue = np.empty(n, np.int32)
    for t in range(48, 0, -1):
        head, tail = 0, 0
        for i in range(n):
            if not settled[i] and (best[i] >= t or (left[i] == 0 and best[i] <= -t)):
                settled[i] = True
                value[i] = t if best[i] >= t else -t
                rank[i] = 1
                queue[tail] = i
                tail += 1
        while head < tail:
            i = queue[head]
            head += 1
            for e in range(starts[i], starts[i + 1]):
                parent = found[e]
                if value[i] > 0:
                    left[parent] -= 1
                if settled[parent]:
                    continue
                if value[i] < 0 or (left[parent] == 0 and best[parent] <= -t):
                    settled[parent] = True
                    value[parent] = t if value[i] < 0 else -t
                    rank[parent] = rank[i] + 1
                    queue[tail] = parent
                    tail += 1


@kernel
def list_moves(begin: int, end: int) -> tuple[Array, Array, Array, Array, Array, Array]:
    """List every move of the boards `begin`..`end`-1. Return (boards, ends, pits, gains, sown, numbers).

    `boards` begin with the side to move. The moves of board k end at `ends[k]`. For each move, there is its pit, its
    packed captures, the board after it, which begins with the other side, and the number of that board.
    """
    rows, room = end - begin, 6 * (end - begin)
    boards, ends, pits = np.empty((rows, 12), np.int8), np.empty(rows, np.int64), np.empty(room, np.int8)
    gains, sown, numbers = np.empty(room, np.int32), np.empty((room, 12), np.int8), np.empty(room, np.int32)
    board = np.empty(12, np.int64)
    after = np.empty((6, 12), np.int64)
    taken = np.empty(6, np.int64)
    chosen = np.empty(6, np.int64)
    total = 0
    for row in range(rows):
        write_closed_board(begin + row, board)
        boards[row] = board
        for m in range(list_children(board, after, taken, chosen)):
            pits[total], gains[total], sown[total] = chosen[m], taken[m], after[m]
            numbers[total] = number_closed(after[m])
            total += 1
        ends[row] = total
    return boards, ends, pits[:total], gains[:total], sown[:total], numbers[:total]
