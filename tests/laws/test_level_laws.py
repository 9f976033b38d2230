"""What players can rely on at every level of every game: moves are legal, the same seed gives the same moves, the steps
are even, and the strongest level makes no mistakes in a solved game."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from onlymove_engines.coach.judge import judge
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.facts import Level
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.games import load
from onlymove_engines.live.engine import prepare_thought
from onlymove_engines.play.players import HUMAN, read_player
from onlymove_engines.play.session import AnySession, Session
from onlymove_laws.law import (
    Law,
    alternating_games,
    parametrize_amount,
    play_randomly,
    restrict_games,
    solved_games,
    to_text,
    to_value,
)
from onlymove_tables.open import open_game

Sample = tuple[Any, ...]
PAGE = Path(__file__).parents[2] / "docs" / "levels.md"

MIN_STEP, MAX_STEP = 100, 250
"""The least and the most Elo points between neighbouring levels."""

FEW_NODES = 30
"""The node limit for a move whose search only time would end."""

games_with_levels = restrict_games(lambda game: game.facts.levels)


@cache
def find_shared_analyst(game_id: str) -> Any:
    """Return the analyst of a solved game. It is shared, because a table remembers nothing."""
    return open_game(load(game_id)).analyst


def choose_by_level(game: AnyGame, position: Any, level: Level, seed: int) -> tuple[AnySession, Seat, Move]:
    """Return what a level plays at a position, without memory of anything earlier."""
    player = read_player(game, level.id)
    session: AnySession = Session(game, position, (player, player))
    seat = game.rules.to_move(position) or 0
    analyst = open_game(game).analyst if game.solved.solver is None else find_shared_analyst(game.id)
    budget = UNLIMITED if game.solved.solver is not None else Budget(nodes=FEW_NODES)
    return session, seat, prepare_thought(session, seat, analyst, Random(seed))(budget)


@games_with_levels
def test_levels_are_even_steps_of_playing_strength(game: AnyGame, law: Law) -> None:
    for weak, strong in law.each(pairwise(game.facts.levels)):
        step = strong.elo - weak.elo
        assert MIN_STEP <= step <= MAX_STEP, f"{game.id}: {strong.title} is {step:.0f} above {weak.title}"


@games_with_levels
def test_the_weakest_level_sees_nothing_and_the_strongest_everything(game: AnyGame, law: Law) -> None:
    assert (game.facts.levels[0].strength, game.facts.levels[-1].strength) == (0, 100), game.id
    assert {level.style for level in game.facts.levels} == {game.play.styles[0].id}, game.id
    law.count_case()


@games_with_levels
def test_the_page_of_levels_has_the_figures_of_the_game(game: AnyGame, law: Law) -> None:
    for level in law.each(game.facts.levels):
        row = rf"^\| {re.escape(level.title)} +\| `.*` +\| {level.elo:.0f}( |$)"
        section = PAGE.read_text("utf-8").partition(f"<!-- {game.id} -->")[2].partition("<!-- end")[0]
        assert re.search(row, section, re.MULTILINE), (
            f"{game.id}: docs/levels.md has no {level.title} at {level.elo:.0f}"
        )


@games_with_levels
@parametrize_amount("count", 2, 25)
def test_every_level_plays_legal_moves_and_the_same_again_by_the_same_seed(
    game: AnyGame, unfinished_positions: Sample, count: int, law: Law
) -> None:
    for seed, position in enumerate(unfinished_positions[:count]):
        for level in law.each(game.facts.levels):
            session, seat, move = choose_by_level(game, position, level, seed)
            session.check_move(seat, move)
            again = choose_by_level(game, position, level, seed)[2]
            assert again == move, f"{to_text(game, position)}, {level.title}: {move}, then {again}"


@solved_games
@alternating_games
@games_with_levels
@parametrize_amount("games", 1, 20)
def test_the_strongest_level_never_drops_a_value(game: AnyGame, games: int, law: Law) -> None:
    analyst = find_shared_analyst(game.id)
    for seed in range(games):
        for position, _ in play_randomly(game, game.default_start(), Random(seed)):
            analysis = analyst.analyse(position)
            if not analysis.moves:
                continue
            _, _, move = choose_by_level(game, position, game.facts.levels[-1], seed)
            top, value = to_value(analysis.best_value()), to_value(analysis.moves[move])
            assert (value.outcome, value.margin) == (top.outcome, top.margin), f"{to_text(game, position)}: {move}"
            law.count_case()


@games_with_levels
def test_levels_do_not_affect_judging(game: AnyGame, unfinished_positions: Sample, law: Law) -> None:
    analyst = find_shared_analyst(game.id)
    for position in law.each(unfinished_positions[:2]):
        seat = game.rules.to_move(position) or 0
        values = analyst.mixed(position, Budget(depth=2)) if game.facts.simultaneous else analyst.analyse(position)
        judgements = []
        for level in game.facts.levels:
            sitting: AnySession = Session(game, position, (HUMAN, read_player(game, level.id)))
            judgements.append([judge(values, move, seat=seat) for move in sitting.moves_of(seat)])
        assert all(found == judgements[0] for found in judgements), to_text(game, position)
