"""Rules of thumb on how to win, and the table's positions with all their moves, on which they are tested."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.solution import Advice, Batch
from onlymove_engines.search.batch import split_values

from . import _kernel
from .analyst import VALUES, make_table
from .notation import CELLS
from .rules import LINES
from .table import ROWS

SETS = 1 << 9
"""The number of sets of cells. A set is a mask, with bit k for cell k of `rules`."""
CENTRE = 4
LARGE = 3
SIZES = (0, 1, 2, 3, 1, 2, 3)
"""The size of the piece that a cell shows: nothing, a b c, or A B C."""


@cache
def lines_to_complete() -> Array:
    """Return how many lines a side can complete now, by its visible cells and by the cells that its largest piece can
    take."""
    found = np.zeros((SETS, SETS), np.int8)
    own, free = np.arange(SETS)[:, None], np.arange(SETS)[None, :]
    for line in LINES:
        cells = sum(1 << cell for cell in line)
        found += (np.bitwise_count(own & cells) == 2) & (cells & ~own & free > 0)
    return found


class MovesMade(NamedTuple):
    """Many moves at once.

    `cell` is where the piece goes. `showed` is what was visible there: 0 for nothing, 1 for the opponent's piece, and
    -1 for the mover's. `large` counts the large pieces left in the mover's hand. `own` and `theirs` are how many lines
    the mover and the opponent could complete with their next pieces.
    """

    cell: Array
    showed: Array
    large: Array
    own: Array
    theirs: Array


def describe_moves(boards: Array, hands: Array, row: Array, words: Array) -> MovesMade:
    """Describe the moves with these packed forms. `row` is the index of each move's position. Boards and hands are as
    in `list_moves`."""
    cell, size = words.astype(np.int64) // 3, words.astype(np.int64) % 3 + 1
    first_hand, second_hand = hands[:, ::2], hands[:, 1::2]
    seat = second_hand.sum(axis=1) - first_hand.sum(axis=1)
    bits = 1 << np.arange(len(CELLS))
    first, second = ((boards > 0) & (boards <= LARGE)) @ bits, (boards > LARGE) @ bits
    own, theirs = np.where(seat, second, first)[row], np.where(seat, first, second)[row]
    smaller = np.stack([(np.array(SIZES)[boards] < than) @ bits for than in range(LARGE + 1)], axis=1)[row]
    mine = np.where(seat[:, None], second_hand, first_hand)[row]
    mine[np.arange(len(row)), size - 1] -= 1
    other = np.where(seat[:, None], first_hand, second_hand)[row]
    bit = 1 << cell
    showed = np.where(theirs & bit, 1, np.where(own & bit, -1, 0))
    lines = []
    for side, hand in ((own | bit, mine), (theirs & ~bit, other)):
        largest = ((hand > 0) * np.arange(1, LARGE + 1)).max(axis=1)
        before = smaller[np.arange(len(row)), largest]
        free = np.where(size < largest, before | bit, before & ~bit)  # for the largest piece, after the move
        lines.append(lines_to_complete()[side, free])
    return MovesMade(cell, showed, mine[:, LARGE - 1], *lines)


def is_safe(moves: MovesMade) -> Array:
    """Whether the opponent cannot complete a line at once."""
    safe: Array = moves.theirs == 0
    return safe


ADVICE: tuple[Advice[MovesMade], ...] = (
    Advice("safe", "Don't leave a line that your opponent can complete at once.", is_safe),
    Advice("two-lines", "Threaten two lines at once if it is safe.", lambda moves: moves.own > 1, is_safe),
    Advice("threaten", "Threaten a line if it is safe.", lambda moves: moves.own > 0, is_safe),
    Advice("cover", "Cover one of your opponent's pieces.", lambda moves: moves.showed > 0),
    Advice("own", "Don't cover your own pieces.", lambda moves: moves.showed >= 0),
    Advice("centre", "Take the middle.", lambda moves: moves.cell == CENTRE),
    Advice("keep-large", "Keep a large piece in hand.", lambda moves: moves.large > 0),
    Advice("keep-large-safe", "Keep a large piece in hand if it is safe.", lambda moves: moves.large > 0, is_safe),
)


def list_batches(sections: Sections) -> Iterator[Batch]:
    """List every position in the table with every move. The table contains all positions that a game can lead to."""
    outcomes, plies = split_values(VALUES)
    table = make_table(sections)
    for begin in range(0, len(table.numbers), ROWS):
        numbers, codes = table.numbers[begin : begin + ROWS], table.codes[begin : begin + ROWS]
        boards, hands, images = _kernel.table.lay_out(numbers)
        _, words, after, per_row = _kernel.table.list_moves(boards, hands.astype(np.uint8), table)
        row = np.repeat(np.arange(len(numbers)), per_row)
        moves = describe_moves(boards, hands, row, words)
        yield Batch(
            numbers=numbers.astype(np.int64),
            weight=images,
            value=outcomes[codes],
            distance=plies[codes],
            shown=per_row > 0,
            row=row,
            worth=-outcomes[after],
            advice=tuple(advice.mark(moves) for advice in ADVICE),
        )
