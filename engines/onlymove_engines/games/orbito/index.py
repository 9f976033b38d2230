"""Numbers the positions of Orbito up to quarter turns, without gaps and without a search.

A position is a set of occupied cells and the colours of their marbles. The board is turned until the set of occupied
cells is the least of its four images. Then

    number = base[occupied] + rank of the white marbles among the occupied cells

where the rank counts subsets of equal size in increasing order. If a turn maps the occupied cells to themselves (136
canonical sets), `fold` converts the rank so that symmetric positions share a number. Positions are numbered in layers
by their number of marbles, so the positions after moves from a layer are one contiguous piece.

The rules are the same after a quarter turn, but not in a mirror, which would reverse the shift.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import TypeVar

import numpy as np

from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.game import Symmetry

from .rules import RING_ORDER, Cell, CellSet, Move, Position

SetOrSets = TypeVar("SetOrSets", int, Array)

TURNED_CELL: dict[Cell, Cell] = {
    cell: RING_ORDER[(k + 3) % 12 if k < 12 else 12 + (k - 11) % 4] for k, cell in enumerate(RING_ORDER)
}
"""Where a quarter turn counter-clockwise takes each cell: three steps on the outer ring, and one on the inner ring."""


def turn(marbles: SetOrSets) -> SetOrSets:
    """Turn a set of cells, or each of many sets, counter-clockwise by a quarter turn."""
    outer, inner = marbles & 0xFFF, marbles >> 12
    return ((outer << 3 | outer >> 9) & 0xFFF) | ((inner << 1 | inner >> 3) & 0xF) << 12


def turn_position(position: Position) -> Position:
    return Position(turn(position.white), turn(position.black))


def turn_move(move: Move) -> Move:
    return tuple(TURNED_CELL[cell] for cell in move)


SYMMETRIES = (Symmetry("quarter turn", turn_position, turn_move),)


SIZE = 2_541_731
CELL_COUNT = 16
SETS = 1 << CELL_COUNT


def count_whites(marbles: int) -> int:
    return (marbles + 1) // 2


def deposit(patterns: Array, cells: Array) -> Array:
    """Put bit k of each pattern on the k-th lowest bit of its set of cells. The two arrays are broadcast against each
    other."""
    result, rest = np.zeros(np.broadcast(patterns, cells).shape, np.int32), cells.copy()
    for k in range(CELL_COUNT):
        lowest = rest & -rest
        result |= np.where(patterns >> k & 1, lowest, 0)
        rest ^= lowest
    return result


@dataclass(frozen=True)
class Numbering:
    """The tables from which numbers are computed. All but the last four are indexed by a set of cells.

    `turns` is the number of quarter turns that lead to the least set. `base` is the first number with these occupied
    cells. `fold_at` is where the set's ranks begin in `fold`, or -1 if no turn maps the set to itself. `rank` is the
    index of a set among the sets of its size. `extract` takes a mask (high 8 bits) and a byte (low 8 bits), and holds
    the bits of the byte that the mask selects, moved together.

    `least` lists all least sets in the order of their numbers. `bases` says where the numbers of each begin, and
    `layers` where the positions with k marbles begin. `layers` has one more entry for the end.
    """

    turns: Array
    base: Array
    fold_at: Array
    rank: Array
    extract: Array
    fold: Array
    least: Array
    bases: Array
    layers: tuple[int, ...]


def _rank_sets() -> Array:
    sizes, rank = np.bitwise_count(np.arange(SETS)), np.zeros(SETS, np.int32)
    for size in range(CELL_COUNT + 1):
        rank[sizes == size] = np.arange(comb(CELL_COUNT, size))
    return rank


def _extract_bits() -> Array:
    masks, bits = np.divmod(np.arange(SETS), 256)
    result, filled = np.zeros(SETS, np.uint8), np.zeros(SETS, np.uint8)
    for k in range(8):
        picked = masks >> k & 1
        result |= ((bits >> k & picked) << filled).astype(np.uint8)
        filled += picked.astype(np.uint8)
    return result


def list_patterns(marbles: int) -> Array:
    """List the possible sets of white marbles, as bits among all marbles, in the order of their ranks."""
    sets = np.arange(1 << marbles, dtype=np.int32)
    found: Array = sets[np.bitwise_count(sets) == count_whites(marbles)]
    return found


def _fold(occupied: int) -> Array:
    """Return the class of each white set, in the order of ranks. If a turn maps `occupied` to itself, white sets that
    it maps to each other are in the same class."""
    patterns = list_patterns(occupied.bit_count())
    whites = deposit(patterns, np.full_like(patterns, occupied))
    least, image, white_images = whites, occupied, whites
    for _ in range(3):
        image, white_images = turn(image), turn(white_images)
        if image == occupied:
            least = np.minimum(least, white_images)
    classes: Array = np.unique(least, return_inverse=True)[1]
    return classes.astype(np.int32)


@cache
def make_numbering() -> Numbering:
    """Return the tables. They are built only once."""
    images = [np.arange(SETS, dtype=np.int32)]
    for _ in range(3):
        images.append(turn(images[-1]))
    orbit = np.stack(images)
    turns = orbit.argmin(axis=0)
    is_least = turns == 0
    symmetric = (orbit[1:] == orbit[0]).any(axis=0)
    least = np.flatnonzero(is_least)
    least = least[np.argsort(np.bitwise_count(least), kind="stable")]
    folds = {int(occupied): _fold(int(occupied)) for occupied in least if symmetric[occupied]}
    marbles = np.bitwise_count(least)
    lengths = np.array([comb(int(n), count_whites(int(n))) for n in marbles])
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
        rank=_rank_sets(),
        extract=_extract_bits(),
        fold=np.concatenate(list(folds.values())),
        least=least.astype(np.int32),
        bases=bases.astype(np.int32),
        layers=tuple(int(bases[np.searchsorted(marbles, n)]) for n in range(CELL_COUNT + 2)),
    )


def numbers(white: Array, black: Array) -> Array:
    tables = make_numbering()
    occupied = white | black
    turns = tables.turns[occupied]
    base, fold_at = tables.base[occupied], tables.fold_at[occupied]
    for k in range(1, 4):
        late = turns >= k
        white, occupied = np.where(late, turn(white), white), np.where(late, turn(occupied), occupied)
    low = tables.extract[(occupied & 255) << 8 | white & 255].astype(np.int32)
    high = tables.extract[occupied >> 8 << 8 | white >> 8].astype(np.int32)
    rank = tables.rank[low | high << np.bitwise_count(occupied & 255)]
    folded = fold_at >= 0
    rank[folded] = tables.fold[fold_at[folded] + rank[folded]]
    found: Array = base + rank
    return found


def list_positions() -> tuple[Array, Array]:
    """Return the white and the black marbles of every canonical position, by number."""
    tables = make_numbering()
    pieces = []
    sizes = np.bitwise_count(tables.least)
    for marbles in range(CELL_COUNT + 1):
        least, patterns = tables.least[sizes == marbles], list_patterns(marbles)
        white = deposit(patterns[None, :], least[:, None])
        kept = np.ones(white.shape, bool)
        for k in np.flatnonzero(tables.fold_at[least] >= 0):
            at = tables.fold_at[least[k]]
            fold = tables.fold[at : at + len(patterns)]
            kept[k] = False
            kept[k, np.unique(fold, return_index=True)[1]] = True
        occupied = np.broadcast_to(least[:, None], white.shape)
        pieces.append(np.stack((white[kept], occupied[kept] ^ white[kept])).astype(np.uint16))
    whites, blacks = np.concatenate(pieces, axis=1)
    return whites, blacks


class OrbitoIndex:
    size = SIZE

    def number(self, position: Position) -> int:
        """Return the number of the position, which its turns share. It is found by counting the positions before it."""
        sets, whites = list_images(position.occupied), list_images(position.white)
        least = min(sets)
        sets_before, bases = list_bases(least.bit_count())
        base = bases[bisect_left(sets_before, least)]
        alike = [white for white, cells in zip(whites, sets, strict=True) if cells == least]
        return base + (rank_whites(alike[0], least) if len(alike) == 1 else rank_symmetric(least)[min(alike)])

    def position(self, number: int) -> Position:
        if not 0 <= number < SIZE:
            raise ValueError(f"no position has the number {number}")
        tables = make_numbering()
        k = int(np.searchsorted(tables.bases, number, side="right")) - 1
        occupied, rank = int(tables.least[k]), number - int(tables.bases[k])
        patterns = list_patterns(occupied.bit_count())
        at = int(tables.fold_at[occupied])
        if at >= 0:
            rank = int(np.argmax(tables.fold[at : at + len(patterns)] == rank))
        white = int(deposit(patterns[rank : rank + 1], np.array([occupied], np.int32))[0])
        return Position(white, occupied ^ white)

    def canonical(self, position: Position) -> Position:
        """Return the canonical one of the position's four turns. It has the least occupied cells, and then the least
        white cells."""
        occupied, white = min(zip(list_images(position.occupied), list_images(position.white), strict=True))
        return Position(white, occupied ^ white)


def list_images(marbles: CellSet) -> list[CellSet]:
    found = [marbles]
    for _ in range(3):
        found.append(turn(found[-1]))
    return found


def rank_whites(white: CellSet, occupied: CellSet) -> int:
    """Return the rank of `white` among the subsets of `occupied` of the same size."""
    rank = place = count = 0
    while occupied:
        lowest = occupied & -occupied
        if white & lowest:
            count += 1
            rank += comb(place, count)
        place, occupied = place + 1, occupied ^ lowest
    return rank


def count_classes(cells: int, marbles: int, turns: int) -> int:
    """Count the ways to put the marbles on the cells. Ways that one of the 1, 2 or 4 `turns` maps to each other count
    once. By Burnside's lemma, the count is the mean number of ways that a turn leaves unchanged."""
    white, kept = count_whites(marbles), 0
    for order in (1, 2, 4, 4)[:turns]:
        if marbles % order == white % order == 0:
            kept += comb(cells // order, marbles // order) * comb(marbles // order, white // order)
    return kept // turns


def list_sets(among: int, size: int) -> Iterator[CellSet]:
    """Yield every set of `size` of the first `among` cells in ascending order (HAKMEM, item 175)."""
    if not 0 <= size <= among:
        return
    cells = (1 << size) - 1
    while cells < 1 << among:
        yield cells
        if not cells:
            return
        lowest = cells & -cells
        carried = cells + lowest
        cells = (cells ^ carried) // lowest >> 2 | carried


MIN_INNER = tuple(ring << 12 for ring in (0b0000, 0b0001, 0b0011, 0b0101, 0b0111, 0b1111))
"""The sets of inner cells that no quarter turn makes smaller, in ascending order."""


@cache
def list_bases(marbles: int) -> tuple[Sequence[CellSet], Sequence[int]]:
    """List the sets of this many cells that no turn of the board makes smaller, in ascending order. Also return the
    number of the first position of each."""
    base = sum(count_classes(CELL_COUNT, fewer, 4) for fewer in range(marbles))
    least, bases = array("H"), array("I")
    for inner in MIN_INNER:
        # Whatever the outer cells are, turns of such an inner ring are greater.
        is_least = len(set(list_images(inner))) == 4
        for outer in list_sets(12, marbles - inner.bit_count()):
            cells = inner | outer
            turns = (cells,) if is_least else list_images(cells)
            if is_least or min(turns) == cells:
                least.append(cells)
                bases.append(base)
                base += count_classes(marbles, marbles, turns.count(cells))
    return least, bases


@cache
def rank_symmetric(occupied: CellSet) -> dict[CellSet, int]:
    """Number the white sets on an occupied set that some turn maps to itself. Of white sets that are turns of each
    other, only the least gets a number."""
    cells, turns = [1 << k for k in range(CELL_COUNT) if occupied >> k & 1], list_images(occupied)
    whites = map(list_images, map(sum, combinations(cells, count_whites(len(cells)))))
    first = {min([white for white, turn in zip(group, turns, strict=True) if turn == occupied]) for group in whites}
    return {white: place for place, white in enumerate(sorted(first))}


INDEX = OrbitoIndex()
