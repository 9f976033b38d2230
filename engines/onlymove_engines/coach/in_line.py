"""What the moves that may be played are worth in a game under way, its history and its house rule included.

A table values positions; a line may have closed some of them: coming there now would end the game at once, and what
the table promises beyond is not to be had. The values here are exact for the game as it stands, or `None` where the
budget did not settle them; docs/judging.md has the argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeAlias

from onlymove_engines.core.analysis import Analysis, Analyst, AnyAnalyst, Ranked, SimultaneousAnalyst
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.rules import M, P, Result
from onlymove_engines.core.value import Estimate, Margin, Mixed, Outcome, Seat, Value, other, proven
from onlymove_engines.play.conventions import Conventions
from onlymove_engines.play.line import AnyLine, AnyNode
from onlymove_engines.search.detour import Cost, Crossing, Detours, Way

Known: TypeAlias = Analysis[Any] | Mixed

FARTHEST = 20_000
"""So many positions at most are looked into for each side's advantage: a few seconds, and seldom a tenth of that."""

NEVER_SURE = Cost(-(1 << 30), 0)
"""Less than any move costs: a closed position may lie anywhere on the way."""


class Unsettled(Exception):
    """The budget ended before the answer was certain."""


def look(line: AnyLine, node: AnyNode, analyst: AnyAnalyst, budget: Budget = UNLIMITED) -> Known:
    """What is known of the moves that may be played from a node: whatever judges, hints or plays asks this."""
    if isinstance(analyst, SimultaneousAnalyst):
        return analyst.mixed(node.position, budget)
    return analyse_after(line.conventions, node.positions(), analyst, budget)


def analyse_after(
    law: Conventions[P, M], past: Sequence[P], analyst: Analyst[P, M], budget: Budget = UNLIMITED
) -> Analysis[M]:
    """As `Analyst.analyse`, of the moves that may be played after the positions `past` (oldest first, the current one
    last) and in their light; no moves where the game has ended."""
    position, rules = past[-1], law.game.rules
    base, seat = analyst.analyse(position, budget), rules.to_move(position)
    assert seat is not None, "games with simultaneous moves have no history to look at"
    if (ended := law.result(past)) is not None:
        return replace(base, value=ended.value_for(seat), moves={}, estimates={})
    children = {move: rules.play(position, move) for move in law.allowed(past)}
    light = Light(law, law.closing(past), analyst, seat, budget)
    moves = {move: light.value(child, base.moves[move]) for move, child in children.items()}
    won = [move for move, value in moves.items() if isinstance(value, Margin) and value.outcome is Outcome.WIN]
    ends_won = frozenset(move for move in won if rules.result(children[move]) is not None)
    if moves == base.moves:
        return replace(base, ends_won=ends_won)
    guesses = {move: base.estimates[move] for move, value in moves.items() if value is None and move in base.estimates}
    found = replace(base, value=None, moves=moves, estimates=guesses, ends_won=ends_won)
    guess = base.value if isinstance(base.value, Estimate) else None
    return replace(found, value=found.best_value() or guess)


def gets(value: Value) -> int:
    """What a side gets: the points to come, or 1 for a win and -1 for a loss."""
    return int(value.outcome) if value.margin is None else value.margin


class Light(Generic[P, M]):
    """What closed positions leave of the values of moves by `seat`."""

    def __init__(
        self,
        law: Conventions[P, M],
        closing: Mapping[P, Result],
        analyst: Analyst[P, M],
        seat: Seat,
        budget: Budget,
    ) -> None:
        self.closing, self.seat = closing, seat
        self.advantages = {ahead: Advantage(law, closing, analyst, ahead, budget) for ahead in (0, 1) if closing}

    def value(self, to: P, value: Value | None) -> Value | None:
        """What a move to `to` is worth to `seat`, if it is worth `value` where nothing is closed."""
        if to in self.closing:
            return self.closing[to].value_for(self.seat).stepped_back()
        if not self.closing or value is None or not gets(value):
            return value
        is_ours = gets(value) > 0
        ahead = self.seat if is_ours else other(self.seat)
        left = self.advantages[ahead].left_of(to, value if is_ours else -value)
        return left if is_ours or left is None else -left


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
            nothing = next(iter(self.closing.values()))
            return proven(nothing.outcome_for(self.ahead), None, None if value.margin is None else 0)
        return self.worth[-cost.minus] if value.remoteness is None else proven(value.outcome, cost.plies + 1)

    def look_into(self, position: P) -> Crossing[P]:
        """The ways on from a position, by what its moves are worth where nothing is closed."""
        if self.detours.looked_into >= FARTHEST or self.budget.should_stop():
            raise Unsettled
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
                return Crossing(is_ours, (), is_lost=True)
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
        return self.rules.result(to) is not None or not self.law.can_come_to(self.closing, to)

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
