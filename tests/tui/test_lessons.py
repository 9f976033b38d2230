"""Lessons in line mode, and how far a player has come in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.coach.drill import Origin, format_choice
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.coach.lessons import find_lessons, is_right, list_choices, start_task
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Mixed
from onlymove_tables.open import open_game
from onlymove_tui.play.line_mode import AFTER_LESSONS, LessonLines, Voice
from onlymove_tui.play.phrases import DRILL_WORDS
from onlymove_tui.play.training import Course
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Learned, Milestone, Place

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
    places: list[Place] = []
    course, analyst = Course(game, Coaching()), open_game(game).analyst
    course.save_place = places.append
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
    passed = [(number, task + 1) for number, step in enumerate(course.steps) for task in range(len(step.tasks))]
    assert [(place.step, place.task) for place in places] == passed
    assert [place.step for place in places if place.is_done] == [*range(len(course.steps))]
    assert course.describe_end() == "You have done every lesson of this game."


def test_a_course_continues_where_it_was_left(tmp_path: Path) -> None:
    store = GameStore.open(tmp_path / "games.sqlite3", games.load)
    assert store.lessons.read_learned() == {}
    store.lessons.save("tobito", (1, 2))
    store.lessons.save_place("tobito", Place(0, 1), is_last=False)
    learned = store.lessons.read_game("tobito")
    store.close()
    assert learned.steps == {1, 2}
    assert Course(TOBITO, Coaching(), learned).place == (0, 1), "a step that was left between two tasks goes on there"
    assert Course(TOBITO, Coaching(), learned, 1).place == (1, 0), "a step that is done begins again"
    everything = Learned(frozenset(range(len(TOBITO_STEPS))))
    assert Course(TOBITO, Coaching(), everything).place == (0, 0), "all of them are done: from the beginning"


def test_a_step_that_was_skipped_is_not_done_and_not_asked_for_again(tmp_path: Path) -> None:
    store = GameStore.open(tmp_path / "games.sqlite3", games.load)
    course = Course(TOBITO, Coaching())
    course.save_place = lambda place: store.lessons.save_place("tobito", place, is_last=False)
    for _ in TOBITO_STEPS[0].tasks:
        course.advance()
    learned = store.lessons.read_game("tobito")
    store.close()
    assert learned == course.learned
    assert not learned.steps
    assert Course(TOBITO, Coaching(), learned).place == (1, 0)
    assert Course(TOBITO, Coaching(), learned, 0).place == (0, 0)


def test_the_lessons_are_finished_with_their_last_step(tmp_path: Path) -> None:
    store = GameStore.open(tmp_path / "games.sqlite3", games.load)
    for place, is_last in ((Place(0, 2, True), False), (Place(1, 1), True), (Place(1, 0), True)):
        store.lessons.save_place("tobito", place, is_last)
        assert Milestone.LESSONS not in store.lessons.read_game("tobito").reached
    store.lessons.save_place("tobito", Place(1, 2, True), is_last=True)
    store.lessons.save_place("tobito", Place(1, 1), is_last=True)
    learned = store.lessons.read_game("tobito")
    store.close()
    assert learned == Learned(frozenset({0, 1}), frozenset({Milestone.LESSONS}), {0: 2, 1: 1}), "what is done stays so"


def test_a_lesson_can_be_chosen_from_the_map() -> None:
    output = teach(TOBITO, ["map", "map 4", "map 99", "map x", "quit"])
    assert output[0] == f"Learning Tobito: 0 of {len(TOBITO_STEPS) + 4} done. Type map to see all parts."
    assert f"[>] Lesson 1: {TOBITO_STEPS[0].title}" in output
    assert f"[ ] Lesson 4: {TOBITO_STEPS[3].title}" in output
    assert "[ ] First game: against Newcomer" in output
    assert f"[ ] Drills: {DRILL_WORDS[Origin.WIN_IN_ONE]}" in output
    fourth = next(line for line in output if line.startswith(f"Step 4 of {len(TOBITO_STEPS)}: "))
    refused = f"The lessons have the numbers 1 to {len(TOBITO_STEPS)}."
    assert output[output.index(fourth) :].count(refused) == 2


def test_a_game_is_played_out_until_it_is_won() -> None:
    course = Course(TOBITO, Coaching(), step=len(TOBITO_STEPS) - 1)
    output = teach(TOBITO, ["resign", "next", "quit"], course)
    assert "Not yet. Try again." in output
    assert not course.is_solved


def test_the_last_step_ends_the_lessons() -> None:
    course = Course(TOBITO, Coaching(), step=len(TOBITO_STEPS) - 1)
    course.advance()
    output = teach(TOBITO, ["resign", ""], course)
    assert course.task.right in output[-2], "any end of the last game will do"
    assert output[-1] == f"That was the last step. You skipped 1 task. {AFTER_LESSONS}"
