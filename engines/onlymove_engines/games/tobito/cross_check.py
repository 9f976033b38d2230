"""Solves Tobito or Haneto again, with code that shares nothing with the solver except the meaning of a number in
`index`. The table is checked against the result. Every position with Top to move is listed, and so is its mirror
image."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from onlymove_engines.core.analysis import Report, Section, ignore_report
from onlymove_engines.search.cell_sets import map_sets
from onlymove_engines.search.jit import Array

from . import _kernel
from .codes import DRAW, REACHABLE, UNIT, WON_HEAT
from .index import MIRRORED, OVERTURNED, PAWNS, TRIPLES, TobitoIndex
from .rules import CELLS, MIDDLE, TOP, Cell, Variant

FARTHEST = 12
"""The largest distance from a position to an end. UNIT is divisible by all numbers up to it."""

TOGETHER = 64 * 8
"""How many ends spread heat together. The kernel has this many bits."""


def derive(variant: Variant, report: Report = ignore_report) -> dict[str, Section]:
    """Compute every section again: the values from the ends backwards, the positions that play can reach, and the
    heats."""
    kernel = _kernel.cross_check
    report("listing positions again", 0.0)
    boards = list_masks(variant)
    ranks, numbers = number_boards(boards)
    sizes = [[mask(cells) for cells in combinations(CELLS, size)] for size in range(PAWNS + 1)]
    sets, starts = np.concatenate(sizes), np.cumsum([0, *map(len, sizes)])
    first, children = kernel.list_children(boards, sets, starts, map_sets(OVERTURNED), ranks, numbers)
    codes, seen = np.empty(len(boards), np.uint8), np.zeros(len(boards), np.bool_)
    report("solving it again", 0.3)
    kernel.settle(boards, first, children, codes)
    codes[codes == kernel.OPEN] = DRAW
    kernel.visit(TobitoIndex(variant).number(variant.start_for(TOP)), first, children, seen)
    codes[seen] |= REACHABLE
    report("computing the heat a second time", 0.5)
    other, own = measure_heat(boards, *kernel.list_parents(first, children))
    images = map_sets(MIRRORED)[boards].T
    is_class = np.arange(len(boards)) <= numbers[ranks[images[0]], ranks[images[1]], find_cell(images[2])]
    return {"codes": codes * is_class, "heat_own": own * is_class, "heat_other": other * is_class}


def list_masks(variant: Variant) -> Array:
    """List, for each number in order, the masks of the mover's pawns, the opponent's pawns and the neutral pawn."""
    parts = []
    for stone in MIDDLE if variant.neutrals else (None,):
        free = [cell for cell in CELLS if cell != stone]
        for own in list_triples(free):
            theirs = [mask(three) for three in list_triples([cell for cell in free if cell not in own])]
            neutral = mask(() if stone is None else (stone,))
            parts.append(np.column_stack(np.broadcast_arrays(mask(own), theirs, neutral)))
    return np.concatenate(parts).astype(np.int64)


def list_triples(free: list[Cell]) -> list[tuple[Cell, ...]]:
    """List every set of three of these cells, in the order of their ranks."""
    return [tuple(free[place] for place in three) for three in TRIPLES if three[-1] < len(free)]


def mask(cells: tuple[Cell, ...]) -> int:
    return sum(1 << cell for cell in cells)


def find_cell(stones: Array) -> Array:
    """Return the cell of a single bit, or 0 for an empty set."""
    return np.where(stones > 0, np.log2(np.maximum(stones, 1)), 0).astype(np.int64)


def number_boards(boards: Array) -> tuple[Array, Array]:
    """Return a rank for every set of three cells (0 for other sets), and the table of numbers.

    The table gives the number of a position by the rank of the mover's pawns, the rank of the opponent's pawns, and the
    cell of the neutral pawn.
    """
    ranks = np.zeros(1 << len(CELLS), np.int64)
    ranks[[mask(three) for three in TRIPLES]] = np.arange(len(TRIPLES))
    numbers = np.full((len(TRIPLES), len(TRIPLES), len(CELLS)), -1, np.int32)
    numbers[ranks[boards[:, 0]], ranks[boards[:, 1]], find_cell(boards[:, 2])] = np.arange(len(boards))
    return ranks, numbers


def measure_heat(boards: Array, first: Array, parents: Array) -> Array:
    """Return two rows of heats: for the side that does not move, and for the side to move. Raises ValueError if an end
    is too far away."""
    home, goal = _kernel.cross_check.HOME, _kernel.cross_check.GOAL
    has_lost = boards[:, 1] & home == home
    has_won = (boards[:, 0] & goal == goal) & ~has_lost
    weights = np.array([0, *((UNIT // distance) ** 2 for distance in range(1, FARTHEST + 1))])
    heats = np.zeros((2, len(boards)), np.int64)
    ends = np.flatnonzero(has_lost)
    for begin in range(0, len(ends), TOGETHER):
        farthest = _kernel.cross_check.warm_up(ends[begin : begin + TOGETHER], first, parents, weights, heats)
        if farthest > FARTHEST:
            raise ValueError(f"one end of the game is {farthest} plies away")
    heats[:, has_lost | has_won] = 0
    heats[0, has_lost] = heats[1, has_won] = WON_HEAT
    return heats
