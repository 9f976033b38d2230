"""Solves Orbito again, with code that shares nothing with the solver except the counting and moving of bits. The table
is checked against the result.

Cells are numbered in reading order, 4 * row + column, with row 0 at the bottom. A board of scores has an entry for each
position, at its ternary number: the sum of 3^k over the white cells and 2 * 3^k over the black ones. It makes no use of
symmetry. It contains 10,165,779 positions, and many entries that stay UNSET.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeAlias

import numpy as np

from onlymove_engines.compiled.bitset import popcount
from onlymove_engines.compiled.cell_sets import map_sets
from onlymove_engines.compiled.jit import Array, kernel

CELLS = 16
FULL = 0xFFFF
UNSET = -128

PIECES = 64
"""A layer is cut into this many pieces, so that all processors finish together."""

XY = tuple((k & 3, k >> 2) for k in range(CELLS))
"""The column and row of each cell."""


def shift_cell(x: int, y: int) -> int:
    """Return the cell to which a shift takes a marble on (column, row). It moves counter-clockwise on its own ring."""
    low, high = (0, 3) if {x, y} & {0, 3} else (1, 2)
    if y == high and x > low:
        return 4 * y + x - 1
    if x == low and y > low:
        return 4 * (y - 1) + x
    if y == low and x < high:
        return 4 * y + x + 1
    return 4 * (y + 1) + x


# All arrays but NEAR are indexed by a set of cells: the set one shift later, the set turned by 90 degrees, and the sum
# of 3^k over its cells. NEAR holds the neighbours of each cell.
AFTER = map_sets([shift_cell(x, y) for x, y in XY])
QUARTER = map_sets([4 * x + (3 - y) for x, y in XY])
TERNARY = np.sum([(np.arange(FULL + 1) >> k & 1) * 3**k for k in range(CELLS)], axis=0).astype(np.int32)
NEAR = np.array([sum(1 << 4 * t + s for s, t in XY if abs(x - s) + abs(y - t) == 1) for x, y in XY])

Rules: TypeAlias = tuple[Array, Array, Array, int]
"""AFTER, NEAR and TERNARY, and how often a full board is checked for lines."""


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


def score_all(rules: Rules, report: Callable[[str, float], object]) -> Array:
    """Score every position under these rules, by ternary number. Scores follow from those of positions with one more
    marble."""
    board = np.full(3**CELLS, UNSET, np.int8)
    cuts = np.linspace(0, FULL + 1, PIECES + 1).astype(int).tolist()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for marbles in range(CELLS, -1, -1):
            report("solving it again", 1 - marbles / CELLS)
            list(pool.map(partial(settle, marbles, board, rules), cuts[:-1], cuts[1:]))
    return board


def read_sets(order: Sequence[str]) -> Array:
    """Convert every set of cells from this order of their names to the reading order."""
    return map_sets([4 * "1234".index(row) + "abcd".index(column) for column, row in order])


def derive(
    whites: Array, blacks: Array, order: Sequence[str], checks: int, report: Callable[[str, float], object]
) -> dict[str, Array]:
    """Return the only section, the scores of these positions, as sets of cells in this order. If the four turns of a
    position differ in score, it stays UNSET."""
    board, reading = score_all((AFTER, NEAR, TERNARY, checks), report), read_sets(order)
    white, black = reading[whites], reading[blacks]
    scores = board[TERNARY[white] + 2 * TERNARY[black]]
    for _ in range(3):
        white, black = QUARTER[white], QUARTER[black]
        scores[scores != board[TERNARY[white] + 2 * TERNARY[black]]] = UNSET
    return {"scores": scores}
