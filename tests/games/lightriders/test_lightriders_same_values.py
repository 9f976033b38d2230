"""The evaluation and the searches still find what they found before they were made faster, in whole games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from onlymove_engines.core.budget import Budget
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders._kernel import field
from onlymove_engines.games.lightriders.live import Lookahead, find_heads
from onlymove_engines.games.lightriders.rules import CRASH, RULES, Position, Step
from onlymove_engines.games.lightriders.territory import are_separated

NODES, STRAY = 60, 0.1
"""The nodes of the search for each step, and the share of steps that are random."""


def play_against_itself(seed: int) -> tuple[str, int, float]:
    """Play a game of the search with itself until a rider cannot move. Return its rounds, the number of leaves, and the
    sum of all values. Separated riders take their first step, because this search has no choice for them."""
    dice, position = random.Random(seed), official_start(16, 16, seed)
    minds = [Lookahead(16, 16, 1 << 14) for _ in range(2)]
    rounds, leaves, worth = list[str](), 0, 0.0
    while all(RULES.moves_of(position, seat) != (CRASH,) for seat in (0, 1)):
        steps = list[Step]()
        for seat in (0, 1):
            moves = RULES.moves_of(position, seat)
            *_, last = minds[seat].saddle(position, seat, Budget(nodes=NODES))
            leaves, worth = leaves + minds[seat].all_evaluations, worth + last.value
            best = moves[0] if are_separated(position) else max(last.mix, key=lambda step: last.mix[step])
            steps.append(dice.choice(moves) if dice.random() < STRAY else best)
        position = RULES.play(position, (steps[0], steps[1]))
        rounds.append("".join(steps))
    return " ".join(rounds), leaves, worth


@pytest.mark.parametrize("seed", [1, 2, 5, 8])
def test_games_of_few_nodes_are_the_ones_played_before(seed: int, riders_facts: dict[str, Any]) -> None:
    before = riders_facts["games"][str(seed)]
    rounds, leaves, worth = play_against_itself(seed)
    assert rounds == before["rounds"]
    assert leaves == before["leaves"]
    assert worth == pytest.approx(before["worth"], abs=1e-12)


def test_whether_riders_can_meet_agrees_with_the_flood(
    make_field: Callable[..., Position], lookahead: Callable[[Position], Lookahead]
) -> None:
    dice, apart = random.Random(10), 0
    for _ in range(400):
        position = make_field(dice, 3, dice.choice([9, 24]), 0.35)
        searches = lookahead(position)
        searches.load(position)
        tools, (first, second) = searches.tools, find_heads(position, 0)
        _, met = field.flood(tools.boards[0], first, second, tools)
        assert field.can_meet(tools.boards[0], first, second, tools) == met, position
        apart += not met
    assert 40 < apart < 360
