"""The playing engine against its own simpler searches, as many nodes for each: a short form of the benchmark's matches.

Counted in nodes and with a stated seed, so that the games are the same on every machine. How strong the engine is at
the competition's time is measured by `python -m benchmarks lightriders` and told in docs/engines/lightriders.md.
"""

import random
from collections.abc import Callable, Mapping

import pytest
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Turn
from onlymove_engines.games import load
from onlymove_engines.games.lightriders.analyst import LightRidersAnalyst
from onlymove_engines.games.lightriders.rules import LightRidersRules, Position, Step
from onlymove_engines.games.lightriders.start import official_start

RULES = LightRidersRules()
NODES = 1000
Choose = Callable[[Turn[Position, Step]], Mapping[Step, float]]
NOTHING_KNOWN: Analysis[Step] = Analysis(None, {})


def score(best: Mapping[str, Choose], seats: tuple[str, str], number: int) -> float:
    """What the engine makes of one game: 1, 1/2 or 0."""
    dice = random.Random(number)
    minds = (LightRidersAnalyst(), LightRidersAnalyst())
    position = official_start(16, 16, number // 2)
    while (result := RULES.result(position)) is None:
        turns = [Turn(position, seat, NOTHING_KNOWN, minds[seat], Budget(nodes=NODES)) for seat in (0, 1)]
        mixes = [best[seats[turn.seat]](turn) for turn in turns]
        left, right = (dice.choices(list(mix), list(mix.values()))[0] for mix in mixes)
        position = RULES.play(position, (left, right))
    return (1 + int(result.outcome_for(0 if seats[0] == "engine" else 1))) / 2


@pytest.mark.slow
@pytest.mark.parametrize(("rival", "games", "least"), [("voronoi", 10, 0.8), ("nash", 10, 0.6)])
def test_the_engine_beats_its_simpler_searches(rival: str, games: int, least: float) -> None:
    best = {style.id: style.choose for style in load("lightriders").styles}
    total = 0.0
    for number in range(games):
        seats = ("engine", rival) if number % 2 == 0 else (rival, "engine")
        total += score(best, seats, number)
    assert total / games >= least
