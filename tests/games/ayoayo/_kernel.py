"""Closed boards once more, for other ways of counting play that goes round for ever.

Boards with the same seeds, twice each, are the nodes of a game of two sides, the favoured and the other. Node i is
board i with the favoured side to move, node n + i the same board with the other to move:

    node      0 ... n - 1            n ... 2n - 1
              favoured to move       the other to move

All numbers are the favoured side's: seeds it will still capture minus those the other will. Infinite play is worth to
it the largest `worth` of the nodes it passes again and again: a Büchi game for each number t, see R. Mazala, "Infinite
games", in "Automata, Logics, and Infinite Games", LNCS 2500, 2002. (The engine's attractors serve where it is worth 0.)
"""

import numpy as np
from onlymove_engines.games.ayoayo._kernel.cross_check import ROW, count_seeds, sow
from onlymove_engines.games.ayoayo._kernel.moves import (
    count_own_seeds,
    list_children,
    net,
    number_closed,
    write_closed_board,
)
from onlymove_engines.search.jit import Array, kernel

NO_EXIT = 128
"""No move that captures: -128 to the favoured side when it is to move, 128 when the other is."""

OPEN, LOST, HELD, WON = 0, 1, 2, 3
"""A node at number t: undecided, worth less, worth t or more as far as seen, worth t or more."""


@kernel
def expand(numbers: Array, low: Array, high: Array, place: Array, quiet: Array, exits: Array, rows: Array) -> None:
    """Look at every move of the boards with these numbers, which have the same seeds; n boards, 2n nodes.

    Writes the nodes without a capture after each node to `quiet` (2n x 6, -1 after the last), the best that its
    mover gets by capturing or by the final sweep to `exits`, own row minus the other row to `rows`. `low` and
    `high` are the margins of boards with fewer seeds for the side to move, as the other side and as the favoured.
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
    """Colour the open nodes from which one side can force its way to that colour or to an exit that suits it.

    LOST: the other side, exits below t. HELD: the favoured side, exits of t or more, nodes that are worth t or
    more, nodes already WON. `found` and `starts` are the nodes before a node, as `table.parents` gives them.
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
    """Divide the open nodes into HELD and LOST: whether the favoured side gets t or more. WON and LOST ones stand.

    Strike out what the other side can force below t; of the rest, keep what the favoured side can take to a node
    worth t; strike out the others and repeat until nothing is struck out.
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
    """The value of every node, from the largest number t down in steps of 2; false when one has none."""
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
    """Margins where play stops after so many moves without a capture; returns the last move that changed one.

    `value` holds what the boards are worth where play stops, and gets the margins; `best` and `quiet` (n x 6) are
    the engine's, see `table.expand`.
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
    """Of every board: the seeds on it, its moves, those that keep the margin, that come out ahead, that fall behind."""
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
