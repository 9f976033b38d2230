"""In the running app at 80x24: every way of entering a move, giving it up at each step, and how the board looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from onlymove_engines.games.pokemon.notation import NOTATION
from onlymove_engines.games.pokemon.rules import RULES, Placement
from onlymove_engines.games.pokemon.targets import SIZES
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.widgets.board import BoardView
from textual.pilot import Pilot

from tests.amounts import amounts
from tests.tui.pilots import FRIENDS, board, effective, opened, press, session, settle

from .conftest import Game

START = "xxx/xxx/xxx 222222 1"
SIZE = (80, 24)


def app_at(text: str, **options: Any) -> OnlymoveApp:
    return opened(effective(training=False), game="pokemon", games=(), players=FRIENDS, position=text, **options)


def shown(app: OnlymoveApp) -> list[str]:
    return [strip.text for strip in app.screen._compositor.render_strips()]


async def steer(pilot: Pilot[Any], app: OnlymoveApp, target: str) -> None:
    """Move the cursor by arrow keys until it stands on `target`: first along a row, then along a column."""
    for keys in (["down"] * 3, ["up"] * 3):
        for key in ("", *keys):
            await press(pilot, *([key] if key else []))
            for side in (["right"] * 3, ["left"] * 3):
                for step in ("", *side):
                    await press(pilot, *([step] if step else []))
                    if app.screen.query_one(BoardView).marks.cursor == target:
                        return
    raise AssertionError(f"the cursor does not reach {target}")


async def by_cursor(pilot: Pilot[Any], app: OnlymoveApp, move: Placement) -> None:
    for target in NOTATION.paths(session(app).position, move)[0]:
        await steer(pilot, app, target)
        await press(pilot, "enter")


async def by_keys(pilot: Pilot[Any], app: OnlymoveApp, move: Placement) -> None:
    size, cell = NOTATION.paths(session(app).position, move)[0]
    await press(pilot, str(SIZES.index(size) + 1))
    await steer(pilot, app, cell)
    await press(pilot, "enter")


async def by_mouse(pilot: Pilot[Any], app: OnlymoveApp, move: Placement) -> None:
    for target in NOTATION.paths(session(app).position, move)[0]:
        view = app.screen.query_one(BoardView)
        place = view.scene.place(target)
        assert place is not None
        left, top = view.offset_of_scene()
        await pilot.click(BoardView, offset=(left + place.x + place.width // 2, top + place.y + 1))
        await settle(pilot)


async def by_text(pilot: Pilot[Any], app: OnlymoveApp, move: Placement) -> None:
    await press(pilot, "m", *NOTATION.format_move(session(app).position, move), "enter")


@pytest.mark.parametrize("enter", [by_cursor, by_keys, by_mouse, by_text])
@amounts("count", 1, 5)
async def test_a_move_is_entered(
    enter: Callable[..., Any], count: int, random_games: Callable[[int, int], list[Game]]
) -> None:
    for ply, (positions, moves) in enumerate(random_games(count, 12)):
        position, move = positions[(ply + 3) % 5], moves[(ply + 3) % 5]
        app = app_at(NOTATION.format_position(position))
        async with app.run_test(size=SIZE) as pilot:
            await settle(pilot)
            await enter(pilot, app, move)
            assert session(app).position == RULES.play(position, move), NOTATION.format_position(position)


@pytest.mark.parametrize("key", ["escape", "backspace"])
async def test_a_move_is_given_up_at_any_step(key: str) -> None:
    app = app_at(START)
    async with app.run_test(size=SIZE) as pilot:
        await press(pilot, "2")
        assert board(app).entering.entry.prefix == ("middle",)
        await press(pilot, key)
        assert board(app).entering.entry.prefix == ()
        await press(pilot, "3", key, "1")
        assert board(app).entering.entry.prefix == ("small",)
        assert session(app).moves() == []


@pytest.mark.parametrize("ascii_only", [False, True])
async def test_the_whole_board_is_on_an_80x24_screen(ascii_only: bool) -> None:
    app = app_at("CAa/bcx/xxC 110110 1", ascii_only=ascii_only)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        lines = shown(app)
        view = app.screen.query_one(BoardView)
        for row in view.scene.text().split("\n"):
            for part in row.split():
                assert any(part in line for line in lines), part
        assert not ascii_only or "\n".join(lines).isascii()


async def test_hints_rank_the_keeping_moves() -> None:
    app = app_at("xxx/xcx/xxx 222212 2")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await press(pilot, "h", "h")
        second = "\n".join(shown(app))
        assert "Place a small piece." in second
        assert "A@" not in second
        await press(pilot, "h")
        third = "\n".join(shown(app))
        assert " A@A1 D  9 of 23 lose" in third
        assert " A@B1 D  8 of 23 lose" in third
        assert "1 A@A1" not in third, "digits pick pieces here"
