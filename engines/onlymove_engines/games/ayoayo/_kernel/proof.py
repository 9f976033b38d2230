"""Proof-number search above the closed table: is the margin to come of a board at least t?

Depth-first proof-number search (df-pn) after A. Nagai, "Df-pn algorithm for searching AND/OR trees and its
applications", 2002. A board's question "at least t?" is answered yes by one move whose child answers no to
"at least gain - t + 1?", and no when every child answers yes. `proof` counts the boards that have yet to be
settled for a yes, `disproof` for a no; search goes where fewest are missing. Needs the table: play above it cannot
go round, play on closed boards could.
"""

from onlymove_engines.search.jit import Array, lean

from .memory import DEEPEST, LIMIT, MAX_PLY, MOVES, PICK, REVERSE, Memory, is_spent, known, remember, slot_of
from .search import exact, expand, hand_up, summed_up
from .sow import key

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
