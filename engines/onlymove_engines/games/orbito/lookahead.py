"""Every move of many positions at once, in numpy: which are legal, and what the positions after them score.

A move has an action number, its place among all 784 moves there are in the order of their notation, so that the
legal moves of a position in increasing order are those of the rules. Knows the table; compiles nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .index import numbers
from .numbering import SETS, Sets
from .rules import BIT, FULL, LINES, NEIGHBOURS, READING_ORDER, Move, shifted

ACTIONS: tuple[Move, ...] = tuple(
    sorted(
        [
            *((place,) for place in READING_ORDER),
            *(
                (origin, destination, place)
                for origin in READING_ORDER
                for destination in NEIGHBOURS[origin]
                for place in READING_ORDER
                if place != destination
            ),
        ]
    )
)
"""Every move of the game, in the order of their notation."""

PLACED = np.array([BIT[move[-1]] for move in ACTIONS], np.int32)
ORIGIN = np.array([BIT[move[0]] if len(move) == 3 else 0 for move in ACTIONS], np.int32)
DESTINATION = np.array([BIT[move[1]] if len(move) == 3 else 0 for move in ACTIONS], np.int32)
CHANGED = ORIGIN | DESTINATION
HAS_LINE = np.zeros(SETS, bool)
for _line in LINES:
    HAS_LINE[np.arange(SETS) & _line == _line] = True


def shifted_sets(marbles: Sets) -> Sets:
    """`rules.shifted` for arrays."""
    result: Sets = shifted(marbles)  # type: ignore[arg-type, assignment]
    return result


@dataclass(frozen=True)
class Children:
    """The legal moves of several positions, one after another.

    `row`: which position; `action`: which move; `white`, `black`: the position after it; `score`: what that is
    worth to the side that moves, from its own view, higher is better.
    """

    row: npt.NDArray[np.intp]
    action: npt.NDArray[np.intp]
    white: Sets
    black: Sets
    score: npt.NDArray[np.int8]


def is_finished(white: Sets, black: Sets) -> npt.NDArray[np.bool_]:
    """Whether the game is over: a line, or a full board."""
    finished: npt.NDArray[np.bool_] = HAS_LINE[white] | HAS_LINE[black] | (white | black == FULL)
    return finished


def children(white: Sets, black: Sets, scores: npt.NDArray[Any]) -> Children:
    """Every legal move of every position with the score after it. `scores` is the table, by number."""
    second = (np.bitwise_count(white | black) & 1).astype(bool)
    own, theirs = np.where(second, black, white), np.where(second, white, black)
    occupied = (own | theirs)[:, None]
    legal = (theirs[:, None] & ORIGIN == ORIGIN) & (occupied & DESTINATION == 0)
    legal &= (occupied ^ ORIGIN) & PLACED == 0
    legal &= ~is_finished(white, black)[:, None]
    row, action = np.nonzero(legal)
    own = shifted_sets(own[row] | PLACED[action])
    theirs = shifted_sets(theirs[row] ^ CHANGED[action])
    by_second = second[row]
    white, black = np.where(by_second, theirs, own), np.where(by_second, own, theirs)
    score = scores[numbers(white, black)]
    return Children(row, action, white, black, np.where(by_second, -score, score).astype(np.int8))
