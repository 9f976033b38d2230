"""The way into a game: lessons, a first game and three rounds of drills. The next step is always one key away."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.coach.drill import THEMES, Origin, fits
from onlymove_engines.core.analysis import Analysis, alternating
from onlymove_engines.core.value import Win
from onlymove_engines.live.live_game import LiveGame
from onlymove_engines.records.record import parse_records
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.live_games import find_autosave
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.lesson import LessonScreen
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.cli.console import seek_analyst
from onlymove_tui.play.training import ROUND, find_drills
from onlymove_tui.store.exchange import export_learned, import_learned
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import NOTHING_LEARNED, STAGES, Learned, Milestone, next_stage
from textual.pilot import Pilot

from tests.tui.pilots import make_app, make_settings, notice, press, text

DRILLS = STAGES[2:]


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


async def test_one_key_leads_from_each_step_to_the_next(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l")
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
            assert f"l next: {title}" in notice(app)
            await press(pilot, "l")
            assert isinstance(app.screen, DrillScreen)
            assert {due.drill.origin for due in app.screen.practice.queue} == {theme}
            await solve_round(pilot)
        await press(pilot, "q", "q")
        assert isinstance(app.screen, MenuScreen)
        assert "Learning: 4 of 5 done, next: drills." in " ".join(text(app).split())
        await press(pilot, "l")
        await solve_round(pilot)
        assert "You have finished learning this game." in notice(app)
        assert "next:" not in notice(app)
        await press(pilot, "q")
        assert "Learning: complete" in text(app)
        await press(pilot, "l")
        assert isinstance(app.screen, LessonScreen), "the lessons once more"


async def test_a_round_that_was_only_skipped_through_is_offered_again(tmp_path: Path) -> None:
    store = GameStore.open(tmp_path / "games.sqlite3", games.load)
    store.lessons.save("tobito", 0, set(STAGES) - {Milestone.SECOND_DRILLS, Milestone.FIRST_GAME})
    store.close()
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l")
        await play_and_resign(pilot)
        await press(pilot, "l", *"n" * ROUND)
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.is_over
        assert "next:" not in notice(app)
        await press(pilot, "q", "q", "l")
        assert isinstance(app.screen, DrillScreen)


async def test_the_first_game_counts_even_if_its_start_is_random(tmp_path: Path) -> None:
    store = GameStore.open(tmp_path / "games.sqlite3", games.load)
    store.lessons.save("lightriders", 0, [Milestone.LESSONS])
    app = make_app(store=store, seed=1, settings=make_settings())
    async with app.run_test(size=(80, 24)):
        live = app.services.find_next_step("lightriders")
        assert isinstance(live, LiveGame)
        autosave = find_autosave(live)
        assert autosave is not None
        assert autosave.details.unrated == ""


async def test_players_without_lessons_are_not_guided(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "enter")
        await play_and_resign(pilot)
        assert "next:" not in notice(app)
        await press(pilot, "l")
        assert isinstance(app.screen, PlayScreen)


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
    here.lessons.save("tobito", 5, [Milestone.LESSONS])
    here.lessons.save("orbito", 2)
    there.lessons.save("tobito", 7)
    text = export_learned(here)
    assert text == "%learned orbito 2\n%learned tobito 5 lessons\n"
    assert export_learned(here, "orbito") == "%learned orbito 2\n"
    assert parse_records(text + '\n[Game "tobito"]\n\n*\n%learned haneto 1\n', games.load)[0].game.id == "tobito"
    assert import_learned(there, text + "%learned haneto 1 rules juggling\nno %learned pokemon 3\n") == 3
    assert there.lessons.read_learned() == {
        "haneto": Learned(1),
        "orbito": Learned(2),
        "tobito": Learned(7, frozenset((Milestone.LESSONS,))),
    }
    here.close()
    there.close()


async def test_lessons_and_drills_say_at_once_that_positions_are_being_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l")
        assert isinstance(app.screen, LessonScreen)
        while not app.screen.is_over:
            await press(pilot, "n")
        monkeypatch.setattr(app.screen, "find_step", lambda *_, **__: None)
        await press(pilot, "enter")
        assert "Finding positions..." in notice(app)
