"""A mistake can be tried again from the review. The player sees the position before it without any help, and the answer
is judged as in a drill."""

from __future__ import annotations

import pytest
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.widgets.bars import TitleBar
from onlymove_tui.app.widgets.canvas import Canvas

from tests.tui.pilots import ENGINES, FRIENDS, make_board_app, make_settings, notice, press, press_at_once, text
from tests.tui.test_guard import Clock
from tests.tui.test_review_screen import GAME, make_friends_app, play, review
from tests.tui.tiny_duel import tiny_duel


async def test_at_a_mistake_the_position_before_it_is_asked_and_tells_nothing() -> None:
    app = make_friends_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "n", "n")
        assert "2. L1" in notice(app)
        await press(pilot, "t")
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.state.playback.node.position == (2, 4, 1), "before the mistake, its side to move"
        assert "Right to move: keep the win." in notice(app)
        assert "Right played L1 here." in notice(app)
        assert "move 2 of 5" in app.screen.query_one(TitleBar).text()
        assert "Instead of" not in text(app)
        assert "R2" not in text(app), "the answer is nowhere to be seen"


async def test_the_picture_knows_the_moves_before_the_mistake() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "n", "n", "t")
        assert isinstance(app.screen, DrillScreen)
        view = app.screen.state.make_view()
        assert len(view.positions) == 2, "the start and the position before the second move"
        assert view.moves == (("L", 1),)


async def test_a_wrong_try_is_explained_and_tried_again_and_a_right_one_praised() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "n", "t")
        await play(pilot, "L2")
        assert "L2: Win in 7 moves → Loss" in notice(app)
        assert "try again" in notice(app)
        await press(pilot, "backspace")
        assert isinstance(app.screen, DrillScreen)
        await play(pilot, "R1")
        assert "R1 is correct. The only move that wins." in notice(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, ReviewScreen)
        assert "1. L1 ??" in notice(app), "where the review was"


async def test_the_keys_of_an_answer_count_right_after_the_key_that_asks_for_a_retry() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS, clock=Clock())
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e")
        await press_at_once(pilot, "n", "t", "right", "enter", "1", "q", "t", "right", "enter", "1")
        assert "R1 is correct." in notice(app)


async def test_the_answer_is_shown_when_it_is_asked_for() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "n", "t")
        assert "s solution" in text(app)
        await press(pilot, "s")
        assert "R1 is the best move." in notice(app)
        assert "R1" in text(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, ReviewScreen)


def advice(app: OnlymoveApp) -> str:
    """Return the texts under and beside the board, without the list of moves."""
    return "\n".join([notice(app), *(app.screen.query_one(f"#{name}", Canvas).text() for name in ("note", "worth"))])


@pytest.mark.parametrize("size", [(80, 24), (200, 55)], ids=str)
async def test_a_review_shows_the_better_move_only_after_the_retry_or_on_request(size: tuple[int, int]) -> None:
    app = make_friends_app()
    async with app.run_test(size=size) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e")
        assert "R1" not in advice(app), "the next move is a mistake"
        await press(pilot, "n")
        assert "Which move is better?" in advice(app)
        assert "R1" not in advice(app)
        await press(pilot, "t")
        assert "R1" not in advice(app)
        await play(pilot, "L2")
        assert "R1" not in advice(app)
        await press(pilot, "backspace", "q")
        assert isinstance(app.screen, ReviewScreen)
        assert "Which move is better?" in advice(app), "the try was wrong"
        await press(pilot, "t")
        await play(pilot, "R1")
        await press(pilot, "enter")
        assert "Which move is better?" not in advice(app)
        assert "R1" in advice(app)
        await press(pilot, "home", "n", "n")
        assert "Which move is better?" in advice(app), "another mistake"
        await press(pilot, "v")
        assert "R2" in advice(app)


async def test_escape_and_q_lead_back_to_the_review_and_the_game_is_untouched() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        assert isinstance(app.screen, PlayScreen)
        length = len(app.screen.live.session.tree.nodes)
        for key in ("escape", "q", "backspace"):
            await press(pilot, *(["e"] if isinstance(app.screen, PlayScreen) else []), "home", "n", "t")
            assert isinstance(app.screen, DrillScreen)
            await press(pilot, "right", "enter", "escape")
            assert isinstance(app.screen, DrillScreen), "one target less first"
            await press(pilot, key)
            assert isinstance(app.screen, ReviewScreen), key
        assert len(review(app).live.session.tree.nodes) == length


async def test_other_screens_still_try_moves_and_the_footer_names_the_keys() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e")
        assert "t try" in text(app)
        await press(pilot, "n")
        assert "t retry" in text(app)
        await press(pilot, "end")
        assert "t try" not in text(app), "the game is over here"
        await press(pilot, "home")
        assert "t try" in text(app)
        await press(pilot, "t")
        assert "Trying" in notice(app)
        assert "moves were good" in text(app), "the figures stay those of the whole game"


async def test_an_engines_mistake_is_nobodys_to_retry() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        assert isinstance(app.screen, PlayScreen)
        for node in app.screen.live.session.tree.nodes:
            node.players_at_move = ENGINES
        await press(pilot, "e", "n", "t")
        assert isinstance(app.screen, ReviewScreen)
        assert "Trying" in notice(app)


async def test_half_of_a_round_is_tried_again_too() -> None:
    app = make_board_app(make_settings(training=False), game="duel", games=(tiny_duel(),), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, "a", "c")
        await press(pilot, "R", "R", "e", "n")
        assert review(app).state.playback.node.ply == 1, "c gives half a win away"
        await press(pilot, "t")
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.live.session.choosing_seat == 1
        assert "Odd played c here." in notice(app)
        await play(pilot, "c")
        assert "Backspace try again" in notice(app)
        await press(pilot, "backspace")
        assert isinstance(app.screen, DrillScreen), "the question comes back first"
        assert "try again" not in notice(app)
        assert "Odd chooses" in notice(app)
        await play(pilot, "a")
        assert "a is correct." in notice(app)


async def test_a_wide_screen_names_no_key_for_values_before_a_move_is_found() -> None:
    app = make_friends_app()
    async with app.run_test(size=(200, 55)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "n", "t")
        assert "Hidden until you have found a move." in text(app)
        assert "shows the value of every move" not in text(app)
