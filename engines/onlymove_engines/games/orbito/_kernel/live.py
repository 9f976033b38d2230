"""Alpha-beta for a game without its table: scores by the rules down to a horizon, and what may lie beyond it."""

from __future__ import annotations

from onlymove_engines.search.jit import kernel

from .rings import FULL, UNSET, final_score, popcount, shifted

GUESS = 0


@kernel
def promise(white, black, lines):
    """How much better White's open lines look than Black's: squares of their marbles, now and after the next two
    shifts."""
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
    """The score taken for an unfinished position on the horizon: with `hope` 1 the best that is possible for
    White, with -1 the worst, with 0 a guess in between."""
    most = 16 - popcount(white | black)
    if hope != GUESS:
        return hope * most
    return max(-most, min(most, promise(white, black, lines) // 16))


@kernel
def search(white, black, depth, low, high, hope, has_line, near, lines, left) -> int:
    """The first player's score, fail-soft within low..high, looking `depth` plies ahead. `left[0]` is the number
    of nodes it may still visit; below 0 the answer means nothing. `left[1]` is set by others to stop it."""
    score = final_score(white, black, has_line, 5)
    if score != UNSET:
        return score
    if depth == 0:
        return beyond(white, black, hope, lines)
    left[0] -= 1
    if left[0] < 0 or left[1] != 0:
        left[0] = -1
        return 0
    occupied = white | black
    second = popcount(occupied) & 1 == 1
    own, theirs = (black, white) if second else (white, black)
    best = 100 if second else -100
    pushed = 0
    rest = theirs
    while True:
        targets = near[popcount(pushed - 1)] & ~occupied if pushed else 1
        while targets:
            target = targets & -targets
            targets ^= target
            after = theirs ^ pushed ^ target if pushed else theirs
            other = shifted(after)
            free = FULL & ~(own | after)
            while free:
                place = free & -free
                free ^= place
                mine = shifted(own | place)
                if second:
                    best = min(best, search(other, mine, depth - 1, low, high, hope, has_line, near, lines, left))
                    high = min(high, best)
                else:
                    best = max(best, search(mine, other, depth - 1, low, high, hope, has_line, near, lines, left))
                    low = max(low, best)
                if low >= high or left[0] < 0:
                    return best
        if not rest:
            return best
        pushed = rest & -rest
        rest ^= pushed
