"""The moves by the kernel, for the law that it is the rules' own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from onlymove_engines.games.tobito._kernel import law
from onlymove_engines.games.tobito.analyst import move_of
from onlymove_engines.games.tobito.rules import CELLS, EMPTY, NEUTRAL, PAWN, Move, Position


def children(position: Position) -> list[tuple[Move, Position]]:
    """Every legal move with the position after it, in the rules' order."""
    seat = position.to_move
    moves, boards = np.empty(law.MOST_MOVES, np.int32), np.empty((law.MOST_MOVES, 3), np.int64)
    pieces = (PAWN[seat], PAWN[1 - seat], NEUTRAL)
    own, opp, neutral = (sum(1 << c for c, found in enumerate(position.cells) if found == piece) for piece in pieces)
    count = law.generate(own, opp, neutral, seat, moves, boards)
    return [
        (move_of(word), board(after, pieces, 1 - seat))
        for word, after in zip(moves[:count].tolist(), boards[:count].tolist(), strict=True)
    ]


def board(masks: Sequence[int], pieces: Sequence[str], seat: int) -> Position:
    """The position with these sets of cells."""
    cells = [EMPTY] * len(CELLS)
    for mask, piece in zip(masks, pieces, strict=True):
        for cell in CELLS:
            if mask >> cell & 1:
                cells[cell] = piece
    return Position("".join(cells), seat)
