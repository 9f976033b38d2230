"""`onlymove meet`: where somebody sits down who asks for a game with a person."""

from __future__ import annotations

import os
import sys

import pytest
from onlymove_tui.cli.meet import NoTable, place_for, typed, wait_at
from onlymove_tui.meeting import listing
from onlymove_tui.meeting.room import MeetingRoom
from onlymove_tui.meeting.waiting import JoinedTable, OpenTable

from tests.meeting.rooms import CARDS, begun, wanted

TINY = CARDS["tiny"]


def test_who_comes_first_waits_for_the_next_and_both_go_on_with_their_game(ada: MeetingRoom, bob: MeetingRoom) -> None:
    opened = place_for(ada, TINY, "")
    assert isinstance(opened, OpenTable)
    opened.look()
    assert isinstance(place_for(bob, CARDS["duel"], ""), OpenTable), "that is another game"
    joined = place_for(bob, TINY, "")
    assert isinstance(joined, JoinedTable)
    assert wait_at(opened, iter([None])) == wait_at(joined, iter([None])) == opened.table
    assert place_for(ada, TINY, "") == place_for(bob, TINY, "") == opened.table


def test_a_code_leads_to_the_table_that_asks_for_one(ada: MeetingRoom, bob: MeetingRoom) -> None:
    with pytest.raises(NoTable):
        place_for(bob, TINY, "abcdef")
    opened = OpenTable.open(ada, wanted(has_code=True))
    opened.look()
    joined = place_for(bob, TINY, opened.code)
    assert isinstance(joined, JoinedTable)
    assert wait_at(opened, iter([None])) == wait_at(joined, iter([None])) == opened.table


@pytest.mark.parametrize("lines", [["quit"], []])
def test_who_waits_no_longer_leaves_no_table(ada: MeetingRoom, bob: MeetingRoom, lines: list[str | None]) -> None:
    assert wait_at(place_for(ada, TINY, ""), iter(lines)) is None
    assert not listing.tables(bob)


def test_a_table_that_others_have_begun_at_is_not_sat_down_at(
    ada: MeetingRoom, bob: MeetingRoom, tmp_path_factory: pytest.TempPathFactory
) -> None:
    begun(ada, bob, wanted())
    cat = MeetingRoom(ada.folder, type(ada.drawer)(tmp_path_factory.mktemp("cat")), ada.who, ada.find_game, ada.clock)
    assert isinstance(place_for(cat, TINY, ""), OpenTable)


def test_the_last_line_needs_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    out, into = os.pipe()
    os.write(into, b"a5b4\nresign")
    os.close(into)
    with os.fdopen(out) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert list(typed()) == ["a5b4", "resign"]
