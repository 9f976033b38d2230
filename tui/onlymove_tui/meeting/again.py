"""Another game of two who have just played one: whoever wants it waits at a table for the other, and is found there."""

from __future__ import annotations

from collections.abc import Iterable

from onlymove_engines.core.value import other

from onlymove_tui.meeting.listing import Listed, tables
from onlymove_tui.meeting.room import MeetingRoom
from onlymove_tui.meeting.table import OwnSide, Table
from onlymove_tui.meeting.waiting import JoinedTable, OpenTable, Wanted, place_at


def place_for_another(room: MeetingRoom, table: Table, own: OwnSide, swapped: bool) -> OpenTable | JoinedTable:
    """Where the other of the two waits for the same game once more, else a table at which one waits for it, the sides
    as they were or changed. Raises OnlymoveError."""
    if (there := find_another(room, table, own, tables(room))) is not None:
        return place_at(room, there.table, there.uid)
    opening, seat = table.opening, other(own.seat) if swapped else own.seat
    name = opponent(room, table, own)
    return OpenTable.open(room, Wanted(opening.game, opening.start, seat, opening.rule, opening.clock, name))


def find_another(room: MeetingRoom, table: Table, own: OwnSide, listed: Iterable[Listed]) -> Listed | None:
    """The table at which the other of the two waits for this one, else where this one waits already."""
    name = opponent(room, table, own)
    there = [
        one
        for one in listed
        if one.opening.game == table.opening.game and not one.has_begun and one.opening.wanted
        if (one.first == name and one.is_open) or (one.is_mine and name in (one.first, one.opening.wanted))
    ]
    return min(there, key=lambda one: one.is_mine, default=None)


def opponent(room: MeetingRoom, table: Table, own: OwnSide) -> str:
    """Whom one has played against, by the name that a table is opened for."""
    return table.person(other(own.seat)).named(room.who.uid)
