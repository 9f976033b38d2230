"""Solving Orbito layer by layer, every child looked up by its number."""

from __future__ import annotations

import numpy as np

from onlymove_engines.search.bits import popcount
from onlymove_engines.search.jit import Array, kernel

from .law import FULL, UNSET, final_score, shifted


@kernel
def turned(marbles):
    outer, inner = marbles & 0xFFF, marbles >> 12
    return ((outer << 3 | outer >> 9) & 0xFFF) | ((inner << 1 | inner >> 3) & 0xF) << 12


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
def solve(
    whites: Array,
    blacks: Array,
    begin: int,
    end: int,
    scores: Array,
    has_line: Array,
    near: Array,
    tables: tuple[Array, ...],
    extra: int,
) -> None:
    """Scores of the positions numbered `begin` to `end`, all of one layer, the layer above being solved."""
    for k in range(begin, end):
        white, black = np.int64(whites[k]), np.int64(blacks[k])
        score = final_score(white, black, has_line, extra)
        scores[k] = best_score(white, black, scores, near, tables) if score == UNSET else score
