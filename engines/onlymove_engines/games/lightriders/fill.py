"""The endgame of separated riders: how many rounds each can still last after each of its steps.

Knows when riders are separated and asks the compiled fill. A length is a pair (found, bound): at least, at most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.value import Seat
from onlymove_engines.search.stop import watched

from ._kernel import fill as kernel
from .exact import reachable
from .live import Lookahead
from .rules import CRASH, RULES, Cell, Position, Step, landing

FILL_NODES = 400_000
"""Nodes of one question without a budget: about half a second."""


@dataclass(frozen=True)
class Length:
    """A path was found that long, and none is longer than `most`; `path` is the one found."""

    least: int
    most: int
    path: tuple[Cell, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the longest path is known."""
        return self.least == self.most


def are_separated(position: Position) -> bool:
    """Whether both riders are on the field and no empty cell can be reached by both."""
    if any(position.head(seat) is None for seat in (0, 1)):
        return False
    alone = [reachable(without_rider(position, 1 - seat)) for seat in (0, 1)]
    return not alone[0] & alone[1]


def without_rider(position: Position, seat: Seat) -> Position:
    """The field with one rider turned to wall."""
    return Position(position.width, position.height, position.cells.replace("01"[seat], "x"))


def longest_from(
    searches: Lookahead, position: Position, start: Cell, nodes: int = FILL_NODES, budget: Budget = UNLIMITED
) -> Length:
    """The longest path from `start`, not counted itself, over empty cells; another rider is only in the way."""
    searches.load(position)
    work = searches.tools
    work.own[0] = work.boards[0]
    if work.own[0][start >> 6] >> np.uint64(start & 63) & np.uint64(1):
        work.own[0][start >> 6] ^= np.uint64(1) << np.uint64(start & 63)
    searches.reset(nodes)  # a watcher stops a fill as it stops a search
    with watched(budget, searches.allowed):
        least, most = kernel.longest(0, start, nodes, work)
    return Length(int(least), int(most), tuple(int(cell) for cell in work.paths[kernel.BEST, :least]))


def lengths(
    searches: Lookahead, position: Position, seat: Seat, nodes: int = FILL_NODES, budget: Budget = UNLIMITED
) -> dict[Step, Length]:
    """For every step of a separated rider: the cells it fills from now on, that step included."""
    found: dict[Step, Length] = {}
    steps = RULES.moves_of(position, seat)
    for step in steps:
        cell = landing(position, seat, step)
        if step == CRASH or cell is None:
            return {step: Length(0, 0)}
        on = longest_from(searches, position, cell, nodes // len(steps), budget)
        found[step] = Length(1 + on.least, 1 + on.most, (cell, *on.path))
    return found


def compared(mine: Length, theirs: Length) -> tuple[float, bool]:
    """Who lasts longer, for the first of the two in [-1, 1], and whether that is proven."""
    if mine.least > theirs.most:
        return 1.0, True
    if mine.most < theirs.least:
        return -1.0, True
    if mine.exact and theirs.exact:
        return 0.0, True
    lead = (mine.least + mine.most - theirs.least - theirs.most) / 2
    return 0.9 * lead / (abs(lead) + 2.0), False
