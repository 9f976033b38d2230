"""Every kind of broken lesson is refused in one line that says what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.coach import lessons
from onlymove_engines.coach.lessons import REACHED, BadLesson, Task, check_task, find_lessons
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Outcome

TOBITO = games.load("tobito")
BROKEN = ["[[step", "[[step]]\ntitle='A'", "[[step]]\ntitle='A'\ntext=''\n[[step.task]]\nwhy=1"]
START = "TTT/.../.../.../BBB T"


@pytest.mark.parametrize(
    ("task", "fault"),
    [
        (Task("TTT/.../.../.../BB T", "", ""), "BB"),
        (Task("B../B.T/T../B../.TT T moves a3b1", "", ""), "a3b1"),
        (Task(".../BB./..B/.../TTT B", "", ""), "the game is over"),
        (Task(START, "", "", counts=("flies",)), "'counts' must be one of plays, wins"),
        (Task(START, "", "", counts=("wins",)), "no legal move is a right answer"),
        (Task(START, "", "", counts=("steps",)), "every move is a right answer"),
        (Task(START, "", "", moves=("a5a1",)), "'a5a1' is not a legal move"),
        (Task(START, "", "", counts=("jumps",), moves=("a5a4",)), "no legal move is a right answer"),
        (
            Task("T.T/.T./.B./.../BB. T", "", "", counts=("takes",), moves=("b4b2+c1", "b4c4")),
            "one of the listed moves",
        ),
        (Task(START, "", "", counts=("holds",)), "because the values of"),
        (Task(START, "", "", against="nobody"), "has no player 'nobody'"),
        (Task(START, "", "", against="newcomer", result="glory"), "'result' must be one of win, draw, end"),
    ],
)
def test_a_broken_task_is_refused(task: Task, fault: str) -> None:
    with pytest.raises(BadLesson) as refusal:
        check_task(TOBITO, task, None)
    assert fault in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the folder of an empty game package."""
    (tmp_path / "empty_package").mkdir()
    (tmp_path / "empty_package" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path / "empty_package"
    sys.modules.pop("empty_package", None)


UNTAUGHT = replace(TOBITO, facts=replace(TOBITO.facts, package="empty_package"))


@pytest.mark.parametrize("text", BROKEN)
def test_a_damaged_file_is_refused(text: str, package: Path) -> None:
    (package / lessons.FILE).write_text(text, "utf-8")
    with pytest.raises(BadLesson, match=r"^tobito: lessons\.toml cannot be read: "):
        find_lessons(UNTAUGHT)


def test_a_game_without_lessons_has_none(package: Path) -> None:
    assert find_lessons(UNTAUGHT) == ()


@pytest.mark.parametrize(
    ("result", "reached"),
    [("win", {Outcome.WIN}), ("draw", {Outcome.WIN, Outcome.DRAW}), ("end", set(Outcome))],
)
def test_a_game_played_on_counts_by_its_result(result: str, reached: set[Outcome]) -> None:
    assert REACHED[result] == reached


@pytest.mark.parametrize("game", [games.load(facts.id) for facts in games.list_own_games()], ids=lambda game: game.id)
def test_steps_of_another_game_of_the_package_are_left_out(game: AnyGame) -> None:
    for step in find_lessons(game):
        for task in step.tasks:
            assert lessons.start_task(game, task).here.position is not None
