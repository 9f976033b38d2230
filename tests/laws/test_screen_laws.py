"""The laws of screens: in every game and at every size of the terminal, everything on a screen is complete."""

from __future__ import annotations

from typing import Any

import pytest
from onlymove_engines import games
from onlymove_engines.core.game import AnyGame
from onlymove_laws.law import Law
from onlymove_tui.store.settings import Switch
from textual.screen import Screen

from tests.tui.pilots import FRIENDS, make_board_app, make_settings
from tests.tui.screen_checks import SIZES, find_faults_at
from tests.tui.tour import BEGINNING, take_tour

IDS = [facts.id for facts in games.list_games()]


@pytest.fixture(autouse=True)
def _skip_painting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not paint, because nobody looks at these terminals. Tests draw what they ask for."""
    monkeypatch.setattr(Screen, "_compositor_refresh", lambda screen: screen._dirty_widgets.clear())


@pytest.mark.parametrize(
    "glyphs", ["either", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("all", "ascii"))]
)
async def test_every_screen_is_whole_at_every_size(game: AnyGame, glyphs: str, facts: dict[str, Any], law: Law) -> None:
    """By default, test the beginning of each game at one size. The slow suite tests everything."""
    number = IDS.index(game.id)
    is_sample, ascii_only = glyphs == "either", glyphs == "ascii" or (glyphs == "either" and number % 2 == 1)
    sizes = [SIZES[number % len(SIZES)]] if is_sample else SIZES
    settings = make_settings(training=True, ascii=Switch.ON if ascii_only else Switch.OFF)
    app = make_board_app(settings, game=game.id, games=(), players=FRIENDS, ascii_only=ascii_only)
    found: dict[str, None] = {}
    async with app.run_test(size=sizes[0]) as pilot:
        async for stop in take_tour(pilot, app):
            for size in law.each(sizes):
                for fault in await find_faults_at(pilot, app, size, "picture_rows" in facts):
                    found[f"{stop}, {size[0]}x{size[1]}: {fault}"] = None
            if is_sample and stop == BEGINNING:
                break
    assert not found, f"{game.id}: " + "\n".join(found)
