"""What the tests of matches share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from onlymove.tournament import referee
from onlymove_engines import games
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame

from tests.tui.tiny_game import tiny_game


@pytest.fixture(scope="module")
def _tiny_is_installed() -> Iterator[None]:
    """Let matches find the tiny game beside the installed ones."""
    load, tiny = games.load, tiny_game()

    def find_or_load(game_id: GameId) -> AnyGame:
        return tiny if game_id == tiny.id else load(game_id)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "load", find_or_load)
        referee.open_context.cache_clear()
        yield
        referee.open_context.cache_clear()
