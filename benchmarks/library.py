"""How fast the library gives data: values of many positions, rows of a dataset, and steps of environments."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import onlymove
from onlymove_engines.core.game import AnyGame
from onlymove_engines.search.dataset import make_rows

POSITIONS, STEPS, FIRST_STEPS = 40_000, 10_000, 500


def count_a_second(work: Callable[[], int]) -> float:
    """Return how many things are done in a second of processor time."""
    begun = time.process_time()
    count = work()
    return count / (time.process_time() - begun)


def run() -> Iterator[str]:
    """Measure processor time after everything is loaded. Steps are random legal moves with their observations."""
    for game_id in onlymove.games():
        game = onlymove.load(game_id)
        if game.definition.solved.solver is not None:
            positions = game.sample(POSITIONS, seed=1)
            game.analyse_many(positions[:5000])
            many = count_a_second(lambda game=game, positions=positions: len(game.analyse_many(positions)))  # type: ignore[misc]
            rows = count_a_second(lambda game=game: count_rows(game.definition, game.analyst))  # type: ignore[misc]
            yield f"{game_id}: analyse_many {many:,.0f} positions a second; dataset {rows:,.0f} rows a second"
        take_steps(game, FIRST_STEPS)
        steps = count_a_second(lambda game=game: take_steps(game, STEPS))  # type: ignore[misc]
        yield f"{game_id}: {steps:,.0f} steps a second without labels"


def count_rows(game: AnyGame, analyst: Any) -> int:
    return sum(len(rows) for rows, _ in make_rows(game, analyst, sample=POSITIONS, seed=2))


def take_steps(game: onlymove.Game, count: int) -> int:
    """Play random games in an environment for this many steps."""
    from onlymove.rl import aec_env, parallel_env  # noqa: PLC0415 - an extra

    random = np.random.default_rng(1)
    if game.is_simultaneous:
        together = parallel_env(game.id, labels=False)
        together.reset(seed=1)
        for _ in range(count):
            if not together.agents:
                together.reset()
            legal = together.board.legal
            together.step(
                {agent: legal[s][int(random.integers(len(legal[s])))] for s, agent in enumerate(together.agents)}
            )
        return count
    env = aec_env(game.id, labels=False)
    env.reset(seed=1)
    for _ in range(count):
        _, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
        choices = env.board.legal[env.board.mover]
        env.step(choices[int(random.integers(len(choices)))])
    return count
