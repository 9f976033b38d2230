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

FARTHEST = 10_000
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
    moves = light.values({move: (child, base.moves[move]) for move, child in children.items()})
    won = [move for move, value in moves.items() if isinstance(value, Margin) and value.outcome is Outcome.WIN]
    ends_won = frozenset(move for move in won if rules.result(children[move]) is not None)
    if moves == base.moves:
        return replace(base, ends_won=ends_won)
    unknown = [move for move, value in moves.items() if value is None]
    guesses = {move: base.estimates[move] for move in unknown if move in base.estimates}
    limits = {move: light.limit(value) for move in unknown if (value := base.moves[move]) is not None}
    found = Analysis(None, moves, guesses, base.note, base.extras, limits, ends_won)
    return replace(found, value=found.best_value() or (base.value if isinstance(base.value, Estimate) else None))


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

    def values(self, moves: Mapping[M, tuple[P, Value | None]]) -> dict[M, Value | None]:
        """What moves are worth, given where they lead and their worth where nothing is closed. Wins that are near
        and losses that are come first: the others may cost the whole budget."""
        near = sorted(moves, key=lambda move: plies_of(moves[move][1]))
        found = {move: self.value(*moves[move]) for move in near}
        return {move: found[move] for move in moves}

    def value(self, to: P, value: Value | None) -> Value | None:
        """What one move is worth."""
        if to in self.closing:
            return self.closing[to].value_for(self.seat).stepped_back()
        if not self.closing or value is None or not gets(value):
            return value
        is_ours = gets(value) > 0
        ahead = self.seat if is_ours else other(self.seat)
        left = self.advantages[ahead].left_of(to, value if is_ours else -value)
        return left if is_ours or left is None else -left

    def limit(self, value: Value) -> Value:
        """The most that may be left of a move, if it is worth `value` where nothing is closed."""
        if not self.closing or gets(value) > 0:
            return value
        return nothing_of(value, next(iter(self.closing.values())), self.seat)


def plies_of(value: Value | None) -> int:
    """How far away the end is, 0 where plies are not counted."""
    return 0 if value is None or value.remoteness is None else value.remoteness


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
        return self.rules.result(to) is not None or not self.law.may_come_back(to, self.closing)

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
