"""The exact search, and the plain minimax of the original program.

The exact search proves intervals for the margin to come, and narrows them by deepening or by proof numbers. Every
interval is true. A board that has not been searched is worth between minus and plus its number of seeds, and a closed
board is worth what the table says. The interval of a board follows from those after its moves, and deeper searches only
narrow it. Outside the table, play cannot repeat (see docs/engines), so the search ends.
"""

from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.jit import Array, allocation_free

from .moves import count_own_seeds, count_seeds, key, list_children, net, number_closed, pack, unpack

MAX_PLY = 120
"""The most plies to which a line is followed. Boards that play can reach need at most 46."""

REMEMBERED = 1 << 18
"""How many boards' intervals are remembered. A newer board replaces an older one."""

QUESTIONS = 1 << 16
"""How many questions "is this board worth at least t?" have their proof numbers remembered."""

NODES, LIMIT, DEEPEST = 0, 1, 2
"""Indices in `count`: how many boards have been expanded, how many may be, and the deepest ply of a proof. Another
thread ends the search by writing 0 to the second."""

SCATTER = -7046029254386353131
"""2^64 divided by the golden ratio, as a signed number. It spreads keys over the slots (Knuth, volume 3, 6.4)."""


class Memory(NamedTuple):
    """The working memory of a search. `make_memory` creates it."""

    margins: Array
    """int8[boards]: the table, which has the margin to come for each closed board by number. Empty without a table."""
    keys: Array
    """int64[n]: the keys of the boards that are remembered. The sizes of this array and of `numbers` are powers of
    two."""
    bounds: Array
    """int8[n, 2]: the intervals of these boards."""
    after: Array
    """int64[MAX_PLY, 6, 12]: the boards after the moves at each ply."""
    gains: Array
    """int64[MAX_PLY, 6]: the net captures of these moves. `pits`, `low` and `high` are in the same order."""
    pits: Array
    low: Array
    """int64[MAX_PLY, 6]: the least that these moves are worth. `high` is the most."""
    high: Array
    missing: Array
    """int64[MAX_PLY, 6, 2]: the proof numbers of the boards after the moves."""
    numbers: Array
    """int64[m, 4]: the proof numbers of questions, with the questions."""
    count: Array
    """int64[3]: see NODES, LIMIT and DEEPEST."""


def make_memory(margins: Array, count: Array) -> Memory:
    """Create an empty memory for a search with this table."""
    return Memory(
        margins,
        np.zeros(REMEMBERED, np.int64),
        np.zeros((REMEMBERED, 2), np.int8),
        np.zeros((MAX_PLY, 6, 12), np.int64),
        *(np.zeros((MAX_PLY, 6), np.int64) for _ in ("gains", "pits", "low", "high")),
        np.zeros((MAX_PLY, 6, 2), np.int64),
        np.zeros((QUESTIONS, 4), np.int64),
        count,
    )


@allocation_free
def find_slot(bits: int, slots: int) -> int:
    """Return the slot of a key. `slots` is a power of two."""
    return ((bits * SCATTER) >> 30) & (slots - 1)


@allocation_free
def recall_bounds(board: Array, memory: Memory) -> tuple[int, int]:
    """Return the interval (low, high) that is known for a board without searching."""
    number = number_closed(board) if len(memory.margins) else -1
    if number >= 0:
        exact = np.int64(memory.margins[number])
        return exact, exact
    total = count_seeds(board)
    bits = key(board)
    slot = find_slot(bits, len(memory.keys))
    if memory.keys[slot] == bits:
        return np.int64(memory.bounds[slot, 0]), np.int64(memory.bounds[slot, 1])
    return -total, total


@allocation_free
def remember(board: Array, low: int, high: int, memory: Memory) -> tuple[int, int]:
    """Narrow an interval by what is already known about the board. Store the result and return it."""
    old_low, old_high = recall_bounds(board, memory)
    low, high = max(low, old_low), min(high, old_high)
    bits = key(board)
    slot = find_slot(bits, len(memory.keys))
    memory.keys[slot] = bits
    memory.bounds[slot, 0], memory.bounds[slot, 1] = low, high
    return low, high


@allocation_free
def is_spent(memory: Memory) -> bool:
    return memory.count[NODES] >= memory.count[LIMIT]


@allocation_free
def expand(board: Array, ply: int, memory: Memory) -> int:
    """Write every move of a board with its known interval to the rows of `ply`. Return the number of moves."""
    memory.count[NODES] += 1
    after, gains, low, high = memory.after[ply], memory.gains[ply], memory.low[ply], memory.high[ply]
    moves = list_children(board, after, gains, memory.pits[ply])
    for m in range(moves):
        gains[m] = net(gains[m])
        child_low, child_high = recall_bounds(after[m], memory)
        low[m], high[m] = gains[m] - child_high, gains[m] - child_low
    return moves


@allocation_free
def join_moves(board: Array, moves: int, ply: int, memory: Memory) -> tuple[int, int]:
    """Return a board's interval, computed from its moves in the rows of `ply`. If there are no moves, the board is
    swept."""
    if moves == 0:
        swept = count_own_seeds(board)
        return swept, swept
    best_low, best_high = memory.low[ply, 0], memory.high[ply, 0]
    for m in range(1, moves):
        best_low, best_high = max(best_low, memory.low[ply, m]), max(best_high, memory.high[ply, m])
    return best_low, best_high


@allocation_free
def narrow_move(m: int, ply: int, low: int, high: int, memory: Memory) -> None:
    """Narrow the bounds on a move's margin by those of the board after it."""
    gain = memory.gains[ply, m]
    memory.low[ply, m] = max(memory.low[ply, m], gain - high)
    memory.high[ply, m] = min(memory.high[ply, m], gain - low)


STEP = 3
"""How many plies each round of deepening adds."""


@allocation_free
def find_promising(moves: int, searched: int, floor: int, ply: int, memory: Memory) -> int:
    """Return the next move to search, or -1 if there is none. The move has not been searched, its bounds still differ,
    and it can beat `floor`."""
    low, high = memory.low[ply], memory.high[ply]
    pick, promise = -1, -1024
    for m in range(moves):
        is_open = searched & (1 << m) == 0 and high[m] > floor and low[m] < high[m]
        if is_open and low[m] + high[m] > promise:
            pick, promise = m, low[m] + high[m]
    return pick


@allocation_free
def narrow(board: Array, depth: int, alpha: int, beta: int, ply: int, memory: Memory) -> tuple[int, int]:
    """Return an interval for the margin to come of `board` after searching to ply `depth` >= 1, by alpha-beta on
    intervals.

    The search of a board ends when its interval is a single value or lies outside alpha..beta, when no open move could
    change that, at the depth limit, or when the budget is used up. The interval is true in every case.
    """
    moves, searched = expand(board, ply, memory), 0
    while True:
        low, high = join_moves(board, moves, ply, memory)
        pick, floor = -1, max(alpha, low)
        if low < high and low < beta and high > alpha and ply + 1 < depth and not is_spent(memory):
            pick = find_promising(moves, searched, floor, ply, memory)
        if pick < 0:
            return remember(board, low, high, memory)
        searched |= 1 << pick
        gain = memory.gains[ply, pick]
        low, high = narrow(memory.after[ply, pick], depth, gain - beta, gain - floor, ply + 1, memory)
        narrow_move(pick, ply, low, high, memory)


@allocation_free
def exact(board: Array, max_depth: int, memory: Memory) -> tuple[int, int, int]:
    """Search deeper and deeper until the margin to come of `board` is known. Return (low, high, depth), where low ==
    high if the margin is proven.

    Each round asks on which side of the interval's middle the margin lies. Three plies more at a time are cheapest, as
    measured with 1 to 4 plies on 3,000 boards from plies 6-20 of random play.
    """
    low, high = recall_bounds(board, memory)
    depth = 0
    while low < high and depth < min(max_depth, MAX_PLY - 1):
        depth = min(depth + STEP, max_depth, MAX_PLY - 1)
        middle = low + ((high - low) >> 1)
        low, high = narrow(board, depth, middle, middle + 1, np.int64(0), memory)
        if is_spent(memory):
            break
    return low, high, depth


NEVER = 1 << 30
"""The proof number of an answer that is impossible."""

YES, NO, BOARD, MARGIN = 0, 1, 2, 3
"""Indices in a row of `numbers`. The first two are proof numbers, as in `missing`. The others are the question: the
board's key, and t."""


@allocation_free
def find_question(board: Array, t: int, memory: Memory) -> tuple[int, int]:
    """Return the slot for the question "is this board worth at least t?", and the board's key. The question is stored
    as the key and t, because a single number would need 68 bits."""
    bits = key(board)
    return find_slot(bits * 128 + (t + 64), len(memory.numbers)), bits


@allocation_free
def recall_asked(board: Array, t: int, memory: Memory) -> tuple[int, int]:
    """Return the remembered proof numbers of a question: how many boards must still be settled to prove yes, and to
    prove no. Both are 1 if the question is new."""
    slot, bits = find_question(board, t, memory)
    numbers = memory.numbers
    if numbers[slot, BOARD] == bits and numbers[slot, MARGIN] == t:
        return numbers[slot, YES], numbers[slot, NO]
    return 1, 1


@allocation_free
def ask_moves(moves: int, t: int, ply: int, memory: Memory) -> None:
    """Write how many boards each child still needs for its answers. This is 0 if its interval gives the answer,
    otherwise the remembered number, or 1 if there is none."""
    missing = memory.missing[ply]
    for m in range(moves):
        if memory.low[ply, m] >= t:
            missing[m, YES], missing[m, NO] = NEVER, 0
        elif memory.high[ply, m] < t:
            missing[m, YES], missing[m, NO] = 0, NEVER
        else:
            missing[m, YES], missing[m, NO] = recall_asked(memory.after[ply, m], memory.gains[ply, m] - t + 1, memory)


@allocation_free
def remember_answer(board: Array, t: int, yes: int, no: int, memory: Memory) -> None:
    """Remember how many boards must still be settled to answer "is this board worth at least t?" with yes, and with
    no."""
    slot, bits = find_question(board, t, memory)
    numbers = memory.numbers
    numbers[slot, YES], numbers[slot, NO], numbers[slot, BOARD], numbers[slot, MARGIN] = yes, no, bits, t


@allocation_free
def find_closest(moves: int, ply: int, memory: Memory) -> tuple[int, int, int, int]:
    """Return (yes, no, pick, second).

    `yes` and `no` are how many boards must still be settled for each answer about the parent. `pick` is the move that
    is closest to proving yes, and `second` is that number for the next closest move.
    """
    missing = memory.missing[ply]
    yes, no, pick, second = NEVER, 0, -1, NEVER
    for m in range(moves):
        if missing[m, NO] < yes:
            yes, pick, second = missing[m, NO], m, yes
        elif missing[m, NO] < second:
            second = missing[m, NO]
        no = min(NEVER, no + missing[m, YES])
    return yes, no, pick, second


@allocation_free
def look_into(
    board: Array, t: int, yes_limit: int, no_limit: int, ply: int, memory: Memory
) -> tuple[int, int, int, int]:
    """Search the question "is this board worth at least t?" until the proof numbers reach the limits. Return how many
    boards must still be settled for yes and for no, and the board's interval.

    Sources: proof numbers are from Allis, van der Meulen and van den Herik (1994), depth-first search within limits
    from Nagai (2002).
    """
    memory.count[DEEPEST] = max(memory.count[DEEPEST], ply)
    missing, is_last = memory.missing[ply], ply + 1 == MAX_PLY
    moves = expand(board, ply, memory)
    ask_moves(moves, t, ply, memory)
    while True:
        yes, no, pick, second = find_closest(moves, ply, memory)
        low, high = join_moves(board, moves, ply, memory)
        if moves == 0:
            yes, no = (0, NEVER) if low >= t else (NEVER, 0)
        # The answer may depend on a remembered one for a child whose interval has been forgotten.
        if yes == 0:
            low = max(low, t)
        if no == 0:
            high = min(high, t - 1)
        is_open = yes > 0 and no > 0 and yes < yes_limit and no < no_limit
        if not is_open or is_last or is_spent(memory):
            break
        child_yes_limit = min(NEVER, no_limit - no + missing[pick, YES])
        child_no_limit = min(yes_limit, second + 1)
        asked = memory.gains[ply, pick] - t + 1
        yes, no, low, high = look_into(memory.after[ply, pick], asked, child_yes_limit, child_no_limit, ply + 1, memory)
        missing[pick, YES], missing[pick, NO] = yes, no
        narrow_move(pick, ply, low, high, memory)
    if is_last:
        memory.count[LIMIT] = 0
    remember_answer(board, t, yes, no, memory)
    low, high = remember(board, low, high, memory)
    return yes, no, low, high


@allocation_free
def prove(board: Array, t: int, memory: Memory) -> tuple[int, int]:
    """Settle whether the margin to come of `board` is at least `t`, and return the board's interval. The interval
    leaves the question open only if the budget is used up or a line is too long."""
    _, _, low, high = look_into(board, t, np.int64(NEVER), np.int64(NEVER), np.int64(0), memory)
    return low, high


@allocation_free
def pin(board: Array, memory: Memory) -> tuple[int, int, int]:
    """Narrow the bounds of `board` until its margin is known. Each question halves the interval. Return (low, high,
    deepest ply)."""
    low, high = recall_bounds(board, memory)
    memory.count[DEEPEST] = 0
    while low < high and not is_spent(memory):
        was_low, was_high = low, high
        low, high = prove(board, low + ((high - low) >> 1) + 1, memory)
        if low == was_low and high == was_high:
            # This has not happened so far: proof numbers exceeded NEVER by counting boards twice. Deepening settles the
            # question.
            return exact(board, MAX_PLY, memory)
    return low, high, memory.count[DEEPEST] + 1


HALF = 24
INFINITY = 1000
"""Larger than any score."""


@allocation_free
def has_majority(taken: int) -> bool:
    first, second = unpack(taken)
    return max(first, second) > HALF


@allocation_free
def pass_turn(taken: int, gain: int) -> int:
    """Return both sides' captures after a move with this gain, beginning with the side that moves next."""
    first, second = unpack(taken + gain)
    return pack(second, first)


@allocation_free
def score(board: Array, taken: int, depth: int, alpha: int, beta: int, after: Array, gains: Array, pits: Array) -> int:
    """Return the score of `board` after `depth` plies of best play: the captures of the side to move minus the other
    side's, at the depth limit or at the end of the game.

    The score is exact between `alpha` and `beta`, and otherwise a bound. Pruning leaves out only branches that cannot
    change the choice. `taken` holds both sides' captures, beginning with the side to move. `after`, `gains` and `pits`
    have a row for each depth.
    """
    moves = list_children(board, after[depth], gains[depth], pits[depth])
    if moves == 0:
        return net(taken) + count_own_seeds(board)
    if depth == 0 or has_majority(taken):
        return net(taken)
    for m in range(moves):
        if alpha >= beta:
            break
        then = pass_turn(taken, gains[depth, m])
        alpha = max(alpha, -score(after[depth, m], then, depth - 1, -beta, -alpha, after, gains, pits))
    return alpha


@allocation_free
def choose(board: Array, taken: int, depth: int, is_reversed: bool, after: Array, gains: Array, pits: Array) -> int:
    """Return the first pit with the best score at this depth, or -1 if there is no legal move. Pits are searched in
    ascending order, or in descending order if `is_reversed`."""
    moves = list_children(board, after[depth], gains[depth], pits[depth])
    best, pit = np.int64(-INFINITY), -1
    for k in range(moves):
        m = moves - 1 - k if is_reversed else k
        then = pass_turn(taken, gains[depth, m])
        found = -score(after[depth, m], then, depth - 1, np.int64(-INFINITY), -best, after, gains, pits)
        if found > best:
            best, pit = found, pits[depth, m]
    return pit
