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
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Generic, NamedTuple, TypeVar

P = TypeVar("P", bound=Hashable)

FEWEST = 32
"""The fewest positions to search between two checks. The number grows with the positions searched so far."""

TURN = 1 << 20
"""Larger than any number of plies."""

NOTHING = TURN
"""Larger than the cost of anything that gains something for the side ahead."""

NOWHERE = -1
"""Means that no way has been chosen."""


class Cost(NamedTuple):
    """What it costs the side ahead to continue in a certain way. Lower is better. `minus` is what that side gains in
    the end, as a negative number. `plies` is the time until it has gained that."""

    minus: int
    plies: int


@dataclass(frozen=True, slots=True)
class Way(Generic[P]):
    """A move after which the side ahead still gains something if nothing is closed. `to` is the position after it, and
    `cost` is the cost from there. `is_sure` means that no closed position can come in between."""

    to: P
    cost: Cost
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Crossing(Generic[P]):
    """A position that has been searched, with the ways to continue from it. `is_ours` says whether the side ahead
    moves. There are no ways if the other side can make sure that it gains nothing."""

    is_ours: bool
    ways: Sequence[Way[P]]


class Detours(Generic[P]):
    """The part of a game that has been searched so far. `look_into` searches one position. It may raise an error to
    give up.

    Positions are numbered in the order in which they are found. Costs are stored as single numbers for speed: minus
    what the side ahead gains, in units of `TURN`, plus plies.
    """

    def __init__(self, look_into: Callable[[P], Crossing[P]]) -> None:
        self.look_into = look_into
        self.looked_into = 0
        self._numbers: dict[P, int] = {}
        self._positions: list[P] = []
        self._is_open: list[bool] = []
        """Whether the position has not been searched yet. `_sure` is then its cost if nothing is closed."""
        self._is_ours: list[bool] = []
        self._sure: list[int] = []
        """The lowest cost of a sure way if the side ahead moves, and the highest if the other side moves. `NOTHING` if
        there is no sure way."""
        self._on: list[tuple[int, ...]] = []
        """The positions that come next, each once."""
        self._back: list[list[int]] = []
        """The positions that come before."""
        self._costs: list[int] = []
        self._chosen: list[int] = []

    def cost(self, start: Way[P]) -> Cost | None:
        """Return the cost for the side ahead after `start`, given the closed positions. Return `None` if it gains
        nothing."""
        if start.is_sure:
            return start.cost
        first = self._number(start)
        self._settle()
        while rests_on := self._list_unsearched(first):
            self._widen(rests_on)
            self._settle()
        cost = self._costs[first]
        return None if cost == NOTHING else Cost(*divmod(cost, TURN))

    def _number(self, way: Way[P]) -> int:
        number = self._numbers.setdefault(way.to, len(self._positions))
        if number == len(self._positions):
            self._positions.append(way.to)
            self._is_open.append(True)
            self._is_ours.append(True)
            self._sure.append(join_cost(way.cost))
            self._on.append(())
            self._back.append([])
        return number

    def _widen(self, numbers: Sequence[int]) -> None:
        """Search these positions. Then search the positions where play would continue if nothing were closed."""
        queue, enough = deque(numbers), self.looked_into + max(len(numbers), self.looked_into, FEWEST)
        while queue and self.looked_into < enough:
            number = queue.popleft()
            if self._is_open[number]:
                crossing = self.look_into(self._positions[number])
                self.looked_into += 1
                self._enter(number, crossing)
                queue.extend(self._list_ways_on(crossing))

    def _enter(self, number: int, crossing: Crossing[P]) -> None:
        sure = [join_cost(way.cost) for way in crossing.ways if way.is_sure]
        on = tuple(dict.fromkeys(self._number(way) for way in crossing.ways if not way.is_sure))
        self._is_open[number], self._is_ours[number] = False, crossing.is_ours
        self._sure[number] = (min if crossing.is_ours else max)(sure) if sure else NOTHING
        self._on[number] = on
        for after in on:
            self._back[after].append(number)

    def _list_ways_on(self, crossing: Crossing[P]) -> list[int]:
        """Return where play would continue if nothing were closed: the best way, or all replies of the other side."""
        if not crossing.ways:
            return []
        ways = [min(crossing.ways, key=lambda way: way.cost)] if crossing.is_ours else crossing.ways
        return [self._numbers[way.to] for way in ways if not way.is_sure]

    def _settle(self) -> None:
        """Compute the cost of each position, cheapest first. In positions left over, the side ahead gains nothing.
        Among ways of equal cost, prefer one that depends only on searched positions."""
        size = len(self._positions)
        costs, chosen, rests = [NOTHING] * size, [NOWHERE] * size, list(self._is_open)
        answers = [len(on) for on in self._on]
        heap = []
        for number, sure in enumerate(self._sure):
            if self._is_open[number]:
                heap.append((2 * sure + 1, number))
            elif sure != NOTHING and (self._is_ours[number] or not answers[number]):
                heap.append((2 * (sure + 1), number))
        heapify(heap)
        while heap:
            doubled, number = heappop(heap)
            if costs[number] != NOTHING:
                continue
            cost, is_open = divmod(doubled, 2)
            costs[number] = cost
            if cost == self._sure[number] + 1 and not is_open:
                chosen[number] = NOWHERE
            for back in self._back[number]:
                if self._is_ours[back]:
                    if costs[back] == NOTHING and chosen[back] == NOWHERE:
                        chosen[back] = number
                        heappush(heap, (doubled + 2, back))
                    continue
                answers[back] -= 1
                rests[back] |= bool(is_open)
                if not answers[back]:
                    dearest = cost if self._sure[back] == NOTHING else max(cost, self._sure[back])
                    heappush(heap, (2 * (dearest + 1) + rests[back], back))
        self._costs, self._chosen = costs, chosen

    def _list_unsearched(self, first: int) -> list[int]:
        """Return the unsearched positions that affect the cost of `first`."""
        found, met, ahead = [], {first}, [first]
        while ahead:
            number = ahead.pop()
            if self._costs[number] == NOTHING:
                continue
            if self._is_open[number]:
                found.append(number)
            chosen = self._chosen[number]
            on = self._on[number] if not self._is_ours[number] else () if chosen == NOWHERE else (chosen,)
            ahead += [after for after in on if after not in met]
            met.update(on)
        return found


def join_cost(cost: Cost) -> int:
    """Return a cost as a single number. The numbers have the same order as the costs."""
    return cost.minus * TURN + cost.plies
