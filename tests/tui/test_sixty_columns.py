"""On the smallest screen, 60x20, every list, form and page is whole: nothing is cut, nothing vanishes without a sign,
and the mark is always in sight."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.play.session import HUMAN, Player, PlayerKind
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.launch import Launch
from onlymove_tui.app.screens.menu import MenuScreen
from onlymove_tui.app.widgets.bars import KeyBar
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.rows import Setup
from textual.pilot import Pilot

from tests.amounts import few
from tests.tui.pilots import burst, effective, press, settle, text
from tests.tui.saved_sessions import GAME_IDS, played

SIZES = [(60, 20), (80, 24), (120, 40)]
ENGINE = Player(PlayerKind.ENGINE, "", 70)


def keep(store: GameStore, game_id: str, *, over: bool, times: int = 1) -> None:
    """So many games of a kind, lost or still going on."""
    for _ in range(times):
        session = played(game_id, players=(HUMAN, ENGINE))
        if over:
            session.resign(0)
        store.save(session, Setup())


@pytest.fixture
def history(path: Path) -> Iterator[GameStore]:
    """The shipped games, each of them lost often, one unfinished, drills of each."""
    store = GameStore(path)
    for game_id in GAME_IDS:
        keep(store, game_id, over=True, times=11)
        store.drills.add([Drill(game_id, "somewhere", 0, Origin.MISTAKE)])
    keep(store, GAME_IDS[0], over=False)
    yield store
    store.close()


def app_on(store: GameStore | None) -> OnlymoveApp:
    """The menu of the shipped games."""
    return OnlymoveApp(Launch(settings=effective(), store=store, seed=1))


def check_whole(app: OnlymoveApp) -> None:
    """Nothing is cut, and there are keys to press."""
    shown = text(app)
    assert "…" not in shown, f"something is cut:\n{shown}"
    assert app.screen.query_one(KeyBar).text().strip(), f"no keys at the bottom:\n{shown}"


async def check_every_line(pilot: Pilot[Any], app: OnlymoveApp, key: str = "down") -> None:
    """The screen is whole wherever the mark is, and the mark is in sight."""
    for _ in app.screen.query_one(Choices).entries:
        check_whole(app)
        assert "▸" in app.screen.query_one(Choices).text(), f"the mark is out of sight:\n{text(app)}"
        await press(pilot, key)


@pytest.mark.parametrize("size", few(SIZES), ids=str)
@pytest.mark.parametrize(
    "keys", [(), ("e",), ("p",), ("d",), ("s",), ("ctrl+p",)], ids=lambda keys: "".join(keys) or "menu"
)
async def test_every_list_is_whole(keys: tuple[str, ...], size: tuple[int, int], history: GameStore) -> None:
    app = app_on(history)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, *keys)
        await check_every_line(pilot, app)


@pytest.mark.parametrize("place", range(len(GAME_IDS)), ids=GAME_IDS)
async def test_the_panel_and_the_page_of_every_game_are_whole(place: int) -> None:
    app = app_on(None)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await press(pilot, *["down"] * place, "enter")
        await check_every_line(pilot, app)
        await press(pilot, "f1")
        check_whole(app)
        assert "▾ more" in text(app), "a page that goes on says so"
        await press(pilot, "end")
        check_whole(app)
        assert "▴ more" in text(app)
        assert "▾ more" not in text(app)


@pytest.mark.parametrize(
    "keys", [(), ("e",), ("p",), ("d",), ("s",), ("enter",)], ids=lambda keys: "".join(keys) or "menu"
)
async def test_the_keys_of_every_list_are_whole(keys: tuple[str, ...], history: GameStore) -> None:
    app = app_on(history)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await press(pilot, *keys, "question_mark")
        check_whole(app)
        await press(pilot, "end")
        check_whole(app)


async def test_the_menu_grows_with_the_game_that_waits(path: Path) -> None:
    """It kept the height it had before the game: the last two lines were gone without a sign."""
    store = GameStore(path)
    keep(store, GAME_IDS[0], over=True)
    app = app_on(store)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = {card.title for card in app.cards()}
        await burst(pilot, "s")
        keep(store, GAME_IDS[0], over=False)
        await press(pilot, "escape")
        assert isinstance(app.screen, MenuScreen)
        assert "Resume" in text(app)
        assert all(title in text(app) for title in before), f"games are gone:\n{text(app)}"
    store.close()
