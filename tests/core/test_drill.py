"""Drills are made from flagged decisions, and every move that keeps the value solves them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from onlymove_engines.coach.drill import (
    Drill,
    Origin,
    daily_drill,
    draw_positions,
    find_mistakes,
    fits,
    format_setting,
    is_too_easy,
    make_mistake_drills,
    read_setting,
    solves,
    sort_by_size,
)
from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.coach.values import analyse_after
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.repetition import THREEFOLD
from onlymove_engines.core.value import Draw, Loss, Mixed, Move, Value, Win
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.tree import GameTree
from onlymove_engines.search.deepening import LiveAnalyst
from onlymove_tui.play.phrases import describe_largest_mistakes

from tests.literal_game import Over, Tree, forbid_move, literal_game
from tests.tui.tiny_duel import tiny_duel

GAME = literal_game()
ANALYST = LiveAnalyst(GAME)


def game_at_start(session: AnySession, on_bad: OnBad) -> LiveGame:
    live = LiveGame(session, Coaching(on_bad))
    live.store_values(live.node, ANALYST.analyse("start"))
    return live


def test_a_mistake_becomes_a_drill_whether_it_stood_or_was_taken_back() -> None:
    for keeps in (True, False):
        live = game_at_start(Session(GAME), OnBad.ASK)
        live.offer(0, "b")
        if keeps:
            live.play_stopped_move()
        else:
            live.rethink()
            live.offer(0, "a")
        (drill,) = make_mistake_drills(live.session)
        assert (drill.position, drill.seat, drill.origin) == ("start", 0, Origin.MISTAKE)
        assert drill.played == ("b" if keeps else "")


def test_good_play_leaves_nothing_to_practise() -> None:
    live = game_at_start(Session(GAME), OnBad.ASK)
    live.offer(0, "a")
    assert make_mistake_drills(live.session) == []


def test_a_drill_includes_the_house_rule_if_it_excluded_moves() -> None:
    without_c = forbid_move("c")
    game = replace(GAME, play=replace(GAME.play, house_rules=(without_c,)))
    for rule, moves in ((None, ("a", "b", "c")), (without_c, ("a", "b"))):
        live = game_at_start(Session(game, house_rule=rule), OnBad.MARK)
        live.offer(0, "b")
        (drill,) = make_mistake_drills(live.session)
        assert drill.position == ("start" if rule is None else f"start rule {without_c.id}")
        tree = read_setting(game, drill.position)
        assert tree.list_allowed(tree.here) == moves


def test_a_drill_stores_earlier_moves_if_they_matter() -> None:
    going_round: Tree = {"start": (0, {"a": "there", "x": "won"}), "there": (1, {"b": "start"}), "won": Over(0, 1)}
    game = replace(literal_game(going_round), play=replace(literal_game(going_round).play, repetition=THREEFOLD))
    tree = GameTree(game)
    for move, text in (("a", "start"), ("b", "there"), ("a", "start moves a b"), ("b", "start moves a b a")):
        assert format_setting(tree, tree.here) == text
        again = read_setting(game, text)
        assert again.here.position == tree.here.position
        closing = [each.conventions.find_closing(each.here.positions()) for each in (again, tree)]
        assert closing[0] == closing[1]
        tree.go_to(tree.add(tree.here, move))


def test_generated_drills_have_exactly_one_move_that_holds() -> None:
    tree: Tree = {"start": (0, {"a": "won", "b": "drawn", "c": "drawn", "x": "drawn"}),
            "won": Over(0, 1), "drawn": Over(None, 1)}  # fmt: skip
    game = literal_game(tree)
    drills = list(draw_positions(game, LiveAnalyst(game), Random(1), Origin.ONLY_MOVE, 5, walks=3))
    assert [drill.position for drill in drills] == ["start"]
    assert list(draw_positions(GAME, ANALYST, Random(1), Origin.ONLY_MOVE, 5, walks=20)) == []


def values(*moves: Value) -> Analysis[Move]:
    """Return a position whose moves have these values."""
    return Analysis(max(moves), dict(enumerate(moves)))


@pytest.mark.parametrize(
    ("theme", "moves", "does_fit"),
    [
        (Origin.CONVERT, (Win(3), Draw(), Draw()), True),
        (Origin.CONVERT, (Win(3), Win(5), Draw(), Loss(2), Loss(2), Loss(4)), True),
        (Origin.CONVERT, (Win(3), Win(5), Draw(), Loss(2), Loss(2)), False),
        (Origin.CONVERT, (Draw(), Loss(2), Loss(2), Loss(2)), False),
        (Origin.HOLD, (Draw(), Loss(2), Loss(4)), True),
        (Origin.HOLD, (Draw(), Draw(), Loss(2), Loss(4)), False),
        (Origin.HOLD, (Loss(8), Loss(4), Loss(2)), True),
        (Origin.HOLD, (Loss(8), Loss(8), Loss(2)), False),
        (Origin.HOLD, (Loss(2), Loss(2), Loss(2)), False),
        (Origin.HOLD, (Win(3), Draw(), Draw()), False),
    ],
    ids=str,
)
def test_a_theme_asks_for_what_at_most_a_third_of_the_moves_do(
    theme: Origin, moves: tuple[Value, ...], does_fit: bool
) -> None:
    assert fits(theme, values(*moves), 0) is does_fit


@pytest.mark.parametrize(
    ("moves", "easy"),
    [
        ((Draw(), Draw(), Draw(), Loss(2)), True),
        ((Draw(), Draw(), Loss(2)), False),
        ((Win(3), Win(5), Win(7), Loss(2)), True),
        ((Loss(4), Loss(2)), True),
    ],
    ids=str,
)
def test_a_position_with_more_than_two_thirds_right_moves_is_no_drill(moves: tuple[Value, ...], easy: bool) -> None:
    assert is_too_easy(values(*moves), 0) is easy


def test_a_mistake_among_mostly_right_moves_is_not_collected() -> None:
    nodes: Tree = {"start": (0, {"a": "won", "b": "won", "c": "won", "x": "lost"}),
            "won": Over(0, 1), "lost": Over(1, 1)}  # fmt: skip
    tree = GameTree(literal_game(nodes))
    node = tree.add(tree.root, "x")
    tree.go_to(node)
    node.judgements[0] = Judgement(Grade.BLUNDER, Win(1), Loss(1), flagged=True)
    assert len(make_mistake_drills(Session.from_tree(tree))) == 1, "nothing is known of the other moves"
    tree.root.values = values(Win(1), Win(1), Win(1), Loss(1))
    assert make_mistake_drills(Session.from_tree(tree)) == []
    tree.root.values = values(Win(1), Loss(1), Loss(1), Loss(1))
    assert len(make_mistake_drills(Session.from_tree(tree))) == 1


def test_the_largest_mistake_comes_first_and_of_equal_ones_the_nearest_to_the_end() -> None:
    """A first try that was taken back counts like a move that stood."""
    names = ["one", "reply", "two", "again", "three", "once more", "four", "end"]
    nodes: Tree = {name: (ply % 2, {"a": names[ply + 1]}) for ply, name in enumerate(names[:-1])}
    tree = GameTree(literal_game({**nodes, "start": (0, {"a": "one"}), "end": Over(0, 1)}), "one")
    for _ in range(7):
        tree.go_to(tree.add(tree.here, "a"))
    mistakes = (
        Judgement(Grade.BLUNDER, Draw(), Loss(2), flagged=True),
        Judgement(Grade.BLUNDER, Win(7), Loss(2), flagged=True),
        Judgement(Grade.BLUNDER, Win(3), Loss(2), flagged=True),
        Judgement(Grade.MISSED_WIN, Win(1), Draw(), flagged=True),
    )
    for node, mistake in zip(tree.here.path()[1::2], mistakes, strict=True):
        node.judgements[0] = mistake
    third = tree.here.path()[5]
    assert third.parent is not None
    third.parent.attempts[0], third.judgements[0] = mistakes[2], Judgement(Grade.BEST, Win(3), Win(2))
    session = Session.from_tree(tree)
    assert [node.number for node, _ in sort_by_size(find_mistakes(session))] == [3, 2, 4, 1]
    assert [drill.position for drill in make_mistake_drills(session)] == ["three", "two", "four", "one"]
    choices = find_mistakes(session)
    assert describe_largest_mistakes(choices) == "Mistakes, the largest first: moves 5, 3, 7 and 1."
    assert describe_largest_mistakes(choices[:1]) == ""
    assert describe_largest_mistakes(choices * 2) == "Mistakes, the largest first: moves 5, 5, 3, 3, 7 and 3 more."


def test_holding_out_is_answered_by_the_longest_way_only() -> None:
    drill = Drill("any", "start", 0, Origin.HOLD)
    assert solves(drill, Judgement(Grade.BEST, Loss(8), Loss(8)))
    assert not solves(drill, Judgement(Grade.GOOD, Loss(8), Loss(4)))
    assert solves(replace(drill, origin=Origin.MISTAKE), Judgement(Grade.GOOD, Loss(8), Loss(4)))
    assert solves(drill, Judgement(Grade.BEST, Draw(), Draw()))
    assert not solves(drill, Judgement(Grade.BLUNDER, Draw(), Loss(2), flagged=True))


def test_the_value_in_its_history_is_asked_only_for_positions_that_may_be_drills(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Hashable] = []

    def note_and_analyse(law: Any, past: Any, *rest: Any) -> Analysis[Move]:
        asked.append(past[-1])
        return analyse_after(law, past, *rest)

    monkeypatch.setattr("onlymove_engines.coach.drill.analyse_after", note_and_analyse)
    tree: Tree = {"start": (0, {"a": "won", "b": "drawn", "c": "next", "x": "drawn"}),
            "next": (1, {"a": "lost", "b": "lost", "c": "lost", "x": "lost"}),
            "won": Over(0, 1), "lost": Over(1, 2), "drawn": Over(None, 1)}  # fmt: skip
    game = literal_game(tree)
    assert len(list(draw_positions(game, LiveAnalyst(game), Random(1), Origin.ONLY_MOVE, 5, walks=9))) == 1
    assert asked == ["start"], "it may cost a thousand times what the position alone does"


def rows(*worth: float) -> Mixed:
    """Return a round in which the first side's steps have these payoffs, whatever the other side does."""
    matrix: dict[Move, dict[Move, float]] = {place: {"x": value, "y": value} for place, value in enumerate(worth)}
    best = max(worth)
    first: dict[Move, float] = {place: float(value == best) for place, value in enumerate(worth)}
    return Mixed(best, (first, {"x": 0.5, "y": 0.5}), matrix, exact=True)


@pytest.mark.parametrize(
    ("mixed", "themes"),
    [
        (rows(0.9, 0.0, -1.0), {Origin.ONLY_MOVE, Origin.CONVERT}),
        (rows(0.1, -0.5, -1.0), {Origin.ONLY_MOVE, Origin.HOLD}),
        (rows(-0.6, -0.9, -1.0), {Origin.ONLY_MOVE}),
        (rows(0.1, 0.1, -1.0), set()),
        (rows(0.1, 0.05, -1.0), set()),
        (rows(0.9, -1.0), set()),
    ],
)
def test_with_simultaneous_moves_a_theme_is_a_value_and_regret(mixed: Mixed, themes: set[Origin]) -> None:
    assert {theme for theme in Origin if fits(theme, mixed, 0)} == themes
    assert not any(fits(theme, mixed, 1) for theme in Origin), "every step of the other side is sound"


def test_a_position_with_simultaneous_moves_is_a_drill_for_one_side() -> None:
    game = replace(tiny_duel(), facts=replace(tiny_duel().facts, plays_by_search=True))

    class Knows:
        def mixed(self, position: tuple[int, int], budget: Budget = UNLIMITED) -> Mixed:
            return rows(0.9, 0.0, -1.0)

        def is_reachable(self, position: tuple[int, int]) -> bool:
            return True

        def summarise(self, positions: Any) -> Any:
            raise NotImplementedError

    (drill,) = draw_positions(game, Knows(), Random(1), Origin.CONVERT, 1)
    assert (drill.seat, drill.origin) == (0, Origin.CONVERT)
    assert list(draw_positions(game, Knows(), Random(1), Origin.HOLD, 1, walks=2)) == []


class Learning(LiveAnalyst[str, str]):
    """Proves nothing until it has been asked a hundred times."""

    asked = 0

    def analyse(self, position: str, budget: Budget = UNLIMITED) -> Analysis[str]:
        self.asked += 1
        found = super().analyse(position, budget)
        return found if self.asked > 100 else Analysis(None, dict.fromkeys(found.moves))

    def afresh(self) -> Learning:
        return Learning(self.game)


def test_the_drill_of_a_day_does_not_depend_on_what_was_asked_before() -> None:
    tree: Tree = {"start": (0, {"a": "won", "b": "drawn", "c": "lost", "x": "lost"}),
            "won": Over(0, 1), "lost": Over(1, 1), "drawn": Over(None, 1)}  # fmt: skip
    game = literal_game(tree)
    assert daily_drill(game, LiveAnalyst(game), 1) is not None
    analyst = Learning(game)
    for _ in range(100):
        analyst.analyse("start")
    assert daily_drill(game, analyst, 1) is None, "for somebody who has asked nothing yet there is none"
