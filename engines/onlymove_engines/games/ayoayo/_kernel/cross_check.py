"""Solves the boards of the table a second time, with code that shares nothing with the first solver, to verify the
table.

A closed board has at most 3 seeds in every pit. Here it is a word of 24 bits, two for each pit in the direction of
sowing, beginning with the side to move. The table's number of a board is the word without its last pit.
"""

from collections.abc import Callable

import numpy as np

from onlymove_engines.compiled.jit import Array, inlined, kernel

ROW = 0xFFF
LAST_PIT = 22
"""The number of bits for the first eleven pits. They make the board's number, and the twelfth pit follows from them."""
NOTHING = -128
"""The best margin of a capturing move if no move captures."""


@inlined
def count_seeds(word):
    total = 0
    while word:
        total += word & 3
        word >>= 2
    return total


@inlined
def sow(word, pit, limit):
    """Sow a pit. Return the word after it, the mover's captures minus the other side's, and whether anything is
    captured. The word is -1 if the sowing takes more than `limit` drops, which means that it never ends."""
    hand, won, lost = word >> 2 * pit & 3, 0, 0
    word &= ~(3 << 2 * pit)
    for _ in range(limit):
        pit = (pit + 1) % 12
        lying = word >> 2 * pit & 3
        hand -= 1
        if lying == 3:
            word &= ~(3 << 2 * pit)
            if hand and pit >= 6:
                lost += 4
            else:
                won += 4
        else:
            word += 1 << 2 * pit
        if hand == 0:
            if lying == 3 or lying == 0:
                return word, won - lost, won + lost > 0
            hand = lying + 1
            word &= ~(3 << 2 * pit)
    return -1, 0, False


@kernel
def list_moves(words: Array, margins: Array, limit: int, captures: Array, quiet: Array) -> None:
    """List every move of each board.

    `captures` gets the best margin among the moves that capture. If no move is legal, it gets the seeds that the mover
    sweeps from its own row. `quiet` gets the numbers of the boards after the other moves, with -1 after the last.
    """
    for i in range(len(words)):
        word, count, is_stuck = np.int64(words[i]), 0, True
        captures[i] = NOTHING
        quiet[i] = -1
        for pit in range(6):
            if word >> 2 * pit & 3 == 0:
                continue
            after, gain, is_capture = sow(word, pit, limit)
            if after < 0 or (word >> 12 == 0 and after >> 12 == 0):
                continue
            is_stuck = False
            number = (after >> 12 | (after & ROW) << 12) & 0x3FFFFF
            if is_capture:
                captures[i] = max(captures[i], gain - margins[number])
            else:
                quiet[i, count] = number
                count += 1
        if is_stuck:
            captures[i] = count_seeds(word & ROW)


@kernel
def improve(numbers: Array, captures: Array, quiet: Array, margins: Array, backwards: bool) -> int:
    """Set each board's margin to the best that its moves give. Return how many boards changed.

    All margins start at 0, the value of endless play. They only grow, and at every step a margin is one that can be
    forced.
    """
    changed = 0
    for k in range(len(numbers)):
        i = len(numbers) - 1 - k if backwards else k
        best = np.int64(captures[i])
        for m in range(6):
            if quiet[i, m] < 0:
                break
            best = max(best, -np.int64(margins[quiet[i, m]]))
        if best != margins[numbers[i]]:
            margins[numbers[i]] = best
            changed += 1
    return changed


@kernel
def rank_at(plies: int, waiting: Array, numbers: Array, captures: Array, quiet: Array, margins: Array, ranks: Array):
    """Rank the boards whose next capture is this many plies away. Return how many of `waiting` still have no rank, and
    move these to the front.

    On a board with rank n, the side that gains the margin has a move to a board with rank n - 1, and the other side has
    no move that delays the capture.
    """
    left = 0
    for k in range(len(waiting)):
        i = waiting[k]
        margin = np.int64(margins[numbers[i]])
        is_near = margin < 0 or (plies == 1 and captures[i] == margin)
        for m in range(6):
            child = quiet[i, m]
            if child < 0:
                break
            if margins[child] == -margin:
                if margin > 0 and ranks[child] == plies - 1 and plies > 1:
                    is_near = True
                elif margin < 0 and not 0 < ranks[child] < plies:
                    is_near = False
        if is_near:
            ranks[numbers[i]] = plies
        else:
            waiting[left] = i
            left += 1
    return left


def derive(size: int, captured_at: int, limit: int, report: Callable[[str, float], object]) -> dict[str, Array]:
    """Return the margins and ranks of the boards with numbers below `size`. Boards with fewer seeds come first, because
    captures lead to them. No sowing that ends takes more than `limit` drops."""
    margins, ranks = np.zeros(size, np.int8), np.zeros(size, np.uint8)
    eleven = np.zeros(size, np.int32)
    for bits in range(0, LAST_PIT, 2):
        eleven += np.arange(size, dtype=np.int32) >> bits & 3
    twelfth = -eleven % captured_at
    words, totals = np.arange(size, dtype=np.int32) | twelfth << LAST_PIT, eleven + twelfth
    for total in range(0, int(totals.max()) + 1, captured_at):
        report("solving it again", total / int(totals.max()))
        settle(np.flatnonzero(totals == total), words, limit, margins, ranks)
    return {"margin": margins, "rank": ranks}


def settle(numbers: Array, words: Array, limit: int, margins: Array, ranks: Array) -> None:
    """Compute the margins and then the ranks of the boards with these numbers. All of them have the same number of
    seeds."""
    captures, quiet = np.empty(len(numbers), np.int8), np.empty((len(numbers), 6), np.int32)
    list_moves(words[numbers], margins, limit, captures, quiet)
    backwards = False
    while improve(numbers, captures, quiet, margins, backwards):
        backwards = not backwards
    waiting, plies = np.flatnonzero(margins[numbers]), 1
    while (left := rank_at(plies, waiting, numbers, captures, quiet, margins, ranks)) < len(waiting):
        waiting, plies = waiting[:left], plies + 1
