"""Alpha-beta search for playing without the table. It scores finished games by the rules, and makes assumptions about
positions at the depth limit."""

from __future__ import annotations

from onlymove_engines.compiled.bitset import popcount
from onlymove_engines.compiled.jit import Array, kernel

from .moves import UNSET, expand, final_score, shifted

GUESS = 0
WIDEST = 100
"""Larger than any score."""

NODES, ALLOWED = 0, 1
"""Indices in `control`: the nodes counted so far, and the nodes allowed."""


@kernel
def promise(white, black, lines):
    """Estimate how much better White's open lines are than Black's. For each line that only one side occupies, the
    square of its number of marbles counts for that side. The sum is taken now and after each of the next two shifts."""
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
    """Return the assumed score of an unfinished position at the depth limit: White's best possible if `hope` is 1,
    White's worst possible if it is -1, and an estimate if it is 0."""
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
    """Return the first player's score after looking `depth` plies ahead. It is fail-soft within low..high.

    `board` is (has_line, near, lines), and `room` has space for every move at every depth. Once `control` counts more
    nodes than are allowed, the result is meaningless. Call it only from Python, because a kernel that calls a recursive
    kernel crashes when it is loaded from the disk cache.
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
