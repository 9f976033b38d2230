"""Keys take effect in their order, however fast they come, and typed text belongs to the line on which it was begun."""

from __future__ import annotations

from pathlib import Path

from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens.new_game import NewGameScreen
from onlymove_tui.app.screens.settings import SettingsScreen
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.fields import read_values

from tests.tui.pilots import (
    FRIENDS,
    make_app,
    make_board_app,
    make_menu_app,
    make_settings,
    press,
    press_at_once,
    session,
    settle,
    text,
)
from tests.tui.screen_checks import lines_on_screen

NEW_GAME = ("up", "enter")
TO_POSITION = "up"
TO_STRENGTH = ("down", "down", "down")


def form_values(app: OnlymoveApp) -> dict[str, str]:
    """Return the values in the open form."""
    assert isinstance(app.screen, NewGameScreen | SettingsScreen)
    return read_values(app.screen.fields)


def read_footer(app: OnlymoveApp) -> str:
    """Return the last line as the terminal shows it."""
    return lines_on_screen(app)[-1].strip()


async def test_keys_typed_ahead_are_taken_by_the_screen_that_they_open(tmp_path: Path) -> None:
    app = make_menu_app(make_settings(tmp_path / "settings.toml"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press_at_once(pilot, "s", "down", "down", "right")
        assert isinstance(app.screen, SettingsScreen)
        assert app.screen.query_one(Choices).marked == 2
        await press_at_once(pilot, "escape", "up", "enter", "enter")
        assert session(app).game.id == "tiny"


async def test_a_value_that_arrives_in_one_burst_is_taken_whole() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press_at_once(pilot, *NEW_GAME, TO_POSITION, "m", *"2,1 0", "enter")
        assert form_values(app)["position"] == "2,1 0"


async def test_typed_text_belongs_to_the_row_it_was_begun_on() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *NEW_GAME)
        before = form_values(app)
        await press(pilot, TO_POSITION, "m", *"2,1", "down", "tab", "space", "down", "0", "home", "left", "enter")
        before.pop("option.heaps")  # the form hides it beside a custom start
        assert form_values(app) == before | {"position": "2,1 0"}


async def test_a_refused_text_stays_open_with_the_reason_beside_it() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *NEW_GAME, TO_POSITION, "m", *"hello", "enter")
        assert "Not two heaps: hello" in text(app)
        assert "Enter accept  Esc cancel" in text(app)
        assert form_values(app)["position"] == "", "a refused text is no value"
        await press(pilot, *["backspace"] * 5, *"2,1 0", "enter")
        assert "not two heaps" not in text(app)
        assert form_values(app)["position"] == "2,1 0"
        await press(pilot, "enter")
        assert session(app).position == (2, 1, 0)


async def test_an_invalid_strength_is_refused_while_it_is_typed() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *NEW_GAME, *TO_STRENGTH)
        for strength in ("101", "-1", "strong", ""):
            await press(pilot, "m", *["backspace"] * 3, *strength, "enter")
            assert "from 0 to 100" in text(app), strength
            await press(pilot, "escape")
            assert "from 0 to 100" not in text(app)
            assert form_values(app)["strength.1"] == "100"


async def test_escape_gives_up_what_is_being_typed() -> None:
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *NEW_GAME, *TO_STRENGTH, "m", *"50", "escape")
        assert form_values(app)["strength.1"] == "100"
        await press(pilot, "m", *"50", "enter")
        assert form_values(app)["strength.1"] == "50", "the first sign typed replaces what was there"


async def test_the_footer_of_a_board_names_the_keys_of_typing_while_something_is_typed() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "h")
        assert read_footer(app) == "Enter accept  Esc cancel", "h is a letter now"
        await press(pilot, "escape")
        assert "h hint" in read_footer(app)


async def test_the_board_shows_that_typing_takes_back_what_was_chosen() -> None:
    app = make_app(game="tobito", settings=make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        start = lines_on_screen(app)[1:20]
        await press(pilot, "enter")
        assert lines_on_screen(app)[1:20] != start
        await press(pilot, "m")
        assert lines_on_screen(app)[1:20] == start
