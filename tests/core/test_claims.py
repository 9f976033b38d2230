"""Reasons why a move is bad, in games whose rules say little."""

from __future__ import annotations

from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.reasons import build_moment, choose_sentences, find_claims
from onlymove_engines.play.line import Conventions
from onlymove_engines.search.deepening import LiveAnalyst

from tests.literal_game import literal_game


def test_a_move_that_ends_the_game_is_explained_if_the_rules_give_no_reason() -> None:
    game = literal_game()
    law, analyst = Conventions(game), LiveAnalyst(game)
    known = analyst.analyse("start")
    moment = build_moment(law, ["start"], "c", known, analyst)
    assert moment is not None
    judgement = judge(known, "c")
    assert judgement.flagged, "from a win to a draw"
    assert choose_sentences(find_claims(moment, judgement), may_name=False) == ("This ends the game in a draw.",)
