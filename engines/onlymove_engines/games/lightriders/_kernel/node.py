"""One node of any search over rounds: leaf or not, the step to its children, what is remembered of it; compiled.

Every value is for the rider called `me` and lies in [-1, 1]: 1 a proven win, -1 a proven loss; what is only believed
stays inside (-0.97, 0.97). Riders without contact are not searched on: who fills longer is bounded or estimated.
"""

import numpy as np

from onlymove_engines.search.bitset import ONE, ZERO
from onlymove_engines.search.jit import Array, inlined, lean

from .evaluations import LAST
from .field import clear, copy, flood, is_set, ways
from .leaf import believed, separated
from .tools import ALLOWED, BELIEVED, GAVE_UP, LEAVES, NODES, Tools

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
"""What a remembered value is."""

# What else is remembered of a node, in one number:
#
#     bits    31 ... 24    23 22    21 20    19 ... 10     9 ... 0
#               depth      bound      0      best reply    best cell


@inlined
def note_of(depth: int, bound: int, reply: int, cell: int) -> int:
    """The note of a node, as drawn above."""
    return depth << 24 | bound << 22 | np.int64(reply) << 10 | np.int64(cell)


@inlined
def read_note(note: np.int64) -> tuple[int, int, int, int]:
    """The (depth, bound, best reply, best cell) that were noted."""
    return note >> 24, (note >> 22) & 3, (note >> 10) & 1023, note & 1023


@lean
def settled(ply, me, you, depth, mode, moves, replies, seen, tools):
    """Whether a node is a leaf, its value, and the numbers of moves: nobody or one can move, no contact, depth 0.

    `seen`: a search went on from it before, so the riders can move and meet.
    """
    board = tools.boards[ply]
    mine, yours = ways(board, me, tools, moves), ways(board, you, tools, replies)
    if depth > 0 and seen:
        return False, 0.0, mine, yours
    if mode == LAST and depth == 0:
        tools.stat[LEAVES] += 1
        return True, 0.0, mine, yours
    if mine == 0 or yours == 0:
        tools.stat[LEAVES] += 1
        return True, np.float64(mine > 0) - np.float64(yours > 0), mine, yours
    _, met = flood(board, me, you, depth > 0, tools, tools)
    if not met and mode != LAST:
        tools.stat[LEAVES] += 1
        return True, separated(me, you, tools), mine, yours
    if depth == 0:
        tools.stat[LEAVES] += 1
        return True, believed(me, you, mine, yours, mode, tools), mine, yours
    return False, 0.0, mine, yours


@inlined
def step(ply, mine, yours, tools):
    """Write the board after both riders' steps one ply on."""
    boards = tools.boards
    for k in range(boards.shape[1]):
        word = boards[ply, k]
        if mine >> 6 == k:
            word &= ~(ONE << np.uint64(mine & 63))
        if yours >> 6 == k:
            word &= ~(ONE << np.uint64(yours & 63))
        boards[ply + 1, k] = word


@lean
def ride(empty: Array, heads: Array, ways_chosen: Array, tools: Tools) -> None:
    """Many rounds by the law of the field, each on a board of its own, with the same step as in a search.

    `empty` (uint64[n, words]) and `heads` (int64[n, 2]) become what they are after the rounds, -1 for a crashed
    rider; `ways_chosen` (int64[n, 2]) counts up, down, left, right from 0, and -1 is a crash.
    """
    for n in range(empty.shape[0]):
        board = empty[n]
        for rider in range(2):
            way = ways_chosen[n, rider]
            cell = np.int64(tools.near[heads[n, rider], way]) if way >= 0 else -1
            heads[n, rider] = cell if cell >= 0 and is_set(board, cell) else -1
        mine, yours = heads[n, 0], heads[n, 1]
        if mine == yours:
            heads[n, 0] = heads[n, 1] = -1
        elif mine >= 0 and yours >= 0:
            copy(board, tools.boards[0])
            step(0, mine, yours, tools)
            copy(tools.boards[1], board)
        else:
            clear(board, max(mine, yours))


@inlined
def arrange(moves, number, first, killer, history, rider):
    """Best guesses first: the remembered cell, the killer, then by history."""
    for i in range(1, number):
        cell = moves[i]
        rank = history[rider, cell] + (1 << 30 if cell == first else 0) + (1 << 29 if cell == killer else 0)
        j = i - 1
        while j >= 0:
            before = moves[j]
            if (
                history[rider, before] + (1 << 30 if before == first else 0) + (1 << 29 if before == killer else 0)
                >= rank
            ):
                break
            moves[j + 1] = before
            j -= 1
        moves[j + 1] = cell


@inlined
def give_up(tools):
    """Count a node; whether the search has to stop."""
    stat = tools.stat
    stat[NODES] += 1
    if stat[NODES] > stat[ALLOWED]:
        stat[GAVE_UP] = 1
    return stat[GAVE_UP] != 0


@inlined
def remembered(full, depth, alpha, beta, tools):
    """What the table knows of a node: whether it settles the window and with which value; best cell and reply or -1."""
    at = full & np.uint64(tools.keys.shape[0] - 1)
    if depth == 0 or tools.keys[at] != full:  # of a leaf nothing is remembered
        return False, 0.0, -1, -1
    deep, bound, reply, cell = read_note(np.int64(tools.notes[at]))
    known = tools.values[at]
    enough = deep >= depth and depth > 0
    enough &= bound == EXACT or (bound == AT_LEAST and known >= beta) or (bound == AT_MOST and known <= alpha)
    if enough and abs(known) < 1.0:
        tools.stat[BELIEVED] += 1
    return enough, known, cell, reply


@lean
def board_key(board: Array, tools: Tools) -> np.uint64:
    """The hash of the empty cells."""
    key = ZERO
    for cell in range(tools.near.shape[0]):
        if (board[cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1) == ZERO:
            key ^= tools.zobrist[0, cell]
    return key
