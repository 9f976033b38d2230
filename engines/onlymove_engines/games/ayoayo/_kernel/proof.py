"""Proof-number search above the closed table: is the margin to come of a board at least t?

Depth-first proof-number search (df-pn) after A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
applications", 2002. A board's question "at least t?" is answered yes by one move whose child answers no to
"at least gain - t + 1?", and no when every child answers yes. `proof` counts the boards that have yet to be
settled for a yes, `disproof` for a no; search goes where fewest are missing. Needs the table: play above it cannot
go round, play on closed boards could.
"""

import numpy as np

from onlymove_engines.search.jit import kernel

from .search import LIMIT, MAX_PLY, NODES, REVERSE, SCATTER, exact, expand, known, remember
from .sow import Ints, key, own_seeds

NEVER = 1 << 30
"""The number of boards missing for an answer that cannot come."""

YES, NO = 0, 1
"""Places in `missing`."""

YES_LIMIT, NO_LIMIT, QUESTION, MOVES, PICK = 0, 1, 2, 3, 4
"""Places in a row of `frame`: a board is left when as many are missing, its t, its moves, the one looked into."""

DEEPEST = 3
"""Place in `count`: the deepest ply so far."""


@kernel
def question(board: Ints, t: int) -> int:
    """A number for "is this board worth at least t?" that no other question has."""
    return key(board) * 128 + (t + 64)


@kernel
def slot_of(asked: int, numbers: Ints) -> int:
    """Where a question is remembered."""
    return ((asked * SCATTER) >> 30) & (len(numbers) - 1)


@kernel
def ask(t: int, moves: int, after: Ints, gains: Ints, low: Ints, high: Ints, numbers: Ints, missing: Ints) -> None:
    """Write what is missing for the children's answers: settled by their intervals, remembered, or one board each."""
    for m in range(moves):
        if low[m] >= t:
            missing[m, YES], missing[m, NO] = NEVER, 0
        elif high[m] < t:
            missing[m, YES], missing[m, NO] = 0, NEVER
        else:
            asked = question(after[m], gains[m] - t + 1)
            slot = slot_of(asked, numbers)
            is_known = numbers[slot, 2] == asked
            missing[m, YES] = numbers[slot, YES] if is_known else 1
            missing[m, NO] = numbers[slot, NO] if is_known else 1


@kernel
def closest(moves: int, missing: Ints, reverse: int) -> tuple[int, int, int, int]:
    """(yes, no, pick, second): what the parent's answers are missing, the move closest to a yes, the next's count."""
    yes, no, pick, second = NEVER, 0, -1, NEVER
    for k in range(moves):
        m = moves - 1 - k if reverse else k
        if missing[m, NO] < yes:
            yes, pick, second = missing[m, NO], m, yes
        elif missing[m, NO] < second:
            second = missing[m, NO]
        no = min(NEVER, no + missing[m, YES])
    return yes, no, pick, second


@kernel
def prove(
    board: Ints,
    t: int,
    margins: Ints,
    keys: Ints,
    bounds: Ints,
    after: Ints,
    gains: Ints,
    pits: Ints,
    low: Ints,
    high: Ints,
    frame: Ints,
    missing: Ints,
    numbers: Ints,
    count: Ints,
    stop: Ints,
) -> tuple[int, int]:
    """Settle whether the margin to come of `board` is at least `t`; returns its interval, as it is remembered.

    The interval leaves the question open only when `stop[0]` is set, the nodes are spent or a line is too long.
    Memory as in `search.narrow`; `missing` (a row a ply) and `numbers` hold what is missing for answers.
    """
    ply, entering, here = 0, True, board
    frame[0, YES_LIMIT], frame[0, NO_LIMIT], frame[0, QUESTION] = NEVER, NEVER, t
    while True:
        t = frame[ply, QUESTION]
        if entering:
            count[NODES] += 1
            count[DEEPEST] = max(count[DEEPEST], ply)
            moves = expand(here, after[ply], gains[ply], pits[ply], low[ply], high[ply], margins, keys, bounds)
            ask(t, moves, after[ply], gains[ply], low[ply], high[ply], numbers, missing[ply])
            frame[ply, MOVES] = moves
        moves = frame[ply, MOVES]
        yes, no, pick, second = closest(moves, missing[ply], count[REVERSE])
        best_low, best_high = np.int64(-128), np.int64(-128)
        if moves == 0:
            best_low = best_high = own_seeds(here)
            yes, no = (0, NEVER) if best_low >= t else (NEVER, 0)
        for m in range(moves):
            best_low, best_high = max(best_low, low[ply, m]), max(best_high, high[ply, m])
        # An answer may rest on a child's remembered one, whose interval has been forgotten since.
        if yes == 0:
            best_low = max(best_low, t)
        if no == 0:
            best_high = min(best_high, t - 1)
        is_spent = stop[0] or count[NODES] >= count[LIMIT] or ply + 1 == len(after)
        if yes > 0 and no > 0 and yes < frame[ply, YES_LIMIT] and no < frame[ply, NO_LIMIT] and not is_spent:
            frame[ply, PICK] = pick
            frame[ply + 1, YES_LIMIT] = min(NEVER, frame[ply, NO_LIMIT] - no + missing[ply, pick, YES])
            frame[ply + 1, NO_LIMIT] = min(frame[ply, YES_LIMIT], second + 1)
            frame[ply + 1, QUESTION] = gains[ply, pick] - t + 1
            here, ply, entering = after[ply, pick], ply + 1, True
            continue
        if ply + 1 == len(after):
            count[LIMIT] = 0
        asked = question(here, t)
        slot = slot_of(asked, numbers)
        numbers[slot, YES], numbers[slot, NO], numbers[slot, 2] = yes, no, asked
        best_low, best_high = remember(here, best_low, best_high, margins, keys, bounds)
        if ply == 0:
            return best_low, best_high
        ply, entering = ply - 1, False
        pick = frame[ply, PICK]
        missing[ply, pick, YES], missing[ply, pick, NO] = yes, no
        low[ply, pick] = max(low[ply, pick], gains[ply, pick] - best_high)
        high[ply, pick] = min(high[ply, pick], gains[ply, pick] - best_low)
        here = board if ply == 0 else after[ply - 1, frame[ply - 1, PICK]]


@kernel
def pin(
    board: Ints,
    margins: Ints,
    keys: Ints,
    bounds: Ints,
    after: Ints,
    gains: Ints,
    pits: Ints,
    low: Ints,
    high: Ints,
    frame: Ints,
    missing: Ints,
    numbers: Ints,
    count: Ints,
    stop: Ints,
) -> tuple[int, int, int]:
    """Halve the interval of `board` by questions until its margin is known: (low, high, deepest ply)."""
    best_low, best_high = known(board, margins, keys, bounds)
    count[DEEPEST] = 0
    while best_low < best_high and not stop[0] and count[NODES] < count[LIMIT]:
        t = best_low + ((best_high - best_low) >> 1) + 1
        was_low, was_high = best_low, best_high
        best_low, best_high = prove(
            board, t, margins, keys, bounds, after, gains, pits, low, high, frame, missing, numbers, count, stop
        )
        if best_low == was_low and best_high == was_high:
            # Not met so far: proof numbers that grew past NEVER by counting boards twice. Deepening settles it.
            return exact(board, MAX_PLY, margins, keys, bounds, after, gains, pits, low, high, frame, count, stop)
    return best_low, best_high, count[DEEPEST] + 1
