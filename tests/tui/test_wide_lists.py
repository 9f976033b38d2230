"""What lists and forms show beside them if the terminal is wide."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event

import pytest
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens import new_game
from onlymove_tui.app.screens.list_screen import draw_start
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.themes import find_theme_id
from onlymove_tui.app.widgets.bars import Lines, Panel
from onlymove_tui.app.widgets.board_view import SmallBoard, rank_dispensable_lines
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.store.games import GameStore

from tests.tui.pilots import make_key, make_menu_app, make_settings, press, settle
from tests.tui.saved_sessions import fill

AGAINST = (HUMAN, Player(PlayerKind.ENGINE, strength=70))


def board_of(app: OnlymoveApp) -> str:
    """Return the board beside the list."""
    return app.screen.query_one(SmallBoard).text().strip()


def facts_of(app: OnlymoveApp) -> str:
    """Return the text beside the list."""
    return app.screen.query_one("#facts", Lines).text()


async def test_the_menu_shows_the_board_and_the_facts_of_the_marked_game(games: GameStore) -> None:
    fill(games, (("R", 1),), players=AGAINST)
    app = make_menu_app(store=games)
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, MenuScreen)
        await press(pilot, "down")
        assert "Top or Bottom" in facts_of(app), "who may move first"
        await press(pilot, "up", "up")
        assert app.screen.query_one("#picture-panel", Panel).title == "Two Heaps"
        assert board_of(app)
        for fact in ("Take from one of two heaps", "first player wins", "0 won, 0 drawn, 1 lost", "1 due"):
            assert fact in facts_of(app), fact
        first = board_of(app)
        await press(pilot, "up")
        assert board_of(app) not in ("", first), "another game has another board"
        app.screen.query_one(Choices).mark(0)
        await press(pilot, "down", "up")
        assert app.screen.query_one("#picture-panel", Panel).facts == "1 move played"
        assert board_of(app) not in ("", first), "the game that waits, as it was left"


async def test_on_a_usual_terminal_the_menu_is_list_and_pitch(games: GameStore) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up")
        assert not app.screen.query_one(SmallBoard).display
        assert facts_of(app).split("\n") == [
            "Take from one of two heaps, the last one wins.",
            "Solved: first player wins.",
        ]


async def test_a_form_shows_the_start_that_is_set_up() -> None:
    app = make_menu_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter")
        usual, panel = board_of(app), app.screen.query_one("#picture-panel", Panel)
        assert usual
        assert app.screen.query_one("#help-panel", Panel).title == "Two Heaps"
        assert (panel.title, panel.facts) == ("Left begins", "you are Left")
        await press(pilot, "up", "m", *"2,1 1", "enter")
        assert board_of(app) not in ("", usual)
        assert (panel.title, panel.facts) == ("Right begins", "you are Right")
        assert app.screen.query_one("#help-panel", Panel).title == "Custom start"


async def test_a_form_is_shown_when_it_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Event()
    monkeypatch.setattr(new_game, "draw_start", lambda *of: (drawn.wait(), draw_start(*of))[1])
    app = make_menu_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        app.post_message(make_key("up"))
        app.post_message(make_key("enter"))
        while not (isinstance(app.screen, new_game.NewGameScreen) and app.screen.fields):
            await asyncio.sleep(0.01)
        body = app.screen.query_one("#body")
        assert not body.visible, "no lines without the board beside them"
        drawn.set()
        await settle(pilot)
        assert body.visible
        assert board_of(app)


async def test_a_board_beside_a_list_drops_coordinates_before_it_disappears() -> None:
    app = make_menu_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        small = app.screen.query_one(SmallBoard)
        smallest = small.draw_at(1)
        needed = smallest.height - len(rank_dispensable_lines(smallest))
        assert needed < smallest.height
        small.styles.height = needed
        await settle(pilot)
        assert small.text().strip()
        small.styles.height = needed - 1
        await settle(pilot)
        assert not small.text().strip(), "nothing that means something may go"


async def test_a_theme_is_shown_as_it_is_changed(tmp_path: Path) -> None:
    app = make_menu_app(make_settings(tmp_path / "settings.toml"))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "s")
        assert board_of(app), "colours are seen on a board"
        assert app.screen.query_one("#help-panel", Panel).title == "Theme"
        before = app.theme
        await press(pilot, "right", "right")
        assert app.theme != before


@pytest.mark.parametrize(("term", "shown"), [("xterm-16color", "ansi"), ("xterm-256color", "light")])
async def test_a_theme_holds_where_the_terminal_has_colours_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, term: str, shown: str
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLORTERM", "")
    app = make_menu_app(make_settings(tmp_path / "settings.toml", theme="light"))
    async with app.run_test(size=(120, 40)):
        assert find_theme_id(app.screen.app) == shown
