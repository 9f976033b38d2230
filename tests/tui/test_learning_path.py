"""The way into a game: lessons, a first game and three rounds of drills. The map of it is always one key away."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.coach.drill import THEMES, Origin, fits
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.coach.lessons import find_lessons
from onlymove_engines.core.analysis import Analysis, alternating
from onlymove_engines.core.value import Win
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.records.record import parse_records
from onlymove_tables.open import open_game
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.live_games import find_autosave
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.learning import LearningScreen
from onlymove_tui.app.screens.lesson import LessonScreen
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.cli.console import seek_analyst
from onlymove_tui.play.training import ROUND, Practice, find_drills
from onlymove_tui.store.exchange import export_learned, import_learned
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import NEW, NOTHING_LEARNED, STAGES, Due, Learned, Milestone, next_stage
from textual.pilot import Pilot

from tests.tui.pilots import make_app, make_settings, notice, press, text
from tests.tui.screen_checks import lines_on_screen

DRILLS = STAGES[2:]
STEPS = find_lessons(games.load("tobito"))
PARTS = len(STEPS) + len(STAGES) - 1
"""The parts of learning Tobito: each lesson step is one, and so are the stages after the lessons."""


def make_app_at(path: Path) -> OnlymoveApp:
    return make_app(store=GameStore.open(path / "games.sqlite3", games.load), seed=1, settings=make_settings())


async def play_and_resign(pilot: Pilot[int]) -> None:
    """Play a good move and resign, so that the game is saved."""
    assert isinstance(pilot.app.screen, PlayScreen)
    live = pilot.app.screen.live
    values = live.node.values
    assert isinstance(values, Analysis)
    await press(
        pilot, "m", *live.game.describe_move(live.node.position, values.list_best_moves()[0]), "enter", "R", "R"
    )


async def solve_round(pilot: Pilot[int]) -> DrillScreen:
    """Answer every drill of the open round rightly."""
    screen = pilot.app.screen
    assert isinstance(screen, DrillScreen)
    while not screen.is_over:
        values = screen.live.node.values
        assert isinstance(values, Analysis)
        best = values.list_best_moves()[0]
        await press(pilot, "m", *screen.live.game.describe_move(screen.live.node.position, best), "enter", "enter")
    return screen


async def test_the_map_leads_from_each_step_to_the_next(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "enter")
        assert isinstance(app.screen, LessonScreen)
        while not app.screen.is_over:
            await press(pilot, "n")
        assert "Enter next: a first game" in notice(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, PlayScreen)
        assert "Newcomer" in text(app)
        assert "Get your three pawns" in text(app)
        await play_and_resign(pilot)
        for title, theme in (("win in 1 move", Origin.WIN_IN_ONE), ("win in 3 moves", Origin.WIN_IN_THREE)):
            assert f"next: {title}" in notice(app)
            await press(pilot, "l")
            assert find_marked(app) == ("Drills", title)
            await press(pilot, "enter")
            assert isinstance(app.screen, DrillScreen)
            assert {due.drill.origin for due in app.screen.practice.queue} == {theme}
            await solve_round(pilot)
        await press(pilot, "q", "q", "q")
        assert isinstance(app.screen, MenuScreen)
        assert f"Learning: 3 of {PARTS} done, next: drills." in " ".join(text(app).split()), "the lessons were skipped"
        await press(pilot, "l", "enter")
        await solve_round(pilot)
        assert "You have finished learning this game." in notice(app)
        assert "next:" not in notice(app)
        await press(pilot, "q")
        assert f"4 of {PARTS} done" in text(app)


def find_marked(app: OnlymoveApp) -> tuple[str, str]:
    """Return the name and the title of the part that is selected on the map."""
    assert isinstance(app.screen, LearningScreen)
    part = app.screen.marked_line
    assert part is not None
    return part.name, part.title


async def test_every_part_can_be_begun_at_any_time(tmp_path: Path) -> None:
    store = GameStore.open(tmp_path / "games.sqlite3", games.load)
    store.lessons.save("tobito", range(len(STEPS)), set(STAGES))
    store.close()
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "home")
        assert f"{PARTS} of {PARTS} done" in text(app)
        for number, step in enumerate(STEPS):
            assert find_marked(app) == (f"Lesson {number + 1}", step.title)
            await press(pilot, "enter")
            assert isinstance(app.screen, LessonScreen)
            assert app.screen.course.place == (number, 0)
            await press(pilot, "q", "down")
        await press(pilot, "down", "enter")
        assert isinstance(app.screen, DrillScreen)
        await press(pilot, "l", "up", "enter")
        assert isinstance(app.screen, PlayScreen)


async def test_a_lesson_that_was_left_between_two_tasks_goes_on_there(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "enter", *"mb5b4", "enter", "q")
        assert "It goes on with task 2 of 2." in " ".join(text(app).split())
        await press(pilot, "enter")
        assert isinstance(app.screen, LessonScreen)
        assert app.screen.course.place == (0, 1)


async def test_one_key_opens_the_map_from_everywhere(tmp_path: Path) -> None:
    """It goes back to the map if that is below the screen, so that no screen piles up."""
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        for keys in (("f1",), ("enter",), ("X",), ("enter", "enter")):
            await press(pilot, *keys, "l")
            assert find_marked(app) == ("Lesson 1", STEPS[0].title), keys
            below = len(app.screen_stack)
            for part in ("home", "end"):
                await press(pilot, part, "enter", "l")
                assert isinstance(app.screen, LearningScreen)
                assert len(app.screen_stack) == below
            while not isinstance(app.screen, MenuScreen):
                await press(pilot, "q")


async def test_a_round_that_was_only_skipped_through_is_offered_again(tmp_path: Path) -> None:
    store = GameStore.open(tmp_path / "games.sqlite3", games.load)
    store.lessons.save("tobito", (), set(STAGES) - {Milestone.SECOND_DRILLS, Milestone.FIRST_GAME})
    store.close()
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "enter")
        await play_and_resign(pilot)
        await press(pilot, "l", "enter", *"n" * ROUND)
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.is_over
        assert "next:" not in notice(app)
        await press(pilot, "l", "enter")
        assert isinstance(app.screen, DrillScreen)


async def test_the_first_game_is_a_training_game(tmp_path: Path) -> None:
    store = GameStore.open(tmp_path / "games.sqlite3", games.load)
    store.lessons.save("lightriders", (), [Milestone.LESSONS])
    app = make_app(store=store, seed=1, settings=make_settings())
    async with app.run_test(size=(80, 24)):
        live = app.services.open_part("lightriders")
        assert isinstance(live, LiveGame)
        autosave = find_autosave(live)
        assert autosave is not None
        assert not autosave.details.is_rated


async def test_players_without_lessons_are_not_guided(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "enter")
        await play_and_resign(pilot)
        assert "next:" not in notice(app)


def test_only_the_fastest_win_answers_a_short_win() -> None:
    values: Any = Analysis(Win(3), dict(zip("abcdefghi", (Win(3), Win(5), *[Win(7)] * 7), strict=True)))
    assert fits(Origin.WIN_IN_THREE, values, 0)
    assert not fits(Origin.WIN_IN_ONE, values, 0)
    easy: Any = Analysis(Win(1), dict(zip("abc", (Win(1), Win(1), Win(5)), strict=True)))
    assert not fits(Origin.WIN_IN_ONE, easy, 0), "two of three moves do it"
    assert Origin.WIN_IN_ONE not in THEMES, "the position of a day is about something else"


@pytest.mark.parametrize("game_id", ["tobito", "haneto", "orbito", "pokemon"])
@pytest.mark.parametrize("stage", DRILLS)
def test_every_round_has_its_positions(game_id: str, stage: Milestone) -> None:
    game = games.load(game_id)
    analyst, _ = seek_analyst(game)
    assert analyst is not None
    drills = find_drills(game, analyst, Random(1), stage)
    assert len(drills) == ROUND
    for drill in drills:
        assert fits(drill.origin, alternating(analyst).analyse(game.notation.parse_position(drill.position)), 0)


def test_the_steps_come_in_order() -> None:
    reached: frozenset[Milestone] = frozenset()
    for stage in STAGES:
        assert next_stage(Learned(reached=reached)) is stage
        reached |= {stage}
    assert next_stage(Learned(reached=reached)) is None
    assert next_stage(NOTHING_LEARNED) is Milestone.LESSONS


def test_progress_is_exported_with_the_history_and_taken_over(tmp_path: Path) -> None:
    here, there = (GameStore.open(tmp_path / name, games.load) for name in ("here", "there"))
    here.lessons.save("tobito", range(5), [Milestone.LESSONS])
    here.lessons.save("orbito", range(2))
    there.lessons.save("tobito", range(7))
    here.lessons.save("pokemon", (1, 4))
    text = export_learned(here)
    assert text == "%learned orbito 2\n%learned pokemon 0 step-2 step-5\n%learned tobito 5 lessons\n"
    assert export_learned(here, "orbito") == "%learned orbito 2\n"
    assert parse_records(text + '\n[Game "tobito"]\n\n*\n%learned haneto 1\n', games.load)[0].game.id == "tobito"
    assert import_learned(there, text + "%learned haneto 1 rules juggling\nno %learned pokemon 3\n") == 4
    assert there.lessons.read_learned() == {
        "haneto": Learned(frozenset(range(1))),
        "orbito": Learned(frozenset(range(2))),
        "pokemon": Learned(frozenset((1, 4))),
        "tobito": Learned(frozenset(range(7)), frozenset((Milestone.LESSONS,))),
    }
    here.close()
    there.close()


async def test_lessons_and_drills_say_at_once_that_positions_are_being_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "enter")
        assert isinstance(app.screen, LessonScreen)
        while not app.screen.is_over:
            await press(pilot, "n")
        monkeypatch.setattr(app.screen, "find_step", lambda *_, **__: None)
        await press(pilot, "enter")
        assert "Finding positions..." in notice(app)


async def test_the_command_line_opens_the_map_and_a_round_of_drills(tmp_path: Path) -> None:
    app = make_app(games=(), opens=("learning", "orbito"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "down")
        assert find_marked(app)[0] == "Lesson 2"
        await press(pilot, "q")
        assert isinstance(app.screen, MenuScreen)
    game = games.load("tobito")
    drills = find_drills(game, open_game(game).analyst, Random(1), DRILLS[0])
    practice = Practice([Due(NEW, drill, 0, 0) for drill in drills], games.load, Coaching())
    app = make_app(games=(), opens=("drill", practice))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h")
        assert isinstance(app.screen, DrillScreen)
        await press(pilot, "q")
        assert isinstance(app.screen, MenuScreen)


@pytest.mark.parametrize("game", [facts.id for facts in games.list_own_games()])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)], ids=str)
async def test_the_map_is_complete_in_any_terminal(tmp_path: Path, game: str, size: tuple[int, int]) -> None:
    app = make_app(store=GameStore.open(tmp_path / "games.sqlite3", games.load), opens=("learning", game))
    async with app.run_test(size=size) as pilot:
        await press(pilot, "down")
        shown = lines_on_screen(app)
        assert not any("…" in line or "▾ more" in line for line in shown), shown
        for step in find_lessons(games.load(game)):
            assert any(f"  {step.title}" in line for line in shown), step.title
