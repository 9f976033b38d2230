"""The facts and the two games for the tests of Tobito and Haneto."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.core.game import AnyGame
from onlymove_engines.games import load

VARIANTS = ("tobito", "haneto")


@pytest.fixture(scope="session")
def all_facts() -> dict[str, Any]:
    """Return the facts of both games, by id."""
    return tomllib.loads((Path(__file__).parent / "facts.toml").read_text("utf-8"))


@pytest.fixture(scope="session", params=VARIANTS)
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Return each of the two games in turn."""
    return load(request.param)


@pytest.fixture(scope="session")
def facts(game: AnyGame, all_facts: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = all_facts[game.id]
    return found


@pytest.fixture(scope="session")
def tobito() -> AnyGame:
    return load("tobito")


@pytest.fixture(scope="session")
def haneto() -> AnyGame:
    return load("haneto")
