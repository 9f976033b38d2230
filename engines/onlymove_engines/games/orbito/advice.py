"""Rules of thumb on how to win, and the table's positions with all their moves, on which they are tested."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from onlymove_engines.compiled.cell_sets import map_sets
from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.solution import Advice, Batch
from onlymove_engines.search.batch import mark_greatest

from .analyst import OrbitoAnalyst, is_finished, list_action_sets, shifted_sets
from .index import SETS, SIZE, list_positions, make_numbering, numbers
from .notation import CORNERS
from .rules import INNER, LINES, RING_ORDER, cell_set
from .table import count_turns

INNER_RING = cell_set(INNER)


@cache
def find_threats() -> Array:
    """Return for every set of cells whether three or more of them will be in a line after the next shift."""
    lined_up = [np.bitwise_count(shifted_sets(np.arange(SETS)) & line) >= 3 for line in LINES]
    found: Array = np.logical_or.reduce(lined_up)
    return found


class MovesMade(NamedTuple):
    """Many moves at once.

    `row` is the index of each move's position. `origin` and `destination` are the ends of the push, or 0 without one.
    These and `place` are cells before the shift. `own` and `theirs` are the mover's and the opponent's marbles after
    the shift.
    """

    row: Array
    place: Array
    origin: Array
    destination: Array
    own: Array
    theirs: Array


def pushes_first(moves: MovesMade) -> Array:
    pushes: Array = moves.origin > 0
    return pushes


def safest_inside(moves: MovesMade) -> Array:
    """Mark the moves of each position that follow the advice about lines. It is to leave no three marbles that the
    opponent's next shift lines up, if that is possible. Among such moves, it prefers those with the biggest lead on the
    inner ring."""
    own, theirs = (np.bitwise_count(marbles & INNER_RING).astype(np.int64) for marbles in (moves.own, moves.theirs))
    return mark_greatest(moves.row, own - theirs - len(INNER) * 2 * find_threats()[moves.theirs])


ADVICE: tuple[Advice[MovesMade], ...] = (
    Advice(
        "inside",
        "Don't leave three that the next shift lines up; then take the biggest lead on the inner ring.",
        safest_inside,
    ),
    Advice(
        "no-three",
        "Don't leave your opponent three marbles that the next shift lines up.",
        lambda moves: ~find_threats()[moves.theirs],
    ),
    Advice("inner", "Place your marble on the inner ring.", lambda moves: moves.place & INNER_RING > 0),
    Advice(
        "push-out",
        "When you move an opposing marble, move it out of the inner ring.",
        lambda moves: (moves.origin & INNER_RING > 0) & (moves.destination & INNER_RING == 0),
        pushes_first,
    ),
    Advice("push", "Move an opposing marble first.", pushes_first),
    Advice("corner", "Place your marble in a corner.", lambda moves: moves.place & cell_set(CORNERS) > 0),
)


ROWS = 1 << 10
"""How many positions are looked at together. Their moves take a few megabytes."""

MIRRORED = "positions whose value differs from their mirror image's, including positions that no game reaches"


def list_batches(sections: Sections) -> Iterator[Batch]:
    """Yield every position that a game can lead to, fewest marbles first, so that positions come after those that lead
    to them."""
    scores = np.asarray(sections["scores"])
    analyst, weight = OrbitoAnalyst(scores), count_turns().astype(np.int64)
    white, black = list_positions()
    # In a mirror, columns a to d are in reverse order.
    mirror = map_sets([RING_ORDER.index("dcba"["abcd".index(cell[0])] + cell[1]) for cell in RING_ORDER])
    changed = scores[numbers(mirror[white], mirror[black])] != scores
    reached = np.zeros(SIZE, bool)
    reached[0] = True
    for marbles, (begin, end) in enumerate(pairwise(make_numbering().layers)):
        facts = {MIRRORED: int(weight[begin:end][changed[begin:end]].sum())}
        for start in range(begin, end, ROWS):
            here = start + np.flatnonzero(reached[start : min(start + ROWS, end)])
            found = analyst.list_children(np.column_stack((white[here], black[here])))
            reached[found.number] = True
            own = -scores[here] if marbles % 2 else scores[here]
            sides = (found.black, found.white) if marbles % 2 else (found.white, found.black)
            place, origin, destination = (sets[found.action] for sets in list_action_sets())
            moves = MovesMade(found.row, place, origin, destination, *sides)
            yield Batch(
                numbers=here,
                weight=weight[here],
                value=np.sign(own),
                distance=np.where(own == 0, 0, 17 - marbles - np.abs(own)),
                shown=~is_finished(white[here], black[here]),
                row=found.row,
                worth=np.sign(found.score),
                advice=tuple(advice.mark(moves) for advice in ADVICE),
                facts=facts,
            )
            facts = {}
