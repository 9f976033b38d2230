"""The app on a tiny game, without a terminal: how the screens are driven."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_tui.app import OnlymoveApp
from onlymove_tui.launch import Launch
from onlymove_tui.store.games import GameStore

from tests.tui.tiny_game import tiny_game


@pytest.fixture
def store(tmp_path: Path) -> GameStore:
    """An empty store."""
    game = tiny_game()
    return GameStore.open(tmp_path / "games.sqlite3", lambda game_id: game)


@pytest.fixture
def app(store: GameStore) -> OnlymoveApp:
    """The app with the tiny game among the others, its board not yet open."""
    return OnlymoveApp(Launch(games=(tiny_game(),), store=store, seed=1))
