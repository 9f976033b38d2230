"""What the app says about a right answer to a drill, and about when drills come back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Draw, Loss, Margin, Outcome, Value, Win
from onlymove_engines.games import load
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.play.session import Session
from onlymove_tui.play.phrases import describe_mistake, name_move, origin_text, praise
from onlymove_tui.play.training import HARD_ROUND, Practice, count_returns, return_text, round_summary
from onlymove_tui.store.learning import Answered, Due

from tests.heap_game import heap_game


@pytest.mark.parametrize(("written", "output"), [("2", "take 2"), ("9", "9"), ("", "")])
def test_the_move_that_went_wrong_is_named_as_a_player_reads_it(written: str, output: str) -> None:
    """The move is stored in the notation of files. Text that is no move is shown as it was stored."""
    game = replace(heap_game(), voice=replace(heap_game().voice, describe_move=lambda _, move: f"take {move}"))
    live = LiveGame(Session(game, (7, 0)), Coaching())
    words = f"You played {output} here." if output else "Your first try here was a mistake."
    assert origin_text(live, Drill("heap", "7 0", 0, Origin.MISTAKE, written)) == words


def test_a_step_that_went_wrong_is_named_by_its_key() -> None:
    game = load("lightriders")
    live = LiveGame(Session(game), Coaching())
    drill = Drill("lightriders", game.notation.format_position(live.node.position), 0, Origin.MISTAKE, "l")
    assert origin_text(live, drill) == "You played left here."
    assert name_move(game, live.node.position, "l") == "Left"


def test_a_number_is_named_as_a_pit() -> None:
    game = load("ayoayo")
    assert name_move(game, game.start({}, 0), 3) == "Pit 4"
    assert describe_mistake("This costs 4 points", "pit 1") == "This costs 4 points. The best reply is pit 1."


def test_the_title_of_a_defence_fits_a_draw_as_well_as_a_loss() -> None:
    live = LiveGame(Session(heap_game(), (7, 0)), Coaching())
    title = origin_text(live, Drill("heap", "7 0", 0, Origin.HOLD))
    assert title == "At most a third of the moves defend well."
    assert "loss" not in title


@pytest.mark.parametrize(
    ("after", "points_lost", "words"),
    [
        (Win(5), 0, "Still a win in 4 moves."),
        (Win(1), 0, "You win."),
        (Win(), 0, "Still a win."),
        (Draw(), 0, "Still a draw."),
        (Loss(8), 0, "Still lost in 7 moves."),
        (Margin(Outcome.LOSS, -4), 0, "You gave no points away."),
        (Margin(Outcome.WIN, 12), 4, "You kept the result."),
    ],
)
def test_a_right_answer_is_praised_in_a_sentence(after: Value, points_lost: int, words: str) -> None:
    assert praise(Judgement(Grade.GOOD, after, after, points_lost=points_lost)) == words


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (None, ""),
        (0, "You'll see this again today."),
        (-1, "You'll see this again today."),
        (1, "You'll see this again tomorrow."),
        (4, "You'll see this again in 4 days."),
    ],
)
def test_a_drill_comes_back_on_a_day(days: int | None, words: str) -> None:
    assert return_text(answer_drill(days, tries=1, is_known=True)) == words


def answer_drill(days: int | None, tries: int, is_known: bool) -> Practice:
    """Return a round of one drill that was just answered."""
    practice = Practice([Due(1, Drill("heap", "", 0, Origin.MISTAKE, ""), tries, 0)], lambda _: heap_game(), Coaching())
    practice.attempts = [is_known]
    if days is not None:
        practice.recorded = {0: note_days(days)}
    return practice


def note_days(days: int, is_put_aside: bool = False) -> Answered:
    return Answered(datetime(2026, 11, 20, tzinfo=UTC), days, is_put_aside, 1, 0, "2026-11-20", "")


def test_a_new_drill_that_was_solved_at_once_says_why_it_comes_back_today() -> None:
    assert return_text(answer_drill(0, tries=0, is_known=True)) == "It was new, so you'll see it again today."
    assert return_text(answer_drill(0, tries=0, is_known=False)) == "You'll see this again today."


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ((), ""),
        ((1,), "1 comes back tomorrow."),
        ((4, 0, -1, 4, 1), "2 come back today, 1 tomorrow, 2 in 4 days."),
    ],
)
def test_the_drills_of_a_round_come_back_the_soonest_first(days: tuple[int, ...], words: str) -> None:
    assert count_returns(days) == words


def test_a_drill_that_was_put_aside_says_after_how_many_misses() -> None:
    practice = answer_drill(0, tries=12, is_known=False)
    practice.queue = [replace(practice.queue[0], solved=3)]
    practice.recorded = {0: note_days(0, is_put_aside=True)}
    assert return_text(practice) == "Missed 10 times, so it is put aside."
    assert round_summary(practice)[-1] == "1 put aside, because you missed it so often."


@pytest.mark.parametrize(
    ("attempts", "is_hard"),
    [([], False), ([None], False), ([True, False], False), ([True, False, False], True), ([False, None], True)],
)
def test_a_kind_word_follows_a_round_in_which_most_answers_were_wrong(
    attempts: list[bool | None], is_hard: bool
) -> None:
    practice = Practice([], lambda _: heap_game(), Coaching())
    practice.attempts = attempts
    assert (HARD_ROUND in round_summary(practice)) is is_hard
