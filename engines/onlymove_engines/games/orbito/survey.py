"""The whole table, layer by layer, with every move; what can be reached is found on the way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.solution import Batch, Followed
from onlymove_engines.search.jit import Array

from .analyst import Children, OrbitoAnalyst, action_sets, is_finished
from .index import SIZE, all_positions, numbering, numbers
from .proverbs import PROVERBS, Shown
from .table import weights

ROWS = 1 << 10
"""Positions looked at together: a few megabytes of moves."""

OUTER, INNER = 12, 4
MIRRORED = "positions whose mirror image is worth something else, of all that can be written"


def reflected(marbles: Array) -> Array:
    """Sets of cells with the rings the other way round: files a to d exchanged."""
    found = np.zeros_like(marbles)
    for k in range(OUTER):
        found |= (marbles >> k & 1) << (OUTER - 3 - k) % OUTER
    for k in range(INNER):
        found |= (marbles >> OUTER + k & 1) << OUTER + INNER - 1 - k
    return found


def survey(sections: Sections) -> Iterator[Batch]:
    """Every position that a game can lead to, fewest marbles first: the moves to a layer come before it."""
    scores = np.asarray(sections["scores"])
    analyst, weight = OrbitoAnalyst(scores), weights().astype(np.int64)
    white, black = all_positions()
    changed = scores[numbers(reflected(white.astype(np.int32)), reflected(black.astype(np.int32)))] != scores
    reached = np.zeros(SIZE, bool)
    reached[0] = True
    for marbles, (begin, end) in enumerate(pairwise(numbering().layers)):
        facts = {MIRRORED: int(weight[begin:end][changed[begin:end]].sum())}
        for start in range(begin, end, ROWS):
            here = start + np.flatnonzero(reached[start : min(start + ROWS, end)])
            found = analyst.children_of(white[here], black[here])
            reached[found.number] = True
            own = -scores[here] if marbles % 2 else scores[here]
            yield Batch(
                numbers=here,
                weight=weight[here],
                value=np.sign(own),
                distance=np.where(own == 0, 0, 17 - marbles - np.abs(own)),
                shown=~is_finished(white[here], black[here]),
                row=found.row,
                worth=np.sign(found.score),
                proverbs=followed(found, marbles % 2 == 1),
                facts=facts,
            )
            facts = {}


def followed(found: Children, by_second: bool) -> tuple[Followed, ...]:
    """Which of these moves of one side follow which proverb."""
    moves, own, theirs = found.action, found.white, found.black
    placed, origin, destination = (cells[moves] for cells in action_sets())
    own, theirs = (theirs, own) if by_second else (own, theirs)
    shown = Shown(found.row, placed, origin, destination, own, theirs)
    return tuple(proverb.of(shown) for proverb in PROVERBS)
