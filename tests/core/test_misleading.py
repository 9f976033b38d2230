"""Positions in which advice misleads: every move that follows it is a mistake, and some other move is not."""

from __future__ import annotations

from random import Random

import pytest
from onlymove_engines import games
from onlymove_engines.coach.drill import (
    Origin,
    UnknownAdvice,
    draw_misleading,
    find_advice,
    find_misleading_advice,
    list_misleading,
    read_setting,
)
from onlymove_engines.core.analysis import alternating
from onlymove_tables.open import open_game

TESTED = [facts.id for facts in games.list_games() if find_advice(games.load(facts.id))]
UNTESTED = next(facts.id for facts in games.list_games() if facts.id not in TESTED)


@pytest.mark.parametrize("game_id", TESTED)
def test_every_position_kept_has_a_move_that_holds_and_one_that_does_not(game_id: str) -> None:
    game = games.load(game_id)
    analyst, drills = alternating(open_game(game).analyst), list_misleading(game)
    assert len(drills) >= 12, "there is something to practise"
    for drill in drills:
        position = read_setting(game, drill.position).here.position
        assert drill.seat == game.rules.to_move(position)
        assert find_misleading_advice(game, drill.position) in [tested.sentence for tested in find_advice(game)]
        values = analyst.analyse(position)
        outcomes = {value.outcome for value in values.moves.values() if value is not None}
        assert len(outcomes) > 1, f"{game_id}: nothing can go wrong in {drill.position}"


def test_they_can_be_asked_for_by_advice_and_are_drawn_at_random() -> None:
    game = games.load(TESTED[0])
    one = next(tested for tested in find_advice(game) if tested.examples)
    drills = list_misleading(game, one.id)
    assert [drill.position for drill in drills] == list(one.examples)
    assert {drill.origin for drill in drills} == {Origin.ADVICE}
    drawn = draw_misleading(game, Random(1), 5, one.id)
    assert len(drawn) == 5
    assert set(drawn) <= set(drills)


def test_unknown_advice_is_refused_with_the_advice_there_is() -> None:
    game = games.load(TESTED[0])
    with pytest.raises(UnknownAdvice, match=f"no advice 'hurry'; choose from {find_advice(game)[0].id}, "):
        list_misleading(game, "hurry")
    with pytest.raises(UnknownAdvice, match=r"has no advice 'hurry'$"):
        list_misleading(games.load(UNTESTED), "hurry")
    assert list_misleading(games.load(UNTESTED)) == []
