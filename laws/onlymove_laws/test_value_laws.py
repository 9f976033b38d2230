"""The laws of values and judgements, for every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.coach.judge import judge, judge_mixed
from onlymove_engines.core.analysis import AlternatingAnalyst, Analysis, SimultaneousAnalyst, simultaneous
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade, Objective
from onlymove_engines.core.value import Mixed, Value
from onlymove_tables.open import find_analyst

from .fixtures import known_of
from .law import Law, alternating_games, named, proven, seat_of, simultaneous_games, solved_games

Sample = tuple[Any, ...]
DEPTH = Budget(depth=3)


def analysed(game: AnyGame, positions: Iterable[Any]) -> Iterator[tuple[Any, Analysis[Any]]]:
    """The positions of which everything is known, and what: search need not get to the end of every game."""
    for position in positions:
        analysis = known_of(game.id, position)
        if isinstance(analysis.value, Value) and analysis.is_complete:
            yield position, analysis


@alternating_games
def test_law_9_a_value_is_the_best_of_its_moves(game: AnyGame, sample: Sample, law: Law) -> None:
    for position, analysis in analysed(game, sample):
        result = game.rules.result(position)
        if result is not None:
            assert analysis.value == result.value_for(seat_of(game, position)), named(game, position)
            assert analysis.moves == {}
        else:
            assert list(analysis.moves) == list(game.rules.legal_moves(position)), named(game, position)
            best = proven(analysis.best_value())
            assert proven(analysis.value).preference == best.preference, named(game, position)
            law.held()


@alternating_games
def test_law_9_a_move_is_worth_what_the_position_after_it_is(game: AnyGame, sample: Sample, law: Law) -> None:
    for position, analysis in analysed(game, sample[:30]):
        for move, value in list(analysis.moves.items())[:8]:
            child = proven(known_of(game.id, game.rules.play(position, move)).value)
            expected, found = (-child).stepped_back(), proven(value)
            if game.facts.has_margin:
                assert found.outcome == expected.outcome, f"{named(game, position)}, {move}"
            else:
                assert found.preference == expected.preference, f"{named(game, position)}, {move}"
            law.held()


@solved_games
@alternating_games
def test_law_10_the_start_has_the_value_of_the_facts(
    game: AnyGame, analyst: AlternatingAnalyst, facts: dict[str, Any], law: Law
) -> None:
    assert str(analyst.analyse(game.default_start()).value) == facts["start_value"]
    law.held()


@simultaneous_games
def test_law_10_small_fields_have_the_values_of_the_facts(
    game: AnyGame, mixer: SimultaneousAnalyst[Any], facts: dict[str, Any], law: Law
) -> None:
    for text, value in facts["values"].items():
        found = mixer.mixed(game.notation.parse_position(text))
        assert found.exact, text
        assert found.expected == pytest.approx(value, abs=1e-9), text
        law.held()


@alternating_games
def test_law_10_batch_and_single_analysis_agree(
    game: AnyGame, analyst: AlternatingAnalyst, sample: Sample, law: Law
) -> None:
    known = {position: analysis for position, analysis in analysed(game, sample) if analyst.is_reachable(position)}
    for (position, analysis), row in zip(known.items(), analyst.summarise(list(known)), strict=True):
        assert proven(row.value).preference == proven(analysis.value).preference, named(game, position)
        spelled = sorted(game.notation.format_move(position, move) for move in analysis.best())
        assert row.best == (" ".join(spelled) or "-"), named(game, position)
        counts = (str(len(analysis.moves)), str(len(analysis.keeping())))
        assert (row.moves, row.keeping) == counts, named(game, position)
        law.held()


@cache
def equilibrium(game_id: str, position: Any) -> Mixed:
    """What the analyst finds, once for all laws."""
    return simultaneous(find_analyst(games.load(game_id))[0]).mixed(position, DEPTH)


@simultaneous_games
def test_law_11_mixes_sum_to_one_and_guarantee_the_value(game: AnyGame, unfinished: Sample, law: Law) -> None:
    for position in unfinished[:12]:
        found = equilibrium(game.id, position)
        for seat in (0, 1):
            assert sum(found.strategies[seat].values()) == pytest.approx(1, abs=1e-9), named(game, position)
            for reply in found.strategies[1 - seat]:
                sure = sum(share * found.payoff(seat, own, reply) for own, share in found.strategies[seat].items())
                assert sure >= found.value_for(seat) - 1e-9 - found.gap, f"{named(game, position)}, {reply}"
                law.held()


@alternating_games
def test_law_13_no_worse_value_is_praised_and_no_best_move_blamed(
    game: AnyGame, sample: Sample, objective: Objective, law: Law
) -> None:
    for position, analysis in analysed(game, sample):
        best = analysis.best_value()
        values = {move: proven(value) for move, value in analysis.moves.items()}
        is_decided = len({value.outcome for value in values.values()}) == 1
        for move, value in values.items():
            judgement = judge(analysis, move, objective)
            assert best is not None
            lower = value.outcome < best.outcome
            if is_decided or objective is Objective.MARGIN:
                lower = lower or value.margin != best.margin
            assert judgement.flagged == lower, f"{named(game, position)}, {move}: {judgement}"
            praised = judgement.grade in (Grade.BEST, Grade.FORCED)
            assert praised == (value.preference == best.preference), f"{named(game, position)}, {move}: {judgement}"
            law.held()


@simultaneous_games
def test_law_13_no_move_of_an_equilibrium_is_flagged(game: AnyGame, unfinished: Sample, law: Law) -> None:
    for position in unfinished[:12]:
        found = equilibrium(game.id, position)
        for seat in (0, 1):
            for move, share in found.strategies[seat].items():
                if share > 1e-9:
                    assert not judge_mixed(found, seat, move).flagged, f"{named(game, position)}, {move}"
                    law.held()
