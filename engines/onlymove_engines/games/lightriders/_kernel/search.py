"""The compiled searches with alpha-beta windows: the serialised search, and the search by saddle points.

In the serialised search, one rider shows its choice, so the value is a bound on that of the simultaneous game.

The search by saddle points finds the value of the simultaneous game without most of its matrices. A pair of steps is a
saddle point if neither side gains by changing its own step. It settles a node, and confirming it takes only its row and
column, mostly with null windows. So this search looks about as far ahead as a serialised one, and favours neither side.
If a node has no saddle point, its matrix is searched and solved. Entries far outside the window are searched only up to
REACH beyond it. This is the only approximation, and there is none if the window is wide, as at the root.

If `tools.margin` is finite, a second approximation makes the search selective: a value from a shorter search settles a
node if it is far enough outside the window. The value is remembered, or comes from a search that is a few rounds
shorter (Buro, "ProbCut", ICCA Journal 18(2), 1995, with a fixed margin).
"""

from __future__ import annotations

import numpy as np

from onlymove_engines.compiled.bitset import ONE, ZERO
from onlymove_engines.compiled.jit import allocation_free, inlined
from onlymove_engines.compiled.vectors import prefetch

from .evaluation import FITTED, LAST, compare_fills, estimate
from .field import ALLOWED, BELIEVED, BEST, GAVE_UP, LEAVES, NODES, ROUNDS, Tools, can_meet, flood, is_set, list_ways
from .matrix import solve_matrix

MARGIN_GROWS = 0.1
"""How much farther outside the window a remembered value must be, for each round that its search was too short."""

MIN_PROBED, PROBED_LESS = 3, 2
"""A selective search first searches PROBED_LESS fewer rounds, at nodes with at least MIN_PROBED rounds to go."""

MAX_VALUE = 0.97
"""A node gets no shorter search first if its value would have to be beyond this."""

NARROW = 2
"""A last round in which the riders have at most this many pairs of steps does not count, because looking one round
farther costs little there."""

EXACT, AT_LEAST, AT_MOST = 1, 2, 3
"""What a remembered value is."""

# The other facts about a remembered node, packed into one number:
#
#     bits    31 ... 24    23 22    21 20    19 ... 10     9 ... 0
#               depth      bound      0      best reply    best cell


@inlined
def pack_note(depth: int, bound: int, reply: int, cell: int) -> int:
    return depth << 24 | bound << 22 | np.int64(reply) << 10 | np.int64(cell)


@inlined
def read_note(note: np.int64) -> tuple[int, int, int, int]:
    return note >> 24, (note >> 22) & 3, (note >> 10) & 1023, note & 1023


@allocation_free
def check_leaf(ply, me, you, depth, mode, moves, replies, seen, tools):
    """Return whether a node is a leaf, its value, and how many moves each rider has.

    A leaf is a node at depth 0, or one in which a rider cannot move or the riders cannot meet. `seen` means that an
    earlier search went past this node, so the riders can move and meet.
    """
    board = tools.boards[ply]
    mine, yours = list_ways(board, me, tools, moves), list_ways(board, you, tools, replies)
    if depth > 0 and seen:
        return False, 0.0, mine, yours
    if mode == LAST and depth == 0:
        tools.stat[LEAVES] += 1
        return True, 0.0, mine, yours
    if mine == 0 or yours == 0:
        tools.stat[LEAVES] += 1
        value = np.float64(mine > 0) - np.float64(yours > 0)
        return True, tools.draw[0] if value == 0.0 else value, mine, yours
    if depth > 0 and can_meet(board, me, you, tools):
        return False, 0.0, mine, yours
    _, met = flood(board, me, you, tools)
    if not met and mode != LAST:
        tools.stat[LEAVES] += 1
        return True, compare_fills(me, you, tools), mine, yours
    if depth == 0:
        tools.stat[LEAVES] += 1
        return True, estimate(me, you, mine, yours, mode, tools), mine, yours
    return False, 0.0, mine, yours


@inlined
def count_rounds_below(ply, depth, mine, yours, mode):
    """Return how many rounds to search after this one. A narrow last round does not count in fitted searches."""
    is_narrow = mode == FITTED and depth == 1 and mine * yours <= NARROW and ply < ROUNDS
    return depth if is_narrow else depth - 1


@inlined
def play_round(ply, mine, yours, key, tools):
    """Write the board after both riders' steps to the next ply. Return its hash, computed from the hash of the board
    before."""
    boards = tools.boards
    for k in range(boards.shape[1]):
        word = boards[ply, k]
        if mine >> 6 == k:
            word &= ~(ONE << np.uint64(mine & 63))
        if yours >> 6 == k:
            word &= ~(ONE << np.uint64(yours & 63))
        boards[ply + 1, k] = word
    return key ^ tools.zobrist[0, mine] ^ tools.zobrist[0, yours]


@inlined
def _rank(cell, first, killer, history, rider):
    return history[rider, cell] + (1 << 30 if cell == first else 0) + (1 << 29 if cell == killer else 0)


@inlined
def sort_cells(moves, number, first, killer, history, rider):
    """Sort the cells by how promising they are: the remembered cell first, then the killer, then by history."""
    for i in range(1, number):
        cell = moves[i]
        rank = _rank(cell, first, killer, history, rider)
        j = i - 1
        while j >= 0 and _rank(moves[j], first, killer, history, rider) < rank:
            moves[j + 1] = moves[j]
            j -= 1
        moves[j + 1] = cell


@inlined
def give_up(tools):
    """Count a node, and return whether the search has to stop."""
    stat = tools.stat
    stat[NODES] += 1
    if stat[NODES] > stat[ALLOWED]:
        stat[GAVE_UP] = 1
    return stat[GAVE_UP] != 0


@inlined
def recall(full, depth, alpha, beta, tools):
    """Look up a node in the transposition table. Return whether the entry settles the window, its value, and the best
    cell and reply (-1 if unknown)."""
    at = full & np.uint64(tools.keys.shape[0] - 1)
    if depth == 0 or tools.keys[at] != full:  # nothing is remembered about leaves
        return False, 0.0, -1, -1
    deep, bound, reply, cell = read_note(np.int64(tools.notes[at]))
    known = tools.values[at]
    enough = deep >= depth and depth > 0
    enough &= bound == EXACT or (bound == AT_LEAST and known >= beta) or (bound == AT_MOST and known <= alpha)
    if deep < depth:
        margin = tools.margin[0] + MARGIN_GROWS * (depth - deep)
        enough = (bound != AT_MOST and known >= beta + margin) or (bound != AT_LEAST and known <= alpha - margin)
    if enough and abs(known) < 1.0:
        tools.stat[BELIEVED] += 1
    return enough, known, cell, reply


@allocation_free
def board_key(tools):
    """Return the hash of the first board."""
    key = ZERO
    for cell in range(tools.near.shape[0]):
        if not is_set(tools.boards[0], cell):
            key ^= tools.zobrist[0, cell]
    return key


@inlined
def open_node(ply, me, you, full, depth, alpha, beta, mode, tools):
    """Return whether a node is settled at once, its value, and how many steps and replies it has. The steps and replies
    are listed in `tools.lists`, most promising first. `full` is the node's key."""
    known, value, first, first_reply = recall(full, depth, alpha, beta, tools)
    if known and ply > 0:
        return True, value, 0, 0
    moves, replies = tools.lists[0, ply], tools.lists[1, ply]
    leaf, value, mine, yours = check_leaf(ply, me, you, depth, mode, moves, replies, first >= 0, tools)
    if leaf or give_up(tools):
        return True, value, 0, 0
    sort_cells(moves, mine, first, tools.killers[0, ply], tools.history, 0)
    sort_cells(replies, yours, first_reply, tools.killers[1, ply], tools.history, 1)
    return False, 0.0, mine, yours


@inlined
def reward(ply, rider, cell, depth, tools):
    """Remember a step that was best or caused a cutoff, so that it is tried early at other nodes."""
    tools.killers[rider, ply] = cell
    tools.history[rider, cell] += depth * depth


@inlined
def remember(full, depth, bound, value, cell, reply, tools):
    at = full & np.uint64(tools.keys.shape[0] - 1)
    if tools.margin[0] < 1.0 and tools.keys[at] == full and read_note(np.int64(tools.notes[at]))[0] > depth:
        return
    tools.keys[at] = full
    tools.values[at] = value
    tools.notes[at] = pack_note(depth, bound, reply, cell)


@allocation_free
def serial_at_root(me: int, you: int, depth: int, mode: int, tools: Tools) -> float:
    """Search from the first board and return the value for me. The recursion is in `serial`, because a recursive helper
    costs less than a recursive kernel."""
    return serial(np.int64(0), me, you, depth, -1.0, 1.0, board_key(tools), mode, tools)


@allocation_free
def serial(
    ply: int, me: int, you: int, depth: int, alpha: float, beta: float, key: np.uint64, mode: int, tools: Tools
) -> float:
    """Search by alpha-beta as if I chose first and you saw my choice. The value of this search is never more than that
    of the simultaneous game. It is exact inside (alpha, beta), an upper bound below it, and a lower bound above it
    (fail-soft).

    `key` is the hash of the empty cells. The result is meaningless if the search gave up.
    """
    full = key ^ tools.zobrist[1, me] ^ tools.zobrist[2, you]
    is_settled, value, mine, yours = open_node(ply, me, you, full, depth, alpha, beta, mode, tools)
    if is_settled:
        return value
    moves, replies = tools.lists[0, ply], tools.lists[1, ply]
    below = count_rounds_below(ply, depth, mine, yours, mode)
    best, best_cell, best_reply = -2.0, moves[0], replies[0]
    low = alpha
    for i in range(mine):
        a = moves[i]
        worst, worst_reply = 2.0, replies[0]
        for j in range(yours):
            b = replies[j]
            value = 0.0
            if a != b:
                after = play_round(ply, a, b, key, tools)
                value = serial(ply + 1, a, b, below, low, min(beta, worst), after, mode, tools)
                if tools.stat[GAVE_UP]:
                    return 0.0
            if value < worst:
                worst, worst_reply = value, b
            if worst <= low:
                reward(ply, 1, b, depth, tools)
                if j > 0:
                    sort_cells(replies, yours, b, b, tools.history, 1)
                break
        if worst > best:
            best, best_cell, best_reply = worst, a, worst_reply
            if ply == 0:
                tools.stat[BEST] = a
                tools.result[0] = worst
            low = max(low, best)
            if best >= beta:
                break
    reward(ply, 0, best_cell, depth, tools)
    if ply == 0:
        for i in range(mine):
            tools.result[1 + i] = np.float64(moves[i] == best_cell)
    bound = AT_LEAST if best >= beta else (AT_MOST if best <= alpha else EXACT)
    remember(full, depth, bound, best, best_cell, best_reply, tools)
    return best


SALT = np.uint64(0xD1B54A32D192ED03)
"""Distinguishes these values from the serialised ones in the same table."""

EPS = 1e-7
"""The width of a null window. Values closer than this count as equal."""

REACH = 0.2
"""How far outside the window the entries of a matrix are searched."""

SWITCHES = 8
"""After this many changes of the pair in a wide window, the search stops looking for a saddle point."""

NULL_WINDOW, PAIR, MATRIX, SOLVED = range(4)
"""The phases of a node's search: refuting every row or column with null windows, confirming a saddle point, searching
all entries, and the solved matrix."""


# The column player sees a matrix `turned`: transposed and negated. So what is said of rows holds for columns, too.


@inlined
def read_entry(matrix, i, j, turned):
    return -matrix[j, i] if turned else matrix[i, j]


@inlined
def _find_least(matrix, row, columns, turned):
    least = 2.0
    for j in range(columns):
        least = min(least, read_entry(matrix, row, j, turned))
    return least


@inlined
def _find_row(matrix, rows, columns, least, turned):
    """Return the first row whose entries are all at least `least`, or -1."""
    for i in range(rows):
        if _find_least(matrix, i, columns, turned) >= least:
            return i
    return -1


@inlined
def _find_guarantee(matrix, rows, columns, turned):
    """Return the guaranteed value of the best single row."""
    most = -2.0
    for i in range(rows):
        most = max(most, _find_least(matrix, i, columns, turned))
    return most


@inlined
def _pair_value(low, high, r, c, alpha, beta):
    """Return the value of the pair (r, c) as far as it is known, limited to the window."""
    return min(max(low[r, c], alpha), beta) if high[r, c] > alpha else alpha


@inlined
def _next_for_null_window(low, high, rows, columns, alpha, beta):
    """Return the entry to search next with a null window. Its answer rules out a row or a column. Return (-1, -1) if
    every row and column is ruled out."""
    row, column = _find_row(high, rows, columns, beta, False), _find_row(low, columns, rows, -alpha, True)
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
def _next_for_pair(low, high, r, c, rows, columns, alpha, beta):
    """Return the entry to search next to confirm the pair (r, c), with its window. The entry is -1 if the pair is
    confirmed."""
    if low[r, c] < beta and high[r, c] > alpha and low[r, c] < high[r, c]:
        return r, c, alpha, beta
    value = _pair_value(low, high, r, c, alpha, beta)
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
def _follow_pair(low, high, r, c, switches, rows, columns, alpha, beta):
    """Return the pair that is left to confirm, the number of switches so far, and the entry to search next with its
    window. The pair is (r, c) unless another row or column is known to be better. The entry is -1 if the pair is
    confirmed."""
    i, j, a, b = _next_for_pair(low, high, r, c, rows, columns, alpha, beta)
    while (i != r or j != c) and switches <= SWITCHES:
        value = _pair_value(low, high, r, c, alpha, beta)
        row, column = r, c
        if value < beta:
            for k in range(rows):
                if low[k, c] > value:
                    r = k
                    break
        if value > alpha and r == row:
            for k in range(columns):
                if high[r, k] < value:
                    c = k
                    break
        if r == row and c == column:
            break
        switches += 1
        i, j, a, b = _next_for_pair(low, high, r, c, rows, columns, alpha, beta)
    return r, c, switches, i, j, a, b


@inlined
def _next_of_all(low, high, rows, columns, a, b):
    """Return an entry that is not yet known within the window, or (-1, -1)."""
    for i in range(rows):
        for j in range(columns):
            if low[i, j] < high[i, j] and low[i, j] < b and high[i, j] > a:
                return i, j
    return -1, -1


@inlined
def _solve_known(low, high, rows, columns, b, mixes, work):
    """Solve the matrix and return its value. An entry that is only bounded counts as its known bound."""
    for i in range(rows):
        for j in range(columns):
            if low[i, j] < high[i, j] and low[i, j] < b:
                low[i, j] = high[i, j]
    return solve_matrix(low, rows, columns, mixes[0], mixes[1], work)


@inlined
def _begin_bounds(low, high, moves, replies, mine, yours, tools):
    """Write what is known of the entries before any search: riders that meet in a cell draw."""
    for i in range(mine):
        for j in range(yours):
            same = moves[i] == replies[j]
            low[i, j] = tools.draw[0] if same else -1.0
            high[i, j] = tools.draw[0] if same else 1.0


@inlined
def _narrow(low, high, i, j, a, b, got):
    """Narrow the bounds of an entry by the answer of a search in the window (a, b)."""
    if got > a:
        low[i, j] = max(low[i, j], got)
    if got < b:
        high[i, j] = min(high[i, j], got)
    if low[i, j] > high[i, j]:
        low[i, j] = high[i, j] = got


@inlined
def _prefetch_keys(moves, replies, mine, yours, key, tools):
    """Make the processor load the table's keys for all nodes one round later. Otherwise the search would wait for
    memory."""
    zobrist = tools.zobrist
    for i in range(mine):
        first = key ^ zobrist[0, moves[i]] ^ zobrist[1, moves[i]] ^ SALT
        for j in range(yours):
            full = first ^ zobrist[0, replies[j]] ^ zobrist[2, replies[j]]
            prefetch(tools.keys, full & np.uint64(tools.keys.shape[0] - 1))


@allocation_free
def saddle_at_root(me: int, you: int, depth: int, mode: int, tools: Tools) -> float:
    return saddle(np.int64(0), me, you, depth, -1.0, 1.0, board_key(tools), mode, tools)


@allocation_free
def saddle(
    ply: int, me: int, you: int, depth: int, alpha: float, beta: float, key: np.uint64, mode: int, tools: Tools
) -> float:
    """Return the value for me by backward induction inside (alpha, beta), and a bound outside.

    At ply 0, `tools.result[1:5]` gets my mix over `tools.lists[0, 0]`. If the search gave up, the result is
    meaningless. Only `stat[BEST]` counts then: a cell that was found to be better than the first one, if there is one.
    """
    full = key ^ tools.zobrist[1, me] ^ tools.zobrist[2, you] ^ SALT
    margin = tools.margin[0]
    if depth >= MIN_PROBED and margin < 1.0 and beta - alpha <= 2.0 * EPS:
        is_settled, value, first, _ = recall(full, depth, alpha, beta, tools)
        if is_settled:
            return value
        side = 0.0 if first < 0 else np.float64(value >= beta) - np.float64(value <= alpha)
        far = beta + margin if side > 0.0 else alpha - margin
        if side != 0.0 and abs(far) < MAX_VALUE:
            if give_up(tools):
                return 0.0
            a, b = (far - EPS, far) if side > 0.0 else (far, far + EPS)
            got = saddle(ply, me, you, depth - PROBED_LESS, a, b, key, mode, tools)
            if tools.stat[GAVE_UP]:
                return 0.0
            if side * got >= side * far:
                return got
    is_settled, value, mine, yours = open_node(ply, me, you, full, depth, alpha, beta, mode, tools)
    if is_settled:
        return value
    moves, replies = tools.lists[0, ply], tools.lists[1, ply]
    low, high = tools.low[ply], tools.high[ply]
    _begin_bounds(low, high, moves, replies, mine, yours, tools)
    below = count_rounds_below(ply, depth, mine, yours, mode)
    if below > 0:
        _prefetch_keys(moves, replies, mine, yours, key, tools)
    phase = NULL_WINDOW if beta - alpha <= 2.0 * EPS else PAIR
    r, c, switches = 0, 0, 0
    bound = EXACT
    while True:
        least, most = _find_guarantee(low, mine, yours, False), -_find_guarantee(high, yours, mine, True)
        if least >= beta:
            value, bound, r = least, AT_LEAST, max(0, _find_row(low, mine, yours, beta, False))
            break
        if most <= alpha:
            value, bound, c = most, AT_MOST, max(0, _find_row(high, yours, mine, -alpha, True))
            break
        i, j, a, b = -1, -1, alpha, beta
        if phase == NULL_WINDOW:
            i, j = _next_for_null_window(low, high, mine, yours, alpha, beta)
            phase = MATRIX if i < 0 else phase
        elif phase == PAIR:
            before = switches
            r, c, switches, i, j, a, b = _follow_pair(low, high, r, c, switches, mine, yours, alpha, beta)
            phase = MATRIX if switches > SWITCHES else phase
            if ply == 0 and switches > before:
                tools.stat[BEST] = -1 if phase == MATRIX else moves[r]
            if phase == PAIR and i < 0:
                value = _pair_value(low, high, r, c, alpha, beta)
                break
        if phase == MATRIX:
            a, b = max(-1.0, alpha - REACH), min(1.0, beta + REACH)
            i, j = _next_of_all(low, high, mine, yours, a, b)
            if i < 0:
                phase = SOLVED
                value = _solve_known(low, high, mine, yours, b, tools.mixes, tools.work)
                bound = AT_LEAST if value >= beta else (AT_MOST if value <= alpha else EXACT)
                r, c = np.argmax(tools.mixes[0, :mine]), np.argmax(tools.mixes[1, :yours])
                break
        after = play_round(ply, moves[i], replies[j], key, tools)
        got = saddle(ply + 1, moves[i], replies[j], below, a, b, after, mode, tools)
        if tools.stat[GAVE_UP]:
            return 0.0
        _narrow(low, high, i, j, a, b, got)
    reward(ply, 0, moves[r], depth, tools)
    reward(ply, 1, replies[c], depth, tools)
    if ply == 0:
        tools.result[0] = value
        for i in range(4):
            tools.result[1 + i] = tools.mixes[0, i] if phase == SOLVED else np.float64(i == r)
    remember(full, depth, bound, value, moves[r], replies[c], tools)
    return value
