"""What was counted in the shipped tables is what stands in the drawers."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import alternating
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.solution import (
    Kind,
    Solution,
    UnreadableSolution,
    find_solution,
    format_solution,
    parse_solution,
)
from onlymove_engines.core.survey import Batch
from onlymove_engines.core.value import Value
from onlymove_tables.counting import Choices, Extreme
from onlymove_tables.manifest import read_manifest
from onlymove_tables.open import find_analyst, load_table, package_folder, sections_of
from onlymove_tables.solution import figure_of, solution_of

SURVEYED = [card.id for card in games.title_cards() if games.load(card.id).survey is not None]
SAMPLE = 40
"""Positions of each batch that are looked at by the plain rules."""


@pytest.fixture(params=SURVEYED)
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Each game whose table was counted."""
    return games.load(request.param)


@pytest.fixture
def solution(game: AnyGame) -> Solution:
    """What stands in its drawer."""
    found = find_solution(game)
    assert found is not None, f"run python -m onlymove_tables.solution {game.id}"
    return found


def test_every_game_with_a_table_shows_it() -> None:
    assert [card.id for card in games.title_cards() if games.load(card.id).solver is not None] == SURVEYED


def test_the_counts_are_those_of_the_shipped_table(game: AnyGame, solution: Solution) -> None:
    shipped = read_manifest(package_folder())[game.id]
    assert solution.digest == shipped.sha256, f"stale: run python -m onlymove_tables.solution {game.id}"


def test_a_solution_reads_back_as_it_was_written(solution: Solution) -> None:
    assert parse_solution(format_solution(solution)) == solution
    with pytest.raises(UnreadableSolution, match="not a solution file"):
        parse_solution("{}")


def test_outcomes_and_distances_add_up(game: AnyGame, solution: Solution) -> None:
    assert sum(solution.outcomes.values()) + solution.finished == solution.positions
    for outcome, counts in solution.distances.items():
        assert sum(counts.values()) == solution.outcomes[outcome], outcome
    if not game.facts.has_margin:
        assert solution.named[Kind.LONGEST_WIN].figure == max(solution.distances["win"])
    assert 0 < solution.only_moves < solution.choices < solution.positions


def test_first_moves_and_start_are_the_analysts(game: AnyGame, solution: Solution) -> None:
    if game.facts.plays_by_search:
        pytest.skip("searched: in the slow test")
    analyst, start = alternating(find_analyst(game)[0]), game.default_start()
    moves = analyst.analyse(start).moves
    assert solution.start == str(analyst.probe(start))
    assert solution.first_moves == {game.notation.format_move(start, move): str(moves[move]) for move in moves}


def test_named_positions_are_what_they_are_named_for_by_the_plain_rules(game: AnyGame, solution: Solution) -> None:
    analyst = alternating(find_analyst(game)[0])
    for kind, found in solution.named.items():
        assert len(found.positions) == min(found.count, 8), kind
        for text in found.positions:
            figure = figure_of(analyst, kind, game.notation.parse_position(text))
            assert figure == found.figure, f"{game.id}: {text} is {kind.value} {figure}, not {found.figure}"


def test_the_line_of_the_longest_win_is_played_by_the_rules(game: AnyGame, solution: Solution) -> None:
    named = solution.named[Kind.LONGEST_WIN]
    position = game.notation.parse_position(named.positions[0])
    for text in solution.line:
        position = game.rules.play(position, game.notation.parse_move(position, text))
    if not game.facts.has_margin:
        assert len(solution.line) == named.figure
        assert game.rules.result(position) is not None


def test_the_extreme_keeps_all_that_are_most() -> None:
    extreme = Extreme()
    for keys, numbers in (([3, 5, 5], [1, 2, 3]), ([4], [4]), ([5, 1], [5, 6]), ([], [])):
        extreme.offer(np.array(keys, np.int64), np.array(numbers, np.int64))
    assert (extreme.key, extreme.numbers) == (5, [2, 3, 5])


def differences(game: AnyGame, batch: Batch, random: Random) -> list[str]:
    """Where positions of a batch are not shown as the plain rules and single look-ups have them."""
    analyst, found, wrong = alternating(find_analyst(game)[0]), Choices.of(batch), []
    assert game.index is not None
    for k in random.sample(range(len(batch.numbers)), min(SAMPLE, len(batch.numbers))):
        if not batch.shown[k]:
            continue
        position = game.index.position(int(batch.numbers[k]))
        analysis = analyst.analyse(position)
        values: list[Value] = [value for value in analysis.moves.values() if value is not None]
        outcomes = [int(value.outcome) for value in values]
        counted = (len(values), len(analysis.keeping()), outcomes.count(1), outcomes.count(-1))
        shown = tuple(int(each[k]) for each in (found.moves, found.keeping, found.winning, found.losing))
        if counted != shown:
            wrong.append(f"{game.notation.format_position(position)}: shown {shown}, by the rules {counted}")
    return wrong


@pytest.mark.slow
def test_every_count_is_found_again(game: AnyGame, solution: Solution) -> None:
    """The survey once more, and a sample of every batch of it against the plain rules."""
    header, payload = load_table(game, package_folder() / f"{game.id}.tbl")
    assert game.survey is not None
    random = Random(16)
    for batch in game.survey(sections_of(header, payload)):
        if len(batch.numbers) and random.random() < 0.1:
            assert not differences(game, batch, random)
    assert solution_of(game) == solution
