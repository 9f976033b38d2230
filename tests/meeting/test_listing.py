"""What a room lists and puts away, whoever fills it with what."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from onlymove_engines import games
from onlymove_engines.core.errors import OnlymoveError
from onlymove_tui.meeting import listing
from onlymove_tui.meeting.log import LARGEST
from onlymove_tui.meeting.room import MeetingRoom
from onlymove_tui.meeting.table import ALIVE_SECONDS
from onlymove_tui.meeting.waiting import JoinedTable, OpenTable

from tests.meeting.rooms import Time, begun, forge, room_of, wanted


def test_lists_tables_to_join_to_go_on_with_and_to_look_on_at(
    ada: MeetingRoom, bob: MeetingRoom, tmp_path: Path, clock: Time
) -> None:
    first, _ = begun(ada, bob, wanted())
    opened = OpenTable.open(ada, wanted("duel"))
    cat = room_of(tmp_path, "cat", clock)
    mine, theirs = listing.tables(bob)
    assert (mine.is_mine, mine.first, mine.second) == (True, "ada", "bob")
    assert (theirs.is_mine, theirs.has_begun, theirs.table) == (False, False, opened.table)
    assert [(one.is_mine, one.has_begun) for one in listing.tables(cat)] == [(False, False), (False, True)]
    first.resign()
    assert [one.table for one in listing.tables(bob)] == [opened.table], "nothing to go on with"


def test_a_game_that_is_over_is_played_through_once_for_the_list(
    ada: MeetingRoom, bob: MeetingRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = begun(ada, bob, wanted())
    first.resign()
    assert listing.tables(bob) == []
    monkeypatch.setattr(MeetingRoom, "look_on", lambda *_: pytest.fail("played through again"))
    assert listing.tables(bob) == []


def test_what_an_account_has_played_hides_no_table_that_it_opens(
    ada: MeetingRoom, bob: MeetingRoom, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, clock: Time
) -> None:
    """The profiles of a kiosk are of one account."""
    monkeypatch.setattr(listing, "MOST_OF_ONE", 1)
    first, second = begun(ada, bob, wanted())
    first.resign()
    first.close()
    second.close()
    clock.now += 2 * ALIVE_SECONDS
    opened = OpenTable.open(ada, wanted())
    monkeypatch.setattr(MeetingRoom, "names", lambda *_: (first.opening.table, opened.table))
    assert [one.table for one in listing.tables(room_of(tmp_path, "cat", clock))] == [opened.table]


def test_a_crowd_on_one_account_sees_every_table_of_it(
    ada: MeetingRoom, bob: MeetingRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "MOST_OF_ONE", 1)
    opened = {OpenTable.open(ada, wanted()).table for _ in range(3)}
    found = {one.table for one in listing.tables(bob)}
    assert found == opened, f"{len(opened - found)} of {len(opened)} tables are hidden"


def test_a_room_full_of_files_hides_no_table_of_ones_own(
    ada: MeetingRoom, bob: MeetingRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = begun(ada, bob, wanted())
    monkeypatch.setattr("onlymove_tui.meeting.room.MOST_FILES", 0)
    assert [one.table for one in listing.tables(bob)] == [first.opening.table]


def test_old_records_are_put_away_by_their_owners(
    ada: MeetingRoom, bob: MeetingRoom, clock: Time, tmp_path: Path
) -> None:
    first, second = begun(ada, bob, wanted())
    OpenTable.open(ada, wanted()).close()
    first.resign()
    first.close()
    second.close()
    count = len(list((tmp_path / "rooms").iterdir()))
    listing.tidy(ada)
    assert len(list((tmp_path / "rooms").iterdir())) == count
    clock.now += 2 * listing.DAY
    listing.tidy(ada)
    assert len(list((tmp_path / "rooms").iterdir())) == count - 1, "the one that nobody joined"
    clock.now += listing.WEEK
    listing.tidy(ada)
    listing.tidy(bob)
    assert list((tmp_path / "rooms").iterdir()) == []
    assert list(ada.drawer.all()) == list(bob.drawer.all()) == []


@pytest.mark.parametrize("written", [b"\n" * LARGEST, b'{"x":' + b"[" * 4000 + b"\n"], ids=["lines", "nested"])
def test_what_a_stranger_writes_is_read_through_at_once_and_stops_nobody(
    ada: MeetingRoom, bob: MeetingRoom, written: bytes
) -> None:
    opened = OpenTable.open(ada, wanted())
    stranger = ada.opened("z" * 16)
    stranger.write_bytes(written)
    stranger.chmod(0o644)
    began = time.process_time()
    assert [one.table for one in listing.tables(bob)] == [opened.table]
    assert time.process_time() - began < 0.5, "seconds to look through a room with one large file in it"


@pytest.mark.parametrize(
    "terms",
    [{"clock": "soon"}, {"clock": "0"}, {"clock": "nan"}, {"game": "\x1b[2J"}, {"start": "\x1b]52;c;eA==\x07"},
     {"start": "\u202e3,4 0"}, {"rule": "\r"}, {"name": "eve\n"}, {"table": "z" * 16}],
    ids=repr,
)  # fmt: skip
def test_a_record_that_no_app_writes_is_not_listed(bob: MeetingRoom, terms: dict[str, object]) -> None:
    """What of it would reach a terminal or stop the list."""
    forge(bob, **terms)
    assert listing.tables(bob) == []


@pytest.mark.parametrize("terms", [{"game": "gone"}, {"start": "-3,4 0"}, {"start": "9" * 900}, {"rule": "none such"}])
def test_at_a_table_of_no_game_nobody_sits_down(bob: MeetingRoom, terms: dict[str, object]) -> None:
    table = forge(bob, **terms)
    with pytest.raises(OnlymoveError):
        JoinedTable.join(bob, table)
    assert [path.name for path in bob.folder.iterdir()] == [f"{table}.table"]
    assert list(bob.drawer.all()) == []


def test_a_table_whose_game_is_gone_keeps_no_file_open(ada: MeetingRoom, bob: MeetingRoom) -> None:
    """A list is made every second."""
    begun(ada, bob, wanted())
    bob.find_game = games.load
    files = len(os.listdir("/proc/self/fd"))
    assert listing.tables(bob) == []
    assert len(os.listdir("/proc/self/fd")) == files
