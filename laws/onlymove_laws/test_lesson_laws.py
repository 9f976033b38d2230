"""The laws of lessons: every position can be played from, every task has an answer, every right answer does what the
task says, and whole games can be won as asked."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from onlymove_engines import games
from onlymove_engines.coach.drill import format_choice
from onlymove_engines.coach.judge import judge
from onlymove_engines.coach.lessons import Task, check_task, find_lessons, find_seat, is_right, list_choices, start_task
from onlymove_engines.core.analysis import Analysis, SimultaneousAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.judgement import Grade
from onlymove_engines.core.value import Mixed, Outcome
from onlymove_tables.open import open_game

from .law import Law, restrict_games

games_with_lessons = restrict_games(find_lessons)
STEPS = range(5, 9)
TASKS = range(1, 4)
WIN_IN = re.compile(r"\bwin in (\d+)\b", re.IGNORECASE)
COMMENT = re.compile(r"<!--.*?-->")
KEY_OF_COMMAND = re.compile(r"\{\w+\}")
MAX_TITLE_LENGTH = 24
MAX_CHARACTERS = 79
"""The most characters in a sentence of a task. It has to fit into one line of a terminal with 80 columns."""


@cache
def find_task_values(game_id: GameId, task: Task) -> Analysis[Any] | Mixed:
    game = games.load(game_id)
    position = start_task(game, task).here.position
    analyst = open_game(game).analyst
    if isinstance(analyst, SimultaneousAnalyst):
        return analyst.mixed(position, Budget(nodes=200_000))
    return analyst.analyse(position)


@games_with_lessons
def test_every_task_can_be_done_and_says_what_is_right(game: AnyGame, law: Law) -> None:
    """If a beginner is told to win a game, at least half of the moves in the position must keep the win. If a task says
    "the only move" or "win at once", its right answers must do so."""
    for task in law.each(task for step in find_lessons(game) for task in step.tasks):
        values = find_task_values(game.id, task) if task.needs_values else None
        check_task(game, task, values)
        if task.against:
            known = find_task_values(game.id, task) if task.result == "win" else None
            if isinstance(known, Analysis):
                winning = sum(value is not None and value.outcome is Outcome.WIN for value in known.moves.values())
                assert 2 * winning >= len(known.moves), (
                    f"lessons.toml, {task.ask!r}: only {winning} of {len(known.moves)} moves keep the win"
                )
            continue
        position = start_task(game, task).here.position
        choices = list_choices(game, task, position)
        right = [move for move in choices if is_right(game, task, position, move, values)]
        if "the only move" in task.ask.lower():
            assert len(right) == 1, f"lessons.toml, {task.ask!r}: {len(right)} moves are right"
        if "win at once" in task.ask.lower() and not game.facts.simultaneous:
            seat = find_seat(game, task, position)
            for move in right:
                result = game.rules.result(game.rules.play(position, move))
                assert result is not None, task.ask
                assert result.outcome_for(seat) is Outcome.WIN, task.ask


@games_with_lessons
def test_no_right_answer_makes_the_result_worse(game: AnyGame, law: Law) -> None:
    """A lesson would teach a mistake. If a task says in how many moves to win, every right answer wins in as many."""
    for task in law.each(task for step in find_lessons(game) for task in step.tasks if not task.against):
        values, position = find_task_values(game.id, task), start_task(game, task).here.position
        seat = find_seat(game, task, position)
        said = [int(number) for sentence in (task.ask, task.right) for number in WIN_IN.findall(sentence)]
        for move in list_choices(game, task, position):
            if not is_right(game, task, position, move, values):
                continue
            where = f"lessons.toml, {task.ask!r}: {format_choice(game, position, move)} is right, but"
            judgement = judge(values, move, seat=seat)
            assert judgement.keeps_result or judgement.grade is Grade.FORCED, (
                f"{where} makes the result worse: {judgement.lost()}"
            )
            for number in said:
                distance = None if judgement.after is None else judgement.after.remoteness
                assert judgement.is_win, f"{where} does not win"
                assert distance == number, f"{where} wins in {distance}, not {number}"


@games_with_lessons
def test_lessons_are_short_and_end_on_a_game(game: AnyGame, law: Law) -> None:
    steps = find_lessons(game)
    assert len(steps) in STEPS, (
        f"lessons.toml has {len(steps)} steps for {game.id}; it should have {STEPS[0]} to {STEPS[-1]}"
    )
    for step in steps:
        assert len(step.tasks) in TASKS, (
            f"lessons.toml, {step.title!r}: {len(step.tasks)} tasks; it should have {TASKS[0]} to {TASKS[-1]}"
        )
        assert len(step.title) <= MAX_TITLE_LENGTH, (
            f"lessons.toml, title {step.title!r}: {len(step.title)} characters, at most {MAX_TITLE_LENGTH} fit"
        )
        for task in law.each(step.tasks):
            for sentence in filter(None, (task.ask, task.right, task.wrong)):
                shown = KEY_OF_COMMAND.sub("k", COMMENT.sub("", sentence))
                assert len(shown) <= MAX_CHARACTERS, (
                    f"lessons.toml, {sentence!r}: {len(shown)} characters, at most {MAX_CHARACTERS} fit"
                )
                assert shown[0].isupper(), f"lessons.toml, {sentence!r}: begins without a capital"
                assert shown[-1] in ".!?", f"lessons.toml, {sentence!r}: ends without a full stop, ! or ?"
            assert task.wrong or task.against or task.counts == ("plays",), (
                f"lessons.toml, {task.ask!r}: add wrong, what to say after a wrong move"
            )
    assert any(task.against for task in steps[-1].tasks), (
        f"lessons.toml, {steps[-1].title!r}: the last step has no task with against, a whole game"
    )
