"""The engine plays against its own simpler searches, with as many nodes for each, in a short form of the matches.

Nodes and a seed make the games the same on every machine. `onlymove match lightriders` measures the strength at the
competition's time, and docs/engines/lightriders.md states it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from onlymove.tournament.contestants import Limits
from onlymove.tournament.journal import Journal
from onlymove.tournament.match import play_match
from onlymove.tournament.referee import Plan
from onlymove.tournament.statistics import mean_score
from onlymove.tournament.workers import WorkerPool


@pytest.mark.slow
@pytest.mark.parametrize(("rival", "least"), [("voronoi", 0.8), ("nash", 0.6)])
def test_the_engine_beats_its_simpler_searches(rival: str, least: float) -> None:
    plan = Plan("lightriders", ("engine", rival), Limits(nodes=1000))
    with ThreadPoolExecutor(1) as pool:
        standing = play_match(plan, 5, WorkerPool(pool, 1), Journal(None, plan, {}))
    assert mean_score(standing.pairs) >= least, f"{rival}: {standing.results} won, drawn and lost"
