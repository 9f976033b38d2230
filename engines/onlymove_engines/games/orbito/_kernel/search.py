"""Alpha-beta for playing without the table: scores by the rules within a horizon, and assumptions beyond it."""

from __future__ import annotations

from onlymove_engines.search.bitset import popcount
from onlymove_engines.search.jit import Array, kernel

from .moves import UNSET, expand, final_score, shifted

GUESS = 0
WIDEST = 100
"""Beyond every score."""

NODES, ALLOWED = 0, 1
"""What the search counts, and how far it may."""


@kernel
def promise(white, black, lines):
    """Estimate how much better White's unblocked lines look than Black's: for each line, square the number of marbles
    in it and add these up, now and after each of the next two shifts."""
    total = 0
    for _ in range(3):
        for line in lines:
            first, second = popcount(white & line), popcount(black & line)
            if second == 0:
                total += first * first
            elif first == 0:
                total -= second * second
        white, black = shifted(white), shifted(black)
    return total


@kernel
def beyond(white, black, hope, lines):
    """Return the score assumed for an unfinished position on the horizon: White's best possible if `hope` is 1, White's
    worst possible if it is -1, a guess in between if it is 0.
    """
    most = 16 - popcount(white | black)
    if hope != GUESS:
        return hope * most
    return max(-most, min(most, promise(white, black, lines) // 16))


@kernel
def search(
    white: int,
    black: int,
    depth: int,
    low: int,
    high: int,
    hope: int,
    board: tuple[Array, ...],
    room: Array,
    control: Array,
) -> int:
    """Return the first player's score, fail-soft within low..high, looking `depth` plies ahead.

    `board` is (has_line, near, lines); `room` has space for every move at every depth. Once `control` has counted more
    nodes than it allows, the result is meaningless. Call it only from Python: a kernel that calls a recursive one
    crashes when it is loaded from the disk cache.
    """
    has_line, near, lines = board
    score = final_score(white, black, has_line, 5)
    if score != UNSET:
        return score
    if depth == 0:
        return beyond(white, black, hope, lines)
    control[NODES] += 1
    if control[NODES] > control[ALLOWED]:
        return 0
    second = popcount(white | black) & 1 == 1
    best = WIDEST if second else -WIDEST
    for m in range(expand(white, black, near, room[depth])):
        first, other = room[depth, m, 3], room[depth, m, 4]
        score = search(first, other, depth - 1, low, high, hope, board, room, control)
        if second:
            best = min(best, score)
            high = min(high, best)
        else:
            best = max(best, score)
            low = max(low, best)
        if low >= high or control[NODES] > control[ALLOWED]:
            break
    return best
