"""A live game without a screen: what is offered, stopped, judged, agreed and saved, whatever shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from onlymove_engines.coach.figures import count_figures, list_choices_at
from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.coach.reasons import Explanation
from onlymove_engines.core.analysis import HintNotes
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.errors import GameOver, IllegalMove
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade
from onlymove_engines.core.rules import Result
from onlymove_engines.live.clock import GameClock, TimeControl
from onlymove_engines.live.live_game import LiveGame, is_disclosed, is_revealed
from onlymove_engines.play.players import HUMAN, Player
from onlymove_engines.play.session import Session
from onlymove_engines.search.deepening import LiveAnalyst

from tests.heap_game import HeapAnalyst, heap_game
from tests.literal_game import forbid_move, literal_game
from tests.tui.live_games import (
    AGAINST,
    ENGINE,
    FRIENDS,
    is_kept,
    make_duel_game,
    make_heap_game,
    reply,
    store_current_values,
)
from tests.tui.tiny_duel import DuelAnalyst, tiny_duel
from tests.tui.tiny_game import LEFT_STANDS, TinyAnalyst, tiny_game

# Training.


def show_values(live: LiveGame) -> None:
    live.show_values(True)


def show_last_hint(live: LiveGame) -> None:
    climb = live.prepare_hint(straight=True)
    assert climb is not None
    climb()


def test_training_off_plays_the_stopped_move() -> None:
    live = make_heap_game()
    live.offer(0, 2)
    verdict = live.set_training(False)
    assert verdict is not None
    assert (live.node.move, verdict.judgement.flagged) == (2, True)
    assert live.stopped_move is None


def test_a_move_that_waits_for_values_is_played_when_training_ends_and_taken_up_when_they_come() -> None:
    for ends in (True, False):
        live = make_heap_game(knows_values=False)
        assert live.offer(0, 2) is None
        assert live.waiting == (0, 2)
        if ends:
            assert live.set_training(False) is not None
            assert live.node.move == 2
        else:
            store_current_values(live)
            verdict = live.retry_waiting_move()
            assert verdict is not None
            assert verdict.stopped_move is not None


def test_a_position_without_a_value_delays_nobody() -> None:
    live = make_heap_game(knows_values=False)
    live.offer(0, 2)
    live.store_values(live.node, None)
    assert live.retry_waiting_move() is not None
    assert live.node.move == 2


@pytest.mark.parametrize("on_bad", list(OnBad))
def test_without_training_no_policy_holds_anything(on_bad: OnBad) -> None:
    live = make_heap_game(on_bad=on_bad, training=False)
    verdict = live.offer(0, 2)
    assert verdict is not None
    assert verdict.node is live.node
    assert verdict.judgement.flagged, "judged quietly all the same"
    assert not is_revealed(live)


def test_a_hint_after_the_first_attempt_does_not_wipe_it_out() -> None:
    live = make_heap_game()
    live.offer(0, 2)
    climb = live.prepare_hint(straight=True)
    assert climb is not None
    assert climb().moves == (1,)
    live.play_stopped_move()
    assert count_figures(list_choices_at(live.node.path(), 0)).format_headline() == "0 of 1 move was good."


@pytest.mark.parametrize("helped", [show_values, show_last_hint])
def test_values_and_the_last_hint_are_help_but_not_after_the_first_attempt(helped: Callable[[LiveGame], None]) -> None:
    live = make_heap_game()
    helped(live)
    assert live.node.hinted == {0}
    live = make_heap_game()
    live.offer(0, 2)
    helped(live)
    assert live.node.hinted == set()


@pytest.mark.parametrize(("help_first", "found"), [(False, 1), (True, 0)])
def test_an_only_move_that_all_hints_showed_is_not_counted_as_found(help_first: bool, found: int) -> None:
    live = make_heap_game()
    if help_first:
        show_last_hint(live)
    live.offer(0, 1)
    assert live.node.judgements[0].only
    assert count_figures(list_choices_at(live.node.path(), 0)).only_moves == found


def test_the_engines_move_is_judged_but_its_grade_not_shown_before_it_is_answered() -> None:
    live = make_heap_game(players=AGAINST)
    live.offer(0, 1)
    store_current_values(live)
    reply(live)
    assert live.node.judgements
    assert not is_disclosed(live, live.node)
    live.offer(0, 2)
    assert is_disclosed(live, live.node.path()[2])


def test_only_a_move_that_lost_something_may_be_explained() -> None:
    live = make_heap_game(on_bad=OnBad.MARK)
    live.offer(0, 1)
    assert live.find_refuted() is None
    live.undo()
    live.offer(0, 2)
    assert live.find_refuted() == (live.session.tree.root, 2)


# One step back at a time.


def test_undo_takes_back_a_stopped_move_before_a_played_one() -> None:
    live = make_heap_game()
    for seat, bad in ((0, 2), (1, 1)):
        live.offer(seat, bad)
        live.play_stopped_move()
        store_current_values(live)
    live.offer(0, 2)
    assert live.stopped_move is not None
    plies = []
    while live.undo():
        plies.append((live.node.ply, live.stopped_move is not None))
    assert plies == [(2, False), (1, False), (0, False)]


def test_where_nothing_can_be_redone_a_stopped_move_still_waits_for_an_answer() -> None:
    live = make_heap_game()
    live.offer(0, 2)
    stopped = live.stopped_move
    assert stopped is not None
    assert not live.redo()
    assert live.stopped_move is stopped


def test_a_redone_move_is_not_stopped_again() -> None:
    live = make_heap_game()
    live.offer(0, 2)
    live.play_stopped_move()
    live.undo()
    assert live.redo()
    assert (live.node.move, live.stopped_move is not None) == (2, False)


# Draws and the end.


@pytest.mark.parametrize(
    ("start", "seat", "agreed"),
    [((7, 0), 0, True), ((6, 0), 0, False), ((6, 1), 0, True), ((7, 1), 0, False)],
    ids=["the engine is losing", "the engine is winning", "losing, and to move", "winning, and to move"],
)
def test_an_engine_takes_a_draw_when_it_gives_up_nothing(start: tuple[int, int], seat: int, agreed: bool) -> None:
    live = make_heap_game(start, AGAINST)
    assert live.offer_draw(seat) is agreed
    assert live.session.is_over is agreed


def test_an_engine_that_does_not_know_plays_on() -> None:
    live = make_heap_game(players=AGAINST, knows_values=False)
    assert not live.offer_draw(0)


def test_nothing_can_be_done_in_a_game_that_is_over() -> None:
    live = make_heap_game()
    live.resign(1)
    for what in (lambda: live.offer(0, 1), lambda: live.resign(0), lambda: live.offer_draw(0)):
        with pytest.raises(GameOver):
            what()
    assert live.session.result is not None
    assert live.session.result.winner == 0


# Who plays.


def test_a_side_is_taken_over_and_handed_over_during_a_game() -> None:
    live = make_heap_game(players=AGAINST)
    live.offer(0, 1)
    turn = live.turn
    live.set_players(FRIENDS)
    assert (live.session.choosing_seat, live.turn > turn) == (1, True), "the engine's thought is not wanted any more"
    live.set_players((ENGINE, HUMAN))
    store_current_values(live)
    live.offer(1, 1)
    assert live.list_choosing_engines() == (0,)


# The clock, and those who watch.


class Seconds:
    """A clock that only tests move."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def make_timed_game(game: AnyGame, players: tuple[Player, Player], seconds: Seconds) -> LiveGame:
    """Return a game without training, in which each player has 60 seconds and 5 more for each move."""
    clock = GameClock(TimeControl(60.0, 5.0), seconds, None)
    return LiveGame(Session(game, players=players), Coaching(), training=False, random=Random(1), clock=clock)


def read_clock(live: LiveGame) -> tuple[float, float]:
    assert live.clock is not None
    return live.clock.seconds_left


def test_every_change_runs_the_clock_of_the_side_that_has_to_choose() -> None:
    seconds = Seconds()
    live = make_timed_game(tiny_game(), FRIENDS, seconds)
    seconds.now += 10
    assert read_clock(live) == (60.0, 60.0), "no clock runs before the player sees the board"
    live.run_clock()
    seconds.now += 10
    live.offer(0, ("L", 1))
    seconds.now += 20
    assert read_clock(live) == (55.0, 40.0)
    live.undo()
    seconds.now += 5
    assert read_clock(live) == (50.0, 40.0)
    live.redo()
    live.resign(1)
    seconds.now += 30
    assert read_clock(live) == (50.0, 40.0), "none runs after the end"


def test_no_clock_runs_while_a_choice_waits_for_an_engine() -> None:
    seconds = Seconds()
    live = make_timed_game(tiny_duel(), AGAINST, seconds)
    live.run_clock()
    seconds.now += 10
    assert live.offer(0, "c") is None
    seconds.now += 20
    assert read_clock(live) == (50.0, 60.0)
    live.withdraw_waiting_move()
    assert live.waiting is None
    seconds.now += 10
    assert read_clock(live) == (40.0, 60.0)


def test_a_game_is_lost_on_time_by_the_side_whose_clock_runs() -> None:
    seconds = Seconds()
    live = make_timed_game(tiny_game(), FRIENDS, seconds)
    live.run_clock()
    seconds.now += 59
    assert not live.lose_on_time()
    seconds.now += 1
    assert live.lose_on_time()
    result = live.session.result
    assert result is not None
    assert (result.winner, result.reason) == (1, "Left ran out of time")
    assert not live.lose_on_time(), "a game ends once"


CHANGES: dict[str, Callable[[LiveGame], object]] = {
    "a stopped move": lambda live: live.offer(0, 2),
    "a move": lambda live: live.offer(0, 1),
    "other players": lambda live: live.set_players(AGAINST),
    "training": lambda live: live.set_training(False),
    "the objective": lambda live: live.toggle_objective(),
    "a pause": lambda live: live.set_paused(True),
    "a resignation": lambda live: live.resign(0),
    "a draw": lambda live: live.offer_draw(0),
    "a result": lambda live: live.end(Result(None, reason="adjudicated")),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whoever_watches_a_game_is_told_of_every_change_until_the_watch_ends(change: str) -> None:
    live, seen = make_heap_game(), list[str]()
    stops = [live.watch(lambda name=name: seen.append(name)) for name in ("board", "review")]  # type: ignore[misc]
    stops[1]()
    CHANGES[change](live)
    assert set(seen) == {"board"}
    told = len(seen)
    stops[0]()
    CHANGES["training"](live)
    assert len(seen) == told


def test_a_move_that_waits_is_told_and_so_is_its_withdrawal() -> None:
    live, seen = make_duel_game(AGAINST), list[object]()
    live.watch(lambda: seen.append(live.waiting))
    live.offer(0, "c")
    live.withdraw_waiting_move()
    assert seen == [(0, "c"), None]


def test_what_becomes_known_about_a_position_is_no_change_of_the_game() -> None:
    live, seen = make_heap_game(), list[str]()
    live.watch(lambda: seen.append("told"))
    live.store_values(live.node, live.node.values)
    live.store_explanation((live.node, 0, 2), Explanation())
    live.store_hardest(live.node, "Take two.")
    assert live.hardest == "Take two."
    assert seen == []


def test_a_pause_makes_the_thoughts_of_engines_useless_and_so_does_its_end() -> None:
    live = make_heap_game(players=(ENGINE, ENGINE))
    for paused in (True, False):
        turn = live.turn
        live.set_paused(paused)
        assert live.is_paused is paused
        assert live.turn > turn


def test_going_back_between_engines_pauses_the_game() -> None:
    live = make_heap_game(players=(ENGINE, ENGINE), training=False)
    reply(live)
    assert live.undo()
    assert live.is_paused
    played = make_heap_game(training=False)
    played.offer(0, 2)
    assert played.undo()
    assert not played.is_paused, "a person goes on by making a move"


# House rules.


def test_values_hints_engines_and_refusals_follow_the_house_rule() -> None:
    rule = LEFT_STANDS
    session: Session[Any, Any] = Session(tiny_game(), (1, 2, 0), AGAINST, rule)
    live = LiveGame(session, Coaching(), random=Random(1))
    live.set_analyst(TinyAnalyst())
    store_current_values(live)
    values: Any = live.node.values
    assert list(values.moves) == [("R", 1), ("R", 2)]
    climb = live.prepare_hint(straight=True)
    assert climb is not None
    assert set(climb().moves) <= {("R", 1), ("R", 2)}
    with pytest.raises(IllegalMove, match="the house rule 'Left stands' forbids this move"):
        live.offer(0, ("L", 1))
    live.set_players((ENGINE, HUMAN))
    assert live.prepare_thought(0)(UNLIMITED) in {("R", 1), ("R", 2)}


def test_the_coach_is_asked_once_for_all_stages_of_a_hint() -> None:
    asked: list[Any] = []

    def notes(position: Any, *_: object) -> HintNotes[Any]:
        asked.append(position)
        return HintNotes(area=("Take few.",))

    game = heap_game()
    live = LiveGame(Session(replace(game, voice=replace(game.voice, hints=notes)), (8, 0)), Coaching())
    live.set_analyst(HeapAnalyst(None))
    store_current_values(live)
    output = [search().lines for search in (live.prepare_hint(), live.prepare_hint(), live.prepare_hint()) if search]
    assert (len(output), output[1], asked) == (3, ("Take few.",), [(8, 0)])


def test_the_best_move_that_a_house_rule_allows_is_no_mistake() -> None:
    """Without the rule, `a` wins. If it may not be played, the draw by `c` is the best that is left."""
    game = literal_game()
    live = LiveGame(Session(game, house_rule=forbid_move("a")), Coaching())
    live.set_analyst(LiveAnalyst(game))
    store_current_values(live)
    stopped = live.offer(0, "b")
    assert stopped is not None
    assert stopped.judgement.warning() == "This move would throw away the draw."
    kept = live.offer(0, "c")
    assert kept is not None
    assert (kept.stopped_move, kept.judgement.grade) == (None, Grade.BEST)


# Both sides choose in secret.


def test_between_two_people_a_round_is_judged_when_both_have_chosen() -> None:
    live = make_duel_game(FRIENDS)
    first = live.offer(0, "c")
    assert first is not None
    assert (first.stopped_move, first.node, live.node.attempts) == (None, None, {})
    second = live.offer(1, "a")
    assert second is not None
    assert second.node is live.node
    assert {seat: found.flagged for seat, found in live.node.judgements.items()} == {0: True, 1: False}
    assert is_kept(live)


def test_an_engine_has_chosen_before_the_person_and_again_after_a_rethink() -> None:
    live = make_duel_game(AGAINST)
    assert live.offer(0, "c") is None
    reply(live)
    stopped = live.retry_waiting_move()
    assert stopped is not None
    assert stopped.stopped_move is not None
    live.rethink()
    assert live.list_choosing_engines() == (1,), "it draws again"


# A game without styles, and drills.


@pytest.mark.parametrize(("game", "analyst"), [(tiny_game(), TinyAnalyst()), (tiny_duel(), DuelAnalyst())])
def test_a_game_without_styles_has_an_engine(game: AnyGame, analyst: Any) -> None:
    session: Session[Any, Any] = Session(replace(game, play=replace(game.play, styles=())), players=(ENGINE, ENGINE))
    live = LiveGame(session, Coaching(), random=Random(1))
    live.set_analyst(analyst)
    for _ in range(50):
        for seat in live.list_choosing_engines():
            live.play_reply(seat, live.prepare_thought(seat)(UNLIMITED))
    assert session.is_over
    if not game.facts.simultaneous:
        assert session.result is not None
        assert session.result.winner == 0, "3 and 4 are won, and it finds that"
