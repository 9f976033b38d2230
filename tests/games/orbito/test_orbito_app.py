"""Entering a move with a push in the running app: by cursor, by mouse and as text, and giving up at every step."""

from __future__ import annotations

from typing import Any

from onlymove_engines.core.scene import View
from onlymove_engines.games.orbito import picture
from onlymove_engines.games.orbito.notation import NOTATION
from onlymove_engines.games.orbito.rules import RULES, Move, Position
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.widgets.board_view import BoardView
from textual.pilot import Pilot

from tests.tui.pilots import FRIENDS, board, list_ways, make_board_app, make_settings, press, session, settle, text

START = "B.W./BW.W/..W./B... B"
MOVE = ("c2", "d2", "a2")


def make_orbito_app() -> OnlymoveApp:
    settings = make_settings(training=False)
    return make_board_app(settings, game="orbito", games=(), position=START, players=FRIENDS)


def position_before() -> Position:
    return NOTATION.parse_position(START)


def position_after() -> Position:
    return RULES.play(position_before(), MOVE)


async def walk_to(pilot: Pilot[Any], app: OnlymoveApp, target: str) -> None:
    """Move the cursor with the arrow keys."""
    await press(pilot, *list_ways(board(app).state.move_input)[target])


async def test_a_push_is_entered_by_cursor() -> None:
    app = make_orbito_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for target in MOVE:
            await walk_to(pilot, app, target)
            await press(pilot, "enter")
        assert session(app).node.position == position_after()
        assert "c2→d2, a2. The shift moved them to d3 and a1." in text(app)


async def test_a_push_is_entered_by_mouse() -> None:
    app = make_orbito_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for target in MOVE:
            view = app.screen.query_one(BoardView)
            place = view.scene.place(target)
            assert place is not None
            left, top, _ = view.place_of_scene()
            await pilot.click(BoardView, offset=(left + place.x + 3, top + place.y + 1))
            await settle(pilot)
        assert session(app).node.position == position_after()


async def test_a_push_is_typed() -> None:
    app = make_orbito_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "m", *"".join(MOVE), "enter")
        assert session(app).node.position == position_after()


async def test_a_push_can_be_given_up_at_every_step() -> None:
    app = make_orbito_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for steps in (1, 2):
            for target in MOVE[:steps]:
                await walk_to(pilot, app, target)
                await press(pilot, "enter")
            assert board(app).state.move_input.entry.prefix == MOVE[:steps]
            for left in range(steps - 1, -1, -1):
                await press(pilot, "backspace")
                assert board(app).state.move_input.entry.prefix == MOVE[:left]
            assert session(app).node.position == position_before()


async def test_the_next_shift_is_shown_while_a_push_is_entered() -> None:
    app = make_orbito_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for target in MOVE[:2]:
            await walk_to(pilot, app, target)
            await press(pilot, "enter")
        await press(pilot, "o")
        view: View[Position, Move] = View((position_before(),), chosen=MOVE[:2], overlay=True)
        assert app.screen.query_one(BoardView).scene == picture.scene(view)
