"""The exact search: intervals that hold the margin to come, closed by deepening or by proof numbers.

Every interval is proven: a board not looked at is worth something between minus and plus its seeds, a closed board
exactly what the table says. A parent's interval follows from its children's, and a deeper search only narrows it.
Above the table play cannot circle (see docs/engines), so the search ends.
"""

from typing import NamedTuple

import numpy as np

from onlymove_engines.search.jit import Array, lean

from .moves import all_seeds, children, closed_number, key, net, own_seeds

MAX_PLY = 120
"""No line is followed further. From boards that play can reach, 46 plies are enough."""

REMEMBERED = 1 << 18
"""Boards whose intervals are kept; a newer board takes the place of an older one."""

QUESTIONS = 1 << 16
"""Questions "at least t?" whose proof numbers are kept."""

NODES, LIMIT, REVERSE, DEEPEST = 0, 1, 2, 3
"""Places in `count`: boards expanded so far, how many are allowed (0 from outside ends the search), whether moves are
tried last to first (for comparing: the answers are the same), the deepest ply of a proof."""

MOVES, PICK = 0, 1
"""Places in a row of `frame`: how many moves, the one looked into. The searches name the others."""

SCATTER = -7046029254386353131
"""2^64 divided by the golden ratio, as a signed number: spreads keys over the slots (Knuth, volume 3, 6.4)."""


class Memory(NamedTuple):
    """One for each search; `make_memory` makes it."""

    margins: Array
    """int8[boards]: the closed table, the margin to come by number; empty without a table."""
    keys: Array
    """int64[n]: boards that are remembered; n is a power of two, here and in `numbers`."""
    bounds: Array
    """int8[n, 2]: their intervals."""
    after: Array
    """int64[MAX_PLY, 6, 12]: the boards after the moves at each ply."""
    gains: Array
    """int64[MAX_PLY, 6]: what these moves capture, less what they give; `pits`, `low`, `high` in the same order."""
    pits: Array
    low: Array
    """int64[MAX_PLY, 6]: what these moves are worth at least; at most in `high`."""
    high: Array
    frame: Array
    """int64[MAX_PLY, 5]: where the search of a ply stands."""
    missing: Array
    """int64[MAX_PLY, 6, 2]: the proof numbers of the boards after the moves."""
    numbers: Array
    """int64[m, 4]: proof numbers of questions, and the question."""
    count: Array
    """int64[4]: NODES, LIMIT, REVERSE, DEEPEST."""


def make_memory(margins: Array, count: Array) -> Memory:
    """An empty memory above this table."""
    return Memory(
        margins,
        np.zeros(REMEMBERED, np.int64),
        np.zeros((REMEMBERED, 2), np.int8),
        np.zeros((MAX_PLY, 6, 12), np.int64),
        *(np.zeros((MAX_PLY, 6), np.int64) for _ in ("gains", "pits", "low", "high")),
        np.zeros((MAX_PLY, 5), np.int64),
        np.zeros((MAX_PLY, 6, 2), np.int64),
        np.zeros((QUESTIONS, 4), np.int64),
        count,
    )


@lean
def slot_of(bits: int, slots: int) -> int:
    """Where something with this key is remembered; `slots` is a power of two."""
    return ((bits * SCATTER) >> 30) & (slots - 1)


@lean
def known(board: Array, memory: Memory) -> tuple[int, int]:
    """What is known of a board without looking further, as (low, high)."""
    number = closed_number(board) if len(memory.margins) else -1
    if number >= 0:
        exact = np.int64(memory.margins[number])
        return exact, exact
    total = all_seeds(board)
    bits = key(board)
    slot = slot_of(bits, len(memory.keys))
    if memory.keys[slot] == bits:
        return np.int64(memory.bounds[slot, 0]), np.int64(memory.bounds[slot, 1])
    return -total, total


@lean
def remember(board: Array, low: int, high: int, memory: Memory) -> tuple[int, int]:
    """Join an interval with what was known of a board, keep and return it."""
    old_low, old_high = known(board, memory)
    low, high = max(low, old_low), min(high, old_high)
    bits = key(board)
    slot = slot_of(bits, len(memory.keys))
    memory.keys[slot] = bits
    memory.bounds[slot, 0], memory.bounds[slot, 1] = low, high
    return low, high


@lean
def is_spent(memory: Memory) -> bool:
    """Whether the search has to end."""
    return memory.count[NODES] >= memory.count[LIMIT]


STEP = 3
"""Plies by which the search deepens."""

ALPHA, BETA, SEARCHED = 2, 3, 4
"""Places in a row of `frame`: the window, a bit for each move looked into."""


@lean
def expand(board: Array, ply: int, memory: Memory) -> None:
    """Write every move of a board with the interval that is known of it to the rows of `ply`."""
    memory.count[NODES] += 1
    after, gains, low, high = memory.after[ply], memory.gains[ply], memory.low[ply], memory.high[ply]
    moves = children(board, after, gains, memory.pits[ply])
    for m in range(moves):
        gains[m] = net(gains[m])
        child_low, child_high = known(after[m], memory)
        low[m], high[m] = gains[m] - child_high, gains[m] - child_low
    memory.frame[ply, MOVES] = moves


@lean
def summed_up(board: Array, ply: int, memory: Memory) -> tuple[int, int]:
    """The interval of a board that follows from its moves' in the rows of `ply`; without a move it is swept."""
    moves = memory.frame[ply, MOVES]
    if moves == 0:
        swept = own_seeds(board)
        return swept, swept
    best_low, best_high = memory.low[ply, 0], memory.high[ply, 0]
    for m in range(1, moves):
        best_low, best_high = max(best_low, memory.low[ply, m]), max(best_high, memory.high[ply, m])
    return best_low, best_high


@lean
def hand_up(ply: int, low: int, high: int, memory: Memory) -> None:
    """Narrow the move looked into at `ply` by the interval of its child."""
    pick = memory.frame[ply, PICK]
    gain = memory.gains[ply, pick]
    memory.low[ply, pick] = max(memory.low[ply, pick], gain - high)
    memory.high[ply, pick] = min(memory.high[ply, pick], gain - low)


@lean
def promising(ply: int, floor: int, memory: Memory) -> int:
    """The move to look into next: open, not yet looked into, able to be worth more than `floor`; -1 for none."""
    low, high, searched = memory.low[ply], memory.high[ply], memory.frame[ply, SEARCHED]
    pick, promise = -1, -1024
    for m in range(memory.frame[ply, MOVES]):
        is_open = searched & (1 << m) == 0 and high[m] > floor and low[m] < high[m]
        worth = m if memory.count[REVERSE] else low[m] + high[m]
        if is_open and worth > promise:
            pick, promise = m, worth
    return pick


@lean
def narrow(board: Array, depth: int, alpha: int, beta: int, memory: Memory) -> tuple[int, int]:
    """An interval for the margin to come of `board` after looking `depth` >= 1 plies ahead: alpha-beta on intervals.

    A board is left when its interval is a point or lies outside its window alpha..beta, when nothing open could
    change that, at the depth, or when the search has to end; the interval is true in any case.
    A loop and not a recursion: numba's cache does not bring a recursive function back to life (numba issue 6061).
    """
    frame = memory.frame
    ply, entering, here = 0, True, board
    frame[0, ALPHA], frame[0, BETA] = alpha, beta
    while True:
        if entering:
            expand(here, ply, memory)
            frame[ply, SEARCHED] = 0
        floor = frame[ply, ALPHA]
        best_low, best_high = summed_up(here, ply, memory)
        pick = -1
        is_open = best_low < best_high and best_low < frame[ply, BETA] and best_high > floor
        if is_open and ply + 1 < depth and not is_spent(memory):
            floor = max(floor, best_low)
            pick = promising(ply, floor, memory)
        if pick >= 0:
            frame[ply, SEARCHED] |= 1 << pick
            frame[ply, PICK] = pick
            gain = memory.gains[ply, pick]
            frame[ply + 1, ALPHA], frame[ply + 1, BETA] = gain - frame[ply, BETA], gain - floor
            here, ply, entering = memory.after[ply, pick], ply + 1, True
            continue
        best_low, best_high = remember(here, best_low, best_high, memory)
        if ply == 0:
            return best_low, best_high
        ply, entering = ply - 1, False
        hand_up(ply, best_low, best_high, memory)
        here = board if ply == 0 else memory.after[ply - 1, frame[ply - 1, PICK]]


@lean
def exact(board: Array, max_depth: int, memory: Memory) -> tuple[int, int, int]:
    """Deepen until the margin to come of `board` is known: (low, high, depth), low == high when proven.

    Each round asks on which side of the interval's middle the margin lies; three plies a step cost least (tried
    with 1 to 4 on 3,000 boards at plies 6-20 of random play).
    """
    best_low, best_high = known(board, memory)
    depth = 0
    while best_low < best_high and depth < min(max_depth, MAX_PLY - 1):
        depth = min(depth + STEP, max_depth, MAX_PLY - 1)
        middle = best_low + ((best_high - best_low) >> 1)
        best_low, best_high = narrow(board, depth, middle, middle + 1, memory)
        if is_spent(memory):
            break
    return best_low, best_high, depth


NEVER = 1 << 30
"""The number of boards missing for an answer that cannot come."""

YES, NO, BOARD, MARGIN = 0, 1, 2, 3
"""Places in a row of `numbers`: what is missing, as in `missing`, and the question: a board's key and the t."""

YES_LIMIT, NO_LIMIT, QUESTION = 2, 3, 4
"""Places in a row of `frame`: a board is left when as many are missing; its t."""


@lean
def place_of(board: Array, t: int, memory: Memory) -> tuple[int, int]:
    """Where the question "is this board worth at least t?" is remembered, and the board's key. No other question has
    the same key and t; as one number they would need 68 bits."""
    bits = key(board)
    return slot_of(bits * 128 + (t + 64), len(memory.numbers)), bits


@lean
def recalled(board: Array, t: int, memory: Memory) -> tuple[int, int]:
    """How many boards are missing for a yes and for a no, as far as is remembered: one each for a new question."""
    slot, bits = place_of(board, t, memory)
    numbers = memory.numbers
    if numbers[slot, BOARD] == bits and numbers[slot, MARGIN] == t:
        return numbers[slot, YES], numbers[slot, NO]
    return 1, 1


@lean
def ask(ply: int, memory: Memory) -> None:
    """Write what is missing for the children's answers: settled by their intervals, remembered, or one board each."""
    t, missing = memory.frame[ply, QUESTION], memory.missing[ply]
    for m in range(memory.frame[ply, MOVES]):
        if memory.low[ply, m] >= t:
            missing[m, YES], missing[m, NO] = NEVER, 0
        elif memory.high[ply, m] < t:
            missing[m, YES], missing[m, NO] = 0, NEVER
        else:
            missing[m, YES], missing[m, NO] = recalled(memory.after[ply, m], memory.gains[ply, m] - t + 1, memory)


@lean
def answer(board: Array, t: int, yes: int, no: int, memory: Memory) -> None:
    """Remember how many boards are missing for the answers to "is this board worth at least t?"."""
    slot, bits = place_of(board, t, memory)
    numbers = memory.numbers
    numbers[slot, YES], numbers[slot, NO], numbers[slot, BOARD], numbers[slot, MARGIN] = yes, no, bits, t


@lean
def closest(ply: int, memory: Memory) -> tuple[int, int, int, int]:
    """(yes, no, pick, second): what the parent's answers are missing, the move closest to a yes, the next's count."""
    missing, moves = memory.missing[ply], memory.frame[ply, MOVES]
    yes, no, pick, second = NEVER, 0, -1, NEVER
    for k in range(moves):
        m = moves - 1 - k if memory.count[REVERSE] else k
        if missing[m, NO] < yes:
            yes, pick, second = missing[m, NO], m, yes
        elif missing[m, NO] < second:
            second = missing[m, NO]
        no = min(NEVER, no + missing[m, YES])
    return yes, no, pick, second


@lean
def prove(board: Array, t: int, memory: Memory) -> tuple[int, int]:
    """Settle whether the margin to come of `board` is at least `t`; returns its interval, as it is remembered.

    The interval leaves the question open only when the search has to end or a line is too long.
    """
    frame, missing = memory.frame, memory.missing
    ply, entering, here = 0, True, board
    frame[0, YES_LIMIT], frame[0, NO_LIMIT], frame[0, QUESTION] = NEVER, NEVER, t
    while True:
        t = frame[ply, QUESTION]
        if entering:
            memory.count[DEEPEST] = max(memory.count[DEEPEST], ply)
            expand(here, ply, memory)
            ask(ply, memory)
        yes, no, pick, second = closest(ply, memory)
        best_low, best_high = summed_up(here, ply, memory)
        if frame[ply, MOVES] == 0:
            yes, no = (0, NEVER) if best_low >= t else (NEVER, 0)
        # An answer may rest on a child's remembered one, whose interval has been forgotten since.
        if yes == 0:
            best_low = max(best_low, t)
        if no == 0:
            best_high = min(best_high, t - 1)
        is_last = ply + 1 == MAX_PLY
        is_open = yes > 0 and no > 0 and yes < frame[ply, YES_LIMIT] and no < frame[ply, NO_LIMIT]
        if is_open and not is_last and not is_spent(memory):
            frame[ply, PICK] = pick
            frame[ply + 1, YES_LIMIT] = min(NEVER, frame[ply, NO_LIMIT] - no + missing[ply, pick, YES])
            frame[ply + 1, NO_LIMIT] = min(frame[ply, YES_LIMIT], second + 1)
            frame[ply + 1, QUESTION] = memory.gains[ply, pick] - t + 1
            here, ply, entering = memory.after[ply, pick], ply + 1, True
            continue
        if is_last:
            memory.count[LIMIT] = 0
        answer(here, t, yes, no, memory)
        best_low, best_high = remember(here, best_low, best_high, memory)
        if ply == 0:
            return best_low, best_high
        ply, entering = ply - 1, False
        missing[ply, frame[ply, PICK], YES], missing[ply, frame[ply, PICK], NO] = yes, no
        hand_up(ply, best_low, best_high, memory)
        here = board if ply == 0 else memory.after[ply - 1, frame[ply - 1, PICK]]


@lean
def pin(board: Array, memory: Memory) -> tuple[int, int, int]:
    """Halve the interval of `board` by questions until its margin is known: (low, high, deepest ply)."""
    best_low, best_high = known(board, memory)
    memory.count[DEEPEST] = 0
    while best_low < best_high and not is_spent(memory):
        t = best_low + ((best_high - best_low) >> 1) + 1
        was_low, was_high = best_low, best_high
        best_low, best_high = prove(board, t, memory)
        if best_low == was_low and best_high == was_high:
            # Not met so far: proof numbers that grew past NEVER by counting boards twice. Deepening settles it.
            return exact(board, MAX_PLY, memory)
    return best_low, best_high, memory.count[DEEPEST] + 1
