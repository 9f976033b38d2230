"""Rules of thumb on how to win, and the table's positions with all their moves, on which they are tested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.solution import Advice, Batch
from onlymove_engines.search.batch import mark_greatest, split_values

from . import _kernel
from .codes import REACHABLE, VALUE, VALUES
from .rules import BOTTOM, CELLS, COLUMNS, GOAL, HOME, LINES, TOP, Cell, Variant
from .table import count_images, list_positions

NO_CELL = 15
FAR = 100
"""More rows than the board has."""


def cell_set(cells: Iterable[Cell]) -> int:
    return sum(1 << cell for cell in cells)


ROW_BEFORE_HOME = cell_set(cell - COLUMNS for cell in HOME[TOP])

JUMPS = [
    (1 << origin, cell_set(line[:passed]), 1 << line[passed])
    for origin in CELLS
    if origin not in GOAL[BOTTOM]
    for line in LINES[origin]
    for passed in range(1, len(line))
]
"""All jumps of the opponent: where each begins, the cells it passes, and where it lands."""


class MovesMade(NamedTuple):
    """Many moves at once.

    `row` is the index of each move's position, and `words` are the packed moves. `own`, `theirs` and `neutral` are the
    masks after the move of the mover's pawns, the opponent's pawns and the neutral pawn.
    """

    row: Array
    words: Array
    own: Array
    theirs: Array
    neutral: Array

    def cell(self, place: int) -> Array:
        """Return one of the cells of each move, or NO_CELL if it has none. `place` is 0 for the origin, 1 for the
        landing cell, 2 to 4 for pawns, and 5 for the neutral pawn."""
        found: Array = self.words.astype(np.int64) >> 4 * place & 15
        return found

    def lands_on(self, cells: Iterable[Cell]) -> Array:
        found: Array = 1 << self.cell(1) & cell_set(cells) > 0
        return found


def can_be_jumped(moves: MovesMade) -> Array:
    """Whether the opponent can jump one of the mover's pawns next."""
    # Pawns that have arrived cannot be jumped.
    occupied, arrived = moves.own | moves.theirs | moves.neutral, moves.own & cell_set(GOAL[TOP])
    found = np.zeros(len(moves.row), np.bool_)
    for origin, passed, landing in JUMPS:
        is_open = (moves.theirs & origin > 0) & (occupied & (passed | landing) == passed) & (arrived & passed == 0)
        found |= is_open & (moves.own & passed > 0)
    return found


def runs_safely(moves: MovesMade) -> Array:
    """Mark the moves of each position that follow the advice about safety. It is to leave no pawn that can be jumped,
    if that is possible. Among such moves, it prefers those after which the mover's pawns are the most rows ahead of the
    opponent's."""
    ahead = -FAR * can_be_jumped(moves).astype(np.int64)
    for row, first in enumerate(CELLS[::COLUMNS]):
        cells = cell_set(CELLS[first : first + COLUMNS])
        ahead -= row * (np.bitwise_count(moves.own & cells).astype(np.int64) + np.bitwise_count(moves.theirs & cells))
    return mark_greatest(moves.row, ahead)


def jumps_a_pawn(moves: MovesMade) -> Array:
    jumps: Array = moves.cell(2) != NO_CELL
    return jumps


def sends_home(moves: MovesMade) -> Array:
    """Whether all jumped pawns go back to their home row. True for moves that jump none."""
    pawns = np.stack([moves.cell(place) for place in (2, 3, 4)])
    sends: Array = (1 << pawns & ~(cell_set(HOME[BOTTOM]) | 1 << NO_CELL) == 0).all(axis=0)
    return sends


ADVICE: tuple[Advice[MovesMade], ...] = (
    Advice(
        "race",
        "Leave nothing to be jumped if you can; among those moves, get as many rows ahead as possible.",
        runs_safely,
    ),
    Advice("safe", "Leave no pawn of yours where it can be jumped.", lambda moves: ~can_be_jumped(moves)),
    Advice("far-back", "Put every pawn you jump back into its home row.", sends_home, jumps_a_pawn),
    Advice(
        "springboard",
        "Put the pawns you jump so that no opposing pawn stands right behind another.",
        lambda moves: moves.theirs & moves.theirs >> COLUMNS == 0,
        jumps_a_pawn,
    ),
    Advice(
        "neutral",
        "Put the neutral pawn in the row in front of your home.",
        lambda moves: moves.neutral & ROW_BEFORE_HOME > 0,
        lambda moves: moves.cell(5) != NO_CELL,
    ),
    Advice("arrive", "Move a pawn into the goal row.", lambda moves: moves.lands_on(GOAL[TOP])),
    Advice("two", "Jump two pawns at once.", lambda moves: moves.cell(3) != NO_CELL),
    Advice("middle", "Land in the middle column.", lambda moves: moves.lands_on(CELLS[1::COLUMNS])),
)


ROWS = 1 << 14
"""How many positions are counted together."""

ZUGZWANG = "positions in which the side to move would prefer to pass"
MUTUAL_ZUGZWANG = "positions in which the side to move loses, whichever side it is"


def list_batches(variant: Variant, sections: Sections) -> Iterator[Batch]:
    outcomes, plies = split_values(VALUES)
    stored = np.asarray(sections["codes"])
    reached, codes = np.flatnonzero(stored & REACHABLE), stored & VALUE
    boards = list_positions(variant)
    sizes = count_images(boards)
    for begin in range(0, len(reached), ROWS):
        numbers = reached[begin : begin + ROWS]
        top, weight = np.full(len(numbers), TOP), sizes[numbers]
        found = _kernel.moves.list_moves(boards[numbers], top, True)
        swapped = _kernel.moves.number_positions(np.ascontiguousarray(boards[numbers][:, [1, 0, 2]]), 1 - top)
        value, other_way = outcomes[codes[numbers]], -outcomes[codes[swapped]]
        per_row = np.diff(found.ends, prepend=0)
        goes_on, row = per_row > 0, np.repeat(np.arange(len(numbers)), per_row)
        moves = MovesMade(row, found.words, *np.ascontiguousarray(found.after.T))
        yield Batch(
            numbers=numbers,
            weight=weight,
            value=value,
            distance=plies[codes[numbers]],
            shown=goes_on,
            row=row,
            worth=-outcomes[codes[found.numbers]],
            advice=tuple(advice.mark(moves) for advice in ADVICE),
            facts={
                ZUGZWANG: int(weight[goes_on & (value < other_way)].sum()),
                MUTUAL_ZUGZWANG: int(weight[goes_on & (value < 0) & (other_way > 0)].sum()),
            },
        )
