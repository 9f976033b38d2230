"""The plain rules that check certificates agree with those of the game packages, in moves, positions, results and
images."""

from __future__ import annotations

from random import Random

import pytest
from onlymove_engines import games
from onlymove_engines.core.game import list_images
from onlymove_engines.search.strategy import is_safe, list_symmetries
from onlymove_laws.law import parametrize_amount

from tests.reference.plain_rules import GAMES

MAX_PLIES = 60


def test_every_solved_game_has_plain_rules() -> None:
    solved = {facts.id for facts in games.list_games() if games.load(facts.id).solved.solver is not None}
    assert solved == GAMES.keys()


@parametrize_amount("playouts", 1, 300)
@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_they_are_the_same_law(game_id: str, playouts: int) -> None:
    game, plain, random = games.load(game_id), GAMES[game_id], Random(playouts)
    symmetries = list_symmetries(game)
    assert plain.start == game.notation.format_position(game.default_start())
    for _ in range(playouts):
        position = game.default_start()
        for _ in range(MAX_PLIES):
            text, result = game.notation.format_position(position), game.rules.result(position)
            twin = plain.parse(text)
            assert (plain.text(twin), plain.mover(twin)) == (text, game.rules.to_move(position))
            end = plain.end(twin)
            assert (end is None) == (result is None), text
            if result is not None:
                score = (int(result.outcome_for(0)), 0) if game.play.points is None else result.score
                assert score is not None
                assert end == score[0] - score[1], text
                break
            assert plain.lead(twin) == game.lead(position, 0), text
            assert is_safe(game, position, 0, plain.lead(twin) - plain.left(twin)) == (game.play.points is not None), (
                text
            )
            children = {
                game.notation.format_move(position, move): plain.parse(
                    game.notation.format_position(game.rules.play(position, move))
                )
                for move in game.rules.legal_moves(position)
            }
            alike = {plain.parse(game.notation.format_position(image)) for image in list_images(position, symmetries)}
            assert set(plain.images(twin)) == alike, text
            mine = dict(plain.moves(twin))
            assert mine.keys() == children.keys(), text
            assert all(mine[move] == to for move, to in children.items() if plain.end(to) is None), text
            position = game.rules.play(position, random.choice(game.rules.legal_moves(position)))
