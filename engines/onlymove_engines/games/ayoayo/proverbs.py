"""How to play well, as advice that any move follows or does not: what the closed boards can test.

Pits count in the direction of sowing: 0 is the mover's leftmost, 5 the one before the other row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onlymove_engines.core.survey import Proverb
from onlymove_engines.search.jit import Array

from .rules import CAPTURED_AT

LOADED = CAPTURED_AT - 1
"""So many seeds in a pit: the next one captures."""


class Shown(NamedTuple):
    """Many moves at once, an array each: whose they are (`row`), the `pit`, the seeds that were in it, what the mover
    and the other side capture (`takes`, `gives`), and the other side's pits after it (`theirs`, n x 6)."""

    row: Array
    pit: Array
    seeds: Array
    takes: Array
    gives: Array
    theirs: Array

    def most(self, score: Array) -> Array:
        """Of each position's moves those with the greatest score."""
        top = np.full(int(self.row.max(initial=0)) + 1, -100)
        np.maximum.at(top, self.row, score)
        found: Array = score == top[self.row]
        return found


PROVERBS: tuple[Proverb[Shown], ...] = (
    Proverb(
        "few-pits",
        "Leave seeds in as few pits of the other row as you can.",
        lambda moves: moves.most(-(moves.theirs > 0).sum(axis=1)),
    ),
    Proverb(
        "gain",
        "Play the move that gains most at once, what it gives away taken off.",
        lambda moves: moves.most(moves.takes - moves.gives),
    ),
    Proverb("left", "Sow from your leftmost pit.", lambda moves: moves.most(-moves.pit)),
    Proverb("capture", "Capture.", lambda moves: moves.takes > 0),
    Proverb("give", "Give no seeds away.", lambda moves: moves.gives == 0),
    Proverb(
        "their-threes",
        "Leave the other row as few pits with three as you can.",
        lambda moves: moves.most(-(moves.theirs == LOADED).sum(axis=1)),
    ),
    Proverb("own-threes", "Let your pits with three stand.", lambda moves: moves.seeds != LOADED),
)
