"""The solver that needs only rules, the search, and the judgement of moves, compared with values from the definition on
random games in which a side may move twice in a row."""

from __future__ import annotations

import pytest
from onlymove_engines.coach.judge import judge
from onlymove_engines.core.analysis import AlternatingAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import Refuted
from onlymove_engines.core.value import Value
from onlymove_engines.search.deepening import LiveAnalyst
from onlymove_engines.search.strategy import Finder, StrategyChecker

from tests.reference.random_game import Definition, Place, RandomGame, Worth, draw_game, solve_from_rules

SEEDS = [range(100), pytest.param(range(100, 2100), marks=pytest.mark.slow)]


def see(value: Value) -> Worth:
    return Worth(int(value.outcome), value.margin, value.remoteness)


def check_position(of: RandomGame, truth: Definition, analyst: AlternatingAnalyst, position: Place) -> None:
    """Check the value, the moves, the best moves and the judgements of one position, as far as they are known."""
    found, right = analyst.analyse(position, Budget(nodes=300)), truth.moves(position)
    where = f"{of.game.facts.title}: {position}"
    if isinstance(found.value, Value):
        assert see(found.value) == truth.value(position), where
    known = {move: see(value) for move, value in found.moves.items() if value is not None}
    assert known == {move: right[move] for move in known}, where
    if not found.is_complete or not right:
        return
    best = max(worth.rank for worth in right.values())
    assert set(found.list_best_moves()) == {move for move, worth in right.items() if worth.rank == best}, where
    outcomes = {worth.outcome for worth in right.values()}
    for move, worth in right.items():
        loses_points = len(outcomes) == 1 and (worth.margin or 0) < max(one.margin or 0 for one in right.values())
        assert judge(found, move).flagged == (worth.outcome < max(outcomes) or loses_points), f"{where} {move}"


@pytest.mark.parametrize("seeds", SEEDS)
def test_values_and_best_moves_are_those_of_the_definition(seeds: range) -> None:
    for seed in seeds:
        of = draw_game(seed)
        truth, table = Definition(of), solve_from_rules(of.game)
        for position in of.positions:
            assert table.is_reachable(position), f"{seed}: {position}"
            check_position(of, truth, table, position)


@pytest.mark.parametrize("seeds", SEEDS)
def test_strategies_prove_the_value_of_the_start_and_no_more(seeds: range) -> None:
    for seed in seeds:
        of = draw_game(seed)
        truth, table = Definition(of), solve_from_rules(of.game)
        start = of.game.default_start()
        final = truth.final[start]
        for seat, least in ((0, final), (1, -final)):
            if of.has_points or least > -1:
                size = StrategyChecker(of.game, Finder(of.game, table, seat, least).find()).check()
                if not of.has_points:
                    longest = truth.value(start).plies if least == 1 else 0
                    assert size.plies == longest, f"{seed}, seat {seat}: the longest line"
            with pytest.raises(Refuted):
                StrategyChecker(of.game, Finder(of.game, table, seat, least + 1).find()).check()


@pytest.mark.parametrize("seeds", SEEDS)
def test_what_a_search_proves_is_the_value_of_the_definition(seeds: range) -> None:
    for seed in seeds:
        of = draw_game(seed)
        truth, search = Definition(of), LiveAnalyst(of.game)
        for position in of.positions[:12]:
            check_position(of, truth, search, position)
