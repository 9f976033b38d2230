"""Terminals of every size: no screen is drawn where it does not fit, and none is larger than any monitor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from onlymove.pictures.colours import Tone
from onlymove_laws.law import parametrize_amount
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.app.screens.lesson import LessonScreen
from onlymove_tui.app.widgets.bars import Gate, Notice
from onlymove_tui.app.widgets.canvas import Row
from onlymove_tui.store.games import GameStore
from textual.events import Resize
from textual.geometry import Size as TextualSize

from tests.tui.pilots import make_app, make_board_app, make_menu_app, make_settings, notice, press, settle, text
from tests.tui.saved_sessions import fill
from tests.tui.screen_checks import lines_on_screen
from tests.tui.sizes import HUGE, drag, resize

WAYS: dict[str, tuple[str, ...]] = {
    "menu": (),
    "history": ("e",),
    "progress": ("p",),
    "drills": ("d",),
    "drill": ("d", "enter"),
    "settings": ("s", "down"),
    "palette": ("ctrl+p",),
    "keys": ("question_mark",),
    "rules": ("f1",),
    "numbers": ("n",),
    "new": ("up", "enter"),
    "play": ("up", "enter", "enter", "v"),
    "players": ("up", "enter", "enter", "P"),
    "review": ("up", "enter", "enter", "R", "R", "e"),
    "explore": ("up", "X"),
    "goto": ("up", "X", "g"),
    "setup": ("down", "X", "s"),
}
"""The screens that a single player can open, by name, and the keys that lead there from the menu."""


@parametrize_amount("count", 1, 100)
async def test_every_screen_survives_any_sequence_of_sizes(count: int, games: GameStore, tmp_path: Path) -> None:
    fill(games, (("R", 1),))
    app = make_menu_app(make_settings(tmp_path / "settings.toml"), store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for name, keys in WAYS.items():
            await press(pilot, "home", *keys)
            assert isinstance(app.screen, BaseScreen)
            assert app.screen.route == name
            await drag(pilot, app, Random(name), count)
            app.to_menu()
            await settle(pilot)


STEPS = ((200, 55), (60, 20), (120, 40), (100, 30), (200, 55), (80, 24))


async def test_a_screen_fits_a_new_size_without_being_painted_again(games: GameStore, tmp_path: Path) -> None:
    fill(games, (("R", 1),))
    app = make_menu_app(make_settings(tmp_path / "settings.toml"), store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for name, keys in (*WAYS.items(), ("new", ("down", "down", "enter"))):  # Orbito's form has a long text
            await press(pilot, "home", *keys)
            screen = app.screen
            assert isinstance(screen, BaseScreen)
            for size in STEPS:
                await resize(pilot, size)
                shown = lines_on_screen(app)
                screen.mark_changed()
                await settle(pilot)
                assert lines_on_screen(app) == shown, f"{name} at {size[0]}x{size[1]}"
            app.to_menu()
            await settle(pilot)


@pytest.mark.parametrize("begin", [make_menu_app, make_board_app])
async def test_the_app_begins_at_any_size(begin: Callable[[], OnlymoveApp]) -> None:
    usual = begin()
    async with usual.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        expected = lines_on_screen(usual)
    for size in [(59, 24), (80, 3), (0, 0), (HUGE, HUGE)]:
        app = begin()
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            assert app.screen.query_one(Gate).display == (size != (HUGE, HUGE)), size
            await resize(pilot, (80, 24))
            assert lines_on_screen(app) == expected, size


async def test_a_screen_is_painted_again_if_the_size_changed_while_it_was_covered() -> None:
    app = make_menu_app(games=())
    async with app.run_test(size=(70, 22)) as pilot:
        await press(pilot, "l", "enter", "question_mark")
        # The size may also arrive when the key is handled, but the page is not open yet.
        app.screen_stack[-2].post_message(Resize(TextualSize(100, 30), TextualSize(100, 30)))
        await resize(pilot, (100, 30))
        await press(pilot, "escape")
        shown, lesson = lines_on_screen(app), app.screen
        assert isinstance(lesson, LessonScreen)
        lesson.mark_changed()
        await settle(pilot)
        assert lines_on_screen(app) == shown


async def test_a_screen_that_is_come_back_to_has_its_gate() -> None:
    """A screen that is two levels down does not learn a new size before it is shown again."""
    app = make_menu_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await press(pilot, "s", "question_mark")
        await resize(pilot, (40, 20))
        app.to_menu()
        await settle(pilot)
        assert app.screen.query_one(Gate).display
        await resize(pilot, (60, 20))
        assert not app.screen.query_one(Gate).display


async def test_the_gate_says_all_it_says_in_a_narrow_terminal(games: GameStore) -> None:
    app = make_menu_app(store=games)
    async with app.run_test(size=(12, 24)) as pilot:
        await settle(pilot)
        lines = [line.rstrip() for line in lines_on_screen(app)]
        assert max(map(len, lines)) <= 12
        output = " ".join(filter(None, lines))
        assert (
            output == "This terminal is 12 x 24. Please make it at least 60 x 20. Ctrl+Q quits. Your games are saved."
        )


async def test_an_invalid_size_changes_nothing() -> None:
    """In a browser, the size is whatever the browser sends."""
    app = make_menu_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = text(app)
        for side in (None, "80", 80.5, [80]):
            wrong = TextualSize(side, 24)  # type: ignore[arg-type]
            app.post_message(Resize(wrong, wrong))
            await settle(pilot)
            assert app.size == (80, 24), side
            assert text(app) == before, side


async def test_a_page_that_becomes_shorter_shows_its_end() -> None:
    """In a wider terminal, the text has fewer lines than those that were scrolled away."""
    app = make_app(settings=make_settings())
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await press(pilot, "f1", "end")
        await resize(pilot, (120, 40))
        shown = lines_on_screen(app)
        await press(pilot, "end")
        assert lines_on_screen(app) == shown


@pytest.mark.parametrize("has_hint", [False, True])
async def test_a_low_screen_shows_the_last_line_alone_if_it_is_a_hint_whatever_its_colour(has_hint: bool) -> None:
    app = make_board_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        for tone in (Tone.HINT, Tone.TEXT):
            lines: list[Row] = [[("x" * 40, Tone.TEXT)], [("y" * 40, tone)]]
            app.screen.query_one(Notice).show(lines, has_hint=has_hint)
            assert ("x" in notice(app)) is not has_hint
            assert "y" in notice(app)
