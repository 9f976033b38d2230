"""The laws of the explorer: it shows the values that `analyse` gives, and counts later positions correctly."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import cycle, islice
from random import Random
from typing import Any

from onlymove_engines.coach.drill import WANTED, Origin, find_random_position, list_wanted
from onlymove_engines.coach.explore import Choice, explore, explore_below
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import AnyGame, find_solution
from onlymove_engines.core.solution import Kind
from onlymove_engines.core.value import Outcome

from .law import (
    Law,
    alternating_games,
    analyse_once,
    list_starts,
    parametrize_amount,
    play_randomly,
    restrict_games,
    solved_games,
    to_text,
    to_value,
)

MAX_PLIES = 40
SOON_SEARCHED = 20
"""After this many plies of a random game, a position is searched in a few milliseconds."""


def walk_randomly(game: AnyGame, count: int, random: Random) -> Iterator[Any]:
    """Yield the last positions of `count` random games, which may be finished."""
    least = SOON_SEARCHED if game.facts.plays_by_search else 0
    for start in islice(cycle(list_starts(game)), count):
        plies = random.randint(least, MAX_PLIES)
        *_, (position, _) = islice(play_randomly(game, start, random), plies + 1)
        yield position


def recount(analysis: Analysis[Any]) -> Choice:
    """Count the choices from the values of the moves alone."""
    values = [to_value(value) for value in analysis.moves.values()]
    top = max(values, default=None)
    if top is None or (top.margin is None and top.outcome is Outcome.LOSS):
        return Choice(len(values), 0)
    return Choice(len(values), sum((v.outcome, v.margin) == (top.outcome, top.margin) for v in values))


@alternating_games
@solved_games
@parametrize_amount("count", 4, 40)
def test_groups_are_sorted_best_first_and_counted_correctly(
    game: AnyGame, analyst: AlternatingAnalyst, count: int, law: Law
) -> None:
    for position in law.each(
        walk_randomly(game, 2 if count < 10 and game.facts.plays_by_search else count, Random(17))
    ):
        node = explore(game.rules, position, analyst)
        assert node.analysis.moves == analyse_once(game.id, position).moves, to_text(game, position)
        preferences = [to_value(value).preference for value, _ in node.analysis.group_moves()]
        assert preferences == sorted(set(preferences), reverse=True), to_text(game, position)
        assert node.choice == recount(node.analysis), to_text(game, position)
        level = [position]
        for lower in explore_below(game.rules, node, analyst):
            after = {game.rules.play(one, move) for one in level for move in game.rules.legal_moves(one)}
            level = list(after)
            counts = [recount(analyse_once(game.id, one)) for one in level if game.rules.result(one) is None]
            open_ones = [one for one in counts if one.moves > 1 and one.keeping]
            assert lower is not None, to_text(game, position)
            assert (lower.positions, lower.choices) == (len(counts), len(open_ones)), to_text(game, position)
            assert lower.only == sum(one.keeping == 1 for one in open_ones), to_text(game, position)
            if count < 10:
                break
        for move, child in node.children.items():
            assert node.get_replies(move) == recount(analyse_once(game.id, child)), f"{to_text(game, position)}, {move}"


@alternating_games
@solved_games
def test_a_node_without_time_shows_only_recorded_values(game: AnyGame, analyst: AlternatingAnalyst, law: Law) -> None:
    start = game.default_start()
    node = explore(game.rules, start, analyst, Budget(clock=time.monotonic, deadline=0.0, nodes=1))
    for move, child in node.children.items():
        is_known = analyst.probe(child) is not None
        assert (node.get_replies(move) is not None) == is_known, f"{to_text(game, start)}, {move}"
    law.count_case()


@alternating_games
@solved_games
def test_a_random_position_is_as_requested(game: AnyGame, analyst: AlternatingAnalyst, law: Law) -> None:
    for name in law.each(list_wanted(game)):
        wanted = WANTED[name]
        position = find_random_position(game, analyst, Random(name), wanted, UNLIMITED)
        assert position is not None, f"{game.id}: {name}"
        analysis = analyst.analyse(position)
        value = to_value(analysis.value)
        if isinstance(wanted, Outcome):
            assert value.outcome is wanted, f"{to_text(game, position)}: {name}"
        same = [move for move, worth in analysis.moves.items() if to_value(worth).outcome == value.outcome]
        if wanted is Origin.ONLY_MOVE:
            assert len(same) == 1, f"{to_text(game, position)}: {same}"
        assert analysis.moves, f"{to_text(game, position)} is over"


@alternating_games
@restrict_games(lambda game: find_solution(game) is not None)
def test_a_named_position_matches_its_name(game: AnyGame, analyst: AlternatingAnalyst, law: Law) -> None:
    solution = find_solution(game)
    assert solution is not None, game.id
    for kind, extreme in solution.named.items():
        for text in law.each(extreme.positions):
            node = explore(game.rules, game.notation.parse_position(text), analyst)
            outcomes = [to_value(value).outcome for value in node.analysis.moves.values()]
            value, found = to_value(node.analysis.value), f"{game.id}: {kind.value} {text}"
            if kind is Kind.LONGEST_WIN:
                assert value.outcome is Outcome.WIN, found
                assert game.facts.has_margin or value.remoteness == extreme.figure, found
            elif kind is Kind.NARROWEST_DRAW:
                assert (value.outcome, outcomes.count(Outcome.DRAW)) == (Outcome.DRAW, 1), found
                assert len(outcomes) == extreme.figure, found
            else:
                assert (value.outcome, outcomes.count(Outcome.LOSS)) == (Outcome.WIN, extreme.figure), found
