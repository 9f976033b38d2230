"""Reasons why a move is bad, in games whose rules say little."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.reasons import build_moment, choose_claims, choose_sentences, find_claims
from onlymove_engines.coach.values import analyse_after
from onlymove_engines.core.game import Claim, Substance
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


def test_what_can_be_seen_comes_before_what_is_named_and_this_before_the_verdict_in_other_words() -> None:
    restated, named, seen = (Claim(each.name, each.name, substance=each) for each in reversed(Substance))
    better = Claim("better", "better", names_better=True, substance=Substance.POINTER)
    assert choose_claims((restated, named, better, seen), may_name=True) == (seen, named, better)
    assert choose_claims((restated, better, seen), may_name=True) == (seen, better, restated)
    assert choose_claims((restated, named, better, seen), may_name=False) == (seen, named, restated)


def test_a_better_move_is_told_by_other_words_while_it_can_still_be_chosen() -> None:
    claim = Claim("better", "b3 would have won.", names_better=True, while_choosing="Another move wins.")
    assert choose_sentences([claim], may_name=True) == ("b3 would have won.",)
    assert choose_sentences([claim], may_name=False) == ("Another move wins.",)


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
