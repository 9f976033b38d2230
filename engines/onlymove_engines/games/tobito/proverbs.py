"""How to play well, as advice that any move follows or does not: what the table can test.

Seen with Top to move: home is row 5, the goal row 1. A set of cells is a mask with bit k for cell k of `rules`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np

from onlymove_engines.core.solution import Proverb
from onlymove_engines.search.jit import Array
from onlymove_engines.search.lookup import greatest

from .rules import BOTTOM, CELLS, COLUMNS, GOAL, HOME, LINES, ROWS, TOP, Cell

NO_CELL = 15
FAR = 100
"""More rows than there are."""


def cell_set(cells: Iterable[Cell]) -> int:
    """The mask of some cells."""
    return sum(1 << cell for cell in cells)


ROW_BEFORE_HOME = cell_set(cell - COLUMNS for cell in HOME[TOP])
MIDDLE_COLUMN = cell_set(cell for cell in CELLS if cell % COLUMNS == 1)
MINE_SAFE, THEIRS_SAFE = cell_set(GOAL[TOP]), cell_set(GOAL[BOTTOM])
"""Where pawns have arrived: they move no more and are not jumped."""

JUMPS = [
    (1 << origin, cell_set(line[:passed]), 1 << line[passed])
    for origin in CELLS
    for line in LINES[origin]
    for passed in range(1, len(line))
]
"""Where a jump begins, what it passes, where it lands."""


@cache
def passed_cells() -> Array:
    """What lies between where a pawn comes from and where it lands."""
    found = np.zeros((len(CELLS), len(CELLS)), np.int64)
    for origin, passed, landing in JUMPS:
        found[origin.bit_length() - 1, landing.bit_length() - 1] = passed
    return found


class Shown(NamedTuple):
    """Many moves at once, an array each: whose they are (`row`), the landing `cell`, where jumped pawns were `put`, how
    many (`jumped`), whether the neutral pawn was `moved`; and after the move the mover's pawns (`own`), the other
    side's (`theirs`) and the `neutral` one."""

    row: Array
    cell: Array
    put: Array
    jumped: Array
    moved: Array
    own: Array
    theirs: Array
    neutral: Array


def laid_out(boards: Array, row: Array, words: Array) -> Shown:
    """The moves with these words, each of the position in its `row`: the masks (own, theirs, neutral) before it."""
    own, theirs, neutral = boards[row].T
    words = words.astype(np.int64)
    origin, cell, *pawns, stone = (words >> shift & 15 for shift in range(0, 24, 4))
    put = np.sum([np.where(pawn == NO_CELL, 0, 1 << pawn) for pawn in pawns], axis=0)
    jumped = np.sum([pawn != NO_CELL for pawn in pawns], axis=0)
    moved = (stone != NO_CELL) & (neutral > 0)
    after = (
        own ^ (1 << origin) | 1 << cell,
        theirs & ~passed_cells()[origin, cell] | put,
        np.where(moved, 1 << stone, neutral),
    )
    return Shown(row, cell, put, jumped, moved, *after)


def can_be_jumped(moves: Shown) -> Array:
    """Whether the other side can carry off a pawn of the mover next."""
    occupied, arrived = moves.own | moves.theirs | moves.neutral, moves.own & MINE_SAFE
    found = np.zeros(len(moves.cell), np.bool_)
    for origin, passed, landing in JUMPS:
        if not origin & THEIRS_SAFE:
            is_open = (moves.theirs & origin > 0) & (occupied & (passed | landing) == passed) & (arrived & passed == 0)
            found |= is_open & (moves.own & passed > 0)
    return found


def rows_ahead(moves: Shown) -> Array:
    """How many rows nearer to their goal the mover's pawns are than the other side's."""
    ahead = np.zeros(len(moves.cell), np.int64)
    for row in range(ROWS):
        cells = cell_set(cell for cell in CELLS if cell // COLUMNS == row)
        ahead -= row * (np.bitwise_count(moves.own & cells).astype(np.int64) + np.bitwise_count(moves.theirs & cells))
    return ahead


def safest_race(moves: Shown) -> Array:
    """Of each position's moves that leave nothing to be jumped, else of all, those with which the mover is most rows
    ahead."""
    return greatest(moves.row, rows_ahead(moves) - FAR * can_be_jumped(moves))


def jumps_a_pawn(moves: Shown) -> Array:
    """Whether a pawn of the other side is carried off."""
    carries: Array = moves.jumped > 0
    return carries


PROVERBS: tuple[Proverb[Shown], ...] = (
    Proverb(
        "race",
        "Leave nothing to be jumped if you can; of such moves play one that puts you most rows ahead.",
        safest_race,
    ),
    Proverb("safe", "Leave no pawn of yours where it can be jumped.", lambda moves: ~can_be_jumped(moves)),
    Proverb(
        "far-back",
        "Put every pawn you jump back into its home row.",
        lambda moves: moves.put & ~MINE_SAFE == 0,
        jumps_a_pawn,
    ),
    Proverb(
        "springboard",
        "Put no pawn you jump so that one of theirs stands right behind another.",
        lambda moves: moves.theirs & moves.theirs >> COLUMNS == 0,
        jumps_a_pawn,
    ),
    Proverb(
        "neutral",
        "Put the neutral pawn into the row before your home.",
        lambda moves: moves.neutral & ROW_BEFORE_HOME > 0,
        lambda moves: moves.moved,
    ),
    Proverb("arrive", "Bring a pawn into the goal row.", lambda moves: 1 << moves.cell & MINE_SAFE > 0),
    Proverb("two", "Jump two pawns at once.", lambda moves: moves.jumped > 1),
    Proverb("middle", "Land in the middle column.", lambda moves: 1 << moves.cell & MIDDLE_COLUMN > 0),
)
