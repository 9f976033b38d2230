"""Intervals that hold the margin to come, and a search that deepens until they close.

A parent's interval follows from its children's, and a deeper search only narrows it. Above the table play cannot
circle (see docs/engines), so the search ends.
"""

from onlymove_engines.search.jit import Array, lean

from .memory import MAX_PLY, MOVES, NODES, PICK, REVERSE, Memory, is_spent, known, remember
from .sow import children, net, own_seeds

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
