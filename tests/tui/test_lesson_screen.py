"""Lessons on the screen: they are offered to a newcomer, explain a wrong move and praise a right one, and finished ones
are saved."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.coach.drill import make_mistake_drills
from onlymove_engines.coach.lessons import find_lessons
from onlymove_engines.core.analysis import Analysis
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens.learning import LearningScreen
from onlymove_tui.app.screens.lesson import LessonScreen
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.new_game import NewGameScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.widgets.bars import Lines
from onlymove_tui.store import profiles
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import Milestone
from onlymove_tui.store.settings import Keys
from textual.pilot import Pilot

from tests.tui.pilots import make_app, make_settings, notice, press, settle, text

STEPS = find_lessons(games.load("tobito"))
OFFER = "New to Tobito? Press l to learn it in two minutes, or Enter to play."


def make_app_at(path: Path, **settings: Any) -> OnlymoveApp:
    store = GameStore.open(path / "games.sqlite3", games.load)
    return make_app(store=store, seed=1, settings=make_settings(**settings))


def lesson(app: OnlymoveApp) -> LessonScreen:
    assert isinstance(app.screen, LessonScreen)
    return app.screen


async def play_move(pilot: Pilot[int], move: str) -> None:
    await press(pilot, "m", *move, "enter")


async def skip_to_game(pilot: Pilot[int], app: OnlymoveApp) -> None:
    await press(pilot, "l", "enter")
    while not lesson(app).course.is_played_out:
        await press(pilot, "n")


async def test_lessons_are_offered_until_they_are_begun(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "enter")
        assert isinstance(app.screen, NewGameScreen)
        assert OFFER in " ".join(text(app).split())
        await press(pilot, "l", "enter")
        await play_move(pilot, "b5b4")
        await press(pilot, "enter")
        await play_move(pilot, "a2b1")
        assert STEPS[0].tasks[1].right in notice(app)
        await press(pilot, "q", "escape", "escape", "enter")
        assert isinstance(app.screen, NewGameScreen)
        assert OFFER not in " ".join(text(app).split())
        await press(pilot, "escape")
        assert isinstance(app.screen, MenuScreen)
        assert f"1 of {len(STEPS) + 4} done, next: lessons" in text(app)
        await press(pilot, "l", "enter")
        assert lesson(app).course.headline.startswith("Step 2 of ")


async def test_a_wrong_move_is_explained_and_tried_again(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "enter", "n", "n")
        task = STEPS[0].tasks[1]
        assert task.ask in notice(app)
        await play_move(pilot, "a2b2")
        assert task.wrong in notice(app)
        assert not lesson(app).course.is_solved
        before = lesson(app).state.move_input.cursor
        await press(pilot, "up")
        assert task.ask in notice(app)
        assert lesson(app).state.move_input.cursor != before, "the key already acts on the board that comes back"
        await play_move(pilot, "a2b1")
        assert task.right in notice(app)


async def test_the_last_step_is_a_game_that_has_to_be_won(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await skip_to_game(pilot, app)
        await press(pilot, "enter")
        assert isinstance(app.screen, PlayScreen)
        live = app.screen.live
        await press(pilot, "q")
        assert "Your game goes on." in notice(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, PlayScreen)
        assert app.screen.live is live, "it has waited"
        await press(pilot, "R", "R")
        assert not app.screen.live.is_rated
        assert "a again" not in text(app), "nor is it played again on its own"
        assert "Enter continue lesson" in notice(app)
        assert "You lose: you resigned." in notice(app)
        for key in ("q", "enter"):
            await press(pilot, key)
            assert "Not yet. Try again." in notice(app), "the lesson asks for a win"
            await press(pilot, "enter", "R", "R")
            assert isinstance(app.screen, PlayScreen)
        await press(pilot, "q", "n", "n")
        assert "That was the last step. You skipped " in notice(app)
        await press(pilot, "a")
        assert lesson(app).course.place == (0, 0)


async def test_a_half_played_game_of_a_lesson_is_given_up_only_after_a_question(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await skip_to_game(pilot, app)
        await press(pilot, "enter")
        assert isinstance(app.screen, PlayScreen)
        game, position = app.screen.live.game, app.screen.live.node.position
        await play_move(pilot, game.notation.format_move(position, game.rules.legal_moves(position)[0]))
        await press(pilot, "q", "q")
        assert "Your game here is not saved. Press q again to give it up." in notice(app)
        await press(pilot, "up")
        assert "Your game goes on." in notice(app)
        await press(pilot, "q", "q")
        assert isinstance(app.screen, LearningScreen)


async def test_the_app_asks_before_it_quits_a_half_played_game_of_a_lesson(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await skip_to_game(pilot, app)
        await press(pilot, "enter")
        assert isinstance(app.screen, PlayScreen)
        game, position = app.screen.live.game, app.screen.live.node.position
        await play_move(pilot, game.notation.format_move(position, game.rules.legal_moves(position)[0]))
        for wait in ("f", "q"):
            await press(pilot, "ctrl+q")
            assert "Your game here is not saved. Press Ctrl+Q again to give it up." in notice(app)
            await press(pilot, wait)
            assert "is not saved" not in notice(app)
        await press(pilot, "q")
        assert isinstance(app.screen, LessonScreen)
        await press(pilot, "ctrl+q")
        assert "Press Ctrl+Q again to give it up." in notice(app)
        assert app.return_code is None
        await press(pilot, "ctrl+q")
    assert app.return_code is not None


async def test_a_hint_says_how_many_moves_solve_a_task_and_where_they_begin(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "enter", "h")
        assert "Every move is right here." in notice(app)
        await press(pilot, "n", "n", "h")
        assert "1 of 3 moves is right." in notice(app), "only one pawn can move"
        await play_move(pilot, "a2b2")
        assert STEPS[0].tasks[1].wrong in notice(app)
        await press(pilot, "h")
        assert "1 of 3 moves is right." in notice(app)
        await press(pilot, "n", "n", "h")
        assert "1 of 11 moves is right. Consider moves that start with a5." in notice(app)
        while not lesson(app).course.is_played_out:
            await press(pilot, "n")
        await press(pilot, "h")
        assert "Press Enter to play this game." in notice(app)


async def test_a_game_of_a_lesson_can_be_skipped_while_it_is_played(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await skip_to_game(pilot, app)
        skipped = lesson(app).course.place
        await press(pilot, "enter")
        assert "n skip" in text(app)
        await press(pilot, "n")
        assert lesson(app).course.place != skipped
        assert "Not yet. Try again." not in notice(app)


async def test_keys_of_vi_learn_by_a_capital(tmp_path: Path) -> None:
    app = make_app_at(tmp_path, keys=Keys.VI)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "L")
        assert isinstance(app.screen, LearningScreen)


async def test_the_answer_of_a_skipped_task_is_shown(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "enter", "n")
        assert "One answer is " in notice(app), "the task lets the player choose"
        assert STEPS[0].tasks[0].right in notice(app)
        assert not lesson(app).course.is_solved
        await press(pilot, "backspace")
        assert STEPS[0].tasks[0].ask in notice(app), "it can be tried all the same"
        await press(pilot, "n", "enter")
        assert STEPS[0].tasks[1].ask in notice(app)
        assert lesson(app).course.skipped == 1
        await press(pilot, "n")
        assert "The answer is a2b1. " in notice(app), "there is no other"


async def test_a_won_game_shows_its_result_above_the_praise(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await skip_to_game(pilot, app)
        await press(pilot, "enter")
        assert isinstance(app.screen, PlayScreen)
        played = app.screen.live
        while not played.session.is_over:
            assert isinstance(played.node.values, Analysis)
            best = played.node.values.list_best_moves()[0]
            await play_move(pilot, played.game.notation.format_move(played.node.position, best))
            await settle(pilot)
        assert app.services.store is not None
        assert app.services.store.count() == 0, "it is not among the games of the player"
        assert Milestone.FIRST_GAME not in app.services.store.lessons.read_game("tobito").reached
        await press(pilot, "enter")
        assert lesson(app).course.task.right in notice(app)
        assert lesson(app).live.node.position == played.node.position
        await press(pilot, "enter")
        assert lesson(app).is_over or not lesson(app).live.session.is_over, "the next task has its own position"


async def test_no_drills_are_made_of_a_game_of_a_lesson(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await skip_to_game(pilot, app)
        await press(pilot, "enter")
        played = app.screen.live  # type: ignore[attr-defined]
        while not played.session.is_over and not make_mistake_drills(played.session):
            values = played.node.values.moves
            wrong = sorted(values, key=lambda move: values[move])[0 if played.node.ply else len(values) // 2]
            await play_move(pilot, played.game.notation.format_move(played.node.position, wrong))
            await settle(pilot)
            await press(pilot, "y")
            await settle(pilot)
        if not played.session.is_over:
            await press(pilot, "R", "R")
        assert make_mistake_drills(played.session)
        assert app.services.store is not None
        assert app.services.store.drills.list_due() == [], "as there is no game of the player's"


async def test_the_typing_line_shows_an_example(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "enter", "m")
        assert "For example: a5" in notice(app)


async def test_a_player_who_skipped_all_lessons_is_no_newcomer(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "l", "enter")
        while not lesson(app).is_over:
            await press(pilot, "n")
        await press(pilot, "q", "q", "enter")
        assert isinstance(app.screen, NewGameScreen)
        assert OFFER not in " ".join(text(app).split())


async def test_no_number_hides_a_rider_that_was_steered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        while app.screen.game_to_read() != "lightriders":  # type: ignore[attr-defined]
            await press(pilot, "down")
        await press(pilot, "l", "enter")
        monkeypatch.setattr(lesson(app).answers, "judge", lambda _: None)
        await press(pilot, "up")
        assert lesson(app).answers.waiting is not None
        assert lesson(app).marks().chosen == ()


async def test_a_lesson_on_a_wide_screen_shows_its_text_under_the_players_and_no_key_for_values(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(200, 55)) as pilot:
        await press(pilot, "l", "enter")
        note, players = app.screen.query_one("#coach-panel"), app.screen.query_one("#moves-panel")
        assert (note.region.y, note.region.width) == (players.region.bottom, 94)
        assert note.region.height > players.region.height
        steps = [line.strip() for line in app.screen.query_one("#note", Lines).text().splitlines()]
        assert f"▸ 1  {STEPS[0].title}" in steps, "the step that is under way"
        assert f"{len(STEPS)}  {STEPS[-1].title}" in steps
        assert not app.screen.query_one("#far").display, "v does nothing in a lesson"


async def solve_first_step(app: OnlymoveApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "enter")
        await play_move(pilot, "b5b4")
        await press(pilot, "enter")
        await play_move(pilot, "a2b1")


async def find_progress(app: OnlymoveApp) -> str:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        return text(app)


DONE = f"Learning: 1 of {len(STEPS) + 4} done, next: lessons."


async def test_a_kiosk_player_finds_the_finished_lessons_again(tmp_path: Path) -> None:
    def open_kiosk() -> OnlymoveApp:
        store = GameStore.open(tmp_path / "games.sqlite3", games.load)
        return make_app(store=store, seed=1, settings=make_settings(), kiosk=True)

    await solve_first_step(open_kiosk())
    assert DONE in await find_progress(open_kiosk())


async def test_a_guest_finds_the_finished_lessons_again_until_the_day_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    guest = profiles.new_guest()
    place = profiles.find_places(guest)

    def open_guest() -> OnlymoveApp:
        store = GameStore.open(place.games, games.load)
        return make_app(store=store, seed=1, settings=make_settings(), profile=guest)

    await solve_first_step(open_guest())
    profiles.remove_old_guests()
    assert DONE in await find_progress(open_guest()), "the day is not over"
    for path in (place.games.parent, *place.games.parent.glob("*")):
        os.utime(path, (0, 0))
    profiles.remove_old_guests()
    assert not place.games.exists()
    assert DONE not in await find_progress(open_guest())


async def test_a_second_hint_says_how_to_see_the_answer(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "enter", "n", "n", "h")
        assert "1 of 3 moves is right." in notice(app)
        await press(pilot, "h")
        assert "That was the whole hint. Press n to see the answer." in notice(app)
        await press(pilot, "n")
        assert "The answer is a2b1." in notice(app)


async def test_lessons_count_as_done_once_the_last_task_is_solved(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await skip_to_game(pilot, app)
        await press(pilot, "n", "enter", "R", "R", "q")
        assert STEPS[-1].tasks[-1].right in notice(app)
        await press(pilot, "q")
        assert isinstance(app.screen, LearningScreen)
        store = app.services.store
        assert store is not None
        assert Milestone.LESSONS in store.lessons.read_game("tobito").reached


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_keys_stay_with_their_words(tmp_path: Path, size: tuple[int, int]) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "enter", "enter")
        assert isinstance(app.screen, PlayScreen)
        await press(pilot, "R", "R")
        shown = text(app)
        for pair in ("Enter review", "a again", "A swap sides", "u undo", "q menu"):
            assert pair in shown, shown


async def test_the_overlay_does_not_hide_how_a_task_was_won(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        while app.screen.game_to_read() != "orbito":  # type: ignore[attr-defined]
            await press(pilot, "down")
        await press(pilot, "l", "enter", "n", "n", "o")
        assert "after the shift" in lesson(app).state.draw().text()
        await play_move(pilot, "a2")
        assert lesson(app).course.is_solved
        assert "after the shift" not in lesson(app).state.draw().text(), "no shift comes any more"
        assert "o overlay" not in text(app)


async def test_the_preview_is_on_in_lessons_and_first_games_until_it_is_switched_off(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        while app.screen.game_to_read() != "ayoayo":  # type: ignore[attr-defined]
            await press(pilot, "down")
        await press(pilot, "l", "enter")
        assert "Pit 1 ends in Second's pit 1: no captures" in text(app)
        await press(pilot, "q", "q", "enter", "enter")
        assert isinstance(app.screen, PlayScreen)
        assert " ends in " in text(app)
        await press(pilot, "o")
        assert " ends in " not in text(app)
        await press(pilot, "q", "l", "enter")
        assert " ends in " not in text(app)


async def test_the_preview_is_off_for_those_who_have_finished_a_game(tmp_path: Path) -> None:
    app = make_app_at(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        while app.screen.game_to_read() != "ayoayo":  # type: ignore[attr-defined]
            await press(pilot, "down")
        await press(pilot, "enter", "enter", *"1yRRa")
        assert isinstance(app.screen, PlayScreen)
        assert not app.screen.live.session.is_over
        assert " ends in " not in text(app)
