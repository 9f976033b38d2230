"""New drills by theme: every game has some for each theme, and each fits its theme."""

from __future__ import annotations

from random import Random

import pytest
from onlymove_engines import games
from onlymove_engines.coach.drill import SEARCH_BUDGET, THEMES, Origin, fits, read_setting
from onlymove_engines.coach.values import find_values
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.value import Mixed
from onlymove_tables.open import open_game
from onlymove_tui.play.training import find_fresh, sort_weakest_first

GAMES = [games.load(facts.id) for facts in games.list_games()]
BY_TABLE = [game.id for game in GAMES if not game.facts.plays_by_search]
BY_SEARCH = [pytest.param(game.id, marks=pytest.mark.slow) for game in GAMES if game.facts.plays_by_search]


@pytest.mark.parametrize("game_id", [*BY_TABLE, *BY_SEARCH])
def test_every_game_fills_every_theme(game_id: GameId) -> None:
    game = games.load(game_id)
    analyst = open_game(game).analyst
    for theme in THEMES:
        drills = find_fresh(game, analyst, Random(1), [theme])
        assert drills, f"{game_id} has nothing about {theme.value}"
        for drill in drills:
            tree = read_setting(game, drill.position)
            values = find_values(tree, tree.here, analyst, SEARCH_BUDGET if game.facts.simultaneous else UNLIMITED)
            assert drill.origin is theme
            if isinstance(values, Mixed):
                # An estimate may depend on earlier searches.
                assert not values.exact or fits(theme, values, drill.seat), drill.position
                continue
            assert fits(theme, values, 0), f"{game_id}: {drill.position} is not about {theme.value}"


def test_the_weakest_theme_comes_first() -> None:
    assert sort_weakest_first({}) == list(THEMES)
    answers = {Origin.ONLY_MOVE: (9, 10), Origin.CONVERT: (1, 5), Origin.HOLD: (2, 4), Origin.MISTAKE: (0, 9)}
    assert sort_weakest_first(answers) == [Origin.CONVERT, Origin.HOLD, Origin.ONLY_MOVE]
    assert sort_weakest_first({Origin.ONLY_MOVE: (3, 3)})[-1] is Origin.ONLY_MOVE
