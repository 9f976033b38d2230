"""Numbers positions up to both symmetries: the left-right mirror, and upside down with the sides swapped.

A position is first turned so that Top moves. Its number is then computed from three ranks,

    number = (neutral * C(15 - n, 3) + rank of the own pawns) * C(12 - n, 3) + rank of the opponent's pawns

with n neutral pawns. `neutral` is the place of the neutral pawn in the nine cells of the middle rows, or 0 without
one. Each rank only counts cells that are not yet occupied. The rank of three places a < b < c is
C(a, 1) + C(b, 2) + C(c, 3), the colexicographic order: D. Knuth, TAOCP 4A, 7.2.1.3. A position and its mirror image
share the smaller of their numbers. The other number is not in use.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations
from math import comb

from onlymove_engines.core.game import Symmetry
from onlymove_engines.core.value import other

from .rules import BOTTOM, CELLS, COLUMNS, EMPTY, MIDDLE, NEUTRAL, PAWN, ROWS, TOP, Cell, Move, Position, Variant

MIRRORED = tuple(row * COLUMNS + COLUMNS - 1 - column for row in range(ROWS) for column in range(COLUMNS))
FLIPPED = tuple((ROWS - 1 - row) * COLUMNS + column for row in range(ROWS) for column in range(COLUMNS))

_SWAPPED = str.maketrans(PAWN[TOP] + PAWN[BOTTOM], PAWN[BOTTOM] + PAWN[TOP])


def mirror(position: Position) -> Position:
    return Position("".join([position.cells[cell] for cell in MIRRORED]), position.to_move)


def overturn(position: Position) -> Position:
    """Turn the board upside down, with the colours exchanged and the other side to move."""
    cells = "".join([position.cells[cell] for cell in FLIPPED])
    return Position(cells.translate(_SWAPPED), other(position.to_move))


def _map_move(cell_map: tuple[Cell, ...], move: Move) -> Move:
    neutral = None if move.neutral is None else cell_map[move.neutral]
    pawns = tuple(sorted(cell_map[cell] for cell in move.pawns))
    return Move(cell_map[move.origin], cell_map[move.landing], pawns, neutral)


SYMMETRIES: tuple[Symmetry[Position, Move], ...] = (
    Symmetry("left-right mirror", mirror, partial(_map_move, MIRRORED)),
    Symmetry("upside down, sides swapped", overturn, partial(_map_move, FLIPPED), swaps_seats=True),
)

PAWNS = 3
TRIPLES = tuple(sorted(combinations(CELLS, PAWNS), key=lambda triple: triple[::-1]))
RANK = {triple: rank for rank, triple in enumerate(TRIPLES)}
"""The rank of every set of three cells. The first C(n, 3) sets are those of the first n cells, because the order is
colexicographic."""

OWN_PAWN, OTHER_PAWN = PAWN[TOP], PAWN[BOTTOM]


class TobitoIndex:
    """The numbers of one variant. Every position with the neutral pawn in the middle rows has a number, even if no game
    leads to it."""

    def __init__(self, variant: Variant) -> None:
        self._has_neutral = variant.neutrals == 1
        self._own = comb(len(CELLS) - variant.neutrals, PAWNS)
        self._others = comb(len(CELLS) - PAWNS - variant.neutrals, PAWNS)
        self.size = (len(MIDDLE) if self._has_neutral else 1) * self._own * self._others

    def number(self, position: Position) -> int:
        turned = position if position.to_move == TOP else overturn(position)
        return min(self._rank(turned), self._rank(mirror(turned)))

    def position(self, number: int) -> Position:
        if not 0 <= number < self.size:
            raise ValueError(f"there is no position {number}")
        position = self._unrank(number)
        if self._rank(mirror(position)) < number:
            raise ValueError(f"{number} is the mirror image of another number")
        return position

    def canonical(self, position: Position) -> Position:
        return self._unrank(self.number(position))

    def _rank(self, position: Position) -> int:
        """Return the number of a position with Top to move. Mirror images have different numbers."""
        neutral = position.cells.index(NEUTRAL) - MIDDLE[0] if self._has_neutral else 0
        cells = position.cells.replace(NEUTRAL, "")
        own = RANK[_find_pawns(cells, OWN_PAWN)]
        others = RANK[_find_pawns(cells.replace(OWN_PAWN, ""), OTHER_PAWN)]
        return (neutral * self._own + own) * self._others + others

    def _unrank(self, number: int) -> Position:
        """Return the position with Top to move to which `_rank` gives this number."""
        rest, others = divmod(number, self._others)
        neutral, own = divmod(rest, self._own)
        cells = [EMPTY] * len(CELLS)
        if self._has_neutral:
            cells[MIDDLE[neutral]] = NEUTRAL
        for pawn, places in ((OWN_PAWN, TRIPLES[own]), (OTHER_PAWN, TRIPLES[others])):
            empty = [cell for cell, piece in enumerate(cells) if piece == EMPTY]
            for place in places:
                cells[empty[place]] = pawn
        return Position("".join(cells), TOP)


def _find_pawns(cells: str, pawn: str) -> tuple[Cell, ...]:
    return tuple([cell for cell, piece in enumerate(cells) if piece == pawn])
