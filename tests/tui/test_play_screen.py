"""Playing, as a player does: by keys, by mouse, by typing."""

from __future__ import annotations

from pathlib import Path

import msgspec
from onlymove_tui.app import OnlymoveApp
from onlymove_tui.launch import Launch
from onlymove_tui.screens.play import PlayScreen
from onlymove_tui.store.settings import Effective, Settings, Switch
from textual.pilot import Pilot

from tests.tui.tiny_game import tiny_game


def board(app: OnlymoveApp) -> PlayScreen:
    """The open board."""
    assert isinstance(app.screen, PlayScreen)
    return app.screen


async def settle(pilot: Pilot[int]) -> None:
    """Let workers finish and the screen come to rest."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def effective(**changes: object) -> Effective:
    """Settings without animation, changed as asked."""
    return Effective(msgspec.structs.replace(Settings(animation=Switch.OFF), **changes), {}, Path())


def opened(settings: Effective | None = None, **changes: object) -> OnlymoveApp:
    """The app straight on a board of the tiny game."""
    found = settings or effective()
    return OnlymoveApp(Launch(game="tiny", games=(tiny_game(),), seed=1, settings=found, **changes))  # type: ignore[arg-type]


async def test_a_move_is_entered_by_cursor_and_the_engine_answers() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("right", "enter")
        assert board(app).entry.prefix == ("R",)
        await pilot.press("left", "left", "enter")
        await settle(pilot)
        assert board(app).match.session.moves()[0] == ("R", 1)
        assert len(board(app).match.session.moves()) == 2
