"""Facts and helpers for the tests of Ayòayò."""

import random
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.core.analysis import Sections
from onlymove_engines.games.ayoayo import GAME, rules
from onlymove_engines.games.ayoayo.analyst import AyoayoAnalyst
from onlymove_engines.games.ayoayo.rules import START, Position
from onlymove_tables.open import load_first, sections_of


@pytest.fixture(scope="session")
def facts() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("facts.toml").read_text("utf-8"))


@pytest.fixture(scope="session")
def sections() -> Sections:
    return sections_of(*load_first(GAME))


@pytest.fixture(scope="session")
def analyst(sections: Sections) -> AyoayoAnalyst:
    return AyoayoAnalyst(sections)


@pytest.fixture
def playouts() -> Callable[[int, int], Iterator[tuple[Position, int, Position]]]:
    """Return a function: `playouts(moves, seed)` yields that many random moves as (before, move, after), game after
    game."""

    def walk(moves: int, seed: int) -> Iterator[tuple[Position, int, Position]]:
        rng, position = random.Random(seed), START
        for _ in range(moves):
            choices = rules.legal_moves(position)
            if not choices:
                position, choices = START, rules.legal_moves(START)
            move = rng.choice(choices)
            after = rules.play(position, move)
            yield position, move, after
            position = after

    return walk
