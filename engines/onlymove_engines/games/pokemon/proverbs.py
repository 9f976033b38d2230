"""How to play well, as advice that any move follows or does not: what the table can test.

A set of cells is a mask with bit k for cell k of `rules`.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from onlymove_engines.core.solution import Proverb
from onlymove_engines.search.jit import Array

from .rules import LINES

CELLS, SETS = 9, 1 << 9
CENTRE = 4
LARGE = 3
SIZES = (0, 1, 2, 3, 1, 2, 3)
"""Of what a cell shows: nothing, a b c, A B C."""


@cache
def lines_to_complete() -> Array:
    """For a side's visible cells and the cells that its largest piece can take, how many lines it can complete now."""
    found = np.zeros((SETS, SETS), np.int8)
    own, free = np.arange(SETS)[:, None], np.arange(SETS)[None, :]
    for line in LINES:
        cells = sum(1 << cell for cell in line)
        found += (np.bitwise_count(own & cells) == 2) & (cells & ~own & free > 0)
    return found


class Shown(NamedTuple):
    """Many moves at once, an array each: the `cell`, what it `showed` before (0: nothing; 1: the other side's piece;
    -1: the mover's own), the `large` pieces left in the mover's hand; and how many lines the mover (`own`) and the
    other side (`theirs`) could complete after it with the next piece."""

    cell: Array
    showed: Array
    large: Array
    own: Array
    theirs: Array


def laid_out(boards: Array, hands: Array, row: Array, words: Array) -> Shown:
    """The moves with these words, each of the position in its `row`: what stands on the cells, what is in hand."""
    cell, size = words.astype(np.int64) // 3, words.astype(np.int64) % 3 + 1
    seat = hands[:, 4:].sum(axis=1) - hands[:, 1:4].sum(axis=1)
    bits = 1 << np.arange(CELLS)
    first, second = ((boards > 0) & (boards <= LARGE)) @ bits, (boards > LARGE) @ bits
    own, theirs = np.where(seat, second, first)[row], np.where(seat, first, second)[row]
    smaller = np.stack([(np.array(SIZES)[boards] < than) @ bits for than in range(LARGE + 1)], axis=1)[row]
    mine = np.where(seat[:, None], hands[:, 4:], hands[:, 1:4])[row]
    mine[np.arange(len(row)), size - 1] -= 1
    other = np.where(seat[:, None], hands[:, 1:4], hands[:, 4:])[row]
    bit = 1 << cell
    showed = np.where(theirs & bit, 1, np.where(own & bit, -1, 0))
    lines = (
        lines_to_complete()[side, open_cells(smaller, largest(hand), bit, size)]
        for side, hand in ((own | bit, mine), (theirs & ~bit, other))
    )
    return Shown(cell, showed, mine[:, LARGE - 1], *lines)


def largest(hand: Array) -> Array:
    """The size of the largest piece in each hand, 0 in an empty one."""
    sizes: Array = np.where(hand[:, 2] > 0, 3, np.where(hand[:, 1] > 0, 2, hand[:, 0] > 0))
    return sizes


def open_cells(smaller: Array, than: Array, bit: Array, size: Array) -> Array:
    """The cells that a piece of size `than` can take after one of `size` was put on `bit`."""
    before = smaller[np.arange(len(than)), than]
    cells: Array = np.where(size < than, before | bit, before & ~bit)
    return cells


def is_safe(moves: Shown) -> Array:
    """Whether the other side can complete no line at once."""
    safe: Array = moves.theirs == 0
    return safe


PROVERBS: tuple[Proverb[Shown], ...] = (
    Proverb("safe", "Leave no line that the other side can complete at once.", is_safe),
    Proverb("two-lines", "Threaten two lines at once, if it is safe.", lambda moves: moves.own > 1, is_safe),
    Proverb("threaten", "Threaten a line, if it is safe.", lambda moves: moves.own > 0, is_safe),
    Proverb("cover", "Cover a piece of the other side.", lambda moves: moves.showed > 0),
    Proverb("own", "Do not cover your own piece.", lambda moves: moves.showed >= 0),
    Proverb("centre", "Take the middle.", lambda moves: moves.cell == CENTRE),
    Proverb("keep-large", "Keep a large piece in hand.", lambda moves: moves.large > 0),
    Proverb("keep-large-safe", "Keep a large piece in hand, if it is safe.", lambda moves: moves.large > 0, is_safe),
)
