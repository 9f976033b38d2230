"""The moves by the kernel, for the law that it is the rules' own."""

from __future__ import annotations

import numpy as np
from onlymove_engines.games.pokemon._kernel import law
from onlymove_engines.games.pokemon.analyst import move_of
from onlymove_engines.games.pokemon.index import COVERED_STATES, plain_number, unpack_number
from onlymove_engines.games.pokemon.rules import Placement, Position


def children(position: Position) -> list[tuple[Placement, Position]]:
    """Every legal move with the position after it, in the rules' order."""
    number = plain_number(position)
    board, left = np.zeros(9, np.int64), np.zeros(7, np.int64)
    born, moves = np.zeros(law.MOST_MOVES, np.int64), np.zeros(law.MOST_MOVES, np.int64)
    boards = np.zeros(law.ALL_IMAGES, np.int64)
    seat = law.parted(number, board, left)
    count = law.children(board, left, seat, number % COVERED_STATES, 1, boards, born, moves)
    return [
        (move_of(move, seat), unpack_number(child))
        for child, move in zip(born[:count].tolist(), moves[:count].tolist(), strict=True)
    ]
