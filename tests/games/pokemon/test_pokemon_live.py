"""Without a table, live search proves what the table contains, and says how far it looked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Draw
from onlymove_engines.games.pokemon import POKEMON
from onlymove_engines.games.pokemon.analyst import PokemonAnalyst
from onlymove_engines.games.pokemon.live import PokemonLiveAnalyst
from onlymove_engines.games.pokemon.notation import NOTATION
from onlymove_engines.games.pokemon.rules import RULES, START
from onlymove_engines.search.deepening import NO_TABLE, describe_depth
from onlymove_laws.law import parametrize_amount

LIVE = PokemonLiveAnalyst(POKEMON)


@parametrize_amount("games", 2, 20)
def test_search_and_table_agree(table: PokemonAnalyst, random_games: Callable[[int, int], Any], games: int) -> None:
    for positions, _ in random_games(games, 5):
        for position in positions:
            by_search, by_table = LIVE.analyse(position), table.analyse(position)
            where = NOTATION.format_position(position)
            assert by_search.value == by_table.value, where
            assert by_search.moves == by_table.moves, where


def test_the_start_is_proven_a_draw_and_says_how() -> None:
    analysis = LIVE.analyse(START)
    assert analysis.value == Draw()
    assert analysis.note == "there is no table, but a search has proven this"
    assert analysis.depth is None, "nothing was cut off"


def test_what_the_depth_does_not_settle_stays_unknown() -> None:
    analysis = LIVE.analyse(START, Budget(depth=8))
    assert analysis.value is None
    assert analysis.note == describe_depth(8)
    known = {move for move, value in analysis.moves.items() if value is not None}
    assert known == {move for move in RULES.legal_moves(START) if move.piece == "c" and move.cell != 4}


def test_a_spent_budget_stops_the_search() -> None:
    for budget in (Budget(nodes=5), Budget.seconds(0, lambda: 1.0), Budget(stop=lambda: True)):
        analysis = LIVE.analyse(START, budget)
        assert analysis.value is None
        assert set(analysis.moves) == set(RULES.legal_moves(START))
        assert analysis.note.startswith(NO_TABLE)


def test_batch_rows_agree_with_the_table(table: PokemonAnalyst, random_games: Callable[[int, int], Any]) -> None:
    positions = [position for game, _ in random_games(4, 6) for position in game]
    assert list(LIVE.summarise(positions)) == list(table.summarise(positions))
