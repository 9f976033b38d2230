"""Solves the closed boards again, under other rules for endless play.

The boards with the same number of seeds, each of them twice, are the nodes of a game between two sides, the favoured
one and the other. Node i is board i with the favoured side to move, and node n + i is the same board with the other
side to move:

    node      0 ... n - 1            n ... 2n - 1
              favoured to move       the other to move

All numbers are the favoured side's: the seeds that it will still capture minus those that the other side will. Endless
play is worth to it the largest `worth` of the nodes that it passes again and again. This is a Büchi game for each
number t (R. Mazala, "Infinite games", in "Automata, Logics, and Infinite Games", LNCS 2500, 2002). If endless play is
worth 0, the engine's simpler method is enough.
"""

import numpy as np
from onlymove_engines.compiled.jit import Array, kernel
from onlymove_engines.games.ayoayo._kernel.cross_check import ROW, count_seeds, sow
from onlymove_engines.games.ayoayo._kernel.moves import (
    count_own_seeds,
    list_children,
    net,
    number_closed,
    write_closed_board,
)

NO_EXIT = 128
"""Stands for no capturing move: -128 if the favoured side is to move, and 128 if the other is."""

OPEN, LOST, HELD, WON = 0, 1, 2, 3
"""The state of a node for a number t: undecided, worth less, worth t or more as far as is known, and worth t or
more."""


@kernel
def expand(numbers: Array, low: Array, high: Array, place: Array, quiet: Array, exits: Array, rows: Array) -> None:
    """List every move of the n boards with these numbers, which have the same number of seeds.

    For each of the 2n nodes, `quiet` (2n x 6) gets the nodes after moves without a capture, with -1 after the last.
    `exits` gets the best that its mover gets by capturing or by the final sweep. `rows` gets the seeds in the own row
    minus those in the other. `low` and `high` are the margins of boards with fewer seeds for the side to move, if it is
    the other side and if it is the favoured one.
    """
    n = len(numbers)
    board, after = np.empty(12, np.int64), np.empty((6, 12), np.int64)
    gains, pits = np.empty(6, np.int64), np.empty(6, np.int64)
    for i in range(n):
        place[numbers[i]] = i
    for i in range(n):
        seeds = write_closed_board(numbers[i], board)
        own = count_own_seeds(board)
        rows[i], rows[n + i] = 2 * own - seeds, seeds - 2 * own
        count = list_children(board, after, gains, pits)
        exits[i], exits[n + i] = (-NO_EXIT, NO_EXIT) if count else (own, -own)
        stay = 0
        for m in range(count):
            child = number_closed(after[m])
            if gains[m] == 0:
                quiet[i, stay], quiet[n + i, stay] = n + place[child], place[child]
                stay += 1
            else:
                exits[i] = max(exits[i], net(gains[m]) - low[child])
                exits[n + i] = min(exits[n + i], high[child] - net(gains[m]))
        for m in range(stay, 6):
            quiet[i, m] = quiet[n + i, m] = -1


@kernel
def pull(
    colour: int, t: int, worth: Array, quiet: Array, found: Array, starts: Array, exits: Array,
    state: Array, left: Array, queue: Array,
) -> None:  # fmt: skip
    """Colour the open nodes from which one side can force its way to that colour, or to an exit that suits it.

    LOST is for the other side, with exits below t. HELD is for the favoured side, with exits of t or more, nodes worth
    t or more, and WON nodes. `found` and `starts` are the nodes before each node, as `table.list_parents` returns them.
    """
    half, favoured = len(state) // 2, colour == HELD
    tail = 0
    for k in range(len(state)):
        if state[k] != OPEN:
            continue
        touches, left[k] = False, 0
        for m in range(6):
            if quiet[k, m] < 0:
                break
            there = state[quiet[k, m]]
            if there == colour or (favoured and there == WON):
                touches = True
            else:
                left[k] += 1
        suits = (exits[k] >= t) == favoured
        chooses = (k < half) == favoured
        if (suits or touches if chooses else suits and left[k] == 0) or (favoured and worth[k] >= t):
            queue[tail] = k
            tail += 1
    for j in range(tail):
        state[queue[j]] = colour
    head = 0
    while head < tail:
        k = queue[head]
        head += 1
        for e in range(starts[k], starts[k + 1]):
            before = found[e]
            if state[before] != OPEN:
                continue
            left[before] -= 1
            suits = (exits[before] >= t) == favoured
            if (before < half) == favoured or (suits and left[before] == 0):
                state[before] = colour
                queue[tail] = before
                tail += 1


@kernel
def divide(
    t: int,
    worth: Array,
    quiet: Array,
    found: Array,
    starts: Array,
    exits: Array,
    state: Array,
    left: Array,
    queue: Array,
) -> None:
    """Divide the open nodes into HELD and LOST, by whether the favoured side gets t or more. WON and LOST nodes stay.

    Nodes from which the other side can force less than t are LOST. Of the rest, those from which the favoured side can
    reach a node worth t are kept, and the others become LOST. This is repeated until nothing changes.
    """
    struck = True
    while struck:
        pull(LOST, t, worth, quiet, found, starts, exits, state, left, queue)
        pull(HELD, t, worth, quiet, found, starts, exits, state, left, queue)
        struck = False
        for k in range(len(state)):
            if state[k] == OPEN:
                state[k] = LOST
                struck = True
        for k in range(len(state)):
            if struck and state[k] == HELD:
                state[k] = OPEN


@kernel
def settle(seeds: int, worth: Array, quiet: Array, found: Array, starts: Array, exits: Array, value: Array) -> bool:
    """Compute the value of every node, from the largest number t down in steps of 2. Return False if some node gets
    none."""
    size = len(exits)
    state, left, queue = np.zeros(size, np.int8), np.zeros(size, np.int8), np.empty(size, np.int32)
    for t in range(seeds, -seeds - 1, -2):
        divide(t, worth, quiet, found, starts, exits, state, left, queue)
        for k in range(size):
            if state[k] == HELD:
                state[k], value[k] = WON, t
            elif state[k] == LOST:
                state[k] = OPEN
    for k in range(size):
        if state[k] != WON:
            return False
    return True


@kernel
def run_out(moves: int, best: Array, quiet: Array, value: Array) -> int:
    """Compute the margins if play stops after this many moves without a capture. Return the last move that changed one.

    `value` holds what the boards are worth when play stops, and gets the margins. `best` and `quiet` (n x 6) are as in
    `table.expand`.
    """
    before = value.copy()
    last = 0
    for move in range(1, moves + 1):
        before[:] = value
        for i in range(len(value)):
            margin = np.int64(best[i])
            for m in range(6):
                if quiet[i, m] < 0:
                    break
                margin = max(margin, -np.int64(before[quiet[i, m]]))
            if margin != before[i]:
                last = move
            value[i] = margin
        if last < move:
            break
    return last


@kernel
def count_moves(margins: Array, limit: int, found: Array) -> None:
    """For every board, count its seeds, its moves, and the moves that keep the margin, come out ahead and fall
    behind."""
    for number in range(len(margins)):
        word = number | (-count_seeds(number) & 3) << 22
        found[number] = 0
        found[number, 0] = count_seeds(word)
        for pit in range(6):
            if word >> 2 * pit & 3 == 0:
                continue
            after, gain, _ = sow(word, pit, limit)
            if after < 0 or (word >> 12 == 0 and after >> 12 == 0):
                continue
            worth = gain - np.int64(margins[(after >> 12 | (after & ROW) << 12) & 0x3FFFFF])
            found[number, 1] += 1
            found[number, 2] += worth == margins[number]
            found[number, 3] += worth > 0
            found[number, 4] += worth < 0
