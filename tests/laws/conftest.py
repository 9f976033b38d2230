"""Every game that can be discovered, its facts, and positions to try the laws on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.conventions import Conventions
from onlymove_tables.open import find_analyst

GAME_IDS = [card.id for card in games.title_cards()]
LONGEST_WALK = 200


@pytest.fixture(params=GAME_IDS)
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Each game in turn."""
    return games.load(request.param)


@pytest.fixture
def facts(game: AnyGame) -> dict[str, Any]:
    """The `[laws.<id>]` table of the game's facts.toml; a game without one fails here."""
    drawer = games.title_card(game.id).drawer
    path = Path(__file__).parents[1] / "games" / drawer / "facts.toml"
    found: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))["laws"][game.id]
    return found


def starts(game: AnyGame) -> Iterator[Any]:
    """The default start and one for every choice of every option."""
    yield game.default_start()
    for option in game.options:
        for seed, choice in enumerate(option.choices):
            yield game.start({option.id: choice}, seed)


def playout(game: AnyGame, start: Any, random: Random) -> Iterator[tuple[Any, Any]]:
    """A random game as (position, move or None at the end); cut short where the game can cycle."""
    position, past = start, [start]
    for _ in range(LONGEST_WALK):
        if Conventions(game).result(past) is not None:
            break
        moves = game.rules.legal_moves(position)
        move = random.choice(list(moves))
        yield position, move
        position = game.rules.play(position, move)
        past.append(position)
    yield position, None


@cache
def _sample(game_id: str) -> tuple[Any, ...]:
    game, random = games.load(game_id), Random(2026)
    walks = [[p for p, _ in playout(game, start, random)] for start in starts(game) for _ in range(4)]
    flat = [position for walk in walks for position in walk]
    chosen = random.sample(flat, min(len(flat), 80)) + [walk[-1] for walk in walks[:8]]
    return tuple(dict.fromkeys(chosen))


@pytest.fixture
def sample(game: AnyGame) -> tuple[Any, ...]:
    """Some eighty positions from random play, finished ones among them; the same in every run."""
    return _sample(game.id)


@pytest.fixture
def analyst(game: AnyGame) -> Any:
    """The game's authority on values, on its shipped table where it has one: a refused table fails here."""
    found, note = find_analyst(game)
    assert game.solver is None or note is None, note
    return found
