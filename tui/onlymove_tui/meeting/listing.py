"""What there is in a room: tables that wait for somebody, games to go on with or to look on at; what is put away."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass

from onlymove_engines.core.errors import OnlymoveError

from onlymove_tui.meeting.kept import Kept
from onlymove_tui.meeting.log import LogTrouble
from onlymove_tui.meeting.people import Person
from onlymove_tui.meeting.room import OPENED, MeetingRoom, acceptance
from onlymove_tui.meeting.spoken_lines import VERSION, Opening
from onlymove_tui.meeting.table import is_alive
from onlymove_tui.meeting.waiting import holds, may_join

MOST_OF_ONE = 20
"""Tables of another account that are listed."""
DAY = 24 * 3600.0
WEEK = 7 * DAY
QUARTER = 90 * DAY
"""After so long without either player a game that has not ended is given up."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table: its id, who opened it and, once a game has begun, who joined, as one knows them. `is_mine`: one sits at
    it, or with `is_joining` wants to; `is_alive`: its opener, or else one of both, is there now."""

    table: str
    opening: Opening
    first: str
    second: str = ""
    is_mine: bool = False
    is_joining: bool = False
    is_alive: bool = False

    @property
    def has_begun(self) -> bool:
        """Whether somebody has sat down."""
        return bool(self.second)

    @property
    def is_open(self) -> bool:
        """Whether somebody else waits there now."""
        return self.is_alive and not (self.is_mine or self.has_begun)

    @property
    def is_free(self) -> bool:
        """Whether one can sit down there without a code."""
        return self.is_open and not self.opening.has_code


def tables(room: MeetingRoom) -> list[Listed]:
    """What is of interest: one's own tables first, then those that one may join, then those where others play now."""
    room.check()
    mine = {kept.table: kept for kept in room.drawer.all()}
    found, opened_by = [], Counter[int]()
    for name in dict.fromkeys((*mine, *room.names(OPENED))):
        if name in room.ended:
            continue
        try:
            listed, uid = _look(room, name, mine.get(name))
        except LogTrouble:
            continue
        is_trusted = uid == room.who.uid or (listed is not None and listed.is_mine)
        if listed is not None and (is_trusted or opened_by[uid] < MOST_OF_ONE):
            opened_by[uid] += 1
            found.append(listed)
    return sorted(found, key=lambda one: (not one.is_mine, one.has_begun, not one.is_alive, -one.opening.time))


def _look(room: MeetingRoom, table: str, kept: Kept | None) -> tuple[Listed | None, int]:
    """One table, and the account that opened it."""
    reader, opening = room.read_opening(table, None if kept is None else kept.uid)
    reader.close()
    me, now = room.who, room.clock()
    opener = Person(reader.uid, opening.name)
    is_here = is_alive(reader, now)
    if opening.version != VERSION:
        return None, reader.uid
    accepted = acceptance(reader)[1]
    if accepted is None:
        is_for_me = may_join(opening, reader.uid, me) or opening.has_code
        is_listed = holds(reader) and (kept is not None or is_for_me)
        listed = Listed(
            table, opening, opener.named(me.uid), "", kept is not None, kept is not None and bool(kept.joiner), is_here
        )
        return (listed if is_listed else None), reader.uid
    if kept is not None and kept.joiner not in ("", accepted.joiner):
        kept = None
    joined, joining = room.read_joining(table, accepted.joiner, accepted.uid)
    joined.close()
    joiner = Person(joined.uid, joining.name)
    is_here = is_here or is_alive(joined, now)
    listed = Listed(table, opening, opener.named(me.uid), joiner.named(me.uid), kept is not None, is_alive=is_here)
    # Nobody gives a sign of life any more when a game is over.
    is_listed = is_here if kept is None else not is_over(room, table)
    return (listed if is_listed else None), reader.uid


def is_over(room: MeetingRoom, table: str) -> bool:
    """Whether a game has ended, or cannot be read any more."""
    try:
        seen = room.look_on(table)
    except OnlymoveError:
        return True
    with_end = seen.standing.is_over
    seen.close()
    if with_end:
        room.ended.add(table)
    return with_end


def tidy(room: MeetingRoom) -> None:
    """Put one's own old records away: a week after the end of a game, a day after nobody has waited any more at a table
    that nobody joined, and what belongs to tables that are gone."""
    for kept in list(room.drawer.all()):
        own = room.seat(kept.table, kept.joiner) if kept.joiner else room.opened(kept.table)
        try:
            age = room.clock() - os.lstat(own).st_mtime
        except OSError:
            room.drawer.forget(kept.table)
            continue
        if age > DAY and _is_done(room, kept, age):
            own.unlink(missing_ok=True)
            room.drawer.forget(kept.table)


def _is_done(room: MeetingRoom, kept: Kept, age: float) -> bool:
    try:
        reader, _ = room.read_opening(kept.table, kept.uid)
    except LogTrouble:
        return age > WEEK
    reader.close()
    if acceptance(reader)[1] is None:
        return True
    return age > QUARTER or (age > WEEK and is_over(room, kept.table))
