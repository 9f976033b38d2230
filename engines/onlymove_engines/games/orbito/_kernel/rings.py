"""The law of Orbito for the compiler, in the ring order of `rules.py`: solver and reachability.

Scores are from the first player's view: +(17 - marbles at the end) when White wins.
"""

from __future__ import annotations

import numpy as np

from onlymove_engines.search.jit import kernel

FULL = 0xFFFF
UNSET = -128
MOST_MOVES = 135


@kernel
def shifted(marbles):
    outer, inner = marbles & 0xFFF, marbles >> 12
    return ((outer << 1 | outer >> 11) & 0xFFF) | ((inner << 1 | inner >> 3) & 0xF) << 12


@kernel
def turned(marbles):
    outer, inner = marbles & 0xFFF, marbles >> 12
    return ((outer << 3 | outer >> 9) & 0xFFF) | ((inner << 1 | inner >> 3) & 0xF) << 12


@kernel
def popcount(bits):
    bits = bits - (bits >> 1 & 0x5555)
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333)
    bits = (bits + (bits >> 4)) & 0x0F0F
    return (bits + (bits >> 8)) & 0x1F


@kernel
def number_of(white, occupied, turns, base, fold_at, rank, extract, fold):
    """`OrbitoIndex.number`."""
    start, at = base[occupied], fold_at[occupied]
    for _ in range(turns[occupied]):
        white, occupied = turned(white), turned(occupied)
    low = occupied & 255
    pattern = extract[low << 8 | white & 255] | np.int64(extract[(occupied & 0xFF00) | white >> 8]) << popcount(low)
    if at < 0:
        return start + rank[pattern]
    return start + fold[at + rank[pattern]]


@kernel
def final_score(white, black, has_line, extra) -> int:
    """The score of a finished position, UNSET while the game goes on; a full board makes `extra` more shifts."""
    marbles = popcount(white | black)
    checks = extra if marbles == 16 else 0
    for check in range(checks + 1):
        if has_line[white] or has_line[black]:
            return (17 - marbles) * (np.int64(has_line[white]) - np.int64(has_line[black]))
        if check < checks:
            white, black = shifted(white), shifted(black)
    return 0 if marbles == 16 else UNSET


@kernel
def best_score(white, black, scores, near, tables):
    """The score of an unfinished position from those of its children."""
    turns, base, fold_at, rank, extract, fold = tables
    occupied = white | black
    marbles = popcount(occupied)
    second = marbles & 1 == 1
    own, theirs = (black, white) if second else (white, black)
    sign = -1 if second else 1
    most = 16 - marbles
    best = -100
    own_next = shifted(own)
    pushed = 0  # the bit of the marble to push, 0 for none
    rest = theirs
    while True:
        targets = near[popcount(pushed - 1)] & ~occupied if pushed else 1
        while targets:
            target = targets & -targets
            targets ^= target
            after = theirs ^ pushed ^ target if pushed else theirs
            after_next = shifted(after)
            free = FULL & ~(own | after)
            while free:
                place = free & -free
                free ^= place
                mine = own_next | shifted(place)
                first = after_next if second else mine
                score = sign * scores[number_of(first, mine | after_next, turns, base, fold_at, rank, extract, fold)]
                if score > best:
                    best = score
                    if best == most:
                        return sign * best
        if not rest:
            return sign * best
        pushed = rest & -rest
        rest ^= pushed


@kernel
def solve(whites, blacks, begin, end, scores, has_line, near, tables, extra) -> None:
    """Scores of the positions numbered `begin` to `end`, all of one layer, the layer above being solved."""
    for k in range(begin, end):
        white, black = np.int64(whites[k]), np.int64(blacks[k])
        score = final_score(white, black, has_line, extra)
        scores[k] = best_score(white, black, scores, near, tables) if score == UNSET else score


@kernel
def reach(whites, blacks, begin, end, seen, has_line, near, tables) -> None:
    """Mark in `seen` every child of the marked, unfinished positions numbered `begin` to `end`."""
    turns, base, fold_at, rank, extract, fold = tables
    moves = np.empty((MOST_MOVES, 5), np.int64)
    for k in range(begin, end):
        if not seen[k]:
            continue
        white, black = np.int64(whites[k]), np.int64(blacks[k])
        if final_score(white, black, has_line, 0) != UNSET:
            continue
        for m in range(expand(white, black, near, moves)):
            seen[number_of(moves[m, 3], moves[m, 3] | moves[m, 4], turns, base, fold_at, rank, extract, fold)] = 1


@kernel
def expand(white, black, near, found) -> int:
    """Write every legal move and the position after it into `found`, a row each: pushed marble and its
    destination (0 for none), placed marble, white, black. First without a push, then in the order of bits.
    Gives the number of rows, at most 135. The position must not be finished."""
    occupied = white | black
    second = popcount(occupied) & 1 == 1
    own, theirs = (black, white) if second else (white, black)
    count = 0
    pushed = 0
    rest = theirs
    while True:
        targets = near[popcount(pushed - 1)] & ~occupied if pushed else 1
        while targets:
            target = targets & -targets
            targets ^= target
            after = theirs ^ pushed ^ target if pushed else theirs
            free = FULL & ~(own | after)
            while free:
                place = free & -free
                free ^= place
                mine, other = shifted(own | place), shifted(after)
                found[count, 0], found[count, 1], found[count, 2] = pushed, target if pushed else 0, place
                found[count, 3], found[count, 4] = (other, mine) if second else (mine, other)
                count += 1
        if not rest:
            return count
        pushed = rest & -rest
        rest ^= pushed
