"""Boards with four seeds when the first position that comes back ends play and each side takes its own row there.

What is best then depends on the way a board was reached, so no table can hold it. But a side that goes by the board
alone can keep what a Büchi game with the boards already met as ends promises it, because a cycle met by such play may
be repeated for ever. That leaves little to search: proof numbers (L. V. Allis, "Searching for solutions in games and
artificial intelligence", 1994) over ways that never meet a position twice.
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
"""The number of ways missing for an answer that cannot come."""

FOUR = 4


@dataclass(slots=True)
class Way:
    """A way from a board on, by its last node, and how many longer ones are missing for a yes and for a no."""

    node: int
    before: Way | None
    yes: int = 1
    no: int = 1
    longer: list[Way] = field(default_factory=list)

    def settle(self, answer: bool) -> None:
        """Nothing is missing any more."""
        self.yes, self.no = (0, NEVER) if answer else (NEVER, 0)

    def back(self) -> Iterator[Way]:
        """This way and the shorter ones that it began with."""
        way: Way | None = self
        while way is not None:
            yield way
            way = way.before


class FirstReturn:
    """Answers whether the favoured side gets `t` or more from a node on, where both sides play on the same nodes.

    That is, captures are worth the same to the side that is not favoured.
    """

    def __init__(self, played: Nodes) -> None:
        self.played, self.half = played, len(played.rows) // 2
        assert np.array_equal(played.exits[self.half :], -played.exits[: self.half])
        self.left, self.queue = np.zeros(2 * self.half, np.int8), np.empty(2 * self.half, np.int32)

    def gets(self, node: int, t: int, limit: int) -> bool | None:
        """Whether the favoured side gets `t` from this node on; `None` after looking at `limit` ways."""
        root = Way(node, None)
        for _ in range(limit):
            way = root
            while way.longer:
                way = min(way.longer, key=attrgetter("yes" if way.node < self.half else "no"))
            self.lengthen(way, t)
            for step in way.back():
                self.count(step)
            if 0 in (root.yes, root.no):
                return root.yes == 0
        return None

    def lengthen(self, way: Way, t: int) -> None:
        """Look at every move at the end of a way."""
        yes, no = self.clear([step.node for step in way.back()], t)
        children, exit_worth = self.played.quiet[way.node], self.played.exits[way.node]
        for node in children[children >= 0].tolist():
            longer = Way(node, way)
            if yes[node] or no[node]:
                longer.settle(bool(yes[node]))
            way.longer.append(longer)
        if abs(exit_worth) != _kernel.NO_EXIT:
            way.longer.append(Way(way.node, way))
            way.longer[-1].settle(bool(exit_worth >= t))

    def count(self, way: Way) -> None:
        """What is missing on a way, from what is missing on the longer ones."""
        yes, no = [longer.yes for longer in way.longer], [longer.no for longer in way.longer]
        chooses = way.node < self.half
        way.yes = min(yes) if chooses else min(NEVER, sum(yes))
        way.no = min(NEVER, sum(no)) if chooses else min(no)

    def clear(self, met: list[int], t: int) -> tuple[Any, Any]:
        """The nodes from which the answer is yes, and those from which it is no, after a way over the nodes `met`.

        A node of the way that is met again ends play. The other side's Büchi game is the favoured one's with the
        sides changed: node i for node n + i, and what is not `t` or more for the one is 2 - t or more for the other.
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
    """`closed`, own rows on the cycle, made narrower for boards with four seeds; and how many of them were settled."""
    numbers = boards_with(FOUR)
    play, settled = FirstReturn(nodes(numbers, closed.low, closed.high)), 0
    low, high = closed.low.copy(), closed.high.copy()
    for i, number in enumerate(numbers.tolist()):
        if low[number] == high[number]:
            continue
        assert high[number] - low[number] == 2
        ahead = low[number] > 0
        node, t = (i, high[number]) if ahead else (play.half + i, -low[number])
        gets = play.gets(node, int(t), limit)
        if gets is not None:
            low[number] = high[number] = (t if gets else t - 2) * (1 if ahead else -1)
            settled += 1
    return Bounds(low, high), settled
