"""No list, form or page makes the player wait. Workers fetch what is on disk or has to be searched."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.base_screen import BLIND_SECONDS
from onlymove_tui.app.messages import Opened
from onlymove_tui.app.screens import history
from onlymove_tui.app.screens.explore import ExploreScreen
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.store import settings
from onlymove_tui.store.entries import GameNumber
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Keys

from tests.tui.pilots import STILL, make_key, make_menu_app, make_settings, press, press_at_once, settle, text
from tests.tui.saved_sessions import fill
from tests.tui.stalls import StallDetector
from tests.tui.tiny_game import tiny_game

WAYS = {
    "menu": (),
    "resume": ("r",),
    "history": ("e", "f", "f", "f", "f", "f", "f"),
    "history, delete": ("e", "down", "x", "x"),
    "history, go on": ("e", "enter"),
    "history, review": ("e", "down", "down", "enter"),
    "progress": ("p", "up", "d"),
    "drills": ("d", "enter"),
    "fresh drills": ("d", "up", "enter"),
    "settings": ("s", "down", "down", "right", "right"),
    "ASCII": ("a",),
    "a new game of any kind": ("down", "enter"),
    "a new game": ("up", "enter", "up", "m", *"2,1 0", "enter"),
    "the end of a game, and its drills": ("up", "enter", "enter", "right", "enter", "3", "enter", "R", "R"),
    "other players, and a rematch": (
        "up",
        "enter",
        "enter",
        "P",
        "down",
        "right",
        "enter",
        "P",
        "escape",
        "R",
        "R",
        "a",
    ),
    "the rules of a game": ("down", "f1"),
    "what the solution of a game says": ("down", "n"),
    "the rules of a game being set up": ("down", "enter", "f1"),
    "palette": ("ctrl+p", "down"),
    "help": ("question_mark",),
}


@pytest.fixture
def slow_app(detector: StallDetector, games: GameStore, tmp_path: Path) -> OnlymoveApp:
    """Open the menu, with something in every list. Only drafts do not need the slow disk."""
    fill(games, (("R", 1),), (("L", 1),))
    store = detector.slow(games, but=("draft", "add_saver", "save_at_last"))
    return make_menu_app(
        make_settings(tmp_path / "settings.toml"), store=store, games=(detector.slow_game(tiny_game()),)
    )


async def test_nothing_waits(detector: StallDetector, slow_app: OnlymoveApp) -> None:
    async with slow_app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        for keys in WAYS.values():
            await press(pilot, "home", *keys)
            await press(pilot, *["escape"] * 3)
            slow_app.to_menu()
            await settle(pilot)


@pytest.mark.parametrize(
    ("key", "at_once", "later"),
    [("e", "Games  all", "in progress"), ("p", "Two Heaps", "none against an engine"), ("d", "Drills", "1 due"),
     ("enter", "Start the game", "Custom start"), ("f1", "Two Heaps  rules", "the last one wins.")],
    ids=["history", "progress", "drills", "new game", "rules"],
)  # fmt: skip
async def test_a_screen_is_drawn_immediately_and_filled_later(
    key: str, at_once: str, later: str, detector: StallDetector, slow_app: OnlymoveApp
) -> None:
    async with slow_app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        await press(pilot, "up")
        with detector.hold_calls():
            await pilot.press(key)
            await pilot.pause()
            assert at_once in text(slow_app)
            # Reading a page is quick and is not delayed.
            assert key == "f1" or later not in text(slow_app)
        await settle(pilot)
        assert later in text(slow_app)


async def test_a_key_that_leaves_does_not_wait(detector: StallDetector, slow_app: OnlymoveApp) -> None:
    async with slow_app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        with detector.hold_calls():
            await pilot.press("e", "down", "escape")
            await pilot.pause()
            assert isinstance(slow_app.screen, MenuScreen)
        await press(pilot, "down")
        assert slow_app.screen.query_one(Choices).marked == 1, "what was typed ahead of the way out is forgotten"
        await press(pilot, "up", "up")
        with detector.hold_calls():
            await pilot.press("X")
            await pilot.pause()
            assert isinstance(slow_app.screen, ExploreScreen)
            await pilot.press("escape")
            await pilot.pause()
            assert isinstance(slow_app.screen, MenuScreen)


async def test_a_click_on_the_list_of_a_position_that_was_left_does_nothing(
    detector: StallDetector, slow_app: OnlymoveApp
) -> None:
    async with slow_app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        await press(pilot, "up", "X")
        explorer = slow_app.screen
        assert isinstance(explorer, ExploreScreen)
        with detector.hold_calls():
            await pilot.press("enter")
            await pilot.pause()
            for index in (0, 6):
                explorer.post_message(Opened(index))
            await pilot.pause()
            assert len(explorer.trail.moves) == 1
        await press(pilot, "backspace")
        assert not explorer.trail.moves, "keys are taken again"


@pytest.mark.parametrize(
    ("keys", "screen"),
    [
        (("n", "ctrl+p", "escape"), "GamePage"),
        (("d", "enter", "escape", "q"), "DrillsScreen"),
        (("e", "enter", "escape", "s"), "SettingsScreen"),
        (("f1", "n", "escape", "escape", "s", "escape", "p"), "ProgressScreen"),
        (("d", "down", "down", "escape", "e", "question_mark", "escape", "escape", "enter"), "NewGameScreen"),
    ],
)
async def test_keys_of_a_burst_act_in_their_order(
    keys: tuple[str, ...], screen: str, detector: StallDetector, slow_app: OnlymoveApp
) -> None:
    """A key that opens a screen is not skipped if a key that leaves follows at once. The second key then leaves the new
    screen."""
    async with slow_app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        await press(pilot, "down")
        with detector.hold_calls():
            for key in keys:
                pilot.app.post_message(make_key(key))
            await pilot.pause()
        await settle(pilot)
        assert type(slow_app.screen).__name__ == screen


@pytest.mark.parametrize("early", [0, 1], ids=["once", "and once too early to be believed"])
async def test_a_later_key_cancels_an_earlier_request(
    early: int, detector: StallDetector, slow_app: OnlymoveApp
) -> None:
    async with slow_app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        await press(pilot, "d")
        with detector.hold_calls():
            late = make_key("escape")
            late.time += 2 * BLIND_SECONDS
            for key in (make_key("enter"), *[make_key("escape")] * early, late):
                slow_app.post_message(key)
            await pilot.pause()
            assert isinstance(slow_app.screen, MenuScreen)


async def test_a_second_key_that_ends_the_app_waits_for_nothing(detector: StallDetector, slow_app: OnlymoveApp) -> None:
    async with slow_app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        with detector.hold_calls():
            await pilot.press("e", "enter", "ctrl+q")
            assert slow_app.return_code is None
            await pilot.press("ctrl+q")
            await pilot.pause()
            assert slow_app.return_code == 0


async def test_a_setting_that_cannot_be_saved_applies_and_is_reported(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("")
    app = make_menu_app(make_settings(tmp_path / "blocked" / "settings.toml"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "s", "down", "right")
        assert "cannot be written" in text(app)
        assert app.services.preferences.settings.keys is Keys.VI


async def test_settings_changed_in_a_hurry_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    app = make_menu_app(make_settings(path))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press_at_once(pilot, "s", "down", *["right"] * 3, "down", *["right"] * 3, "down", *["right"] * 5)
        assert settings.read_settings(path, {}).settings == app.services.preferences.settings


async def test_a_setting_that_is_being_written_is_written_before_the_app_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "save_settings", make_slow(settings.save_settings))
    app = make_menu_app(make_settings(tmp_path / "settings.toml"), timers=STILL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("s", "down", "right", "ctrl+q")
    assert settings.read_settings(tmp_path / "settings.toml", {}).settings.keys is Keys.VI


class SlowStore(GameStore):
    """A store whose disk is slow when games are deleted."""

    def delete(self, number: GameNumber) -> None:
        time.sleep(0.5)
        super().delete(number)


async def test_a_game_that_is_being_deleted_is_gone_before_the_app_ends(tmp_path: Path) -> None:
    games = SlowStore(tmp_path / "games.sqlite3", lambda _: tiny_game())
    fill(games, (("R", 1),), (("L", 1),))
    left = games.count() - 1
    app = make_menu_app(store=games, timers=STILL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        await pilot.press("x", "x", "ctrl+q")
    assert games.count() == left
    games.close()


def make_slow(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function, but slower."""

    def later(*args: Any) -> Any:
        time.sleep(0.5)
        return function(*args)

    return later


async def test_a_list_read_far_down_stays_as_long_when_one_comes_back(
    games: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "BATCH", 2)
    for _ in range(5):
        fill(games, (("R", 1),), (("L", 1),))
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "e", *["down"] * 9, "question_mark", "escape")
        assert app.screen.query_one(Choices).marked == 9
        await press(pilot, "end", "end", "end", "end")
        assert len(app.screen.query_one(Choices).entries) == games.count() == 15
