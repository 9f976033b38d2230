"""The solved game: every counted fact, and every value compared with an independent solver."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from onlymove_engines.compiled.cell_sets import map_sets
from onlymove_engines.core.analysis import ignore_report
from onlymove_engines.core.game import find_solution
from onlymove_engines.core.value import Draw, value_before
from onlymove_engines.games.orbito import GAME, table
from onlymove_engines.games.orbito._kernel.cross_check import (
    AFTER,
    NEAR,
    QUARTER,
    TERNARY,
    UNSET,
    XY,
    read_sets,
    score_all,
)
from onlymove_engines.games.orbito.analyst import QUICK, OrbitoAnalyst, find_lines, is_finished
from onlymove_engines.games.orbito.index import CELL_COUNT, INDEX, list_positions, make_numbering, turn
from onlymove_engines.games.orbito.notation import NOTATION
from onlymove_engines.games.orbito.rules import RING_ORDER, RULES, START, Position
from onlymove_engines.games.orbito.table import OrbitoSolver, count_turns, solve_layers, sum_layers
from onlymove_laws.law import parametrize_amount

from tests.recount import Recount

from . import _kernel, kernel_law

Scores = npt.NDArray[np.int8]


def list_positions_at_depth(plies: int) -> Iterator[Position]:
    if plies == 0:
        yield START
        return
    for position in set(list_positions_at_depth(plies - 1)):
        for move in RULES.legal_moves(position):
            yield RULES.play(position, move)


def test_the_first_player_wins_at_ply_16(analyst: OrbitoAnalyst, facts: dict[str, Any]) -> None:
    value = analyst.probe(START)
    assert (value.outcome.word, value.remoteness) == (facts["start_value"], facts["start_remoteness"])
    assert GAME.solved.score is not None
    assert GAME.solved.score(START, value) == facts["start_score"]


def test_every_opening_and_every_answer_still_wins(scores: Scores, facts: dict[str, Any]) -> None:
    for plies, count in ((1, 16), (2, 240)):
        positions = set(list_positions_at_depth(plies))
        assert len(positions) == count
        assert {int(scores[INDEX.number(position)]) for position in positions} == {facts["first_plies_score"]}


def test_positions_by_score_are_the_counted_ones(scores: Scores, facts: dict[str, Any]) -> None:
    lowest, counts = facts["scores"]["lowest"], facts["scores"]["counts"]
    found = np.bincount(scores.astype(int) - lowest, weights=count_turns(), minlength=len(counts))
    assert found.astype(int).tolist() == counts
    assert sum(counts) == facts["positions"] == sum(facts["positions_by_marbles"])


def test_counts_repeat_the_facts(scores: Scores, facts: dict[str, Any]) -> None:
    counts = OrbitoSolver().counts({"scores": scores})
    lowest = facts["scores"]["lowest"]
    assert [counts[f"score {lowest + k:+d}"] for k in range(20)] == facts["scores"]["counts"]
    assert [counts[f"marbles {n}"] for n in range(17)] == facts["positions_by_marbles"]
    assert counts["wins"] + counts["draws"] + counts["losses"] == counts["positions"] == facts["positions"]
    assert counts["classes"] == facts["classes"]


@pytest.fixture(scope="module")
def is_reachable() -> npt.NDArray[np.bool_]:
    """Return which canonical positions a game can lead to."""
    layers, ternary, found = make_numbering().layers, table.list_ternary_sums(), np.zeros(3**CELL_COUNT, np.bool_)
    found[0] = True
    white, black = list_positions()
    for begin, end in pairwise(layers[:-1]):
        _kernel.reach(white, black, begin, end, found, find_lines(), table.list_neighbours(), ternary)
    turns = [(white, black)]
    for _ in range(3):
        turns.append((turn(turns[-1][0]), turn(turns[-1][1])))
    marks: npt.NDArray[np.bool_] = np.any([found[ternary[w] + 2 * ternary[b]] for w, b in turns], axis=0)
    return marks


@pytest.mark.slow
def test_reachable_positions_are_the_counted_ones(is_reachable: npt.NDArray[np.bool_], facts: dict[str, Any]) -> None:
    weight = count_turns()
    assert sum_layers(weight * is_reachable) == facts["reachable_by_marbles"]
    assert sum(facts["reachable_by_marbles"]) == facts["reachable"]
    assert int(is_reachable.sum()) == facts["reachable_classes"]
    white, black = list_positions()
    assert int(weight[is_reachable & ~is_finished(white, black)].sum()) == facts["reachable_unfinished"]


def test_the_shipped_table_is_what_the_solver_builds(scores: Scores) -> None:
    assert np.array_equal(solve_layers(jobs=2), scores)


@pytest.mark.slow
def test_without_the_extra_shifts_the_game_is_a_draw(facts: dict[str, Any]) -> None:
    assert facts["value_without_extra_shifts"] == "draw"
    assert solve_layers(jobs=2, extra=0)[INDEX.number(START)] == 0


def spread(scores: Scores) -> Scores:
    """Return the stored scores of all positions, including turned ones, by ternary number."""
    board, reading = np.full(3**CELL_COUNT, UNSET, np.int8), read_sets(RING_ORDER)
    white, black = (reading[sets] for sets in list_positions())
    for _ in range(4):
        board[TERNARY[white] + 2 * TERNARY[black]] = scores
        white, black = QUARTER[white], QUARTER[black]
    return board


def test_reflection_is_no_symmetry(scores: Scores, facts: dict[str, Any]) -> None:
    board = spread(scores)
    assert np.count_nonzero(board != UNSET) == facts["positions"], "turns of the classes are all positions"
    mirror = map_sets([4 * y + (3 - x) for x, y in XY])
    changed = _kernel.mirrored_differences(board, mirror, TERNARY)
    assert changed == facts["changed_by_reflection"]


@pytest.mark.slow
def test_the_numbers_of_the_solution_are_counted_again(scores: Scores, is_reachable: npt.NDArray[np.bool_]) -> None:
    reading, (white, black) = read_sets(RING_ORDER), list_positions()
    found = np.empty((len(scores), 3), np.int64)
    _kernel.count_moves(reading[white], reading[black], spread(scores), AFTER, NEAR, TERNARY, found)
    marbles = np.bitwise_count(white | black).astype(np.int64)
    own = np.where(marbles % 2, -scores, scores).astype(np.int64)
    keeping = np.where(own > 0, found[:, 0], np.where(own < 0, found[:, 2], found[:, 1]))
    distance = np.where(own == 0, 0, 17 - marbles - np.abs(own))
    counts = (
        count_turns().astype(np.int64),
        np.sign(own),
        distance,
        found.sum(axis=1),
        keeping,
        found[:, 0],
        found[:, 2],
    )
    solution = find_solution(GAME)
    assert solution is not None
    assert not Recount(*(each[is_reachable] for each in counts)).differences(solution)


@pytest.mark.slow
def test_the_second_solution_agrees_everywhere_and_explains_the_public_one(
    scores: Scores, facts: dict[str, Any]
) -> None:
    board, public, near = spread(scores), facts["public_solver"], NEAR.copy()
    assert np.array_equal(board, score_all((AFTER, NEAR, TERNARY, 6), ignore_report))
    five = score_all((AFTER, NEAR, TERNARY, 5), ignore_report)
    assert not np.array_equal(board, five), "a full board is looked at six times"
    origin, destination = ("abcd".index(cell[0]) + 4 * (int(cell[1]) - 1) for cell in public["lacks"])
    near[origin] &= ~(1 << destination)
    again = score_all((AFTER, near, TERNARY, public["checks"]), ignore_report)
    assert int((board != again).sum()) == public["differing_scores"]
    assert int((np.sign(board) != np.sign(again)).sum()) == public["differing_results"]


@parametrize_amount("step", 4, 1)
def test_the_compiled_rules_are_the_rules(random_positions: tuple[Position, ...], step: int) -> None:
    for position in random_positions[::step]:
        by_rules = [(move, RULES.play(position, move)) for move in RULES.legal_moves(position)]
        assert kernel_law.children(position) == by_rules, NOTATION.format_position(position)


@parametrize_amount("step", 12, 3)
def test_values_follow_from_the_plain_rules(
    random_positions: tuple[Position, ...], analyst: OrbitoAnalyst, step: int
) -> None:
    for position in random_positions[::step]:
        analysis = analyst.analyse(position)
        result = RULES.result(position)
        if result is not None:
            assert analysis.value == result.value_for(RULES.to_move(position))
            assert not analysis.moves
            continue
        expected = {
            move: value_before(analyst.probe(RULES.play(position, move)), 0, 1) for move in RULES.legal_moves(position)
        }
        assert list(analysis.moves.items()) == list(expected.items()), NOTATION.format_position(position)
        best = max(expected.values())
        assert analysis.value == (best if best.outcome else Draw())


@parametrize_amount("step", 4, 1)
def test_batches_say_what_single_positions_say(
    random_positions: tuple[Position, ...], analyst: OrbitoAnalyst, step: int
) -> None:
    some = random_positions[::step]
    for position, row in zip(some, analyst.summarise(some), strict=True):
        analysis = analyst.analyse(position)
        best = " ".join(sorted("".join(move) for move in analysis.list_best_moves())) or "-"
        expected = (analysis.value, str(len(analysis.moves)), str(len(analysis.list_good_moves())), best)
        assert (row.value, row.moves, row.keeping, row.best) == expected, NOTATION.format_position(position)


def test_a_few_positions_are_answered_in_plain_code_as_many_are_in_numpy(
    random_positions: tuple[Position, ...], scores: Scores
) -> None:
    many, asked = OrbitoAnalyst(scores), random_positions[::6]
    rows = list(many.summarise(asked))
    assert many.expand(asked[:1]) is not None, f"{len(asked)} positions are many"
    for begin in range(0, len(asked), QUICK // 2):
        few, some = OrbitoAnalyst(scores.data), asked[begin : begin + QUICK // 2]
        assert few.expand([]) is None, "these are few"
        assert list(few.summarise(some)) == rows[begin : begin + QUICK // 2]
        for position in some:
            plain, quick = few.analyse(position), many.analyse(position)
            assert plain.value == quick.value, NOTATION.format_position(position)
            assert list(plain.moves.items()) == list(quick.moves.items()), NOTATION.format_position(position)


def test_scores_and_values_are_two_names_of_one_thing(
    random_positions: tuple[Position, ...], analyst: OrbitoAnalyst, scores: Scores
) -> None:
    assert GAME.solved.score is not None
    for position in random_positions:
        assert GAME.solved.score(position, analyst.probe(position)) == scores[INDEX.number(position)]
    # A move's score is the first player's too, counted from the same end.
    for move, value in analyst.analyse(random_positions[5]).moves.items():
        assert value is not None
        assert (
            GAME.solved.score(random_positions[5], value) == scores[INDEX.number(RULES.play(random_positions[5], move))]
        )


@pytest.mark.slow
def test_positions_that_no_game_reaches_are_answered(
    analyst: OrbitoAnalyst, is_reachable: npt.NDArray[np.bool_]
) -> None:
    both_lines = NOTATION.parse_position("W..B/W..B/W..B/W..B W")
    assert analyst.is_reachable(both_lines)
    assert analyst.probe(both_lines) == Draw()
    assert [row.best for row in analyst.summarise([both_lines])] == ["-"]
    white, black = list_positions()
    never = np.flatnonzero(~is_reachable)
    assert len(never)
    for number in never[::200].tolist():
        position = Position(int(white[number]), int(black[number]))
        analysis = analyst.analyse(position)
        assert (analysis.value == analysis.best_value()) if analysis.moves else (analysis.value is not None)
