"""A key that cannot do what it names says so, and a key that was meant for something else does nothing."""

from __future__ import annotations

from onlymove_tui.app.base_screen import BLIND_SECONDS
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.widgets.bars import KeyBar
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Switch

from tests.tui.pilots import (
    ENGINES,
    FRIENDS,
    board,
    make_board_app,
    make_menu_app,
    make_settings,
    notice,
    press,
    session,
    settle,
    text,
    wait_until,
)
from tests.tui.test_guard import Clock


async def test_the_key_that_steps_back_says_where_to_go_when_there_is_no_step() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "escape")
        assert "You have chosen nothing yet. u takes a move back, q leaves the game." in notice(app)
        await press(pilot, "right", "enter", "escape")
        assert "chosen nothing" not in notice(app), "there was a step to take back"


async def test_undo_before_the_first_move_and_a_hint_after_the_last_one_say_so() -> None:
    app = make_board_app(make_settings(hint_straight=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "u")
        assert "There is nothing to take back." in notice(app)
        await press(pilot, "h")
        assert "nothing to take back" not in notice(app)
        await press(pilot, "h")
        assert "This is the last hint." in notice(app)


async def test_the_key_that_takes_a_target_back_clears_what_was_said_about_the_next_one() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "right", "enter")
        board(app).say("Choose a number.")
        await press(pilot, "escape")
        assert "Choose a number." not in notice(app)


async def test_the_overlay_stays_on_from_board_to_board() -> None:
    app = make_board_app(make_settings(training=False), game="ayoayo", games=(), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "o", "R", "R", "a")
        assert "ends in" in board(app).state.draw().text()
        await press(pilot, "o", "R", "R", "a")
        assert "ends in" not in board(app).state.draw().text()


async def test_the_first_and_the_last_line_of_the_menu_are_one_key_away() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, MenuScreen)
        await press(pilot, "end")
        assert app.screen.choices.marked == len(app.screen.choices.entries) - 1 > 0
        await press(pilot, "home")
        assert app.screen.choices.marked == 0


async def test_a_question_that_is_answered_too_soon_says_so() -> None:
    clock = Clock()
    app = make_board_app(players=FRIENDS, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "R", "R")
        assert not session(app).is_over
        assert "Too quick: read the question first. Resign? Press R again" in notice(app)
        clock.now += 1
        await press(pilot, "R")
        assert session(app).is_over


async def test_a_key_that_withdraws_a_question_does_no_more() -> None:
    app = make_board_app(players=FRIENDS, position="4,4 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", *"L1", "enter", "R", "u")
        assert len(session(app).list_moves()) == 1, "u only goes on with the game"
        assert "R again" not in notice(app)
        await press(pilot, "D", "q")
        assert session(app) is board(app).live.session, "the board is still open"


async def test_between_engines_the_footer_offers_what_a_spectator_can_do() -> None:
    app = make_board_app(players=ENGINES)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        shown = app.screen.query_one(KeyBar).text()
        assert not [word for word in ("choose", "hint", "undo") if word in shown]
        assert "P players" in shown
        assert "q menu" in shown


async def test_leaving_a_game_twice_at_once_does_not_leave_the_program(games: GameStore) -> None:
    clock = Clock()
    app = make_board_app(store=games, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "q", "q")
        assert app.return_code is None
        assert "You are back in the menu. Press q again to quit." in text(app)
        clock.now += BLIND_SECONDS
        await press(pilot, "q")
        assert app.return_code == 0


async def test_one_key_leaves_a_menu_that_no_screen_covered(games: GameStore) -> None:
    app = make_menu_app(store=games, clock=Clock())
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "q")
        assert app.return_code == 0


async def test_a_game_begun_in_a_review_leads_back_to_it() -> None:
    app = make_board_app(players=FRIENDS, position="4,4 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", *"L1", "enter", "enter", "R", "R", "e")
        assert isinstance(app.screen, ReviewScreen)
        await press(pilot, "p")
        assert session(app).list_moves() == []
        await press(pilot, "q")
        assert isinstance(app.screen, ReviewScreen)


async def test_a_long_way_of_a_move_names_the_key_that_ends_it() -> None:
    app = make_board_app(make_settings(animation=Switch.ON, training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        screen, scene = board(app), board(app).state.draw()
        await press(pilot, "m", *"L1", "enter")
        screen.state.playback.animate([scene] * 40, 60.0)
        screen.mark_changed()
        await wait_until(pilot, lambda: "Watch this move" in notice(app))
        assert "Watch this move: 1. L1.   Enter skips it" in notice(app)
        await press(pilot, "enter")
        assert not screen.state.playback.frames


async def test_the_cursor_stops_where_nothing_can_be_chosen_and_says_why() -> None:
    app = make_board_app(game="tobito", players=FRIENDS, position="T.T/.T./.../.../BBB T")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        entering = board(app).state.move_input
        await press(pilot, "left" if entering.cursor == "c5" else "right")
        await press(pilot, "up", "up", "up", "up", "left", "left")
        assert entering.cursor == "a5"
        await press(pilot, "right")
        assert entering.cursor == "b5", "one step, though no pawn is there"
        assert "b5" in notice(app)
        await press(pilot, "right")
        assert entering.cursor == "c5"
        assert "b5" not in notice(app), "the reason goes when it is no longer true"
