"""A game is played out only where nothing that either side plays makes a difference."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.coach.rest import CALM, find_common_value, find_rest
from onlymove_engines.coach.values import find_values
from onlymove_engines.core.analysis import Analysis, AnyAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.play.players import HUMAN
from onlymove_engines.play.session import Session
from onlymove_tables.open import open_game

ALTERNATING = [facts.id for facts in games.list_own_games() if not facts.simultaneous]
WALKING = "0,0,0,0,0,1/1,0,0,1,0,1 20-24 0"
"""Four seeds of Ayòayò that walk round. Nobody can capture them unless the other side lets it happen."""
AT_THE_LAST_CAPTURE = "2,2,0,1,0,1/0,3,0,3,0,0 24-12 0"
ENOUGH = Budget(nodes=10**7)


def find_rest_at(session: Session[Any, Any], analyst: AnyAnalyst) -> tuple[Any, ...]:
    node = session.node
    node.values = find_values(session.tree, node, analyst, ENOUGH)
    return tuple(find_rest(session.tree, node, analyst, ENOUGH))


def open_at(game_id: str, position: str) -> tuple[Session[Any, Any], AnyAnalyst]:
    game = games.load(game_id)
    return Session(game, game.notation.parse_position(position), (HUMAN, HUMAN)), open_game(game).analyst


def test_an_ending_in_which_seeds_only_walk_round_is_played_out() -> None:
    session, analyst = open_at("ayoayo", WALKING)
    for move in find_rest_at(session, analyst):
        session.play(move)
    assert session.result is not None
    assert (session.result.score, session.result.reason) == ((20, 24), "the position came back")


@pytest.mark.parametrize("position", ["4,4,4,4,4,4/4,4,4,4,4,4 0-0 0", AT_THE_LAST_CAPTURE])
def test_nothing_is_played_out_while_a_move_makes_a_difference(position: str) -> None:
    assert find_rest_at(*open_at("ayoayo", position)) == ()


def are_all_alike(game: AnyGame, analyst: AnyAnalyst, position: AnyPosition, moves: int) -> bool:
    """Whether all moves are alike in every position that comes up in fewer than so many moves from here."""
    if moves == 0 or game.rules.result(position) is not None:
        return True
    session = Session[Any, Any](game, position, (HUMAN, HUMAN))
    values = find_values(session.tree, session.node, analyst, ENOUGH)
    assert isinstance(values, Analysis)
    children = [game.rules.play(position, move) for move in values.moves]
    is_alike = find_common_value(values) is not None
    return is_alike and all(are_all_alike(game, analyst, child, moves - 1) for child in children)


@pytest.mark.parametrize("game_id", ALTERNATING)
def test_a_game_that_is_played_out_ends_as_it_would_have_ended(game_id: str) -> None:
    """The same law decides in every game. Long endings of this kind exist only in Ayòayò."""
    game, found = games.load(game_id), 0
    analyst = open_game(game).analyst
    for seed in range(3):
        random, session = Random(seed), Session[Any, Any](game, game.start({}, seed), (HUMAN, HUMAN))
        while not session.is_over and session.node.ply < 60 and found < 2:
            rest = find_rest_at(session, analyst)
            values, seat = session.node.values, session.node.to_move
            assert isinstance(values, Analysis)
            if rest:
                found += 1
                assert are_all_alike(game, analyst, session.position, CALM)
                other: Session[Any, Any] = Session(game, session.tree.root.position, (HUMAN, HUMAN))
                for move in (*session.list_moves(), *rest):
                    other.play(move)
                promised, result = values.best_value(), other.result
                assert promised is not None
                assert result is not None
                assert seat is not None
                assert result.outcome_for(seat) is promised.outcome
            keeping = values.list_good_moves() or tuple(values.moves)
            session.play(random.choice(keeping) if random.random() < 0.8 else random.choice([*values.moves]))
    assert bool(found) is (game_id == "ayoayo")
