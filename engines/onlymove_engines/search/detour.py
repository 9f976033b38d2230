"""What is left of an advantage when some positions must not be passed: a table's values, and detours round them.

Knows one side that is ahead, what it gets where nothing is closed, and positions that are closed: there, or by going
round for ever, it gets nothing. It looks only where it has to, first along the moves that the table recommends, then
ever farther from them. Beyond what has been looked into nothing counts as closed, so an answer is never less than the
truth; once it no longer rests on such a position, it is the truth.

The attractors are those of retrograde analysis, the widening is that of LAO* (E. Hansen, S. Zilberstein, "LAO*: a
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
"""So many positions at least are looked into between two answers, or as many as have been before."""

NOWHERE = -1
"""The way that is chosen where none has to be."""


class Cost(NamedTuple):
    """What the side ahead pays, the less the better: minus what it gets in the end, then the plies until it has it."""

    minus: int
    plies: int

    def later(self) -> Cost:
        """The same, seen one ply earlier."""
        return Cost(self.minus, self.plies + 1)


@dataclass(frozen=True, slots=True)
class Way(Generic[P]):
    """A move, where the side ahead gets something by it while nothing is closed: where it leads and the cost from
    there. With `is_sure` no closed position can come between."""

    to: P
    cost: Cost
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Crossing(Generic[P]):
    """A position that has been looked into: whether the side ahead chooses, its ways on, and whether the other side
    can leave it nothing by one move."""

    is_ours: bool
    ways: Sequence[Way[P]]
    is_lost: bool = False


@dataclass(slots=True)
class Node:
    """What is known of a numbered position. Until it has been looked into, `sure` is what it costs if nothing is
    closed, and `is_open`; then what its best way out costs that is sure, or the dearest that the other side can
    choose. `on` are the nodes where play may go on, `back` those where it may come from; `waits` counts the moves of
    the other side that have to be answered, one more than there are where one of them leaves nothing."""

    sure: Cost | None
    is_open: bool = True
    is_ours: bool = True
    on: tuple[int, ...] = ()
    back: list[int] = field(default_factory=list)
    waits: int = 0


class Detours(Generic[P]):
    """The part of a game that has been looked into so far, by `look_into`, which may raise to give up."""

    def __init__(self, look_into: Callable[[P], Crossing[P]]) -> None:
        self.look_into = look_into
        self.looked_into = 0
        self._numbers: dict[P, int] = {}
        self._positions: list[P] = []
        self._nodes: list[Node] = []
        self._costs: list[Cost | None] = []
        self._chosen: list[int] = []

    def cost(self, start: Way[P]) -> Cost | None:
        """What the side ahead pays after `start`, closed positions considered; `None`: it gets nothing."""
        if start.is_sure:
            return start.cost
        first = self._number(start)
        self._settle()
        while rests_on := self._rests_on(first):
            self._widen(rests_on)
            self._settle()
        return self._costs[first]

    def _number(self, way: Way[P]) -> int:
        number = self._numbers.setdefault(way.to, len(self._nodes))
        if number == len(self._nodes):
            self._positions.append(way.to)
            self._nodes.append(Node(way.cost))
        return number

    def _widen(self, numbers: Sequence[int]) -> None:
        """Look into these positions, and on from there where play would go if nothing were closed."""
        queue, enough = deque(numbers), self.looked_into + max(len(numbers), self.looked_into, FEWEST)
        while queue and self.looked_into < enough:
            number = queue.popleft()
            if self._nodes[number].is_open:
                crossing = self.look_into(self._positions[number])
                self.looked_into += 1
                self._enter(number, crossing)
                queue.extend(self._onward(crossing))

    def _enter(self, number: int, crossing: Crossing[P]) -> None:
        sure = [way.cost for way in crossing.ways if way.is_sure]
        on = tuple(dict.fromkeys(self._number(way) for way in crossing.ways if not way.is_sure))
        node = self._nodes[number]
        node.sure = (min if crossing.is_ours else max)(sure) if sure else None
        node.is_open, node.is_ours, node.on, node.waits = False, crossing.is_ours, on, len(on) + crossing.is_lost
        for after in on:
            self._nodes[after].back.append(number)

    def _onward(self, crossing: Crossing[P]) -> list[int]:
        """Where play would go if nothing were closed: the best way, or every answer of the other side."""
        if crossing.is_lost or not crossing.ways:
            return []
        ways = [min(crossing.ways, key=lambda way: way.cost)] if crossing.is_ours else crossing.ways
        return [self._numbers[way.to] for way in ways if not way.is_sure]

    def _settle(self) -> None:
        """What each position costs, cheapest first; those that stay `None` leave the side ahead nothing."""
        nodes = self._nodes
        self._costs, self._chosen = [None] * len(nodes), [NOWHERE] * len(nodes)
        waits = [node.waits for node in nodes]
        heap: list[tuple[Cost, int, int]] = []
        for number, node in enumerate(nodes):
            if node.sure is not None and (node.is_ours or not node.waits):
                heap.append((node.sure if node.is_open else node.sure.later(), number, NOWHERE))
        heapify(heap)
        while heap:
            cost, number, chosen = heappop(heap)
            if self._costs[number] is not None:
                continue
            self._costs[number], self._chosen[number] = cost, chosen
            for back in nodes[number].back:
                node = nodes[back]
                waits[back] -= 1
                if node.is_ours:
                    heappush(heap, (cost.later(), back, number))
                elif not waits[back]:
                    heappush(heap, (max(cost, node.sure or cost).later(), back, NOWHERE))

    def _rests_on(self, first: int) -> list[int]:
        """The positions not yet looked into that the cost of `first` rests on."""
        found, met, ahead = [], {first}, [first]
        while ahead:
            number = ahead.pop()
            node, chosen = self._nodes[number], self._chosen[number]
            if self._costs[number] is None:
                continue
            if node.is_open:
                found.append(number)
            on = node.on if not node.is_ours else () if chosen == NOWHERE else (chosen,)
            ahead += [after for after in on if after not in met]
            met.update(on)
        return found
