"""The searches over rounds: serialised alpha-beta, backward induction and SMAB, compiled.

Every value is for the rider called `me` and lies in [-1, 1]: 1 a proven win, -1 a proven loss; what is only believed
stays inside (-0.97, 0.97). Riders without contact are not searched on: who fills longer is bounded or estimated.

`stat`: 0 nodes, 1 nodes allowed (a watcher sets it to 0 to stop the search), 2 set when the search gave up,
3 evaluations, 4 how many values were believed only, 5 the root's best cell.
"""

from typing import NamedTuple

import numpy as np

from onlymove_engines.search.jit import inlined, kernel, lean

from .chambers import greedy_fill, worth
from .exact import ONE, ZERO
from .field import clear, copy, count, flood, is_set, make_field, make_scratch, ways
from .matrix import best_mix_under, solve_matrix

NODES, ALLOWED, GAVE_UP, LEAVES, BELIEVED, BEST = 0, 1, 2, 3, 4, 5
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
FLOOD, FULL = 0, 1
ROUNDS = 64
"""No search looks further ahead."""

CELLS, DEGREES, HALF = 0, 1, 2
WEIGHTS = np.array([55.0 / 443.0, 97.0 / 443.0, 22.0])
"""A cell, a neighbouring pair as seen from each side, and the lead in cells that counts as half a win. The ratio of the
first two is Sloane's regression over games (55 a cell, 194 an edge); the third is our own."""


class Tools(NamedTuple):
    """Everything a search works with; one for each thread."""

    near: np.ndarray
    inner: np.ndarray
    dark: np.ndarray
    size: np.ndarray
    own: np.ndarray
    touch: np.ndarray
    cells: np.ndarray
    chambers: np.ndarray
    boards: np.ndarray
    """uint64[ROUNDS + 4, words]: the empty cells after each round of the line that is searched."""
    keys: np.ndarray
    """uint64[n]: the transposition table; n is a power of two."""
    values: np.ndarray
    notes: np.ndarray
    """int32[n]: depth << 24 | bound << 22 | best reply << 10 | best cell."""
    zobrist: np.ndarray
    """uint64[3, cells]: an empty cell, a head of mine, a head of yours."""
    killers: np.ndarray
    """int16[2, ROUNDS + 4]: the cell that last refuted, for me and you at each round."""
    history: np.ndarray
    """int32[2, cells]: how often a cell was best, by depth."""
    lists: np.ndarray
    """int64[2, ROUNDS + 4, 4]: the steps of both at each round of the line that is searched."""
    low: np.ndarray
    """float64[ROUNDS + 4, 4, 4]: the matrix at each round of the line, or the least that is known of its entries."""
    high: np.ndarray
    """float64[ROUNDS + 4, 4, 4]: the most that is known of them."""
    mixes: np.ndarray
    """float64[2, 4]: room for the equilibrium of one matrix."""
    weights: np.ndarray
    stat: np.ndarray
    result: np.ndarray
    """float64[5]: what the root's best cell is worth; the mix over the root's steps in `lists[0, 0]`."""


def make_tools(width, height, entries):
    """Tools for a field of this size with a transposition table of `entries`, a power of two."""
    field = make_field(width, height)
    scratch = make_scratch(field)
    cells, words = width * height, field.dark.shape[0]
    dice = np.random.default_rng(20170401)
    return Tools(
        *field,
        *scratch,
        np.zeros((ROUNDS + 4, words), np.uint64),
        np.zeros(entries, np.uint64),
        np.zeros(entries, np.float64),
        np.zeros(entries, np.int32),
        dice.integers(1, 2**64 - 1, (3, cells), np.uint64),
        np.zeros((2, ROUNDS + 4), np.int16),
        np.zeros((2, cells), np.int32),
        np.zeros((2, ROUNDS + 4, 4), np.int64),
        np.zeros((ROUNDS + 4, 4, 4)),
        np.zeros((ROUNDS + 4, 4, 4)),
        np.zeros((2, 4)),
        WEIGHTS.copy(),
        np.zeros(8, np.int64),
        np.zeros(5),
    )


@lean
def separated(me, you, tools):
    """The value when the riders cannot meet: proven where the bounds on both fills decide it, else believed."""
    boards, own = tools.boards, tools.own
    most = their_most = 0
    for rider in range(2):
        most, their_most = worth(rider, you if rider else me, tools, tools)[0], most
    most, their_most = their_most, most
    spare = boards[boards.shape[0] - 1]
    copy(own[0], spare)
    least = greedy_fill(spare, me, tools)
    copy(own[1], spare)
    their_least = greedy_fill(spare, you, tools)
    if least > their_most:
        return 1.0
    if their_least > most:
        return -1.0
    if least == most and their_least == their_most:
        return 0.0
    tools.stat[BELIEVED] += 1
    lead = 0.5 * (most + least - their_most - their_least)
    if lead == 0.0:
        return 0.0
    doubt = 0.5 * (most - least + their_most - their_least)
    return 0.95 * lead / (abs(lead) + 2.0 + doubt)


@inlined
def believed(me, you, mode, tools):
    """What a flooded position in which both can meet is believed to be worth to me."""
    tools.stat[BELIEVED] += 1
    if mode == FLOOD:
        lead = np.float64(count(tools.own[0]) - count(tools.own[1]))
    else:
        lead = 0.0
        for rider in range(2):
            cells, degrees = worth(rider, you if rider else me, tools, tools)
            lead = tools.weights[CELLS] * cells + tools.weights[DEGREES] * degrees - lead
        lead = -lead
    return 0.9 * lead / (abs(lead) + tools.weights[HALF])


@lean
def settled(ply, me, you, depth, mode, moves, replies, tools):
    """Whether a node is a leaf, its value, and the numbers of moves: nobody or one can move, no contact, depth 0."""
    board = tools.boards[ply]
    mine, yours = ways(board, me, tools, moves), ways(board, you, tools, replies)
    if mine == 0 or yours == 0:
        tools.stat[LEAVES] += 1
        return True, np.float64(mine > 0) - np.float64(yours > 0), mine, yours
    _, met = flood(board, me, you, tools, tools)
    if not met:
        tools.stat[LEAVES] += 1
        return True, separated(me, you, tools), mine, yours
    if depth == 0:
        tools.stat[LEAVES] += 1
        return True, believed(me, you, mode, tools), mine, yours
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
def ride(empty, heads, ways_chosen, tools):
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
    if tools.keys[at] != full:
        return False, 0.0, -1, -1
    note = np.int64(tools.notes[at])
    bound, known = (note >> 22) & 3, tools.values[at]
    enough = note >> 24 >= depth and depth > 0
    enough &= bound == EXACT or (bound == AT_LEAST and known >= beta) or (bound == AT_MOST and known <= alpha)
    if enough and abs(known) < 1.0:
        tools.stat[BELIEVED] += 1
    return enough, known, note & 1023, (note >> 10) & 1023


@lean
def serial(ply, me, you, depth, alpha, beta, key, mode, tools):
    """Alpha-beta in which I choose first and you see it: never more than the value of the simultaneous game.

    Bounds: the result is exact inside (alpha, beta), at most the true one above, at least below (fail-soft).
    `key` is the hash of the empty cells. Meaningless when the search gave up.
    """
    full = key ^ tools.zobrist[1, me] ^ tools.zobrist[2, you]
    known, value, first, first_reply = remembered(full, depth, alpha, beta, tools)
    if known and ply > 0:
        return value
    moves, replies = tools.lists[0, ply], tools.lists[1, ply]
    leaf, value, mine, yours = settled(ply, me, you, depth, mode, moves, replies, tools)
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
    tools.notes[at] = depth << 24 | bound << 22 | np.int64(best_reply) << 10 | np.int64(best_cell)
    return best


@lean
def nash(ply, me, you, depth, mode, tools):
    """Backward induction: the whole matrix at every node, solved exactly. The value of the search tree."""
    moves, replies = tools.lists[0, ply], tools.lists[1, ply]
    leaf, value, mine, yours = settled(ply, me, you, depth, mode, moves, replies, tools)
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
    return solve_matrix(payoff, mine, yours, tools.mixes[0], tools.mixes[1])


@lean
def nash_matrix(me, you, depth, mode, tools, payoff):
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


@kernel
def row_bound(row, column, rows, columns, row_out, column_out, low, high, floor):
    """The alpha routine of SMAB: if the entry is worth no more than this, the row is dominated.

    Others may mix their worst (`low`) and the way out worth `floor` against the row's best (`high`) elsewhere.
    """
    g, c = np.empty((4, 4)), np.empty(4)
    options = 0
    constraints = 0
    for j in range(columns):
        if j != column and not column_out[j]:
            constraints += 1
    for i in range(rows):
        if i == row or row_out[i]:
            continue
        c[options] = low[i, column]
        k = 0
        for j in range(columns):
            if j != column and not column_out[j]:
                g[options, k] = low[i, j] - high[row, j]
                k += 1
        options += 1
    if options < 4:
        c[options] = floor
        k = 0
        for j in range(columns):
            if j != column and not column_out[j]:
                g[options, k] = floor - high[row, j]
                k += 1
        options += 1
    return best_mix_under(g, c, options, constraints)


@kernel
def column_bound(row, column, rows, columns, row_out, column_out, low, high, ceiling):
    """The beta routine of SMAB: if the entry is worth no less than this to the rows, the column is dominated."""
    g, c = np.empty((4, 4)), np.empty(4)
    options = 0
    constraints = 0
    for i in range(rows):
        if i != row and not row_out[i]:
            constraints += 1
    for j in range(columns):
        if j == column or column_out[j]:
            continue
        c[options] = -high[row, j]
        k = 0
        for i in range(rows):
            if i != row and not row_out[i]:
                g[options, k] = low[i, column] - high[i, j]
                k += 1
        options += 1
    if options < 4:
        c[options] = -ceiling
        k = 0
        for i in range(rows):
            if i != row and not row_out[i]:
                g[options, k] = low[i, column] - ceiling
                k += 1
        options += 1
    return -best_mix_under(g, c, options, constraints)


@kernel
def smab(ply, me, you, depth, alpha, beta, key, mode, tools, x, y):
    """Simultaneous-move alpha-beta (Saffidine, Finnsson and Buro, AAAI 2012).

    The value of the game in which I may also leave with alpha and you with beta: the true value held between the
    two. A row or column goes once it is dominated whatever the entries left open turn out to be; way out included,
    so each removal keeps that value. x and y get the mixes of what was left.

    As the paper suggests, serialised alpha-beta bounds every entry before it is searched; where both bounds agree
    nothing is left to search.
    """
    moves, replies = tools.lists[0, ply], tools.lists[1, ply]
    leaf, value, mine, yours = settled(ply, me, you, depth, mode, moves, replies, tools)
    if leaf:
        return min(max(value, alpha), beta)
    if give_up(tools):
        return 0.0
    low, high = np.full((4, 4), -1.0), np.full((4, 4), 1.0)
    row_out, column_out = np.zeros(4, np.bool_), np.zeros(4, np.bool_)
    inner_x, inner_y = np.empty(4), np.empty(4)
    for i in range(mine):
        for j in range(yours):
            if moves[i] == replies[j]:
                low[i, j] = high[i, j] = 0.0
                continue
            step(ply, moves[i], replies[j], tools)
            after = key ^ tools.zobrist[0, moves[i]] ^ tools.zobrist[0, replies[j]]
            low[i, j] = serial(ply + 1, moves[i], replies[j], depth - 1, -1.0, 1.0, after, mode, tools)
            high[i, j] = low[i, j]
            if depth > 1:
                high[i, j] = -serial(ply + 1, replies[j], moves[i], depth - 1, -1.0, 1.0, after, mode, tools)
            if tools.stat[GAVE_UP]:
                return 0.0
    least = solve_matrix(low, mine, yours, x, inner_y)
    most = solve_matrix(high, mine, yours, inner_x, y)
    if most - least <= 1e-15 or least >= beta or most <= alpha:
        return min(max(0.5 * (least + most), alpha), beta)
    for lap in range(mine + yours - 1):  # along the diagonals, so that rows and columns fill evenly
        for i in range(max(0, lap - yours + 1), min(mine, lap + 1)):
            j = lap - i
            if row_out[i] or column_out[j]:
                continue
            if low[i, j] >= high[i, j]:
                continue
            floor = row_bound(i, j, mine, yours, row_out, column_out, low, high, alpha)
            ceiling = column_bound(i, j, mine, yours, row_out, column_out, low, high, beta)
            if floor >= high[i, j]:
                row_out[i] = True
                continue
            if ceiling <= low[i, j]:
                column_out[j] = True
                continue
            step(ply, moves[i], replies[j], tools)
            after = key ^ tools.zobrist[0, moves[i]] ^ tools.zobrist[0, replies[j]]
            floor, ceiling = max(floor, low[i, j] - 1e-3), min(ceiling, high[i, j] + 1e-3)  # outside: no cut there
            if floor >= ceiling:  # either answer removes one of the two: ask which
                asked = max(floor, ceiling + 1e-12)
                value = smab(
                    ply + 1, moves[i], replies[j], depth - 1, ceiling, asked, after, mode, tools, inner_x, inner_y
                )
                if tools.stat[GAVE_UP]:
                    return 0.0
                if value > ceiling:
                    column_out[j] = True
                else:
                    row_out[i] = True
                continue
            value = smab(ply + 1, moves[i], replies[j], depth - 1, floor, ceiling, after, mode, tools, inner_x, inner_y)
            if tools.stat[GAVE_UP]:
                return 0.0
            if value <= floor:
                row_out[i] = True
            elif value >= ceiling:
                column_out[j] = True
            else:
                low[i, j] = high[i, j] = value
    return _rest(low, mine, yours, row_out, column_out, alpha, beta, x, y)


@kernel
def _rest(payoff, rows, columns, row_out, column_out, alpha, beta, x, y):
    """Solve what SMAB has left, between the ways out."""
    part = np.empty((4, 4))
    part_x, part_y = np.empty(4), np.empty(4)
    m = 0
    n = 0
    for i in range(rows):
        if not row_out[i]:
            n = 0
            for j in range(columns):
                if not column_out[j]:
                    part[m, n] = payoff[i, j]
                    n += 1
            m += 1
    x[:] = 0.0
    y[:] = 0.0
    if m == 0:
        return alpha
    if n == 0:
        return beta
    value = solve_matrix(part, m, n, part_x, part_y)
    k = 0
    for i in range(rows):
        if not row_out[i]:
            x[i] = part_x[k]
            k += 1
    k = 0
    for j in range(columns):
        if not column_out[j]:
            y[j] = part_y[k]
            k += 1
    return min(max(value, alpha), beta)


@lean
def board_key(board, tools):
    """The hash of the empty cells."""
    key = ZERO
    for cell in range(tools.near.shape[0]):
        if (board[cell >> 6] >> np.uint64(cell & 63)) & np.uint64(1) == ZERO:
            key ^= tools.zobrist[0, cell]
    return key
