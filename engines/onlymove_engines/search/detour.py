"""Works out how much of an advantage remains if some positions must be avoided. It uses a table's values and searches
detours around closed positions.

In a closed position, or if play never ends, the side ahead gets nothing. The search begins with the moves that the
table recommends and goes farther only as needed. Positions not searched yet count as if nothing were closed, so the
result is never too low. It is exact once it depends on searched positions only.

The backward pass is that of retrograde analysis, and the widening that of LAO* (E. Hansen, S. Zilberstein, "LAO*: a
heuristic search algorithm that finds solutions with loops", 2001).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Generic, NamedTuple, TypeVar

P = TypeVar("P", bound=Hashable)

FEWEST = 32
"""The fewest positions to search between two checks. The number grows with the positions searched so far."""

TURN = 1 << 20
"""Larger than any number of plies."""

NOTHING = TURN
"""Larger than the cost of anything that gains something for the side ahead."""


class Cost(NamedTuple):
    """What it costs the side ahead to continue in a certain way. Lower is better. `minus` is what that side gains in
    the end, as a negative number. `plies` is the time until it has gained that."""

    minus: int
    plies: int


@dataclass(frozen=True, slots=True)
class DetourMove(Generic[P]):
    """A move after which the side ahead still gains something if nothing is closed. `to` is the position after it, and
    `cost` is the cost from there. `is_sure` means that no closed position can come in between."""

    to: P
    cost: Cost
    is_sure: bool


@dataclass(eq=False, slots=True)
class Node(Generic[P]):
    """A position that has been found, and how to continue from it. Costs are stored as single numbers for speed: minus
    what the side ahead gains, in units of `TURN`, plus plies."""

    position: P
    number: int
    """Positions are numbered in the order in which they are found."""
    sure: int
    """The lowest cost of a sure way if the side ahead moves, and the highest if the other side moves. `NOTHING` if
    there is no sure way. If the position has not been searched yet (`is_open`), its cost if nothing is closed."""
    is_open: bool = True
    is_ours: bool = True
    on: Sequence[Node[P]] = ()
    """The positions that come next, each once."""
    back: list[Node[P]] = field(default_factory=list)
    """The positions that come before."""
    cost: int = NOTHING
    chosen: Node[P] | None = None
    answers: int = 0
    """How many of `on` have no cost yet."""
    rests: bool = False
    """Whether the cost depends on a position that has not been searched yet."""


class Detours(Generic[P]):
    """The part of a game that has been searched so far.

    `look_into` searches one position. It returns whether the side ahead moves, and the ways to continue. There are none
    if the other side can make sure that the side ahead gains nothing. It may raise an error to give up.
    """

    def __init__(self, look_into: Callable[[P], tuple[bool, Sequence[DetourMove[P]]]]) -> None:
        self.look_into = look_into
        self.looked_into = 0
        self._nodes: dict[P, Node[P]] = {}

    def cost(self, start: DetourMove[P]) -> Cost | None:
        """Return the cost for the side ahead after `start`, given the closed positions. Return `None` if it gains
        nothing."""
        if start.is_sure:
            return start.cost
        first = self._find_node(start)
        self._settle()
        while rests_on := list_unsearched(first):
            self._widen(rests_on)
            self._settle()
        return None if first.cost == NOTHING else Cost(*divmod(first.cost, TURN))

    def _find_node(self, way: DetourMove[P]) -> Node[P]:
        if way.to not in self._nodes:
            self._nodes[way.to] = Node(way.to, len(self._nodes), join_cost(way.cost))
        return self._nodes[way.to]

    def _widen(self, nodes: Sequence[Node[P]]) -> None:
        """Search these positions. Then search the positions where play would continue if nothing were closed: after the
        best way, or after all replies of the other side."""
        queue, enough = deque(nodes), self.looked_into + max(len(nodes), self.looked_into, FEWEST)
        while queue and self.looked_into < enough:
            node = queue.popleft()
            if not node.is_open:
                continue
            node.is_ours, ways = self.look_into(node.position)
            node.is_open = False
            self.looked_into += 1
            sure = [join_cost(way.cost) for way in ways if way.is_sure]
            node.sure = (min if node.is_ours else max)(sure) if sure else NOTHING
            node.on = tuple(dict.fromkeys(self._find_node(way) for way in ways if not way.is_sure))
            for after in node.on:
                after.back.append(node)
            if node.is_ours and ways:
                best = min(ways, key=lambda way: way.cost)
                queue.extend([] if best.is_sure else [self._find_node(best)])
            else:
                queue.extend(node.on)

    def _settle(self) -> None:
        """Compute the cost of each position, cheapest first. In positions left over, the side ahead gains nothing.
        Among ways of equal cost, prefer one that depends only on searched positions."""
        nodes, heap = list(self._nodes.values()), []
        for node in nodes:
            node.cost, node.chosen, node.answers, node.rests = NOTHING, None, len(node.on), node.is_open
            if node.is_open:
                heap.append((2 * node.sure + 1, node.number))
            elif node.sure != NOTHING and (node.is_ours or not node.answers):
                heap.append((2 * (node.sure + 1), node.number))
        heapify(heap)
        while heap:
            doubled, number = heappop(heap)
            node = nodes[number]
            if node.cost != NOTHING:
                continue
            node.cost, is_open = divmod(doubled, 2)
            if node.cost == node.sure + 1 and not is_open:
                node.chosen = None
            for back in node.back:
                if back.is_ours:
                    if back.cost == NOTHING and back.chosen is None:
                        back.chosen = node
                        heappush(heap, (doubled + 2, back.number))
                    continue
                back.answers -= 1
                back.rests |= bool(is_open)
                if not back.answers:
                    dearest = node.cost if back.sure == NOTHING else max(node.cost, back.sure)
                    heappush(heap, (2 * (dearest + 1) + back.rests, back.number))


def list_unsearched(first: Node[P]) -> list[Node[P]]:
    """Return the unsearched positions that affect the cost of `first`."""
    found, met, ahead = [], {first}, [first]
    while ahead:
        node = ahead.pop()
        if node.cost == NOTHING:
            continue
        if node.is_open:
            found.append(node)
        on = node.on if not node.is_ours else () if node.chosen is None else (node.chosen,)
        ahead += [after for after in on if after not in met]
        met.update(on)
    return found


def join_cost(cost: Cost) -> int:
    """Return a cost as a single number. The numbers have the same order as the costs."""
    return cost.minus * TURN + cost.plies
