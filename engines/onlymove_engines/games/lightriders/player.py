"""The playing engine: the combination of searches that wins.

Small positions are played by their proven equilibrium; separated riders fill; else backward induction by saddle
points, deepened within the budget, which mixes only where no single step is best.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Seat
from onlymove_engines.search.stop import ENDLESS, bounded

from .fill import FILL_NODES, are_separated, longest_from
from .live import Lookahead
from .rules import STEPS, Cell, LightRidersRules, Position, Step
from .solve import LightRidersAnalyst, mixed_of

RULES = LightRidersRules()
UNBUDGETED = 8
"""Rounds it looks ahead when nobody set a budget."""

FEW_CELLS = 26
"""So few empty cells are solved before anything else is tried."""


LAST_ROUNDS = 7
"""With no more rounds to go before the game is drawn, they are searched to that end: some 10,000 leaves."""


def choose(
    analyst: LightRidersAnalyst, position: Position, seat: Seat, budget: Budget, rounds_left: int | None = None
) -> Mapping[Step, float]:
    """The engine's mix over the seat's steps; after `rounds_left` rounds, if told, the game is drawn."""
    moves = RULES.moves_of(position, seat)
    if len(moves) == 1:
        return {moves[0]: 1.0}
    with analyst.alone():
        if rounds_left is not None and 0 < rounds_left <= LAST_ROUNDS:
            found = analyst.lookahead(position).last(position, seat, rounds_left, budget)
            if found is not None:
                return found.mix
        if are_separated(position):
            return {fill_step(analyst.lookahead(position), position, seat, budget): 1.0}
        if position.cells.count(".") <= FEW_CELLS and (proven := analyst.proven(position, budget)):
            return mixed_of(position, proven).strategies[seat]  # type: ignore[return-value]
        return deep_mix(analyst.lookahead(position), position, seat, budget)


def drawn(mix: Mapping[Step, float]) -> Step:
    """One step of a mix, by lot."""
    return random.choices(list(mix), list(mix.values()))[0]


def fill_step(tools: Lookahead, position: Position, seat: Seat, budget: Budget) -> Step:
    """The first step of the longest path found, now or when the last move was chosen."""
    head = position.head(seat)
    if head is None:
        raise ValueError("a rider that has crashed cannot move")
    kept = going_on(tools.plan[seat], position, head)
    found = longest_from(tools, position, head, nodes_within(budget), budget)
    path = found.path if found.least > len(kept) else kept
    tools.plan[seat] = path
    return next(step for step in STEPS if position.beside(head, step) == path[0])


def going_on(plan: tuple[Cell, ...], position: Position, head: Cell) -> tuple[Cell, ...]:
    """What is left of an earlier plan from `head` on, if the field still allows it."""
    if head not in plan:
        return ()
    rest = plan[plan.index(head) + 1 :]
    return rest if all(position.cells[cell] == "." for cell in rest) else ()


def nodes_within(budget: Budget) -> int:
    """How many nodes a fill may take: as many as told, no end of them by the clock, else those of one question."""
    if budget.nodes is not None:
        return budget.nodes
    return FILL_NODES if budget.deadline is None else ENDLESS


def deep_mix(tools: Lookahead, position: Position, seat: Seat, budget: Budget) -> Mapping[Step, float]:
    """The mix of the deepest search; when all is lost, of the deepest that still saw hope."""
    moves = RULES.moves_of(position, seat)
    mix: Mapping[Step, float] = {moves[0]: 1.0}
    for found in tools.saddle(position, seat, bounded(budget, UNBUDGETED)):
        if found.value > -1.0 or found.rounds == 1:
            mix = found.mix
    return mix
