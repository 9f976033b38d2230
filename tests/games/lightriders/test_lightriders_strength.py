"""The playing engine against its own simpler searches, as many nodes for each: a short form of the matches.

Counted in nodes and with a stated seed, so that the games are the same on every machine. How strong the engine is at
the competition's time is measured by `onlymove match lightriders` and told in docs/engines/lightriders.md.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from onlymove_tui.tournament.journal import Journal
from onlymove_tui.tournament.match import play_match
from onlymove_tui.tournament.plan import Limits, Plan
from onlymove_tui.tournament.statistics import mean_score
from onlymove_tui.tournament.workers import Farm


@pytest.mark.slow
@pytest.mark.parametrize(("rival", "least"), [("voronoi", 0.8), ("nash", 0.6)])
def test_the_engine_beats_its_simpler_searches(rival: str, least: float) -> None:
    plan = Plan("lightriders", ("engine", rival), Limits(nodes=1000))
    with ThreadPoolExecutor(1) as pool:
        standing = play_match(plan, 5, Farm(pool, 1), Journal(None, {}))
    assert mean_score(standing.pairs) >= least, f"{rival}: {standing.results} won, drawn and lost"
