"""How to play well, as advice that any move follows or does not: what the table can test."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from onlymove_engines.core.solution import Proverb
from onlymove_engines.search.jit import Array
from onlymove_engines.search.lookup import greatest

from .index import SETS
from .rules import INNER, LINES, cells, shifted

INNER_RING = cells(INNER)
CORNERS = cells(("a1", "a4", "d1", "d4"))


@cache
def threatening() -> Array:
    """For every set of cells whether, once shifted, it has three of a line or more."""
    sets = np.arange(SETS)
    later = np.array([shifted(marbles) for marbles in range(SETS)])
    found: Array = np.zeros(len(sets), np.bool_)
    for line in LINES:
        found |= np.bitwise_count(later & line) >= 3
    return found


class Shown(NamedTuple):
    """Many moves at once, an array each: whose they are (`row`), the `place` of the own marble, where an opponent's is
    moved `origin` and `destination` (0 without a push), all before the shift; and after it the mover's marbles (`own`)
    and the opponent's (`theirs`)."""

    row: Array
    place: Array
    origin: Array
    destination: Array
    own: Array
    theirs: Array


def is_push(moves: Shown) -> Array:
    """Whether a marble of the opponent is moved."""
    pushes: Array = moves.origin > 0
    return pushes


def safest_inside(moves: Shown) -> Array:
    """Of each position's moves that leave no three, else of all, those with the greatest lead on the inner ring."""
    own, theirs = (np.bitwise_count(marbles & INNER_RING).astype(np.int64) for marbles in (moves.own, moves.theirs))
    return greatest(moves.row, own - theirs - len(INNER) * 2 * threatening()[moves.theirs])


PROVERBS: tuple[Proverb[Shown], ...] = (
    Proverb(
        "inside",
        "Leave him no three for the next shift; then take the greatest lead on the inner ring.",
        safest_inside,
    ),
    Proverb(
        "no-three",
        "Leave him no three marbles that the next shift lines up.",
        lambda moves: ~threatening()[moves.theirs],
    ),
    Proverb("inner", "Place your marble on the inner ring.", lambda moves: moves.place & INNER_RING > 0),
    Proverb(
        "push-out",
        "When you move a marble of his, move it out of the inner ring.",
        lambda moves: (moves.origin & INNER_RING > 0) & (moves.destination & INNER_RING == 0),
        is_push,
    ),
    Proverb("push", "First move a marble of the opponent.", is_push),
    Proverb("corner", "Place your marble in a corner.", lambda moves: moves.place & CORNERS > 0),
)
