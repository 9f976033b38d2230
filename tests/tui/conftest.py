from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from onlymove.pictures.painting import Marks
from onlymove_tui.app.widgets.board_view import BoardView, Draw
from onlymove_tui.store.games import GameStore

from tests.tui.pilots import close_stores, store_at
from tests.tui.stalls import detector

__all__ = ["detector"]


@pytest.fixture
def games(tmp_path: Path) -> GameStore:
    return store_at(tmp_path / "games.sqlite3")


@pytest.fixture
def shown_pictures(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which every picture that a board shows is added, even if it is only shown for a moment."""
    pictures: list[str] = []
    show = BoardView.show

    def note(board: BoardView, draw: Draw, marks: Marks) -> None:
        show(board, draw, marks)
        pictures.append(board.scene.text())

    monkeypatch.setattr(BoardView, "show", note)
    return pictures


@pytest.fixture(autouse=True)
def _give_terminal_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the app a terminal with all colours, wherever the tests run. With 16 colours, only one theme would be
    shown."""
    monkeypatch.setenv("COLORTERM", "truecolor")


@pytest.fixture(autouse=True)
def _close_databases() -> Iterator[None]:
    """Close all databases after the test."""
    yield
    close_stores()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path for a player's games. The folder does not exist yet."""
    return tmp_path / "data" / "games.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[GameStore]:
    store = GameStore(path)
    yield store
    store.close()
