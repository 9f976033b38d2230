"""Opens boards in a real terminal, and counts how much of a game is saved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_tui.store.games import GameStore

from .conftest import Spawn
from .harness import Pty

FIRST = games.list_games()[0]
LEAVE = "\x11"
"""Ctrl+Q, which ends the program from anywhere."""
LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"


def open_menu(spawn: Spawn, *arguments: str, environ: Mapping[str, str] | None = None) -> Pty:
    """Return a terminal that shows the menu."""
    terminal = spawn(*arguments, environ=environ)
    terminal.wait_for(FIRST.title)
    terminal.settle()
    return terminal


def is_a_board(text: str) -> bool:
    """Whether a screen shows a board at which somebody has to choose."""
    return "to move" in text or "move at once" in text


def open_board(spawn: Spawn, *arguments: str, environ: Mapping[str, str] | None = None) -> Pty:
    """Return a terminal that shows the board of the first game."""
    terminal = spawn("play", FIRST.id, *arguments, environ=environ)
    terminal.wait_for(is_a_board)
    terminal.settle()
    return terminal


def asks_for_a_move(text: str) -> bool:
    """Whether the person at the board has to choose, alone or at the same time as the other side."""
    return "to move" in text or "move at once" in text


def play_a_ply(terminal: Pty, home: Mapping[str, str], profile: str = "") -> None:
    """Choose the target under the cursor until a move is saved."""
    for _ in range(12):
        terminal.press("\r", 0.3)
        if saved_plies(home, profile):
            return
    pytest.fail(f"no move was saved\n{terminal.text()}")


def saved_plies(home: Mapping[str, str], profile: str = "") -> int:
    """Return the number of plies of the last unfinished game that is saved."""
    inner = f"profiles/{profile}/" if profile else ""
    store = GameStore(Path(home["XDG_DATA_HOME"]) / "onlymove" / f"{inner}games.sqlite3")
    found = store.find_latest_unfinished()
    store.close()
    return 0 if found is None else found.plies
