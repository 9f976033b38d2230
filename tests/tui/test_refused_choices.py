"""A choice that cannot be made is refused with the rule that forbids it."""

from __future__ import annotations

from onlymove_tui.app.messages import Pointed

from tests.tui.pilots import FRIENDS, board, make_board_app, make_settings, notice, press, session, settle


async def test_a_click_on_a_forbidden_target_names_the_rule() -> None:
    app = make_board_app(make_settings(training=False), game="tobito", games=(), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for target, why in (("b3", "b3 is empty: move one of your pawns"), ("b1", "pawn on b1 belongs to Bottom")):
            board(app).post_message(Pointed(target))
            await settle(pilot)
            assert why in notice(app)
        board(app).post_message(Pointed("b5"))
        await settle(pilot)
        board(app).post_message(Pointed("b3"))
        await settle(pilot)
        assert "first empty cell in its direction, here b4" in notice(app)
        assert board(app).state.move_input.entry.prefix == ("b5",), "nothing has changed"
        board(app).post_message(Pointed("b4"))
        await settle(pilot)
        assert len(session(app).list_moves()) == 1
        assert "empty cell" not in notice(app)


async def test_a_key_of_the_game_says_why_it_picks_nothing() -> None:
    position = "0,4,4,4,4,4/4,4,4,4,8,4 0-0 0"
    app = make_board_app(make_settings(training=False), game="ayoayo", games=(), players=FRIENDS, position=position)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "1")
        assert "Pit 1 is empty" in notice(app)
        assert session(app).list_moves() == []


async def test_a_house_rule_that_forbids_a_choice_is_named() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS, position="1,2 0", house_rule="left-stands")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        board(app).post_message(Pointed("L"))
        await settle(pilot)
        assert "The house rule 'Left stands' forbids this move" in notice(app)
