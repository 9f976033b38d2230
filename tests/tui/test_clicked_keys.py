"""Only one line of keys is shown at a time, and a click on a key does what the key does."""

from __future__ import annotations

from typing import Any

from onlymove.pictures.colours import Tone
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens.pages import PageScreen
from onlymove_tui.app.widgets.bars import KeyBar, Notice, find_clicked
from onlymove_tui.app.widgets.canvas import Canvas, Row
from onlymove_tui.play.keys import Key
from onlymove_tui.store.settings import Keys
from textual.pilot import Pilot

from tests.tui.pilots import (
    FRIENDS,
    board,
    make_board_app,
    make_menu_app,
    make_settings,
    notice,
    press,
    session,
    settle,
)

BAD = ("right", "enter", "3")


async def click(pilot: Pilot[Any], kind: type[Canvas], words: str) -> None:
    """Click on the last letter of some words in a widget."""
    lines = pilot.app.screen.query_one(kind).text().splitlines()
    y = next((y for y, line in enumerate(lines) if words in line), None)
    assert y is not None, f"{words!r} is not in {lines}"
    await pilot.click(kind, offset=(lines[y].index(words) + len(words) - 1, y))
    await settle(pilot)


def read_footer(app: OnlymoveApp) -> str:
    """Return the line of keys at the bottom."""
    return app.screen.query_one(KeyBar).text()


def test_a_key_and_its_word_are_clicked_and_no_gap_between_two_keys() -> None:
    first: Row = [("Enter", Key("open")), (" open", Tone.TEXT), ("   ", Tone.TEXT)]
    row = [*first, ("u", Key("undo")), (" rewind!", Tone.TEXT)]
    found = [find_clicked(row, x) for x in range(23)]
    assert found == ["open"] * 10 + [None] * 3 + ["undo"] * 9 + [None]
    assert find_clicked([("Win in 7 moves", Tone.STRONG), ("u", Tone.KEY)], 8) is None, "a colour makes no key"


async def test_the_footer_is_clicked_as_its_keys_are_pressed() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await click(pilot, KeyBar, "v values")
        assert board(app).state.values_shown
        await press(pilot, "m")
        await click(pilot, KeyBar, "Esc cancel")
        assert board(app).typing is None
        await click(pilot, KeyBar, "? keys")
        assert isinstance(app.screen, PageScreen)


async def test_a_held_move_is_kept_or_thought_over_by_a_click() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        await click(pilot, Notice, "u take back")
        assert board(app).live.stopped_move is None
        await press(pilot, *BAD)
        await click(pilot, Notice, "y play it anyway")
        assert session(app).list_moves() == [("R", 3)]


async def test_the_menu_is_clicked_too() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = app.screen
        await click(pilot, KeyBar, "d drills")
        assert app.screen is not before


async def test_a_banner_that_names_keys_leaves_the_way_back_and_the_other_keys_to_the_footer() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "h hint" in read_footer(app)
        await press(pilot, *BAD)
        assert "h hint" in notice(app)
        assert "q menu  ? keys" in notice(app), "there is room for all keys in one line"
        assert read_footer(app) == ""
        await press(pilot, "w")
        assert "Right next" in notice(app)
        assert "q game   ? keys" in notice(app)
        await press(pilot, "u", "u")
        assert "h hint" in read_footer(app)
        await press(pilot, "right", "enter", "1", "[")
        assert "End game" in notice(app)
        assert "q menu   ? keys" in notice(app)
        await press(pilot, "end")
        assert "h hint" in read_footer(app)


async def test_the_end_of_a_game_names_its_keys_once() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS, position="1,0 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", *"L1", "enter")
        assert "Enter review" in notice(app)
        assert "q menu  ? keys" in notice(app)
        assert read_footer(app) == ""
        await click(pilot, Notice, "u undo")
        assert session(app).list_moves() == []


async def test_banners_name_the_keys_that_the_player_has_chosen() -> None:
    app = make_board_app(make_settings(keys=Keys.VI), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "l", "enter", "3")
        assert "H hint" in notice(app)
        await click(pilot, Notice, "H hint")
        assert board(app).state.requests.hint is not None
