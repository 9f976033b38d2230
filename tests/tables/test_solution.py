"""The counts in the game packages are those of the shipped tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pytest
from onlymove_engines import games
from onlymove_engines.core.analysis import AlternatingAnalyst, alternating
from onlymove_engines.core.game import AnyGame, AnyPosition, find_solution
from onlymove_engines.core.solution import Batch, Kind, Solution, UnreadableSolution, format_solution, parse_solution
from onlymove_engines.core.value import Outcome
from onlymove_tables.file_format import read_manifest
from onlymove_tables.open import load_table, open_game, package_folder, sections_of
from onlymove_tables.solution import Extreme, count_choices, count_solution, figure_of

SURVEYED = [facts.id for facts in games.list_games() if games.load(facts.id).solved.statistics is not None]
RECOUNTED = 60_000
"""The largest table that is counted again in plain Python, in classes."""

SAMPLE = 2_000
"""About how many positions of a table are checked by the plain rules."""


@pytest.fixture(params=SURVEYED)
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Return each game with counts in turn."""
    return games.load(request.param)


@pytest.fixture
def solution(game: AnyGame) -> Solution:
    """Return the counts in its game package."""
    found = find_solution(game)
    assert found is not None, f"run python -m onlymove_tables.solution {game.id}"
    return found


def test_every_game_with_a_table_shows_it() -> None:
    assert [facts.id for facts in games.list_games() if games.load(facts.id).solved.solver is not None] == SURVEYED


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


def test_the_advice_is_that_of_the_game_package(game: AnyGame, solution: Solution) -> None:
    modules = [import_module(f"{game.facts.package}.{name}") for name in ("advice",)]
    output = {advice.id: advice.sentence for module in modules for advice in getattr(module, "ADVICE", ())}
    tested = {each.id: each.sentence for each in solution.advice}
    assert tested.items() <= output.items(), f"stale: run python -m onlymove_tables.solution {game.id}"
    assert len(output) - len(tested) <= 1, "only what never comes up was not tested"


def test_advice_fits_into_two_lines_under_a_drill(solution: Solution) -> None:
    long = [tested.sentence for tested in solution.advice if len(tested.sentence) > 100]
    assert not long, f"two lines of 60 columns hold no more: {long}"


def test_first_moves_and_start_are_the_analysts(game: AnyGame, solution: Solution) -> None:
    if game.facts.plays_by_search:
        pytest.skip("searched: in the slow test")
    analyst, start = alternating(open_game(game).analyst), game.default_start()
    moves = analyst.analyse(start).moves
    assert solution.start == str(analyst.probe(start))
    assert solution.first_moves == {game.notation.format_move(start, move): str(moves[move]) for move in moves}


def test_named_positions_match_their_names_by_the_plain_rules(game: AnyGame, solution: Solution) -> None:
    analyst = alternating(open_game(game).analyst)
    for kind, found in solution.named.items():
        assert len(found.positions) == min(found.count, 8), kind
        for text in found.positions:
            position = game.notation.parse_position(text)
            figure = figure_of(analyst, kind, position, analyst.analyse(position))
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


Drawn: TypeAlias = Sequence[tuple[int, AnyPosition]]
"""Positions of a batch, with their indices."""


def pick_positions(game: AnyGame, batch: Batch, chosen: npt.NDArray[np.bool_]) -> Drawn:
    """Return the chosen ones of the shown positions of a batch."""
    assert game.solved.index is not None
    places = np.flatnonzero(chosen & batch.shown).tolist()
    return [(k, game.solved.index.position(int(batch.numbers[k]))) for k in places]


def differences(game: AnyGame, analyst: AlternatingAnalyst, batch: Batch, positions: Drawn) -> Iterator[str]:
    """Yield the positions of a batch that differ from the plain rules and single look-ups."""
    choices = count_choices(batch)
    for k, position in positions:
        analysis = analyst.analyse(position)
        outcomes = [int(value.outcome) for value in analysis.moves.values() if value is not None]
        counted = (len(outcomes), len(analysis.list_good_moves()), outcomes.count(1), outcomes.count(-1))
        shown = tuple(int(each[k]) for each in choices)
        if counted != shown:
            yield f"{game.notation.format_position(position)}: shown {shown}, by the rules {counted}"


def find_wrong_advice(game: AnyGame, batch: Batch, positions: Drawn) -> Iterator[str]:
    """Yield the moves of a batch that follow advice and should not by the plain rules, or the reverse. Positions that
    are won at once do not count."""
    plain = import_module(f"tests.games.{games.find_facts(game.id).folder}.plain_advice")
    starts = np.searchsorted(batch.row, np.arange(len(batch.numbers) + 1))
    for k, position in positions:
        if batch.distance[k] == 1 and not game.facts.has_margin:
            continue
        moves = plain.moves(position)
        for advice, found in batch.advice:
            marks = found[starts[k] : starts[k + 1]].tolist()
            expected = [plain.FOLLOWS[advice.id](position, move) for move in moves]
            if marks != [-1 if follows is None else int(follows) for follows in expected]:
                yield f"{advice.id} in {game.notation.format_position(position)}: {marks}, not {expected}"


def batches_of(game: AnyGame) -> Iterator[Batch]:
    """Yield the batches of the shipped table."""
    header, payload = load_table(game, package_folder() / f"{game.id}.tbl")
    assert game.solved.statistics is not None
    return game.solved.statistics(sections_of(header, payload))


@pytest.mark.slow
def test_every_count_is_found_again(game: AnyGame, solution: Solution) -> None:
    """All positions are counted again, and some are checked by the plain rules."""
    chance, share = np.random.default_rng(16), SAMPLE / solution.classes
    analyst = alternating(open_game(game).analyst)
    for batch in batches_of(game):
        positions = pick_positions(game, batch, chance.random(len(batch.numbers)) < share)
        assert not list(differences(game, analyst, batch, positions))
        assert not list(find_wrong_advice(game, batch, positions))
    assert count_solution(game) == solution


@dataclass
class Heard:
    """The figures of a piece of advice, added up position by position."""

    positions: int = 0
    followed: float = 0.0
    base: float = 0.0
    failing: int = 0

    def add(self, weight: int, heard: Sequence[bool | None], kept: Sequence[bool]) -> None:
        spoken = [keeps for follows, keeps in zip(heard, kept, strict=True) if follows is not None]
        following = [keeps for follows, keeps in zip(heard, kept, strict=True) if follows]
        if not 0 < len(following) < len(spoken) or not 0 < sum(spoken) < len(spoken):
            return
        self.positions += weight
        self.followed += weight * sum(following) / len(following)
        self.base += weight * sum(spoken) / len(spoken)
        self.failing += weight * (not any(following))


@pytest.mark.slow
def test_a_whole_small_table_is_recounted_by_the_plain_rules(solution: Solution, game: AnyGame) -> None:
    """The counts of advice, only moves and extremes follow from the rules and single look-ups."""
    if solution.classes > RECOUNTED:
        pytest.skip("too many positions for plain Python: sampled in the test above")
    plain = import_module(f"tests.games.{games.find_facts(game.id).folder}.plain_advice")
    analyst, only, most = alternating(open_game(game).analyst), 0, dict.fromkeys(Kind, -1)
    advice = {name: Heard() for name in plain.FOLLOWS}
    assert game.solved.index is not None
    for batch in batches_of(game):
        for number, weight in zip(batch.numbers.tolist(), batch.weight.tolist(), strict=True):
            position = game.solved.index.position(number)
            analysis, moves = analyst.analyse(position), plain.moves(position)
            top, keeping = analysis.best_value(), set(analysis.list_good_moves())
            if top is None:
                continue
            for kind in Kind:
                most[kind] = max(most[kind], figure_of(analyst, kind, position, analysis) or -1)
            if top.outcome is Outcome.LOSS:
                continue
            only += weight * (len(keeping) == 1 < len(moves))
            if top.remoteness != 1:
                for name, recount in advice.items():
                    heard = [plain.FOLLOWS[name](position, move) for move in moves]
                    recount.add(weight, heard, [move in keeping for move in moves])
    assert only == solution.only_moves
    assert most == {kind: named.figure for kind, named in solution.named.items()}
    for tested in solution.advice:
        found = advice[tested.id]
        assert (found.positions, found.failing) == (tested.positions, tested.failing), tested.id
        assert found.followed / found.positions == pytest.approx(tested.followed, abs=1e-4), tested.id
        assert found.base / found.positions == pytest.approx(tested.base, abs=1e-4), tested.id
