"""Two people of this account in one room, at their apps or without."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from onlymove_tui.meeting.room import MeetingRoom

from tests.meeting.couple import Couple
from tests.meeting.rooms import Time, room_of


@pytest.fixture
def clock() -> Time:
    return Time(time.time())


@pytest.fixture
def ada(tmp_path: Path, clock: Time) -> MeetingRoom:
    return room_of(tmp_path, "ada", clock)


@pytest.fixture
def bob(tmp_path: Path, clock: Time) -> MeetingRoom:
    return room_of(tmp_path, "bob", clock)


@pytest.fixture
def couple(tmp_path: Path) -> Iterator[Couple]:
    found = Couple(tmp_path)
    yield found
    found.close()
