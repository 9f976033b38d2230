"""How much of an advantage remains if some positions must be avoided: a table's values, and detours around closed
positions.

It knows which side is ahead, what that side gets if nothing is closed, and which positions are closed. In a closed
position, or if play goes round for ever, the side ahead gets nothing. It searches only as far as it has to, first along
the moves that the table recommends, then farther and farther from them. Positions not searched yet count as open, so an
answer is never less than the truth; once it depends on searched positions only, it is exact.

The attractors are those of retrograde analysis, the widening is that of LAO* (E. Hansen, S. Zilberstein, "LAO*: a
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
"""So many positions at least are looked into between two answers, or as many as have been before."""

TURN = 1 << 20
"""More plies than any way has."""

NOTHING = TURN
"""More than anything that gets the side ahead something costs."""

NOWHERE = -1
"""The way that is chosen where none has to be."""


class Cost(NamedTuple):
    """The cost to the side ahead; less is better. It is minus what that side gets in the end, then the plies until it
    has it.
    """

    minus: int
    plies: int


@dataclass(frozen=True, slots=True)
class Way(Generic[P]):
    """A move that gains something for the side ahead as long as nothing is closed: where it leads, and the cost from
    there. If `is_sure`, no closed position can come in between."""

    to: P
    cost: Cost
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Crossing(Generic[P]):
    """A position that has been searched: whether it is the turn of the side ahead, and the ways to continue.

    There are none if the other side has a move that leaves the side ahead nothing.
    """

    is_ours: bool
    ways: Sequence[Way[P]]


class Detours(Generic[P]):
    """The part of a game that `look_into` has searched so far. It may raise an error to give up.

    Positions are numbered in the order in which they are met. A cost is one number here, so that costs can quickly be
    settled again: minus what the side ahead gets, in units of `TURN`, plus plies.
    """

    def __init__(self, look_into: Callable[[P], Crossing[P]]) -> None:
        self.look_into = look_into
        self.looked_into = 0
        self._numbers: dict[P, int] = {}
        self._positions: list[P] = []
        self._is_open: list[bool] = []
        """Not yet looked into: `_sure` is then what the position costs if nothing is closed."""
        self._is_ours: list[bool] = []
        self._sure: list[int] = []
        """The best way out that is sure, or the dearest that the other side can choose; `NOTHING`: none."""
        self._on: list[tuple[int, ...]] = []
        """Where play may go on to, each once."""
        self._back: list[list[int]] = []
        """Where it may come from."""
        self._costs: list[int] = []
        self._chosen: list[int] = []

    def cost(self, start: Way[P]) -> Cost | None:
        """Return the cost to the side ahead after `start`, given the closed positions; `None` if it gets nothing."""
        if start.is_sure:
            return start.cost
        first = self._number(start)
        self._settle()
        while rests_on := self._rests_on(first):
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
        """Search these positions, and continue where play would go if nothing were closed."""
        queue, enough = deque(numbers), self.looked_into + max(len(numbers), self.looked_into, FEWEST)
        while queue and self.looked_into < enough:
            number = queue.popleft()
            if self._is_open[number]:
                crossing = self.look_into(self._positions[number])
                self.looked_into += 1
                self._enter(number, crossing)
                queue.extend(self._onward(crossing))

    def _enter(self, number: int, crossing: Crossing[P]) -> None:
        sure = [join_cost(way.cost) for way in crossing.ways if way.is_sure]
        on = tuple(dict.fromkeys(self._number(way) for way in crossing.ways if not way.is_sure))
        self._is_open[number], self._is_ours[number] = False, crossing.is_ours
        self._sure[number] = (min if crossing.is_ours else max)(sure) if sure else NOTHING
        self._on[number] = on
        for after in on:
            self._back[after].append(number)

    def _onward(self, crossing: Crossing[P]) -> list[int]:
        """Return where play would go if nothing were closed: the best way, or every answer of the other side."""
        if not crossing.ways:
            return []
        ways = [min(crossing.ways, key=lambda way: way.cost)] if crossing.is_ours else crossing.ways
        return [self._numbers[way.to] for way in ways if not way.is_sure]

    def _settle(self) -> None:
        """Settle what each position costs, cheapest first. Positions left over give the side ahead nothing. Among ways
        of equal cost, prefer one that depends only on searched positions.
        """
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

    def _rests_on(self, first: int) -> list[int]:
        """Return the unsearched positions that the cost of `first` depends on."""
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
    """Return a cost as one number. Numbers are ordered as the costs are."""
    return cost.minus * TURN + cost.plies
