"""How positions of Orbito are numbered up to quarter turns, without gaps and without a search.

A position is its occupied cells and a colouring of them. Turn the board until the occupied cells are the least
of their four sets; then

    number = base[occupied] + rank of the white marbles among the occupied cells

where the rank counts subsets of equal size in increasing order. Sets of cells that a half or quarter turn maps
to themselves (136 classes) take one step more: `fold` sends the rank to the number of its class. Layers follow each
other by the number of marbles, so a layer's children are one contiguous piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Sets: TypeAlias = npt.NDArray[Any]
"""An array of cell sets."""
SetOrSets = TypeVar("SetOrSets", int, Sets)

CELL_COUNT = 16
SETS = 1 << CELL_COUNT


def whites_of(marbles: int) -> int:
    """How many of so many marbles are White's."""
    return (marbles + 1) // 2


def turned(marbles: SetOrSets) -> SetOrSets:
    """Cell sets a quarter turn counter-clockwise."""
    outer, inner = marbles & 0xFFF, marbles >> 12
    return ((outer << 3 | outer >> 9) & 0xFFF) | ((inner << 1 | inner >> 3) & 0xF) << 12


def deposited(patterns: Sets, cells: Sets) -> Sets:
    """Bit k of a pattern put on the k-th lowest bit of a set of cells; the two arrays are broadcast."""
    result, rest = np.zeros(np.broadcast(patterns, cells).shape, np.int32), cells.copy()
    for k in range(CELL_COUNT):
        lowest = rest & -rest
        result |= np.where(patterns >> k & 1, lowest, 0)
        rest ^= lowest
    return result


@dataclass(frozen=True)
class Numbering:
    """The tables behind the numbers; every one but the last four is indexed by a set of cells.

    `turns`: quarter turns to the least set of the orbit. `base`: the first number with these occupied cells.
    `fold_at`: where the set's ranks begin in `fold`, -1 when no turn maps it to itself. `rank`: place of a set
    among the sets of its size. `extract`: bits (low 8) picked by a mask (high 8), pushed together.
    `least`: all least sets in order of their numbers, `bases` where each begins, `layers` where the positions
    with k marbles begin, with an end.
    """

    turns: Sets
    base: Sets
    fold_at: Sets
    rank: Sets
    extract: Sets
    fold: Sets
    least: Sets
    bases: Sets
    layers: tuple[int, ...]


def _ranks() -> Sets:
    sets = np.arange(SETS)
    sizes = np.bitwise_count(sets)
    rank = np.zeros(SETS, np.int32)
    for size in range(CELL_COUNT + 1):
        of_size = sets[sizes == size]
        rank[of_size] = np.arange(len(of_size))
    return rank


def _extract() -> Sets:
    masks, bits = np.divmod(np.arange(SETS), 256)
    result, filled = np.zeros(SETS, np.uint8), np.zeros(SETS, np.uint8)
    for k in range(8):
        picked = masks >> k & 1
        result |= ((bits >> k & picked) << filled).astype(np.uint8)
        filled += picked.astype(np.uint8)
    return result


def patterns_of(marbles: int) -> Sets:
    """Which of so many marbles may be white, in order of rank."""
    sets = np.arange(1 << marbles, dtype=np.int32)
    found: Sets = sets[np.bitwise_count(sets) == whites_of(marbles)]
    return found


def _fold(occupied: int) -> Sets:
    """For each rank of white marbles on a symmetric set, the number of its class."""
    patterns = patterns_of(occupied.bit_count())
    whites = deposited(patterns, np.full_like(patterns, occupied))
    least, image, white_images = whites, occupied, whites
    for _ in range(3):
        image, white_images = turned(image), turned(white_images)
        if image == occupied:
            least = np.minimum(least, white_images)
    classes: Sets = np.unique(least, return_inverse=True)[1]
    return classes.astype(np.int32)


@cache
def numbering() -> Numbering:
    """The tables, made once."""
    images = [np.arange(SETS, dtype=np.int32)]
    for _ in range(3):
        images.append(turned(images[-1]))
    orbit = np.stack(images)
    turns = orbit.argmin(axis=0)
    is_least = turns == 0
    symmetric = (orbit[1:] == orbit[0]).any(axis=0)
    least = np.flatnonzero(is_least)
    least = least[np.argsort(np.bitwise_count(least), kind="stable")]
    folds = {int(occupied): _fold(int(occupied)) for occupied in least if symmetric[occupied]}
    marbles = np.bitwise_count(least)
    lengths = np.array([comb(int(n), whites_of(int(n))) for n in marbles])
    for k, occupied in enumerate(least):
        if symmetric[occupied]:
            lengths[k] = folds[int(occupied)].max() + 1
    bases = np.concatenate(([0], np.cumsum(lengths)))
    base, fold_at = np.zeros(SETS, np.int32), np.full(SETS, -1, np.int32)
    base[least] = bases[:-1]
    starts = np.cumsum([0, *(len(fold) for fold in folds.values())])
    fold_at[list(folds)] = starts[:-1]
    representative = orbit.min(axis=0)
    return Numbering(
        turns=turns.astype(np.uint8),
        base=base[representative],
        fold_at=fold_at[representative],
        rank=_ranks(),
        extract=_extract(),
        fold=np.concatenate(list(folds.values())),
        least=least.astype(np.int32),
        bases=bases.astype(np.int32),
        layers=tuple(int(bases[np.searchsorted(marbles, n)]) for n in range(CELL_COUNT + 2)),
    )
