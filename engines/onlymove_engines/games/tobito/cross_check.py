"""The table of either variant once more, by code that shares nothing with the solver: what a table is held against.

Every position with Top to move is listed with its mirror image beside it; what a number means comes from `index`.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from onlymove_engines.core.analysis import Report, Section, silent
from onlymove_engines.search.jit import Array

from . import _kernel
from .codes import DRAW, REACHABLE, UNIT, WON_HEAT
from .index import MIRRORED, OVERTURNED, PAWNS, TRIPLES, TobitoIndex
from .rules import CELLS, MIDDLE, TOP, Cell, Variant

SETS = 1 << len(CELLS)
FARTHEST = 12
"""No end lies farther from a position: as many divide UNIT."""

TOGETHER = 64 * 8
"""Ends whose heat spreads together, as many as the kernel has bits for."""


def derived(variant: Variant, report: Report = silent) -> dict[str, Section]:
    """Every section: values from the ends backwards, what can be reached, heats."""
    report("listing positions once more", 0.0)
    boards = masks(variant)
    first, children = _kernel.cross_check.list_children(boards, *sets_by_size(), *numbering(boards))
    codes, seen = np.empty(len(boards), np.uint8), np.zeros(len(boards), np.bool_)
    report("solving once more", 0.3)
    _kernel.cross_check.settle(boards, first, children, codes)
    codes[codes == _kernel.cross_check.OPEN] = DRAW
    _kernel.cross_check.visit(TobitoIndex(variant).number(variant.start_for(TOP)), first, children, seen)
    codes[seen] |= REACHABLE
    report("heating once more", 0.5)
    other, own = heated(boards, *_kernel.cross_check.list_parents(first, children))
    is_class = np.arange(len(boards)) <= mirror_images(boards)
    return {"codes": codes * is_class, "heat_own": own * is_class, "heat_other": other * is_class}


def masks(variant: Variant) -> Array:
    """For each number, in order, where the own pawns, the other's and the neutral pawn are."""
    parts = []
    for stone in MIDDLE if variant.neutrals else (None,):
        free = [cell for cell in CELLS if cell != stone]
        for own in triples(free):
            rest = [cell for cell in free if cell not in own]
            theirs = np.array([mask(three) for three in triples(rest)])
            parts.append(
                np.column_stack(np.broadcast_arrays(mask(own), theirs, mask(() if stone is None else (stone,))))
            )
    return np.concatenate(parts).astype(np.int64)


def triples(free: list[Cell]) -> list[tuple[Cell, ...]]:
    """Every three of these cells, by rank."""
    return [tuple(free[place] for place in three) for three in TRIPLES if three[-1] < len(free)]


def mask(cells: tuple[Cell, ...]) -> int:
    return sum(1 << cell for cell in cells)


def sets_by_size() -> tuple[Array, Array]:
    """All sets of up to three cells, and where those of each size begin."""
    sizes = [[mask(cells) for cells in combinations(CELLS, size)] for size in range(PAWNS + 1)]
    return np.concatenate(sizes), np.cumsum([0, *map(len, sizes)])


def moved(cells: tuple[Cell, ...]) -> Array:
    """For every set, the set with each cell k moved to cells[k]."""
    sets, found = np.arange(SETS), np.zeros(SETS, np.int64)
    for cell, to in enumerate(cells):
        found |= (sets >> cell & 1) << to
    return found


def ranks() -> Array:
    """For every set of three cells a number of its own; 0 for other sets."""
    found = np.zeros(SETS, np.int64)
    found[[mask(three) for three in TRIPLES]] = np.arange(len(TRIPLES))
    return found


def stone_cell(stones: Array) -> Array:
    """The cell of a single bit, 0 for none."""
    return np.where(stones > 0, np.log2(np.maximum(stones, 1)), 0).astype(np.int64)


def numbering(boards: Array) -> tuple[Array, Array, Array]:
    """What is upside down of every set, `ranks`, and the number of a position by own rank, other's rank and cell."""
    ids = ranks()
    numbers = np.full((len(TRIPLES), len(TRIPLES), len(CELLS)), -1, np.int32)
    numbers[ids[boards[:, 0]], ids[boards[:, 1]], stone_cell(boards[:, 2])] = np.arange(len(boards))
    return moved(OVERTURNED), ids, numbers


def mirror_images(boards: Array) -> Array:
    """The number of each position's mirror image."""
    _, ids, numbers = numbering(boards)
    own, theirs, stone = moved(MIRRORED)[boards].T
    found: Array = numbers[ids[own], ids[theirs], stone_cell(stone)]
    return found


def heated(boards: Array, first: Array, parents: Array) -> Array:
    """Two rows: the heat of the side that is not to move, and of the one that is. Raises ValueError for an end too far
    away."""
    has_lost = boards[:, 1] & _kernel.cross_check.HOME == _kernel.cross_check.HOME
    has_won = (boards[:, 0] & _kernel.cross_check.GOAL == _kernel.cross_check.GOAL) & ~has_lost
    weights = np.array([0, *((UNIT // distance) ** 2 for distance in range(1, FARTHEST + 1))])
    heats = np.zeros((2, len(boards)), np.int64)
    ends = np.flatnonzero(has_lost)
    for begin in range(0, len(ends), TOGETHER):
        farthest = _kernel.cross_check.warm_up(ends[begin : begin + TOGETHER], first, parents, weights, heats)
        if farthest > FARTHEST:
            raise ValueError(f"an end lies {farthest} plies away")
    heats[:, has_lost | has_won] = 0
    heats[0, has_lost] = heats[1, has_won] = WON_HEAT
    return heats
