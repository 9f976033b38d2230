"""Facts and random games for the tests of Orbito."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from onlymove_engines.games.orbito import GAME
from onlymove_engines.games.orbito.analyst import OrbitoAnalyst
from onlymove_engines.games.orbito.rules import RULES, START, Position
from onlymove_tables.open import open_table


@pytest.fixture(scope="session")
def facts() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("facts.toml").read_text("utf-8"))


def random_games(count: int, seed: int) -> Iterator[Position]:
    """Yield every position of `count` random games."""
    chance = random.Random(seed)
    for _ in range(count):
        position = START
        yield position
        while moves := RULES.legal_moves(position):
            position = RULES.play(position, chance.choice(moves))
            yield position


@pytest.fixture(scope="session")
def random_positions() -> tuple[Position, ...]:
    """Return the positions of 150 random games, each once."""
    return tuple(dict.fromkeys(random_games(150, seed=7)))


@pytest.fixture(scope="session")
def scores() -> npt.NDArray[np.int8]:
    """Return the shipped table. Another test checks that the solver produces it."""
    return np.asarray(open_table(GAME)["scores"])


@pytest.fixture(scope="session")
def analyst(scores: npt.NDArray[np.int8]) -> OrbitoAnalyst:
    return OrbitoAnalyst(scores)
