"""Drills are made of flagged decisions, and every keeping move solves them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from onlymove_engines.coach.drill import Origin, from_mistakes, line_of, only_move_positions, setting
from onlymove_engines.coach.tutor import OnBad, Tutor
from onlymove_engines.core.house_rules import THREEFOLD
from onlymove_engines.play.line import Line
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


def test_a_drill_takes_the_house_rule_along_where_it_narrowed_the_decision() -> None:
    forbidding = Forbidding("c")
    game = replace(GAME, house_rules=(forbidding,))
    for rule, moves in ((None, ("a", "b", "c")), (forbidding, ("a", "b"))):
        tutor = Tutor(Session(game, house_rule=rule), OnBad.FLAG)
        tutor.offer(0, "b", ANALYST.analyse("start"))
        (drill,) = from_mistakes(tutor.session.line, (0,))
        assert drill.position == ("start" if rule is None else f"start rule {forbidding.id}")
        line = line_of(game, drill.position)
        assert line.allowed(line.here) == moves


def test_a_drill_holds_the_moves_that_came_before_where_they_matter() -> None:
    going_round: Tree = {"start": (0, {"a": "there", "x": "won"}), "there": (1, {"b": "start"}), "won": Over(0, 1)}
    game = replace(literal_game(going_round), repetition=THREEFOLD)
    line = Line(game)
    for move, text in (("a", "start"), ("b", "there"), ("a", "start moves a b"), ("b", "start moves a b a")):
        assert setting(line, line.here) == text
        again = line_of(game, text)
        assert again.here.position == line.here.position
        assert again.closing(again.here) == line.closing(line.here)
        line.stand_at(line.add(line.here, move))


def test_generated_drills_have_exactly_one_move_that_holds() -> None:
    tree: Tree = {"start": (0, {"a": "won", "b": "drawn", "c": "drawn", "x": "drawn"}),
            "won": Over(0, 1), "drawn": Over(None, 1)}  # fmt: skip
    game = literal_game(tree)
    drills = list(only_move_positions(game, LiveAnalyst(game), Random(1), 5, walks=3))
    assert [drill.position for drill in drills] == ["start"]
    assert list(only_move_positions(GAME, ANALYST, Random(1), 5, walks=20)) == []
