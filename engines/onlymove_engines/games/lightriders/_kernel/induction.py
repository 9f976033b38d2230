"""Backward induction, compiled. It searches every entry of each node's matrix, or only those that SMAB does not
prune."""

from __future__ import annotations

import numpy as np

from onlymove_engines.compiled.bitset import ZERO
from onlymove_engines.compiled.jit import allocation_free

from .field import GAVE_UP, Tools, list_ways
from .matrix import best_mix_under, solve_matrix
from .search import board_key, check_leaf, count_rounds_below, give_up, play_round, read_entry, serial


@allocation_free
def nash(ply: int, me: int, you: int, depth: int, mode: int, tools: Tools) -> float:
    """Search every entry of each node's matrix and solve the matrix exactly. Return the value of the tree. The root is
    never a leaf, even if the riders are separated."""
    moves, replies = tools.lists[0, ply], tools.lists[1, ply]
    if ply == 0:
        mine = list_ways(tools.boards[0], me, tools, moves)
        yours = list_ways(tools.boards[0], you, tools, replies)
    else:
        leaf, value, mine, yours = check_leaf(ply, me, you, depth, mode, moves, replies, False, tools)
        if leaf:
            return value
        if give_up(tools):
            return 0.0
    below = count_rounds_below(ply, depth, mine, yours, mode)
    payoff = tools.low[ply]
    for i in range(mine):
        for j in range(yours):
            value = 0.0
            if moves[i] != replies[j]:
                play_round(ply, moves[i], replies[j], ZERO, tools)
                value = nash(ply + 1, moves[i], replies[j], below, mode, tools)
                if tools.stat[GAVE_UP]:
                    return 0.0
            payoff[i, j] = value
    return solve_matrix(payoff, mine, yours, tools.mixes[0], tools.mixes[1], tools.work)


@allocation_free
def nash_at_root(me: int, you: int, depth: int, mode: int, tools: Tools) -> float:
    """Search from the first board. `tools.low[0]` gets the value of each pair of steps, in the order up, down, left,
    right."""
    return nash(np.int64(0), me, you, depth, mode, tools)


@allocation_free
def row_bound(row, column, rows, columns, row_out, column_out, low, high, floor, turned, tools):
    """Return a bound for one entry of a matrix: if the entry is worth no more than this, its row is dominated. This is
    the alpha routine of SMAB. If `turned`, it is the beta routine: the rows are those of the column player, who sees
    `high` and `low` transposed and negated.

    The row is compared with mixes of the other rows and of a way out that is worth `floor`. The other rows count with
    their lower bounds (`low`), and the row itself with its upper bounds (`high`) in the other columns.
    """
    g, c, system = tools.program[:4], tools.program[4], tools.program[5:]
    options = constraints = 0
    for i in range(rows + 1):  # the last option is the way out
        is_way_out = i == rows
        if i == row or (not is_way_out and row_out >> i & 1):
            continue
        c[options] = floor if is_way_out else read_entry(low, i, column, turned)
        constraints = 0
        for j in range(columns):
            if j != column and not column_out >> j & 1:
                worth = floor if is_way_out else read_entry(low, i, j, turned)
                g[options, constraints] = worth - read_entry(high, row, j, turned)
                constraints += 1
        options += 1
    return best_mix_under(g, c, options, constraints, system)


@allocation_free
def smab(
    ply: int, me: int, you: int, depth: int, alpha: float, beta: float, key: np.uint64, mode: int, tools: Tools
) -> float:
    """Simultaneous-move alpha-beta (Saffidine, Finnsson and Buro, AAAI 2012).

    Returns the value of the game in which I may also leave with alpha and you with beta, which is the true value
    limited to alpha..beta. A row or column is removed once it is dominated for all possible values of its open entries,
    with the ways out taken into account. So no removal changes the value. `tools.mixes` gets the mixes over the rows
    and columns that are left.

    As the paper suggests, serialised alpha-beta bounds every entry first. If both bounds agree, the entry needs no
    search.
    """
    moves, replies = tools.lists[0, ply], tools.lists[1, ply]
    leaf, value, mine, yours = check_leaf(ply, me, you, depth, mode, moves, replies, False, tools)
    if leaf:
        return min(max(value, alpha), beta)
    if give_up(tools):
        return 0.0
    below = count_rounds_below(ply, depth, mine, yours, mode)
    low, high, x, y = tools.low[ply], tools.high[ply], tools.mixes[0], tools.mixes[1]
    low[:], high[:] = -1.0, 1.0
    for i in range(mine):
        for j in range(yours):
            if moves[i] == replies[j]:
                low[i, j] = high[i, j] = 0.0
                continue
            after = play_round(ply, moves[i], replies[j], key, tools)
            low[i, j] = serial(ply + 1, moves[i], replies[j], below, -1.0, 1.0, after, mode, tools)
            high[i, j] = low[i, j]
            if below > 0:
                high[i, j] = -serial(ply + 1, replies[j], moves[i], below, -1.0, 1.0, after, mode, tools)
            if tools.stat[GAVE_UP]:
                return 0.0
    most = solve_matrix(high, mine, yours, x, y, tools.work)
    least = solve_matrix(low, mine, yours, x, y, tools.work)
    if most - least <= 1e-15 or least >= beta or most <= alpha:
        return min(max(0.5 * (least + most), alpha), beta)
    row_out, column_out = 0, 0
    for lap in range(mine + yours - 1):  # go along the diagonals, so that rows and columns fill evenly
        for i in range(max(0, lap - yours + 1), min(mine, lap + 1)):
            j = lap - i
            if row_out >> i & 1 or column_out >> j & 1 or low[i, j] >= high[i, j]:
                continue
            floor = row_bound(i, j, mine, yours, row_out, column_out, low, high, alpha, False, tools)
            ceiling = -row_bound(j, i, yours, mine, column_out, row_out, high, low, -beta, True, tools)
            if floor >= high[i, j]:
                row_out |= 1 << i
                continue
            if ceiling <= low[i, j]:
                column_out |= 1 << j
                continue
            floor, ceiling = max(floor, low[i, j] - 1e-3), min(ceiling, high[i, j] + 1e-3)  # no cuts outside
            is_either = floor >= ceiling  # either its row or its column is removed: find out which
            if is_either:
                floor, ceiling = ceiling, max(floor, ceiling + 1e-12)
            after = play_round(ply, moves[i], replies[j], key, tools)
            value = smab(ply + 1, moves[i], replies[j], below, floor, ceiling, after, mode, tools)
            if tools.stat[GAVE_UP]:
                return 0.0
            if value <= floor:
                row_out |= 1 << i
            elif is_either or value >= ceiling:
                column_out |= 1 << j
            else:
                low[i, j] = high[i, j] = value
    for i in range(mine):  # a row of -2 or a column of 2 is never played
        for j in range(yours):
            if row_out >> i & 1:
                low[i, j] = -2.0
            elif column_out >> j & 1:
                low[i, j] = 2.0
    return min(max(solve_matrix(low, mine, yours, x, y, tools.work), alpha), beta)


@allocation_free
def smab_at_root(me: int, you: int, depth: int, mode: int, tools: Tools) -> float:
    value = smab(np.int64(0), me, you, depth, -1.0, 1.0, board_key(tools), mode, tools)
    for i in range(4):
        tools.result[1 + i] = tools.mixes[0, i]
    return value
