"""A law that does not speak of a game is not collected, and one that was tried on nothing fails."""

from __future__ import annotations

import pytest
from onlymove_engines import games
from onlymove_engines.core.game import AnyGame

from .law import Law, of_games

FIRST = games.title_cards()[0].id


def test_a_law_that_was_tried_on_nothing_fails(law: Law) -> None:
    with pytest.raises(pytest.fail.Exception, match="tried on nothing"):
        Law().must_have_held()
    law.held()


@of_games(lambda game: game.id == FIRST)
def test_a_law_is_collected_for_the_games_it_speaks_of(game: AnyGame, law: Law) -> None:
    assert game.id == FIRST
    law.held()
