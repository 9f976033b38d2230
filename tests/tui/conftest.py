"""Fixtures of the screen tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from onlymove_tui.app import preferences
from onlymove_tui.app.widgets.board import BoardView, Draw, Marks
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Speed

from tests.tui.pilots import close_stores, store_at
from tests.tui.unhurried import unhurried

__all__ = ["unhurried"]


@pytest.fixture
def games(tmp_path: Path) -> GameStore:
    """An empty store."""
    return store_at(tmp_path / "games.sqlite3")


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every picture that a board shows from now on, in order: also one that is gone before a slow machine looks."""
    pictures: list[str] = []
    show = BoardView.show

    def note(board: BoardView, draw: Draw, marks: Marks) -> None:
        show(board, draw, marks)
        pictures.append(board.scene.text())

    monkeypatch.setattr(BoardView, "show", note)
    return pictures


@pytest.fixture
def _moves_stay_on_their_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a key ends their animation, however slow a machine is."""
    monkeypatch.setattr(preferences, "FRAME_SECONDS", dict.fromkeys(Speed, 1000.0))


@pytest.fixture(autouse=True)
def _the_terminal_has_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the one has that the tests are run in: of sixteen no theme but one would be shown."""
    monkeypatch.setenv("COLORTERM", "truecolor")


@pytest.fixture(autouse=True)
def _files_are_let_go() -> Iterator[None]:
    """No test leaves a database open."""
    yield
    close_stores()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a player's games would be; the folder is not there yet."""
    return tmp_path / "data" / "games.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[GameStore]:
    """An empty store of the shipped games."""
    store = GameStore(path)
    yield store
    store.close()
