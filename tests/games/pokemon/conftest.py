"""Facts and random games for the tests of Pokémon Tic-Tac-Toe."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.core.analysis import Sections
from onlymove_engines.games.pokemon import POKEMON
from onlymove_engines.games.pokemon.analyst import PokemonAnalyst
from onlymove_engines.games.pokemon.rules import RULES, START, Placement, Position
from onlymove_tables.open import load_first, sections_of

HERE = Path(__file__).parent

Game = tuple[tuple[Position, ...], tuple[Placement, ...]]


@pytest.fixture(scope="session")
def facts() -> dict[str, Any]:
    return tomllib.loads((HERE / "facts.toml").read_text("utf-8"))


@pytest.fixture(scope="session")
def random_games() -> Callable[[int, int], list[Game]]:
    """Return a function that makes a number of random games from a seed, as (positions, moves)."""

    def make(games: int, seed: int) -> list[Game]:
        rng = random.Random(seed)
        found = []
        for _ in range(games):
            positions, moves = [START], list[Placement]()
            while legal := RULES.legal_moves(positions[-1]):
                moves.append(rng.choice(legal))
                positions.append(RULES.play(positions[-1], moves[-1]))
            found.append((tuple(positions), tuple(moves)))
        return found

    return make


@pytest.fixture(scope="session")
def sections() -> Sections:
    """Return the shipped table. A refused table makes the tests fail."""
    return sections_of(*load_first(POKEMON))


@pytest.fixture(scope="session")
def table(sections: Sections) -> PokemonAnalyst:
    return PokemonAnalyst(sections)
