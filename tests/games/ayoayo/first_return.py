"""Finds the values of boards with four seeds, if the first repeated position ends play and each side takes its own row.

The best move then depends on how a board was reached, so that no table can hold it. But a side that considers only the
board is sure of what it gets in a Büchi game in which boards already met are ends, because a cycle in such play may be
repeated for ever. This leaves little to search: proof numbers (L. V. Allis, "Searching for solutions in games and
artificial intelligence", 1994) over lines that never repeat a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import numpy as np

from tests.games.ayoayo import _kernel
from tests.games.ayoayo.infinite import Bounds, Nodes, boards_with, nodes

NEVER = 1 << 30
"""The proof number of an answer that is impossible."""

FOUR = 4


@dataclass(slots=True)
class DetourMove:
    """A line from a board, by its last node, and how many longer lines are missing to answer yes and no."""

    node: int
    before: DetourMove | None
    yes: int = 1
    no: int = 1
    longer: list[DetourMove] = field(default_factory=list)

    def settle(self, answer: bool) -> None:
        """Store that the answer is known."""
        self.yes, self.no = (0, NEVER) if answer else (NEVER, 0)

    def list_beginnings(self) -> Iterator[DetourMove]:
        """Yield this line and the shorter ones with which it begins."""
        way: DetourMove | None = self
        while way is not None:
            yield way
            way = way.before


class FirstReturn:
    """Answers whether the favoured side gets `t` or more from a node, if both sides play on the same nodes. Captures
    must be worth the same to the other side."""

    def __init__(self, played: Nodes) -> None:
        self.played, self.half = played, len(played.rows) // 2
        assert np.array_equal(played.exits[self.half :], -played.exits[: self.half])
        self.left, self.queue = np.zeros(2 * self.half, np.int8), np.empty(2 * self.half, np.int32)

    def can_get(self, node: int, t: int, limit: int) -> bool | None:
        """Whether the favoured side gets `t` from this node. `None` if `limit` lines do not settle it."""
        root = DetourMove(node, None)
        for _ in range(limit):
            way = root
            while way.longer:
                way = min(way.longer, key=attrgetter("yes" if way.node < self.half else "no"))
            self.lengthen(way, t)
            for step in way.list_beginnings():
                self.count(step)
            if 0 in (root.yes, root.no):
                return root.yes == 0
        return None

    def lengthen(self, way: DetourMove, t: int) -> None:
        """Add a line for every move at the end of this one."""
        yes, no = self.clear([step.node for step in way.list_beginnings()], t)
        children, exit_worth = self.played.quiet[way.node], self.played.exits[way.node]
        for node in children[children >= 0].tolist():
            longer = DetourMove(node, way)
            if yes[node] or no[node]:
                longer.settle(bool(yes[node]))
            way.longer.append(longer)
        if abs(exit_worth) != _kernel.NO_EXIT:
            way.longer.append(DetourMove(way.node, way))
            way.longer[-1].settle(bool(exit_worth >= t))

    def count(self, way: DetourMove) -> None:
        """Compute what is missing on a line from what is missing on the longer ones."""
        yes, no = [longer.yes for longer in way.longer], [longer.no for longer in way.longer]
        chooses = way.node < self.half
        way.yes = min(yes) if chooses else min(NEVER, sum(yes))
        way.no = min(NEVER, sum(no)) if chooses else min(no)

    def clear(self, met: list[int], t: int) -> tuple[Any, Any]:
        """Return the nodes from which the answer is yes, and those from which it is no, after a line over the nodes
        `met`.

        Play ends when a node of the line occurs again. The other side's Büchi game is that of the favoured side with
        the sides exchanged: node i becomes node n + i, and less than `t` for one side is 2 - t or more for the other.
        """
        ends, other = np.zeros(2 * self.half, np.int8), np.zeros(2 * self.half, np.int8)
        is_good = self.played.rows[met] >= t
        ends[met] = np.where(is_good, _kernel.WON, _kernel.LOST)
        other[met] = np.where(is_good, _kernel.LOST, _kernel.WON)
        other = np.roll(other, self.half)
        _kernel.divide(t, self.played.rows, *self.played.graph, ends, self.left, self.queue)
        _kernel.divide(2 - t, self.played.rows, *self.played.graph, other, self.left, self.queue)
        return np.roll(other == _kernel.LOST, self.half), ends == _kernel.LOST


def first_return(closed: Bounds, limit: int) -> tuple[Bounds, int]:
    """Return `closed` with narrower bounds for boards with four seeds, if rows count as on a cycle. Also return how
    many of these boards were settled."""
    numbers = boards_with(FOUR)
    play, settled = FirstReturn(nodes(numbers, closed.low, closed.high)), 0
    low, high = closed.low.copy(), closed.high.copy()
    for i, number in enumerate(numbers.tolist()):
        if low[number] == high[number]:
            continue
        assert high[number] - low[number] == 2
        ahead = low[number] > 0
        node, t = (i, high[number]) if ahead else (play.half + i, -low[number])
        gets = play.can_get(node, int(t), limit)
        if gets is not None:
            low[number] = high[number] = (t if gets else t - 2) * (1 if ahead else -1)
            settled += 1
    return Bounds(low, high), settled
