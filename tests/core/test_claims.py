"""Reasons why a move is bad, in games whose rules say little."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.reasons import build_moment, choose_sentences, find_claims
from onlymove_engines.coach.values import analyse_after
from onlymove_engines.core.value import Value
from onlymove_engines.play.tree import Conventions
from onlymove_engines.search.deepening import LiveAnalyst
from onlymove_laws.claims import Case, Line, is_true

from tests.literal_game import literal_game
from tests.reference.random_game import draw_game, solve_from_rules


def test_a_move_that_ends_the_game_is_explained_if_the_rules_give_no_reason() -> None:
    game = literal_game()
    law, analyst = Conventions(game), LiveAnalyst(game)
    known = analyst.analyse("start")
    moment = build_moment(law, ["start"], "c", known, analyst)
    assert moment is not None
    judgement = judge(known, "c")
    assert judgement.flagged, "from a win to a draw"
    assert choose_sentences(find_claims(moment, judgement), may_name=False) == ("This ends the game in a draw.",)


class SolvedCase(Case):
    """A move of a game that is not installed."""

    def values(self, line: Line) -> Mapping[Any, Value | None]:
        return self.analyst.analyse(line[-1]).moves


def test_sentences_are_true_where_a_side_moves_twice_in_a_row() -> None:
    kinds = set[str]()
    for seed in range(150):
        of = draw_game(seed)
        analyst, repetition = solve_from_rules(of.game), of.game.play.repetition
        assert repetition is not None
        # With a third occurrence, no position is closed at the beginning of a game.
        thrice = replace(of.game, play=replace(of.game.play, repetition=replace(repetition, times=3)))
        law = Conventions(thrice)
        for position in of.positions:
            known = analyse_after(law, [position], analyst)
            for move in known.moves:
                moment = build_moment(law, [position], move, known, analyst)
                assert moment is not None
                for claim in find_claims(moment, judge(known, move)):
                    assert is_true(SolvedCase(of.game, analyst, position, move), claim), f"{seed}: {position} {move}"
                    kinds.add(claim.kind)
    assert kinds >= {"Punished", "OnlyReply", "Missed", "OnlyMove", "KeepsMore", "Trapped", "Ended", "Counted"}
