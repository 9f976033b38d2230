"""A law runs for the games it speaks of, and fails if it was tested on nothing."""

from __future__ import annotations

import pytest
from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_laws.law import Law, restrict_games

FIRST = games.list_games()[0].id


def test_a_law_that_was_tried_on_nothing_fails(law: Law) -> None:
    with pytest.raises(pytest.fail.Exception, match="tested nothing"):
        Law().require_cases()
    law.count_case()


@restrict_games(lambda game: game.id == FIRST)
def test_a_law_is_collected_for_the_games_it_speaks_of(game: AnyGame, law: Law) -> None:
    assert game.id == FIRST
    law.count_case()
