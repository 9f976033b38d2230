"""Drills are made of flagged decisions, and every keeping move solves them."""

from __future__ import annotations

from random import Random

from onlymove_engines.coach.drill import Origin, from_mistakes, only_move_positions
from onlymove_engines.coach.tutor import OnBad, Tutor
from onlymove_engines.play.session import Session
from onlymove_engines.search.deepening import LiveAnalyst

from tests.literal_game import Forbidding, Over, Tree, literal_game

GAME = literal_game()
ANALYST = LiveAnalyst(GAME)


def test_a_mistake_becomes_a_drill_whether_it_stood_or_was_taken_back() -> None:
    for keeps in (True, False):
        tutor = Tutor(Session(GAME), OnBad.ASK)
        analysis = ANALYST.analyse("start")
        tutor.offer(0, "b", analysis)
        if keeps:
            tutor.keep()
        else:
            tutor.rethink()
            tutor.offer(0, "a", analysis)
        (drill,) = from_mistakes(tutor.session.line, (0, 1))
        assert (drill.position, drill.seat, drill.origin) == ("start", 0, Origin.MISTAKE)
        assert drill.played == ("b" if keeps else "")


def test_good_play_leaves_nothing_to_practise() -> None:
    tutor = Tutor(Session(GAME), OnBad.ASK)
    tutor.offer(0, "a", ANALYST.analyse("start"))
    assert from_mistakes(tutor.session.line, (0, 1)) == []


def test_a_decision_that_the_house_rule_narrowed_is_no_drill() -> None:
    """Its position alone would offer moves that could not be played."""
    for rule, count in ((None, 1), (Forbidding("c"), 0)):
        tutor = Tutor(Session(GAME, house_rule=rule), OnBad.FLAG)
        tutor.offer(0, "b", ANALYST.analyse("start"))
        assert len(from_mistakes(tutor.session.line, (0,))) == count


def test_generated_drills_have_exactly_one_move_that_holds() -> None:
    tree: Tree = {"start": (0, {"a": "won", "b": "drawn", "c": "drawn", "x": "drawn"}),
            "won": Over(0, 1), "drawn": Over(None, 1)}  # fmt: skip
    game = literal_game(tree)
    drills = list(only_move_positions(game, LiveAnalyst(game), Random(1), 5, walks=3))
    assert [drill.position for drill in drills] == ["start"]
    assert list(only_move_positions(GAME, ANALYST, Random(1), 5, walks=20)) == []
