"""Every game that can be discovered, its facts, and positions to try the laws on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis, SimultaneousAnalyst, alternating, simultaneous
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Objective
from onlymove_engines.play.line import Conventions
from onlymove_tables.open import find_analyst

from .law import ADDED_TESTS, Law, facts_of

LONGEST_WALK = 200


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A law is collected for each game that it speaks of; points are an objective where there are points."""
    if "game" not in metafunc.fixturenames:
        return
    speaks_of = [mark.args[0] for mark in metafunc.definition.iter_markers("of_games")]
    cards = games.added_cards()[0] if ADDED_TESTS else games.own_cards()
    every = [games.load(card.id) for card in cards]
    chosen = [game for game in every if all(speaks(game) for speaks in speaks_of)]
    if "objective" not in metafunc.fixturenames:
        metafunc.parametrize("game", chosen, ids=[game.id for game in chosen])
        return
    pairs = [(game, o) for game in chosen for o in Objective if o is Objective.RESULT or game.facts.has_margin]
    metafunc.parametrize(("game", "objective"), pairs, ids=[f"{game.id}-{o.value}" for game, o in pairs])


@pytest.fixture(autouse=True)
def law(request: pytest.FixtureRequest) -> Iterator[Law]:
    """Counts in how many cases the law has held; fails one that has not been tried."""
    law, failed = Law(), request.session.testsfailed
    yield law
    if request.session.testsfailed == failed:
        law.must_have_held()


@pytest.fixture
def facts(game: AnyGame) -> dict[str, Any]:
    """The `[laws.<id>]` table of the game's facts.toml; a game without one fails here."""
    return facts_of(game)


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
def unfinished(game: AnyGame, sample: tuple[Any, ...]) -> tuple[Any, ...]:
    """Those of the sample in which there is something to choose."""
    return tuple(position for position in sample if game.rules.result(position) is None)


@cache
def analyst_of(game_id: str) -> AlternatingAnalyst:
    """Who knows the values of an alternating game, on its shipped table where it has one: a refused one fails here."""
    found, note = find_analyst(games.load(game_id))
    assert note is None, note
    return alternating(found)


@pytest.fixture
def analyst(game: AnyGame) -> AlternatingAnalyst:
    """The same, of the game that is tried."""
    return analyst_of(game.id)


@cache
def known_of(game_id: str, position: Any) -> Analysis[Any]:
    """What the analyst of an alternating game finds, once for all laws."""
    return analyst_of(game_id).analyse(position)


@pytest.fixture
def mixer(game: AnyGame) -> SimultaneousAnalyst[Any]:
    """Who knows the values of a game in which both sides move at once."""
    return simultaneous(find_analyst(game)[0])
