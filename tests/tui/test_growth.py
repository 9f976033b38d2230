"""Closed screens are freed: a session takes no more memory after many games than after a few."""

from __future__ import annotations

import ctypes
import gc
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from pathlib import Path

import pytest
from onlymove_engines.play.session import Session
from onlymove_tui.app.base_screen import BaseScreen
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import MAX_KNOWN, GameStore
from onlymove_tui.store.rows import StoredGame
from onlymove_tui.store.schema import connect
from textual._styles_cache import StylesCache

from tests.tui.pilots import FRIENDS, make_menu_app, press, render_strips, settle
from tests.tui.tiny_game import tiny_game

GAMES = 3
ONE_GAME = ("enter", "enter", "e", "g", "e", "q")
"""Begin a game from its form, play, review it and leave it, and then open and close the history."""


def list_alive() -> dict[int, str]:
    """Return the type of each screen that is still in memory, of each style cache of a widget, and of each game that a
    store keeps in mind, by id."""
    gc.collect()
    # Only types are compared, because using a weak reference whose object is gone would fail.
    kinds = ((one, type(one)) for one in gc.get_objects())
    return {id(one): kind.__name__ for one, kind in kinds if issubclass(kind, BaseScreen | StylesCache | StoredGame)}


async def test_screens_that_were_left_are_let_go(games: GameStore) -> None:
    before = list_alive()
    app = make_menu_app(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for _ in range(GAMES):
            app.open("new", "tiny")
            await settle(pilot)
            for key in ONE_GAME:
                await press(pilot, key)
                render_strips(app)
        found = Counter(name for number, name in list_alive().items() if number not in before)
    open_now = {"MenuScreen": 1}
    kept = {name: count for name, count in found.items() if name.endswith("Screen") and count > open_now.get(name, 0)}
    # The last message or worker may still refer to its screen.
    assert all(count < GAMES - 1 for count in kept.values()), f"after {GAMES} games these are still there: {kept}"
    assert found["StylesCache"] <= 80, f"pictures of {found['StylesCache']} widgets; two screens have some fifty"


def test_a_store_keeps_the_latest_games_in_mind(games: GameStore) -> None:
    game, before = tiny_game(), list_alive()
    for _ in range(MAX_KNOWN + 4):
        session = Session(game, game.default_start(), FRIENDS)
        session.play(session.legal_moves()[0])
        games.save(session, GameDetails())
    known = Counter(name for number, name in list_alive().items() if number not in before)
    assert known["StoredGame"] == MAX_KNOWN


ROW, ROWS = b"x" * 4000, 1000
"""4 MB, about as much as 500 games."""
MAX_KEPT = 1 << 20


def find_meter() -> Callable[[], int]:
    """Return the function of SQLite that says how many bytes it uses in this process."""
    try:
        meter = ctypes.CDLL(str(import_module("_sqlite3").__file__)).sqlite3_memory_used
    except (AttributeError, OSError):
        pytest.skip("SQLite's own functions cannot be called here")
    meter.restype = ctypes.c_int64
    return lambda: int(meter())


def test_a_file_of_many_games_is_not_kept_in_memory(tmp_path: Path) -> None:
    meter = find_meter()
    with closing(connect(tmp_path / "games.sqlite3")) as connection:
        connection.execute("CREATE TABLE page (data BLOB)")
        before = meter()
        for _ in range(ROWS):
            connection.execute("INSERT INTO page VALUES (?)", (ROW,))
        assert sum(len(data) for (data,) in connection.execute("SELECT data FROM page")) == ROWS * len(ROW)
        assert meter() - before < MAX_KEPT
