"""Numbers of Orbito positions and back; the tables behind them are in `numbering.py`."""

from __future__ import annotations

from functools import cache

import numpy as np

from .numbering import CELL_COUNT, Sets, deposited, numbering, patterns_of, turned
from .rules import RING_ORDER, Cell, Move, Position

SIZE = 2_541_731
TURNED_CELL: dict[Cell, Cell] = {
    cell: RING_ORDER[(k + 3) % 12 if k < 12 else 12 + (k - 11) % 4] for k, cell in enumerate(RING_ORDER)
}
"""Where a quarter turn counter-clockwise takes a cell: three steps on the outer ring, one on the inner."""


def turned_position(position: Position) -> Position:
    """The position a quarter turn counter-clockwise."""
    return Position(turned(position.white), turned(position.black))


def turned_move(move: Move) -> Move:
    """The move a quarter turn counter-clockwise."""
    return tuple(TURNED_CELL[cell] for cell in move)


def numbers(white: Sets, black: Sets) -> Sets:
    """The numbers of many positions at once."""
    tables = numbering()
    occupied = white | black
    turns = tables.turns[occupied]
    base, fold_at = tables.base[occupied], tables.fold_at[occupied]
    for k in range(1, 4):
        late = turns >= k
        white, occupied = np.where(late, turned(white), white), np.where(late, turned(occupied), occupied)
    low = tables.extract[(occupied & 255) << 8 | white & 255].astype(np.int32)
    high = tables.extract[occupied >> 8 << 8 | white >> 8].astype(np.int32)
    rank = tables.rank[low | high << np.bitwise_count(occupied & 255)]
    folded = fold_at >= 0
    rank[folded] = tables.fold[fold_at[folded] + rank[folded]]
    found: Sets = base + rank
    return found


def all_positions() -> tuple[Sets, Sets]:
    """The white and the black marbles of every canonical position, by number."""
    tables = numbering()
    pieces = []
    sizes = np.bitwise_count(tables.least)
    for marbles in range(CELL_COUNT + 1):
        least, patterns = tables.least[sizes == marbles], patterns_of(marbles)
        white = deposited(patterns[None, :], least[:, None])
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
    """The numbering as the house knows it: position(number(p)) == canonical(p)."""

    size = SIZE

    def number(self, position: Position) -> int:
        """The number of the position's class under quarter turns; a dozen look-ups."""
        tables = _quick()
        white, occupied = position.white, position.white | position.black
        base, fold_at = tables["base"][occupied], tables["fold_at"][occupied]
        for _ in range(tables["turns"][occupied]):
            white, occupied = turned(white), turned(occupied)
        low, extract = occupied & 255, tables["extract"]
        pattern = extract[low << 8 | white & 255] | extract[occupied & 0xFF00 | white >> 8] << low.bit_count()
        rank = tables["rank"][pattern]
        return int(base + (rank if fold_at < 0 else tables["fold"][fold_at + rank]))

    def position(self, number: int) -> Position:
        """The canonical position with this number. Raises ValueError outside 0 <= number < size."""
        if not 0 <= number < SIZE:
            raise ValueError(f"no position has the number {number}")
        tables = numbering()
        k = int(np.searchsorted(tables.bases, number, side="right")) - 1
        occupied, rank = int(tables.least[k]), number - int(tables.bases[k])
        patterns = patterns_of(occupied.bit_count())
        at = int(tables.fold_at[occupied])
        if at >= 0:
            rank = int(np.argmax(tables.fold[at : at + len(patterns)] == rank))
        white = int(deposited(patterns[rank : rank + 1], np.array([occupied], np.int32))[0])
        return Position(white, occupied ^ white)

    def canonical(self, position: Position) -> Position:
        """The representative of the position's four turns: least occupied cells, then least white cells."""
        images = [position]
        for _ in range(3):
            images.append(turned_position(images[-1]))
        return min(images, key=lambda image: (image.occupied, image.white))


@cache
def _quick() -> dict[str, memoryview]:
    """The tables as memory views, which give plain integers in a third of numpy's time."""
    tables = numbering()
    return {name: memoryview(getattr(tables, name)) for name in ("turns", "base", "fold_at", "rank", "extract", "fold")}


INDEX = OrbitoIndex()
