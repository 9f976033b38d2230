"""What is said of a right answer to a drill."""

from __future__ import annotations

import pytest
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Draw, Loss, Margin, Outcome, Value, Win
from onlymove_tui.play.drill_phrases import praise


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
