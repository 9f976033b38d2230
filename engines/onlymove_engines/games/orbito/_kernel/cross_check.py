"""Implements Orbito's rules a second time, to check the table. This code shares nothing with the solver except the
counting of bits.

Cells are numbered in reading order, 4 * row + column, with row 0 at the bottom. A board of scores has an entry for each
position, at its ternary number: the sum of 3^k over the white cells and 2 * 3^k over the black ones. It makes no use of
symmetry. It contains 10,165,779 positions, and many entries that stay UNSET.
"""

from __future__ import annotations

from typing import TypeAlias

from onlymove_engines.search.bitset import popcount
from onlymove_engines.search.jit import Array, kernel

FULL = 0xFFFF
UNSET = -128
Rules: TypeAlias = tuple[Array, Array, Array, int]
"""The shift of every set, the neighbours of every cell, the ternary number of every set, and how often a full board is
checked for lines."""


@kernel
def lines_up(cells):
    """Whether the set contains a row, a column or a main diagonal."""
    for k in range(4):
        row, file = 0xF << 4 * k, 0x1111 << k
        if cells & row == row or cells & file == file:
            return True
    return cells & 0x8421 == 0x8421 or cells & 0x1248 == 0x1248


@kernel
def score_of(white, black, board, rules):
    """Return the score of a position by the rules, from the scores of the positions after its moves, which are on
    `board`."""
    after, near, ternary, checks = rules
    count = popcount(white | black)
    for _ in range(checks):
        first, second = lines_up(white), lines_up(black)
        if first and second:
            return 0
        if first:
            return 17 - count
        if second:
            return count - 17
        if count < 16:
            return best_child(white, black, board, after, near, ternary)
        white, black = after[white], after[black]
    return 0


@kernel
def best_child(white, black, board, after, near, ternary):
    """Return the best score for the side to move among all its moves. Origin -1 stands for moves without a push."""
    first_moves = popcount(white) == popcount(black)
    own, theirs = (white, black) if first_moves else (black, white)
    own_weight, their_weight = (1, 2) if first_moves else (2, 1)
    best = -100 if first_moves else 100
    for origin in range(-1, 16):
        if origin >= 0 and not theirs >> origin & 1:
            continue
        for destination in range(16):
            moved = theirs
            if origin >= 0:
                if not near[origin] >> destination & 1 or (own | theirs) >> destination & 1:
                    continue
                moved = theirs & ~(1 << origin) | 1 << destination
            their_part = their_weight * ternary[after[moved]]
            for place in range(16):
                if (own | moved) >> place & 1:
                    continue
                score = board[own_weight * ternary[after[own | 1 << place]] + their_part]
                if (first_moves and score > best) or (not first_moves and score < best):
                    best = score
            if origin < 0:
                break
    return best


@kernel
def settle(marbles: int, board: Array, rules: Rules, begin: int, end: int) -> None:
    """Score every position with this many marbles whose white set is in begin..end-1. Positions with one more marble
    must already have scores."""
    ternary = rules[2]
    for white in range(begin, end):
        if popcount(white) != (marbles + 1) // 2:
            continue
        free = FULL & ~white
        black = free
        while True:
            if popcount(black) == marbles // 2:
                board[ternary[white] + 2 * ternary[black]] = score_of(white, black, board, rules)
            if black == 0:
                break
            black = (black - 1) & free
