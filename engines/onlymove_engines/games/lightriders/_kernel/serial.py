"""Serialised alpha-beta: one rider shows its choice, so the value is a bound on the simultaneous game's; compiled."""

import numpy as np

from onlymove_engines.search.jit import lean

from .node import AT_LEAST, AT_MOST, EXACT, arrange, give_up, note_of, remembered, settled, step
from .tools import BEST, GAVE_UP, Tools


@lean
def at_root(me: int, you: int, depth: int, key: np.uint64, mode: int, tools: Tools) -> float:
    """The value for me from the first board on. A part that calls itself costs less than a kernel that does."""
    return serial(np.int64(0), me, you, depth, -1.0, 1.0, key, mode, tools)


@lean
def serial(
    ply: int, me: int, you: int, depth: int, alpha: float, beta: float, key: np.uint64, mode: int, tools: Tools
) -> float:
    """Alpha-beta in which I choose first and you see it: never more than the value of the simultaneous game.

    Bounds: the result is exact inside (alpha, beta), at most the true one above, at least below (fail-soft).
    `key` is the hash of the empty cells. Meaningless when the search gave up.
    """
    full = key ^ tools.zobrist[1, me] ^ tools.zobrist[2, you]
    known, value, first, first_reply = remembered(full, depth, alpha, beta, tools)
    if known and ply > 0:
        return value
    moves, replies = tools.lists[0, ply], tools.lists[1, ply]
    leaf, value, mine, yours = settled(ply, me, you, depth, mode, moves, replies, first >= 0, tools)
    if leaf:
        return value
    if give_up(tools):
        return 0.0
    arrange(moves, mine, first, tools.killers[0, ply], tools.history, 0)
    arrange(replies, yours, first_reply, tools.killers[1, ply], tools.history, 1)
    best, best_cell, best_reply = -2.0, moves[0], replies[0]
    low = alpha
    for i in range(mine):
        a = moves[i]
        worst, worst_reply = 2.0, replies[0]
        for j in range(yours):
            b = replies[j]
            if a == b:
                value = 0.0
            else:
                step(ply, a, b, tools)
                after = key ^ tools.zobrist[0, a] ^ tools.zobrist[0, b]
                value = serial(ply + 1, a, b, depth - 1, low, min(beta, worst), after, mode, tools)
                if tools.stat[GAVE_UP]:
                    return 0.0
            if value < worst:
                worst, worst_reply = value, b
                if worst <= low:
                    tools.killers[1, ply] = b
                    tools.history[1, b] += depth * depth
                    if j > 0:
                        arrange(replies, yours, b, b, tools.history, 1)
                    break
        if worst > best:
            best, best_cell, best_reply = worst, a, worst_reply
            if ply == 0:
                tools.stat[BEST] = a
                tools.result[0] = worst
            low = max(low, best)
            if best >= beta:
                break
    tools.killers[0, ply] = best_cell
    tools.history[0, best_cell] += depth * depth
    bound = EXACT
    if best >= beta:
        bound = AT_LEAST
    elif best <= alpha:
        bound = AT_MOST
    at = full & np.uint64(tools.keys.shape[0] - 1)
    tools.keys[at] = full
    tools.values[at] = best
    tools.notes[at] = note_of(depth, bound, best_reply, best_cell)
    return best
