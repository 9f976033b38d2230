"""What the history of a game leaves of what a table promises.

A table values positions; a line may have closed some of them: coming there now would end the game at once, and what
the table promises beyond is not to be had. What is left is exact, or unknown where the budget did not settle it;
docs/judging.md has the argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic

from onlymove_engines.core.analysis import Analyst, Ranked
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.rules import M, P, Result
from onlymove_engines.core.value import Seat, Value, other, proven
from onlymove_engines.play.conventions import Conventions
from onlymove_engines.search.detour import Cost, Crossing, Detours, Way

FARTHEST = 10_000
"""So many positions at most are looked into for each side's advantage: a few seconds, and seldom a tenth of that."""

SEARCHED = 50
"""A position that the table does not hold, and whose moves have to be searched, counts as so many."""

NEVER_SURE = Cost(-(1 << 30), 0)
"""Less than any move costs: a closed position may lie anywhere on the way."""


class Unsettled(Exception):
    """The budget ended before the answer was certain."""


def gets(value: Value) -> int:
    """What a side gets: the points to come, or 1 for a win and -1 for a loss."""
    return int(value.outcome) if value.margin is None else value.margin


class Light(Generic[P, M]):
    """What closed positions leave of the values of moves that may be played after the positions `past`."""

    def __init__(self, law: Conventions[P, M], past: Sequence[P], analyst: Analyst[P, M], budget: Budget) -> None:
        self.position, self.closing = past[-1], law.closing(past)
        self.seat: Seat = law.game.rules.to_move(past[-1]) or 0
        self.advantages = tuple(Advantage(law, self.closing, analyst, ahead, budget) for ahead in (0, 1))

    def limit(self, to: P, value: Value | None) -> Value | None:
        """The most that a move to `to` can be worth, if it is worth `value` where nothing is closed."""
        if to in self.closing:
            return self.closing[to].value_for(self.seat).stepped_back()
        if not self.closing or value is None or gets(value) >= 0:
            return value
        return nothing_of(value, next(iter(self.closing.values())), self.seat)

    def prospect(self, to: P, value: Value | None) -> tuple[int, ...]:
        """Moves sort by this: what promises most first, then what is near. What is far may cost the whole budget."""
        limit = self.limit(to, value)
        if limit is None or value is None:
            return (1,)
        plies = self.advantages[self.seat].rank(to) if value.remoteness is None else value.remoteness
        return (0, *(-number for number in limit.preference), plies or 0)

    def is_nearer(self, to: P, value: Value | None) -> bool:
        """Whether a move to `to` that is worth `value` brings points owed to this side nearer, as far as is known."""
        ours = self.advantages[self.seat]
        here, there = ours.rank(self.position), ours.rank(to)
        if value is None or value.margin is None or value.margin <= 0 or here is None:
            return False
        return ours.leads_away(to) or (there is not None and there < here)

    def value(self, to: P, value: Value | None) -> Value | None:
        """What a move to `to` is worth, if it is worth `value` where nothing is closed."""
        if to in self.closing or not self.closing or value is None or not gets(value):
            return self.limit(to, value)
        is_ours = gets(value) > 0
        ahead = self.seat if is_ours else other(self.seat)
        left = self.advantages[ahead].left_of(to, value if is_ours else -value)
        return left if is_ours or left is None else -left


def nothing_of(value: Value, repeated: Result, seat: Seat) -> Value:
    """What `seat` gets in the place of `value` where a position comes back or play goes round."""
    return proven(repeated.outcome_for(seat), None, None if value.margin is None else 0)


class Advantage(Generic[P, M]):
    """What the side that is `ahead` can still get where closed positions, and going round, leave it nothing."""

    def __init__(
        self,
        law: Conventions[P, M],
        closing: Mapping[P, Result],
        analyst: Analyst[P, M],
        ahead: Seat,
        budget: Budget,
    ) -> None:
        self.law, self.rules = law, law.game.rules
        self.closing, self.analyst, self.ahead, self.budget = closing, analyst, ahead, budget
        self.ranked = analyst if isinstance(analyst, Ranked) else None
        self.detours = Detours(self.look_into)
        self.worth: dict[int, Value] = {}
        self.is_partial = False
        self.spent = 0
        costs = [cost for cost in map(self.cost_if_open, closing) if cost is not None]
        self.nearest = min(costs, default=None)

    def left_of(self, to: P, value: Value) -> Value | None:
        """What is left of a move to `to` that promises `value`, both seen by the side ahead; `None`: not settled."""
        way = self.way(to, value)
        try:
            cost = self.detours.cost(way)
        except Unsettled:
            return None
        if self.is_partial and cost != way.cost:
            return None
        if cost is None:
            return nothing_of(value, next(iter(self.closing.values())), self.ahead)
        return self.worth[-cost.minus] if value.remoteness is None else proven(value.outcome, cost.plies + 1)

    def look_into(self, position: P) -> Crossing[P]:
        """The ways on from a position, by what its moves are worth where nothing is closed."""
        if self.spent >= FARTHEST or self.budget.should_stop():
            raise Unsettled
        self.spent += 1 if self.analyst.probe(position) is not None else SEARCHED
        is_ours = self.rules.to_move(position) == self.ahead
        ways = []
        for move, value in self.analyst.analyse(position, self.budget).moves.items():
            if value is None:
                if not is_ours:
                    raise Unsettled
                self.is_partial = True
                continue
            to, seen = self.rules.play(position, move), value if is_ours else -value
            if gets(seen) > 0 and to not in self.closing:
                ways.append(self.way(to, seen))
            elif not is_ours:
                return Crossing(is_ours, ())
        return Crossing(is_ours, ways)

    def way(self, to: P, value: Value) -> Way[P]:
        """The move to `to` that promises `value`, counted from before it, to the side ahead."""
        self.worth.setdefault(gets(value), value)
        plies = self.rank(to) if value.remoteness is None else value.remoteness - 1
        cost = Cost(-gets(value), plies or 0)
        return Way(to, cost, self.is_sure(cost, plies is not None) or self.leads_away(to))

    def is_sure(self, cost: Cost, is_ranked: bool) -> bool:
        """Whether the table's own way from here, along which costs only fall, passes no closed position."""
        if self.nearest is None:
            return True
        return cost <= self.nearest if is_ranked else cost.minus < self.nearest.minus

    def leads_away(self, to: P) -> bool:
        """Whether no line leads from here to a closed position."""
        return self.law.result([to]) is not None or not self.law.may_come_back(to, self.closing)

    def cost_if_open(self, closed: P) -> Cost | None:
        """What a closed position would cost otherwise; `None` where it promises the side ahead nothing."""
        value = self.analyst.probe(closed)
        if value is None:
            return NEVER_SURE
        seen = value if self.rules.to_move(closed) == self.ahead else -value
        plies = self.rank(closed) if seen.remoteness is None else seen.remoteness
        return Cost(-gets(seen), plies or 0) if gets(seen) > 0 else None

    def rank(self, position: P) -> int | None:
        """How far away the next points are, where the analyst keeps count."""
        return None if self.ranked is None else self.ranked.rank(position)
