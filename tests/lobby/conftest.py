"""Two players in one lobby, with or without apps."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from onlymove_tui.app.screens import people, play
from onlymove_tui.lobby.lobby import Lobby

from tests.lobby.couple import Couple
from tests.lobby.rooms import Time, room_of

LOOKS = {
    play: ("LOOK_SECONDS", "ANOTHER_SECONDS"),
    people: ("LIST_SECONDS", "LOOK_SECONDS", "MEANWHILE_SECONDS"),
}
"""The constants that say how many seconds a screen waits before it looks for changes again."""


@pytest.fixture
def clock() -> Time:
    return Time(time.time())


@pytest.fixture
def ada(tmp_path: Path, clock: Time) -> Lobby:
    return room_of(tmp_path, "ada", clock)


@pytest.fixture
def bob(tmp_path: Path, clock: Time) -> Lobby:
    return room_of(tmp_path, "bob", clock)


@pytest.fixture
def couple(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Couple]:
    """Yield two players whose screens check for changes only when the test says so."""
    for module, names in LOOKS.items():
        for name in names:
            monkeypatch.setattr(module, name, 1e6)
    found = Couple(tmp_path)
    yield found
    found.close()
