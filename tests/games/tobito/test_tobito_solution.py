"""The figures of the solution, counted again: every reachable position is looked at by the kernels of batch
analysis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from onlymove_engines.core.game import AnyGame, find_solution
from onlymove_engines.games.tobito.analyst import TobitoAnalyst
from onlymove_engines.games.tobito.rules import Position
from onlymove_tables.open import open_game

from tests.recount import Recount


def reachable(game: AnyGame, analyst: TobitoAnalyst) -> Iterator[tuple[int, Position]]:
    """Yield one position for each reachable class, with the number of positions that it stands for."""
    assert game.solved.index is not None
    for number in range(game.solved.index.size):
        try:
            position = game.solved.index.position(number)
        except ValueError:
            continue
        if analyst.is_reachable(position):
            yield 2 * len({position, game.solved.symmetries[0].position(position)}), position


@pytest.mark.slow
def test_the_numbers_of_the_solution_are_counted_again(game: AnyGame) -> None:
    analyst = open_game(game).analyst
    assert isinstance(analyst, TobitoAnalyst)
    weights, positions = zip(*reachable(game, analyst), strict=True)
    rows = []
    for weight, one in zip(weights, analyst.expand(positions) or (), strict=True):
        outcomes = [int(one.worth[code][0].outcome) for code in one.codes]
        own = int(one.value.outcome)
        counts = len(outcomes), outcomes.count(own), outcomes.count(1), outcomes.count(-1)
        rows.append((weight, own, one.value.remoteness or 0, *counts))
    solution = find_solution(game)
    assert solution is not None
    assert not Recount(*np.array(rows, np.int64).T).differences(solution)
