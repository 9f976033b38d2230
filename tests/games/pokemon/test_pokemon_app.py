"""The running app at 80x24: every way of entering a move, giving up at each step, and the look of the board."""

from __future__ import annotations

from typing import Any

import pytest
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.widgets.board_view import BoardView

from tests.tui.pilots import FRIENDS, board, make_board_app, make_settings, press, session, settle
from tests.tui.screen_checks import lines_on_screen

START = "xxx/xxx/xxx 222222 1"
SIZE = (80, 24)


def make_app_at(text: str, **options: Any) -> OnlymoveApp:
    return make_board_app(
        make_settings(training=False), game="pokemon", games=(), players=FRIENDS, position=text, **options
    )


@pytest.mark.parametrize("key", ["escape", "backspace"])
async def test_a_move_is_given_up_at_any_step(key: str) -> None:
    app = make_app_at(START)
    async with app.run_test(size=SIZE) as pilot:
        await press(pilot, "2")
        assert board(app).state.move_input.entry.prefix == ("medium",)
        await press(pilot, key)
        assert board(app).state.move_input.entry.prefix == ()
        await press(pilot, "3", key, "1")
        assert board(app).state.move_input.entry.prefix == ("small",)
        assert session(app).list_moves() == []


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_the_whole_board_is_on_an_80x24_screen(ascii_only: bool) -> None:
    app = make_app_at("CAa/bcx/xxC 110110 1", ascii_only=ascii_only)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        lines = lines_on_screen(app)
        view = app.screen.query_one(BoardView)
        for row in view.scene.text().split("\n"):
            for part in row.split():
                assert any(part in line for line in lines), part
        assert not ascii_only or "\n".join(lines).isascii()


async def test_hints_rank_the_moves_that_keep_the_value() -> None:
    app = make_app_at("xxx/xcx/xxx 222212 2")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "h", "h")
        second = "\n".join(lines_on_screen(app))
        assert "Place a small piece." in second
        assert "A@" not in second
        await press(pilot, "h")
        third = "\n".join(lines_on_screen(app))
        assert " S@A1 D  9 of 23 lose" in third
        assert " S@B1 D  8 of 23 lose" in third
        assert "1 S@A1" not in third, "digits pick pieces here"
