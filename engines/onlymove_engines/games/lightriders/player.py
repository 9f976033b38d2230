"""The playing engine: the combination of searches that wins.

Proven positions are played by their equilibrium; separated riders fill; else serialised alpha-beta, deepened within
the budget, and where the two serialised bounds differ, the mix of the matrix between them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Seat

from .fill import are_separated, lengths
from .rules import LightRidersRules, Position, Step
from .solve import LightRidersAnalyst

RULES = LightRidersRules()
UNBUDGETED = 8
"""Rounds it looks ahead when nobody set a budget."""


def choose(analyst: LightRidersAnalyst, position: Position, seat: Seat, budget: Budget) -> Mapping[Step, float]:
    """The engine's mix over the seat's steps."""
    moves = RULES.moves_of(position, seat)
    if len(moves) == 1:
        return {moves[0]: 1.0}
    if are_separated(position):
        return {fill_step(analyst, position, seat, budget): 1.0}
    return {deep_step(analyst, position, seat, budget): 1.0}


def fill_step(analyst: LightRidersAnalyst, position: Position, seat: Seat, budget: Budget) -> Step:
    """The first step of the longest path found."""
    found = lengths(analyst.lookahead(position), position, seat, budget=budget)
    return max(found, key=lambda step: found[step].least)


def deep_step(analyst: LightRidersAnalyst, position: Position, seat: Seat, budget: Budget) -> Step:
    """The best step of serialised alpha-beta; when all is lost, of the deepest search that still saw hope."""
    moves = RULES.moves_of(position, seat)
    if budget.deadline is None and budget.depth is None and budget.nodes is None:
        budget = replace(budget, depth=UNBUDGETED)
    step = moves[0]
    for found in analyst.lookahead(position).serial(position, seat, budget):
        best = next(iter(found.mix))
        if best in moves and (found.value > -1.0 or found.rounds == 1):
            step = best
    return step
