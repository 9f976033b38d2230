"""Groups of symmetric moves agree with the positions that they lead to, in every game with symmetries."""

from __future__ import annotations

import pytest
from onlymove_engines import games
from onlymove_engines.coach.explore import find_alike


@pytest.mark.parametrize(("game_id", "sets"), [("orbito", [4, 4, 4, 4]), ("pokemon", [4, 4, 4, 4, 4, 4, 1, 1, 1])])
def test_the_first_moves_fall_into_sets_that_symmetries_take_to_each_other(game_id: str, sets: list[int]) -> None:
    game = games.load(game_id)
    start, index = game.default_start(), game.solved.index
    assert index is not None
    found = find_alike(game, start)
    assert sorted((len(moves) for moves in found.values()), reverse=True) == sets
    assert sorted(map(str, game.rules.legal_moves(start))) == sorted(str(m) for moves in found.values() for m in moves)
    for first, moves in found.items():
        assert moves[0] == first
        assert len({index.number(game.rules.play(start, move)) for move in moves}) == 1


def test_with_a_broken_symmetry_every_move_is_its_own_set() -> None:
    game = games.load("orbito")
    position = game.rules.play(game.default_start(), game.rules.legal_moves(game.default_start())[1])
    assert all(len(moves) == 1 for moves in find_alike(game, position).values())
