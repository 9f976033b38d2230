"""What is said of a right answer to a drill, and of when drills come back."""

from __future__ import annotations

import pytest
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Draw, Loss, Margin, Outcome, Value, Win
from onlymove_tui.play.drill_phrases import comes_back, praise, returning


@pytest.mark.parametrize(
    ("after", "points_lost", "words"),
    [
        (Win(5), 0, "Still a win in 5."),
        (Win(), 0, "Still a win."),
        (Draw(), 0, "Still a draw."),
        (Loss(8), 0, "Lost all the same in 8."),
        (Margin(Outcome.LOSS, -4), 0, "No points given away."),
        (Margin(Outcome.WIN, 12), 4, "The result is kept."),
    ],
)
def test_a_right_answer_is_praised_in_a_sentence(after: Value, points_lost: int, words: str) -> None:
    assert praise(Judgement(Grade.GOOD, after, after, points_lost=points_lost)) == words


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (None, ""),
        (0, "Again today."),
        (-1, "Again today."),
        (1, "Comes back tomorrow."),
        (4, "Comes back in 4 days."),
    ],
)
def test_a_drill_comes_back_on_a_day(days: int | None, words: str) -> None:
    assert comes_back(days) == words


@pytest.mark.parametrize(
    ("days", "words"),
    [
        ((), ""),
        ((1,), "1 comes back tomorrow."),
        ((4, 0, -1, 4, 1), "2 come back today, 1 tomorrow, 2 in 4 days."),
    ],
)
def test_the_drills_of_a_round_come_back_the_soonest_first(days: tuple[int, ...], words: str) -> None:
    assert returning(days) == words
