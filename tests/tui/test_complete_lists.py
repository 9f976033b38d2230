"""Every list, form and page that belongs to no game is complete in a terminal of every size, wherever its mark is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.play.players import HUMAN
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Switch

from tests.amounts import parametrize_sample
from tests.tui.pilots import make_settings, press, press_at_once, settle, text
from tests.tui.saved_sessions import ENGINE, GAME_IDS, play_session
from tests.tui.screen_checks import SIZES, find_faults_at

LISTS = {"the menu": (), "history": ("e",), "progress": ("p",), "drills": ("d",), "settings": ("s",),
         "commands": ("ctrl+p",)}  # fmt: skip


def keep(store: GameStore, game_id: str, *, over: bool, times: int = 1) -> None:
    """Save this many games of a kind, lost or unfinished."""
    for _ in range(times):
        session = play_session(game_id, players=(HUMAN, ENGINE))
        if over:
            session.resign(0)
        store.save(session, GameDetails())


@pytest.fixture
def history(path: Path) -> Iterator[GameStore]:
    """Yield a store with many lost games of each shipped game, one unfinished game, and drills of each."""
    store = GameStore(path)
    for game_id in GAME_IDS:
        keep(store, game_id, over=True, times=11)
        store.drills.add([Drill(game_id, "somewhere", 0, Origin.MISTAKE)])
    keep(store, GAME_IDS[0], over=False)
    yield store
    store.close()


def open_menu_of(store: GameStore, ascii_only: bool = False) -> OnlymoveApp:
    """Open the menu of the shipped games."""
    settings = make_settings(ascii=Switch.ON if ascii_only else Switch.OFF)
    return OnlymoveApp(Launch(settings=settings, store=store, seed=1, ascii_only=ascii_only))


@parametrize_sample(("sizes", "ascii_only"), [(1, False)], product([len(SIZES)], [False, True]))
async def test_every_list_and_its_keys_are_whole(history: GameStore, sizes: int, ascii_only: bool) -> None:
    app, found = open_menu_of(history, ascii_only), dict[str, None]()
    async with app.run_test(size=SIZES[0]) as pilot:
        await settle(pilot)
        for name, keys in LISTS.items():
            await press(pilot, *keys)
            for size in SIZES[:sizes]:
                steps = (
                    min(3 if sizes == 1 else 20, len(app.screen.query_one(Choices).entries)) if size == SIZES[0] else 1
                )
                for step in range(steps):
                    for fault in await find_faults_at(pilot, app, size):
                        found[f"{name}, {size[0]}x{size[1]}, {step} lines up: {fault}"] = None
                    await press(pilot, "up")
                await press(pilot, "question_mark")
                for end in ("top", "bottom"):
                    for fault in await find_faults_at(pilot, app, size):
                        found[f"the keys of {name}, {size[0]}x{size[1]}, {end}: {fault}"] = None
                    await press(pilot, "end")
                await press(pilot, "escape")
            await press(pilot, *(["escape"] if keys else []))
    assert not found, "\n".join(found)


async def test_the_menu_grows_with_the_game_that_waits(path: Path) -> None:
    """Formerly, it kept the height from before the game, and the last two lines were missing without a sign."""
    store = GameStore(path)
    keep(store, GAME_IDS[0], over=True)
    app = open_menu_of(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = {facts.title for facts in app.services.library.list_facts()}
        await press_at_once(pilot, "s")
        keep(store, GAME_IDS[0], over=False)
        await press(pilot, "escape")
        assert isinstance(app.screen, MenuScreen)
        assert "Resume" in text(app)
        assert all(title in text(app) for title in before), f"games are gone:\n{text(app)}"
    store.close()
