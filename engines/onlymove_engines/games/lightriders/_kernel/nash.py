"""Backward induction: the whole matrix of every node, solved exactly; compiled."""

import numpy as np

from onlymove_engines.search.jit import Array, lean

from .field import ways
from .matrix import solve_matrix
from .node import give_up, settled, step
from .tools import GAVE_UP, Tools


@lean
def nash(ply: int, me: int, you: int, depth: int, mode: int, tools: Tools) -> float:
    """Backward induction: the whole matrix at every node, solved exactly. The value of the search tree."""
    moves, replies = tools.lists[0, ply], tools.lists[1, ply]
    leaf, value, mine, yours = settled(ply, me, you, depth, mode, moves, replies, False, tools)
    if leaf:
        return value
    if give_up(tools):
        return 0.0
    payoff = tools.low[ply]
    for i in range(mine):
        for j in range(yours):
            value = 0.0
            if moves[i] != replies[j]:
                step(ply, moves[i], replies[j], tools)
                value = nash(ply + 1, moves[i], replies[j], depth - 1, mode, tools)
                if tools.stat[GAVE_UP]:
                    return 0.0
            payoff[i, j] = value
    return solve_matrix(payoff, mine, yours, tools.mixes[0], tools.mixes[1], tools.room)


@lean
def nash_matrix(me: int, you: int, depth: int, mode: int, tools: Tools, payoff: Array) -> None:
    """Backward induction at the root: the value after every pair of steps, in the order up, down, left, right."""
    moves, replies = tools.lists[0, 0], tools.lists[1, 0]
    mine, yours = ways(tools.boards[0], me, tools, moves), ways(tools.boards[0], you, tools, replies)
    for i in range(mine):
        for j in range(yours):
            value = 0.0
            if moves[i] != replies[j]:
                step(0, moves[i], replies[j], tools)
                value = nash(np.int64(1), moves[i], replies[j], depth - 1, mode, tools)
            payoff[i, j] = value
            if tools.stat[GAVE_UP]:
                return
