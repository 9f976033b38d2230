"""Backward induction by saddle points: the value of the simultaneous game without most of its matrices; compiled.

A pair of steps from which neither side gains by changing its own is a saddle point and settles a node. To confirm one
takes only its row and column, most of them by null windows, so the search looks about as far as a serialised one and
errs to neither side. Where a node has no saddle point, its matrix is searched and solved: entries far outside the
window only as far as REACH beyond it, which is the one approximation (none where the window is wide, as at the root).
"""

import numpy as np

from onlymove_engines.search.jit import inlined, lean

from .matrix import solve_matrix
from .node import AT_LEAST, AT_MOST, EXACT, arrange, give_up, note_of, remembered, settled, step
from .tools import BEST, GAVE_UP, Tools

SALT = np.uint64(0xD1B54A32D192ED03)
"""Keeps these values apart from the serialised ones in the same table."""

EPS = 1e-7
"""The width of a null window: values closer than this count as equal."""

REACH = 0.2
SWITCHES = 8
"""So many changes of the pair in a wide window, and there is no saddle point worth looking for."""


@inlined
def _bounds(low, high, rows, columns):
    """What the best row alone is worth at least, and the best column alone at most."""
    least, most = -2.0, 2.0
    for i in range(rows):
        worst = 2.0
        for j in range(columns):
            worst = min(worst, low[i, j])
        least = max(least, worst)
    for j in range(columns):
        top = -2.0
        for i in range(rows):
            top = max(top, high[i, j])
        most = min(most, top)
    return least, most


@inlined
def _open_row(high, rows, columns, beta):
    """The first row not yet refuted by an entry below beta, or -1."""
    for i in range(rows):
        open_still = True
        for j in range(columns):
            open_still &= high[i, j] >= beta
        if open_still:
            return i
    return -1


@inlined
def _open_column(low, rows, columns, alpha):
    """The first column not yet refuted by an entry above alpha, or -1."""
    for j in range(columns):
        open_still = True
        for i in range(rows):
            open_still &= low[i, j] <= alpha
        if open_still:
            return j
    return -1


@inlined
def _asked_narrowly(low, high, rows, columns, alpha, beta):
    """The entry to search next in a null window: each answer refutes a row or a column; (-1, -1) if all are refuted."""
    row, column = _open_row(high, rows, columns, beta), _open_column(low, rows, columns, alpha)
    if row >= 0 and column < 0:
        for j in range(columns):
            if low[row, j] < beta:
                return row, j
    if row < 0 and column >= 0:
        for i in range(rows):
            if high[i, column] > alpha:
                return i, column
    return row, column


@inlined
def _better_row(low, column, rows, value):
    """A row known to be worth more than this against the column, or -1."""
    for i in range(rows):
        if low[i, column] > value:
            return i
    return -1


@inlined
def _better_column(high, row, columns, value):
    """A column known to be worth less than this to the row, or -1."""
    for j in range(columns):
        if high[row, j] < value:
            return j
    return -1


@inlined
def _asked_widely(low, high, r, c, rows, columns, alpha, beta):
    """The entry to search next, with its window, to confirm the pair (r, c); -1 if it is confirmed."""
    if low[r, c] < beta and high[r, c] > alpha and low[r, c] < high[r, c]:
        return r, c, alpha, beta
    value = min(max(low[r, c], alpha), beta) if high[r, c] > alpha else alpha
    if value < beta:
        for i in range(rows):
            if high[i, c] > value + EPS:
                return i, c, value, value + EPS
    if value > alpha:
        for j in range(columns):
            if low[r, j] < value - EPS:
                return r, j, value - EPS, value
    return -1, -1, alpha, beta


@inlined
def _asked_of_all(low, high, rows, columns, a, b):
    """An entry not yet known within the window, or (-1, -1)."""
    for i in range(rows):
        for j in range(columns):
            if low[i, j] < high[i, j] and low[i, j] < b and high[i, j] > a:
                return i, j
    return -1, -1


@inlined
def _solve_mixed(low, high, rows, columns, b, mixes, room):
    """The value of the matrix; entries outside the window count as its nearer end."""
    for i in range(rows):
        for j in range(columns):
            if low[i, j] < high[i, j] and low[i, j] < b:
                low[i, j] = high[i, j]
    return solve_matrix(low, rows, columns, mixes[0], mixes[1], room)


@lean
def at_root(me: int, you: int, depth: int, key: np.uint64, mode: int, tools: Tools) -> float:
    """The value for me from the first board on. A part that calls itself costs less than a kernel that does."""
    return saddle(np.int64(0), me, you, depth, -1.0, 1.0, key, mode, tools)


@lean
def saddle(
    ply: int, me: int, you: int, depth: int, alpha: float, beta: float, key: np.uint64, mode: int, tools: Tools
) -> float:
    """The value for me by backward induction inside (alpha, beta); a bound outside.

    At ply 0 `tools.result[1:5]` gets my mix over `tools.lists[0, 0]`. Meaningless when the search gave up, but for
    `stat[BEST]`: the cell found better so far than the one tried first, if any.
    """
    full = key ^ tools.zobrist[1, me] ^ tools.zobrist[2, you] ^ SALT
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
    low, high = tools.low[ply], tools.high[ply]
    for i in range(mine):
        for j in range(yours):
            same = moves[i] == replies[j]
            low[i, j] = 0.0 if same else -1.0
            high[i, j] = 0.0 if same else 1.0
    narrow = beta - alpha <= 2.0 * EPS
    mixed = solved = False
    switches = 0
    r, c = 0, 0
    while True:
        least, most = _bounds(low, high, mine, yours)
        if least >= beta:
            value, bound = least, AT_LEAST
            break
        if most <= alpha:
            value, bound = most, AT_MOST
            break
        i, j = -1, -1
        a, b = alpha, beta
        if not mixed and narrow:
            i, j = _asked_narrowly(low, high, mine, yours, alpha, beta)
            mixed = i < 0
        elif not mixed:
            i, j, a, b = _asked_widely(low, high, r, c, mine, yours, alpha, beta)
            if i != r or j != c:
                value = min(max(low[r, c], alpha), beta) if high[r, c] > alpha else alpha
                row = _better_row(low, c, mine, value) if value < beta else -1
                column = _better_column(high, r, yours, value) if value > alpha and row < 0 else -1
                if row >= 0 or column >= 0:
                    r = row if row >= 0 else r
                    c = column if column >= 0 else c
                    switches += 1
                    mixed = switches > SWITCHES
                    if ply == 0:
                        tools.stat[BEST] = -1 if mixed else moves[r]
                    continue
                if i < 0:
                    bound = EXACT
                    break
        if mixed:
            a, b = max(-1.0, alpha - REACH), min(1.0, beta + REACH)
            i, j = _asked_of_all(low, high, mine, yours, a, b)
            if i < 0:
                solved = True
                value = _solve_mixed(low, high, mine, yours, b, tools.mixes, tools.room)
                bound = AT_LEAST if value >= beta else (AT_MOST if value <= alpha else EXACT)
                r, c = np.argmax(tools.mixes[0, :mine]), np.argmax(tools.mixes[1, :yours])
                break
        step(ply, moves[i], replies[j], tools)
        after = key ^ tools.zobrist[0, moves[i]] ^ tools.zobrist[0, replies[j]]
        got = saddle(ply + 1, moves[i], replies[j], depth - 1, a, b, after, mode, tools)
        if tools.stat[GAVE_UP]:
            return 0.0
        if got > a:
            low[i, j] = max(low[i, j], got)
        if got < b:
            high[i, j] = min(high[i, j], got)
        if low[i, j] > high[i, j]:
            low[i, j] = high[i, j] = got
    if not solved and bound == AT_LEAST:
        r = max(0, _open_row(low, mine, yours, beta))
    if not solved and bound == AT_MOST:
        c = max(0, _open_column(high, mine, yours, alpha))
    tools.killers[0, ply] = moves[r]
    tools.killers[1, ply] = replies[c]
    tools.history[0, moves[r]] += depth * depth
    tools.history[1, replies[c]] += depth * depth
    if ply == 0:
        tools.result[0] = value
        for i in range(4):
            tools.result[1 + i] = tools.mixes[0, i] if solved else np.float64(i == r)
    at = full & np.uint64(tools.keys.shape[0] - 1)
    tools.keys[at] = full
    tools.values[at] = value
    tools.notes[at] = note_of(depth, bound, replies[c], moves[r])
    return value
