"""What a new player meets in the first minutes of every shipped game: lessons, and a bad move that is stopped before it
counts."""

from __future__ import annotations

from math import inf

import pytest
from onlymove_engines.games import list_own_games
from onlymove_engines.live.live_game import LiveGame
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens.lesson import LessonScreen
from onlymove_tui.app.widgets.board_view import BoardView
from onlymove_tui.play.keys import choose_app_text
from onlymove_tui.store.games import GameStore

from tests.tui.pilots import board, make_board_app, make_menu_app, notice, press, session, settle, text

GAMES = [facts.id for facts in list_own_games()]
STOPPED = {
    "tobito": (".BT/T../..T/.B./..B T", "c3a1+a3"),
    "haneto": ("BB./T../B.T/.N./..T T", "c3a1*c2"),
    "orbito": ("W.../BB.W/.B../.W.. W", "b2a2d4"),
    "pokemon": ("xxC/xCc/bBc 221100 1", "S@A1"),
    "ayoayo": ("0,1,2,1,1,0/2,0,0,0,0,1 20-20 0", "4"),
    "lightriders": ("6 6 .,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,0,.,.,.,.,.,x,.,1,x,.,.,.,.,.,.,.", "l"),
}
"""For each game, a position and a move that gives the result away."""


def read_board(app: OnlymoveApp) -> str:
    return app.screen.query_one(BoardView).scene.text()


def test_every_shipped_game_has_a_stopped_move_here() -> None:
    assert list(STOPPED) == GAMES


@pytest.mark.parametrize("game", GAMES)
async def test_a_stopped_move_is_drawn_as_it_would_look_and_only_y_plays_it(
    game: str, games: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LiveGame, "question_seconds", inf)
    position, move = STOPPED[game]
    games.lessons.save(game, range(1))
    app = make_board_app(game=game, games=(), store=games, position=position)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = read_board(app)
        for answer in ("u", "escape", "y") if game == GAMES[0] else ("y",):
            await press(pilot, "m", *move, "enter")
            assert board(app).live.stopped_move is not None
            assert read_board(app) != before, "the move is on the board"
            assert board(app).marks().threat, "and its places are marked"
            assert "This move would" in notice(app)
            await press(pilot, "enter", "space")
            assert not session(app).list_moves()
            assert "Press y to play it anyway, u to take it back." in notice(app)
            await press(pilot, answer)
            assert board(app).live.stopped_move is None
            if answer != "y":
                assert read_board(app) == before
                assert not session(app).list_moves()
        assert session(app).list_moves()


@pytest.mark.parametrize("number", range(len(GAMES)), ids=GAMES)
async def test_one_key_in_the_menu_leads_to_a_first_task_that_is_praised_when_it_is_done(
    number: int, games: GameStore
) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *["down"] * number, "l", "enter")
        lesson = app.screen
        assert isinstance(lesson, LessonScreen)
        course = lesson.course
        assert course.game.id == GAMES[number]
        assert choose_app_text(course.task.ask) in " ".join(text(app).split())
        spelled = course.to_text(course.live_game(), course.find_answers(course.live_game())[0])
        answer = spelled.removeprefix(course.game.voice.reasons.noun)
        await press(pilot, "m", *answer, "enter")
        assert course.is_solved
        assert course.task.right in " ".join(text(app).split())


@pytest.mark.parametrize("keys", [("f1", "l", "enter"), ("enter", "l", "enter")], ids=["rules", "new game"])
async def test_the_rules_and_the_form_for_a_game_lead_to_its_lessons(keys: tuple[str, ...], games: GameStore) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *keys)
        assert isinstance(app.screen, LessonScreen)
        await press(pilot, "escape")
        assert "You have chosen nothing yet. q goes back to the previous screen." in notice(app)


async def test_the_numbers_beside_a_lesson_are_those_of_the_position_on_the_board(games: GameStore) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, *["down"] * GAMES.index("lightriders"), "l", "enter", "o")
        lesson = app.screen
        assert isinstance(lesson, LessonScreen)
        live, describe = lesson.live, lesson.live.game.voice.describe_overlay
        assert describe is not None
        course = lesson.course
        spelled = course.to_text(course.live_game(), course.find_answers(course.live_game())[0])
        answer = spelled.removeprefix(course.game.voice.reasons.noun)
        await press(pilot, "m", *answer, "enter")
        shown = lesson.state.make_view().position
        assert shown != live.node.position
        for line in describe(shown):
            assert line in " ".join(text(app).split())
