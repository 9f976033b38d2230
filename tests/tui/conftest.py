"""Fixtures of the screen tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from onlymove_tui.store.games import GameStore

from tests.tui.pilots import store_at


@pytest.fixture
def games(tmp_path: Path) -> GameStore:
    """An empty store."""
    return store_at(tmp_path / "games.sqlite3")
