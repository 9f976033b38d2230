"""Lessons in line mode, and how far a player has come in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.coach.drill import format_choice
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.coach.lessons import find_lessons, is_right, list_choices, start_task
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Mixed
from onlymove_tables.open import open_game
from onlymove_tui.play.line_mode import AFTER_LESSONS, LessonLines, Voice
from onlymove_tui.play.training import Course
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Learned

TOBITO = games.load("tobito")
TOBITO_STEPS = find_lessons(TOBITO)


def teach(game: AnyGame, typed: list[str], course: Course | None = None) -> list[str]:
    output: list[str] = []
    voice = Voice(output.append, lambda: 0.0)
    course = course or Course(game, Coaching())
    LessonLines(course, lambda game: (open_game(game).analyst, ""), voice).run(typed)
    return output


def test_a_right_answer_is_praised_and_a_wrong_one_explained() -> None:
    output = teach(TOBITO, ["b5b4", "", "a2b2", "a2b1", "quit"])
    first, second = TOBITO_STEPS[0].tasks
    assert f"b5b4 is correct. {first.right} Press Enter to continue." in output
    assert f"a2b2: not yet. {second.wrong} Try again." in output
    assert f"a2b1 is correct. {second.right} Press Enter to continue." in output
    assert second.right not in "".join(output[: output.index(f"a2b2: not yet. {second.wrong} Try again.")])


def test_a_hint_is_about_the_task() -> None:
    output = teach(TOBITO, ["hint", "b5b4", "hint", "", "hint", "quit"])
    assert "Every move is right here." in output
    assert "This task is done. Press Enter to continue." in output
    assert "1 of 3 moves is right." in output


def test_a_second_hint_says_how_to_see_the_answer() -> None:
    output = teach(TOBITO, ["next", "hint", "hint", "next", "quit"])
    further = "That was the whole hint. Type next to see the answer."
    assert output.index(further) > output.index("1 of 3 moves is right.")
    assert "The answer was a2b1." in output[output.index(further) :]


@pytest.mark.parametrize("game", [games.load(facts.id) for facts in games.list_own_games()], ids=lambda game: game.id)
def test_every_task_is_done_by_an_answer_that_its_law_accepts(game: AnyGame) -> None:
    done: list[int] = []
    course, analyst = Course(game, Coaching()), open_game(game).analyst
    course.save_steps = done.append
    while True:
        task, live = course.task, course.live_game()
        live.set_analyst(analyst, "")
        position = start_task(game, task).here.position
        assert live.node.position == position
        if course.is_played_out:
            course.solve()
        else:
            question = live.prepare_question(live.node) if task.needs_values else None
            if question is not None:
                live.store_values(live.node, question(Budget(nodes=200_000)))
            values = live.node.values
            assert values is None or isinstance(values, Mixed) == game.facts.simultaneous
            moves = list_choices(game, task, position)
            right = [move for move in moves if is_right(game, task, position, move, values)]
            wrong = [move for move in moves if move not in right]
            assert all(not course.answer(live, move) and not course.is_solved for move in wrong)
            assert course.answer(live, right[0]), format_choice(game, position, right[0])
        assert course.is_solved
        if not course.advance():
            break
    assert done == list(range(1, len(course.steps) + 1))


def test_a_course_continues_where_it_was_left(tmp_path: Path) -> None:
    store = GameStore.open(tmp_path / "games.sqlite3", games.load)
    assert store.lessons.read_learned() == {}
    store.lessons.save("tobito", 3)
    store.lessons.save("tobito", 2)
    store.lessons.save("orbito", 1)
    assert store.lessons.read_learned() == {"tobito": Learned(3), "orbito": Learned(1)}
    store.close()
    assert Course(TOBITO, Coaching(), 3).headline == f"Step 4 of {len(TOBITO_STEPS)}: {TOBITO_STEPS[3].title}"
    assert Course(TOBITO, Coaching(), len(TOBITO_STEPS)).place == (0, 0), "all of them are done: from the beginning"


def test_a_game_is_played_out_until_it_is_won() -> None:
    course = Course(TOBITO, Coaching(), len(TOBITO_STEPS) - 1)
    output = teach(TOBITO, ["resign", "next", "quit"], course)
    assert "Not yet. Try again." in output
    assert not course.is_solved


def test_the_last_step_ends_the_lessons() -> None:
    course = Course(TOBITO, Coaching(), len(TOBITO_STEPS) - 1)
    course.advance()
    output = teach(TOBITO, ["resign", ""], course)
    assert course.task.right in output[-2], "any end of the last game will do"
    assert output[-1] == f"That was the last step. You skipped 1 task. {AFTER_LESSONS}"
