"""How to play well, as advice that any move follows or does not: what the closed boards can test.

Pits count in the direction of sowing: 0 is the mover's leftmost, 5 the one before the other row.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onlymove_engines.core.solution import Proverb
from onlymove_engines.search.jit import Array
from onlymove_engines.search.lookup import greatest

from .rules import CAPTURED_AT, SEEDS

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


def gain(moves: Shown) -> Array:
    """Seeds captured at once by the mover minus those by the other side."""
    net: Array = moves.takes.astype(np.int64) - moves.gives
    return net


def seeds_across(moves: Shown) -> Array:
    """What the other side has in its row then."""
    seeds: Array = moves.theirs.sum(axis=1)
    return seeds


def is_quiet(moves: Shown) -> Array:
    """Whether nobody captures."""
    quiet: Array = (moves.takes == 0) & (moves.gives == 0)
    return quiet


PROVERBS: tuple[Proverb[Shown], ...] = (
    Proverb(
        "gain-then-few",
        "Gain most at once, what you give away taken off; then leave the fewest seeds across.",
        lambda moves: greatest(moves.row, SEEDS * gain(moves) - seeds_across(moves)),
    ),
    Proverb(
        "quiet",
        "Where nobody captures, leave the fewest seeds across.",
        lambda moves: greatest(moves.row, -seeds_across(moves) - SEEDS * ~is_quiet(moves)),
        is_quiet,
    ),
    Proverb(
        "few-pits",
        "Leave seeds in as few pits of the other row as you can.",
        lambda moves: greatest(moves.row, -(moves.theirs > 0).sum(axis=1)),
    ),
    Proverb(
        "gain",
        "Gain most at once, what you give away taken off.",
        lambda moves: greatest(moves.row, gain(moves)),
    ),
    Proverb("left", "Sow from your leftmost pit.", lambda moves: greatest(moves.row, -moves.pit)),
    Proverb("capture", "Capture.", lambda moves: moves.takes > 0),
    Proverb("give", "Give no seeds away.", lambda moves: moves.gives == 0),
    Proverb(
        "their-threes",
        "Leave the other row as few pits with three as you can.",
        lambda moves: greatest(moves.row, -(moves.theirs == LOADED).sum(axis=1)),
    ),
    Proverb("own-threes", "Let your pits with three stand.", lambda moves: moves.seeds != LOADED),
)
