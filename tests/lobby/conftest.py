"""Two players in one lobby, with or without apps."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from onlymove_tui.lobby import record_file
from onlymove_tui.lobby.lobby import Lobby
from onlymove_tui.lobby.record_file import RecordLine, RecordWriter

from tests.lobby.apps import Apps
from tests.lobby.lobbies import ScriptedFiles, Time, make_clock, open_lobby

OPENED = {".table", ".seat"}
"""The suffixes of the files that a player in a lobby holds open: records, and secrets with their locks."""


def stamp_records(monkeypatch: pytest.MonkeyPatch, clock: Time) -> None:
    """Give records the time of the tests' clock whenever they change. The system would give them its own time, and on a
    slow machine a player who has just written would seem to be away."""
    write = RecordWriter.write_message

    def write_and_stamp(self: RecordWriter, message: RecordLine) -> None:
        write(self, message)
        self.touch(ScriptedFiles(clock))

    monkeypatch.setattr(RecordWriter, "write_message", write_and_stamp)


@pytest.fixture(autouse=True)
def _codes_are_checked_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the proof of a code cheap. Real ones take 30 ms each."""
    monkeypatch.setattr(record_file, "PBKDF2_ROUNDS", 10)


@pytest.fixture(autouse=True)
def _records_are_closed(tmp_path: Path) -> Iterator[None]:
    """Close the records and secrets that players left open, as if their programs had been killed. There would be more
    than a process may open, and than `select` takes."""
    yield
    for number in map(int, os.listdir("/dev/fd")):
        with suppress(OSError):
            path = Path(os.readlink(f"/dev/fd/{number}"))
            if path.is_relative_to(tmp_path) and path.suffix in OPENED:
                os.close(number)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    found = make_clock()
    stamp_records(monkeypatch, found)
    return found


@pytest.fixture
def ada(tmp_path: Path, clock: Time) -> Lobby:
    return open_lobby(tmp_path, "ada", clock)


@pytest.fixture
def bob(tmp_path: Path, clock: Time) -> Lobby:
    return open_lobby(tmp_path, "bob", clock)


@pytest.fixture
def apps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Apps]:
    """Yield two players whose screens check for changes only when the test says so."""
    found = Apps(tmp_path)
    stamp_records(monkeypatch, found.clock)
    yield found
    found.close()
