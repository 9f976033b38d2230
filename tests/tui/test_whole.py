"""Every board screen of every game at every size is whole: nothing is cut, clipped or out of sight without a sign."""

from __future__ import annotations

from typing import Any

import pytest
from onlymove_engines.games import load, title_cards
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.widgets.board import BoardView
from onlymove_tui.app.widgets.canvas import Canvas
from onlymove_tui.app.widgets.panel import Panel
from textual.pilot import Pilot

from tests.tui.pilots import FRIENDS, board, effective, opened, press, settle
from tests.tui.test_small_screens import a_position, enter_worst

SIZES = [(60, 20), (80, 24), (100, 30), (120, 40), (160, 50), (200, 55)]
IDS = [card.id for card in title_cards()]
PAIRS = [
    pytest.param(
        game_id, size, marks=[] if place == number else [pytest.mark.slow], id=f"{game_id}-{size[0]}x{size[1]}"
    )
    for number, game_id in enumerate(IDS)
    for place, size in enumerate(SIZES)
]


def check(app: OnlymoveApp, what: str) -> None:
    """Every widget that is shown lies on the screen and shows all it has to say."""
    width, height = app.size
    for widget in app.screen.query(Canvas):
        if not widget.is_on_screen or not widget.region:
            continue
        region = widget.region
        assert region.right <= width, f"{what}: {widget} sticks out at the right"
        assert region.bottom <= height, f"{what}: {widget} sticks out at the bottom"
        assert "…" not in widget.text(), f"{what}: {widget} is cut\n{widget.text()}"
        if not isinstance(widget, BoardView):
            assert len(widget.rows()) <= region.height, f"{what}: {widget} has lines that are not seen\n{widget.text()}"
        assert app.screen.find_widget(widget).clip.contains_region(region), f"{what}: {widget} is clipped"
    view = app.screen.query_one(BoardView)
    if view.region:
        assert len(view.lines()) <= view.size.height, f"{what}: the board is cut"
        assert view.scene.width <= view.size.width, f"{what}: the board is cut at the side"
    for panel in app.screen.query(Panel):
        has_title = panel.region and panel.styles.border_top[0]
        assert not has_title or len(panel.title) <= panel.region.width - 4, f"{what}: the title {panel.title} is cut"


async def go_through(pilot: Pilot[Any], app: OnlymoveApp) -> None:
    """The moments of a game, of its end and of its review."""
    moments: list[tuple[str, tuple[str, ...]]] = [
        ("to move", ()),
        ("hints", ("h", "h", "h")),
        ("values", ("v",)),
    ]
    for what, keys in moments:
        await press(pilot, *keys)
        check(app, what)
    await press(pilot, "v")
    await enter_worst(pilot, app)
    check(app, "after a move that may be held")
    await press(pilot, "w")
    check(app, "why")
    await press(pilot, "u")
    if board(app).match.is_held:
        await press(pilot, "enter")
    for keys in (("R", "R"), ("e",), ("end",), ("v",), ("t",), ("escape", "home", "t")):
        await press(pilot, *keys)
        check(app, " ".join(keys))


@pytest.mark.parametrize(("game_id", "size"), PAIRS)
async def test_every_moment_of_a_game_is_whole(game_id: str, size: tuple[int, int]) -> None:
    app = opened(
        effective(training=True), game=game_id, games=(), players=FRIENDS, position=a_position(load(game_id), 5)
    )
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await go_through(pilot, app)
        if size[0] < 80:
            await press(pilot, "tab")
            check(app, "the panels, unfolded")
