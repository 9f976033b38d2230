"""The laws of values and judgements, for every game: in single positions, in training, and when positions are
repeated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, TypeAlias

import pytest
from onlymove_engines import games
from onlymove_engines.coach.judge import SLOW_BY, Coaching, OnBad, judge, judge_mixed
from onlymove_engines.coach.values import find_values
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis, SimultaneousAnalyst, alternating, simultaneous
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade, Judgement, Objective
from onlymove_engines.core.value import Mixed, Move, Outcome, Seat, Value, turn_value, value_before
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import Session
from onlymove_engines.play.tree import AnyNode, AnyTree, GameTree
from onlymove_engines.search.rules_analyst import is_solved_by_rules
from onlymove_tables.background import has_table
from onlymove_tables.open import open_game

from .law import (
    Law,
    Sample,
    alternating_games,
    analyse_once,
    list_starts,
    parametrize_amount,
    play_randomly,
    restrict_games,
    seat_of,
    simultaneous_games,
    solved_games,
    to_text,
    to_value,
)


def list_known(game: AnyGame, positions: Iterable[Any]) -> Iterator[tuple[Any, Analysis[Any]]]:
    """Yield the positions whose moves all have known values, with their analysis. Others were too hard to search."""
    for position in positions:
        analysis = analyse_once(game.id, position)
        if isinstance(analysis.value, Value) and analysis.is_complete:
            yield position, analysis


@alternating_games
def test_law_9_a_value_is_the_best_of_its_moves(game: AnyGame, sample: Sample, law: Law) -> None:
    for position, analysis in list_known(game, sample):
        result = game.rules.result(position)
        if result is not None:
            assert analysis.value == result.value_for(seat_of(game, position)), to_text(game, position)
            assert analysis.moves == {}
        else:
            assert list(analysis.moves) == list(game.rules.legal_moves(position)), to_text(game, position)
            best = to_value(analysis.best_value())
            assert to_value(analysis.value).preference == best.preference, to_text(game, position)
            law.count_case()


@alternating_games
def test_law_9_the_value_of_a_move_is_the_value_of_the_position_after_it(
    game: AnyGame, sample: Sample, law: Law
) -> None:
    for position, analysis in list_known(game, sample[:30]):
        for move, value in law.each(list(analysis.moves.items())[:8]):
            child = game.rules.play(position, move)
            after, found = to_value(analyse_once(game.id, child).value), to_value(value)
            expected = value_before(after, seat_of(game, position), seat_of(game, child))
            if game.facts.has_margin:
                assert found.outcome == expected.outcome, f"{to_text(game, position)}, {move}"
            else:
                assert found.preference == expected.preference, f"{to_text(game, position)}, {move}"


games_with_a_table = restrict_games(lambda game: game.solved.solver is not None or is_solved_by_rules(game))


def find_start_value(game: AnyGame, analyst: AlternatingAnalyst) -> Value | None:
    """Return the proven value of the start position for the side to move, or `None` for a game whose rules could not be
    solved."""
    value = analyst.analyse(game.default_start()).value
    return value if isinstance(value, Value) and (game.solved.solver is not None or has_table(game)) else None


@games_with_a_table
@alternating_games
def test_law_10_the_start_has_the_value_of_the_facts(
    game: AnyGame, analyst: AlternatingAnalyst, facts: dict[str, Any], law: Law
) -> None:
    value = find_start_value(game, analyst)
    if value is None:
        return
    if "start_value" in facts or game.solved.solver is not None:
        assert facts["start_value"] == str(value), (
            f"facts.toml, start_value of {game.id}: the start is {value} by the rules. Which of the two is wrong?"
        )
    law.count_case()


CLAIMS = {
    "draw": Outcome.DRAW,
    "a draw": Outcome.DRAW,
    "first player wins": Outcome.WIN,
    "second player wins": Outcome.LOSS,
}
"""The possible beginnings of `solved` in a game.toml, and the value of the start position for the first player."""


@games_with_a_table
@alternating_games
def test_law_10_the_menu_states_the_true_value_of_the_start(
    game: AnyGame, analyst: AlternatingAnalyst, law: Law
) -> None:
    value = find_start_value(game, analyst)
    if value is None:
        return
    outcome = turn_value(value, seat_of(game, game.default_start()), 0).outcome
    for words, claimed in CLAIMS.items():
        if game.facts.solved.lower().startswith(words):
            assert claimed is outcome, (
                f"game.toml, solved of {game.id}: it says {game.facts.solved!r}, but the start is a {outcome.word} "
                "for the first player."
            )
    law.count_case()


@simultaneous_games
def test_law_10_small_fields_have_the_values_of_the_facts(
    game: AnyGame, mixer: SimultaneousAnalyst[Any], facts: dict[str, Any], law: Law
) -> None:
    for text, value in law.each(facts["values"].items()):
        found = mixer.mixed(game.notation.parse_position(text))
        assert found.exact, text
        assert found.expected == pytest.approx(value, abs=1e-9), text


@alternating_games
def test_law_10_batch_and_single_analysis_agree(
    game: AnyGame, analyst: AlternatingAnalyst, sample: Sample, law: Law
) -> None:
    known = {position: analysis for position, analysis in list_known(game, sample) if analyst.is_reachable(position)}
    for (position, analysis), row in law.each(zip(known.items(), analyst.summarise(list(known)), strict=True)):
        assert to_value(row.value).preference == to_value(analysis.value).preference, to_text(game, position)
        spelled = sorted(game.notation.format_move(position, move) for move in analysis.list_best_moves())
        assert row.best == (" ".join(spelled) or "-"), to_text(game, position)
        counts = (str(len(analysis.moves)), str(len(analysis.list_good_moves())))
        assert (row.moves, row.keeping) == counts, to_text(game, position)


@cache
def find_equilibrium(game_id: str, position: Any) -> Mixed:
    """Return the analyst's equilibrium. All laws share it."""
    return simultaneous(open_game(games.load(game_id)).analyst).mixed(position, Budget(depth=3))


def list_equilibria(game: AnyGame, positions: Sample) -> Iterator[tuple[Any, Seat, Mixed]]:
    """Yield some of these positions with each seat and the equilibrium."""
    return ((position, seat, find_equilibrium(game.id, position)) for position in positions[:12] for seat in (0, 1))


@simultaneous_games
def test_law_11_mixes_sum_to_one_and_guarantee_the_value(game: AnyGame, unfinished_positions: Sample, law: Law) -> None:
    for position, seat, found in list_equilibria(game, unfinished_positions):
        assert sum(found.strategies[seat].values()) == pytest.approx(1, abs=1e-9), to_text(game, position)
        for reply in law.each(found.strategies[1 - seat]):
            sure = sum(share * found.payoff(seat, own, reply) for own, share in found.strategies[seat].items())
            assert sure >= found.value_for(seat) - 1e-9 - found.gap, f"{to_text(game, position)}, {reply}"


def check_judgements(found: Analysis[Any], objective: Objective, law: Law, where: str) -> None:
    """Check that exactly the worse moves of a position are flagged, and exactly the best ones praised. A move that ends
    a game with points as a win is praised in any case."""
    best = to_value(found.best_value())
    values = {move: to_value(value) for move, value in found.moves.items()}
    is_decided = len({value.outcome for value in values.values()}) == 1
    for move, value in law.each(values.items()):
        judgement = judge(found, move, Coaching(objective=objective))
        is_lower = value.outcome < best.outcome
        if is_decided or objective is Objective.MARGIN:
            is_lower = is_lower or value.margin != best.margin
        ends_won = move in found.ends_won
        assert judgement.flagged == (is_lower and not ends_won), f"{where}, {move}: {judgement}"
        is_least = {value.margin for value in values.values()} == {best.margin}
        assert judgement.changes_nothing == (is_decided and is_least and len(values) > 1), (
            f"{where}, {move}: {judgement}"
        )
        assert judgement.is_best == (value.preference == best.preference or ends_won), f"{where}, {move}: {judgement}"
        if value.remoteness is not None and best.remoteness is not None and value.outcome == best.outcome:
            check_distance(judgement, abs(value.remoteness - best.remoteness), f"{where}, {move}: {judgement}")


def check_distance(judgement: Judgement, plies: int, where: str) -> None:
    """Check what is said about a move that keeps the result and wins this many plies later or loses them sooner."""
    counted = re.search(r"(\d+) moves? (longer|sooner)", judgement.verdict())
    if counted is None:
        assert not plies or judgement.misses_short_win, where
    else:
        assert (int(counted[1]), counted[2]) == (plies, "longer" if judgement.is_win else "sooner"), where
        is_slow = plies >= SLOW_BY
        assert (judgement.grade is Grade.INACCURACY) == is_slow, where


@alternating_games
def test_law_13_no_worse_value_is_praised_and_no_best_move_blamed(
    game: AnyGame, sample: Sample, objective: Objective, law: Law
) -> None:
    for position, analysis in list_known(game, sample):
        if analysis.moves:
            check_judgements(analysis, objective, law, to_text(game, position))


@simultaneous_games
def test_law_13_no_move_of_an_equilibrium_is_flagged(game: AnyGame, unfinished_positions: Sample, law: Law) -> None:
    for position, seat, found in list_equilibria(game, unfinished_positions):
        for move, share in found.strategies[seat].items():
            if share > 1e-9:
                assert not judge_mixed(found, seat, move).flagged, f"{to_text(game, position)}, {move}"
                law.count_case()


def draw_moves(game: AnyGame, count: int) -> Iterator[tuple[Any, list[Any]]]:
    """Yield positions of random games with all their moves, until there are `count` moves."""
    random, total = Random(10), 0
    seen: set[Any] = set()
    while total < count:
        for start in list_starts(game):
            for position, move in play_randomly(game, start, random):
                if move is None or position in seen:
                    continue
                seen.add(position)
                moves = list(game.rules.legal_moves(position))
                yield position, moves
                total += len(moves)
                if total >= count:
                    return


def find_value(analyst: AlternatingAnalyst, position: Any) -> Value:
    value = analyst.probe(position)
    return to_value(analyst.analyse(position).value) if value is None else value


@solved_games
@alternating_games
@parametrize_amount("pairs", 300, 10_000)
def test_flagged_exactly_when_the_value_drops(
    game: AnyGame, analyst: AlternatingAnalyst, objective: Objective, pairs: int, law: Law
) -> None:
    for position, moves in draw_moves(game, pairs if not game.facts.has_margin else pairs // 5):
        seat = seat_of(game, position)
        before = find_value(analyst, position)
        live = LiveGame(Session(game, position), Coaching(OnBad.ASK, objective))
        live.store_values(live.node, analyst.analyse(position))
        children = {move: game.rules.play(position, move) for move in moves}
        afters = {
            move: turn_value(find_value(analyst, child), seat_of(game, child), seat) for move, child in children.items()
        }
        is_decided = game.facts.has_margin and len({after.outcome for after in afters.values()}) == 1
        for move, after in afters.items():
            drops = after.outcome < before.outcome
            if is_decided or objective is Objective.MARGIN:
                if game.rules.result(children[move]) is not None:
                    continue  # a margin counts points that can no longer be made once the game has ended
                taken = game.lead(children[move], seat) - game.lead(position, seat)
                drops = (after.margin or 0) + taken < (before.margin or 0)
            where = f"{game.notation.format_position(position)}, {game.notation.format_move(position, move)}"
            verdict = live.offer(seat, move)
            assert verdict is not None, "the values are known"
            assert verdict.judgement.flagged == drops, f"{game.id}: {where}: {before} -> {after}"
            assert (live.stopped_move is not None) == drops, f"{game.id}: {where}"
            law.count_case()
            live.rethink()
            live.session.go_to(live.session.tree.root)


MAX_PLIES = 120
NODES, REPLIES = 10, 3
"""How many nodes of a line are compared, and how many replies of each."""
TWO_LINES, EVERY_LINE = range(5, 7), range(40)
"""The seeds of two games in which positions soon repeat, and the seeds of all games."""

NOT_REPEATED = "no position came up again in these games, so nothing about repetition was tested"

cycling_games = restrict_games(lambda game: game.facts.can_cycle)


def format_node(game: AnyGame, node: AnyNode) -> str:
    return f"{game.id}: {[game.notation.format_position(position) for position in node.positions()]}"


def find_known(tree: AnyTree, node: AnyNode, analyst: AlternatingAnalyst) -> Analysis[Move]:
    """Return the values of the moves from a node in a game in progress."""
    found = find_values(tree, node, analyst)
    assert isinstance(found, Analysis)
    return found


Walk: TypeAlias = tuple[AnyTree, tuple[tuple[AnyNode, Analysis[Move]], ...]]
"""A random game, and its nodes with what is known at each."""


def play_walks(game: AnyGame, seeds: Sequence[int], law: Law) -> Iterator[Walk]:
    """Yield the games with these seeds. Where no position comes up again, laws about that have nothing to test. Only a
    game solved from its rules may have this excuse: positions of the others are known to come up again."""
    if is_solved_by_rules(game):
        law.excuse = NOT_REPEATED
    for seed in seeds:
        yield play_walk(game.id, seed)


@cache
def play_walk(game_id: str, seed: int) -> Walk:
    """Return a random game in which positions may repeat, and its nodes with what is known at each. Both sides like to
    return to earlier positions. All laws share it."""
    game, random = games.load(game_id), Random(seed)
    tree: AnyTree = GameTree(game)
    node, known, analyst = tree.root, [], alternating(open_game(game).analyst)
    while node.result is None and node.ply < MAX_PLIES:
        found, seen = find_known(tree, node, analyst), set(node.positions())
        if tree.conventions.find_closing(node.positions()):
            known.append((node, found))
        keeping = found.list_good_moves() or tuple(found.moves)
        back = [move for move in keeping if game.rules.play(node.position, move) in seen]
        choices = back if back and random.random() < 0.6 else keeping if random.random() < 0.8 else list(found.moves)
        node = tree.add(node, random.choice(choices))
    return tree, tuple(known)


@cycling_games
@parametrize_amount("lines", TWO_LINES, EVERY_LINE)
def test_the_value_of_a_move_is_the_value_of_the_game_after_it(
    game: AnyGame, analyst: AlternatingAnalyst, law: Law, lines: Sequence[int]
) -> None:
    for seed, (tree, nodes) in zip(lines, play_walks(game, lines, law), strict=True):
        random = Random(seed)
        for node, found in random.sample(nodes, min(NODES, len(nodes))):
            assert found.value == found.best_value(), format_node(game, node)
            for move in random.sample(list(found.moves), min(REPLIES, len(found.moves))):
                child = tree.add(node, move)
                after, value = find_known(tree, child, analyst).value, found.moves[move]
                if isinstance(after, Value) and value is not None:
                    where = f"{format_node(game, node)}, {move}"
                    before = value_before(after, seat_of(game, node.position), seat_of(game, child.position))
                    # The value after a move does not include what the move captures.
                    assert (value.outcome, value.remoteness) == (before.outcome, before.remoteness), where
                    law.count_case()


@cycling_games
@parametrize_amount("lines", TWO_LINES, EVERY_LINE)
def test_with_repetition_no_worse_move_is_praised_and_no_best_move_blamed(
    game: AnyGame, analyst: AlternatingAnalyst, law: Law, lines: Sequence[int]
) -> None:
    for _, nodes in play_walks(game, lines, law):
        for node, found in nodes:
            if found.is_complete:
                check_judgements(found, Objective.RESULT, law, format_node(game, node))


@cycling_games
@parametrize_amount("lines", TWO_LINES, EVERY_LINE)
def test_positions_recur_only_in_games_that_declare_it_and_points_are_never_lost(
    game: AnyGame, analyst: AlternatingAnalyst, law: Law, lines: Sequence[int]
) -> None:
    repetition = game.play.repetition
    assert repetition is not None, f"{game.id} can cycle and nothing ends a repetition"
    for tree, _ in play_walks(game, lines, law):
        past = tree.root.end().positions()
        for i, there in enumerate(past):
            for here in past[i:]:
                if repetition.result(here).score != repetition.result(there).score:
                    assert not repetition.leads_back(here, there), (
                        f"{to_text(game, there)}, then {game.notation.format_position(here)}: points were made in"
                        " between, but leads_back says that the position can come back"
                    )
            if there in past[i + 1 :]:
                for here in past[i : past.index(there, i + 1)]:
                    assert repetition.leads_back(here, there), (
                        f"{to_text(game, there)}: it came back after {game.notation.format_position(here)}, but"
                        " leads_back says that it cannot"
                    )
                law.count_case()
