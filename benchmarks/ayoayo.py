"""Ayòayò: the time to build the table, the time to analyse a position, and the size of the proof."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

import numpy as np
from onlymove_engines.games import load
from onlymove_engines.games.ayoayo import rules
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.rules import START, Position
from onlymove_tables.build import solver_of
from onlymove_tables.open import open_game

GAME = load("ayoayo")
PLIES = (6, 20)
POSITIONS = 10_000
COLD = 1_000


def midgame(count: int, seed: int) -> Iterator[Position]:
    """Return unfinished positions after 6 to 20 random plies."""
    random = Random(seed)
    while count:
        position = START
        for _ in range(random.randint(*PLIES)):
            moves = rules.legal_moves(position)
            if not moves:
                break
            position = rules.play(position, random.choice(moves))
        if rules.legal_moves(position):
            count -= 1
            yield position


def time_positions(positions: list[Position], forgetful: bool) -> str:
    """Return the milliseconds that each position takes when all its moves are valued."""
    analyst = open_game(GAME).analyst
    assert isinstance(analyst, AyoayoAnalyst)
    analyst.analyse(START)
    spent = []
    for position in positions:
        if forgetful:
            analyst = analyst.afresh()
        begun = time.perf_counter()
        assert analyst.analyse(position).is_complete
        spent.append(1000 * (time.perf_counter() - begun))
    share = np.quantile(spent, 0.99)
    return f"mean {np.mean(spent):.2f} ms, 99 % within {share:.1f} ms, slowest {max(spent):.0f} ms"


def run() -> Iterator[str]:
    """Measure after everything is compiled."""
    solver = solver_of(GAME)
    solver.build()
    begun = time.perf_counter()
    solver.build()
    yield f"closed table of 4,194,304 boards: built in {time.perf_counter() - begun:.1f} s"
    positions = list(midgame(POSITIONS, 1))
    took = time_positions(positions, forgetful=False)
    yield f"analyse {POSITIONS:,} positions from moves 6 to 20 of random games: {took}"
    took = time_positions(positions[:COLD], forgetful=True)
    yield f"analyse {COLD:,} of them, remembering nothing in between: {took}"
    assert GAME.solved.prove is not None
    begun = time.perf_counter()
    lines = list(GAME.solved.prove(time.perf_counter))
    yield f"prove: {time.perf_counter() - begun:.1f} s;{lines[6]};{lines[7]}"
