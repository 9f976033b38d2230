"""Where people of one host find each other, as one of them sees it: games to go on with, challenges to accept, games to
watch; and what is put away there.

An administrator makes one folder for all accounts (docs/hosting.md); without it the profiles of one account have
theirs. Nothing that somebody else puts there makes this slow: of another account's records only those that were touched
last are looked at, only the beginning of each is read, and it is read again only after it has changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import time
from typing import TypeAlias

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import other
from onlymove_engines.match.clock import BadClock, read_control

from onlymove_tui.lobby.accounts import OPENED, SEAT, Folders, Person, RecordFile
from onlymove_tui.lobby.commitments import Commitments, OwnSecrets, SecretsFolder
from onlymove_tui.lobby.messages import LONGEST_LINE, VERSION, Accepting, Closing, Joining, Opening
from onlymove_tui.lobby.record_file import LARGEST, RecordReader, RecordTrouble, RecordWriter, closed_on_error
from onlymove_tui.lobby.shared_game import ALIVE_SECONDS, OwnSide, SharedGame, Side, is_alive

VARIABLE = "ONLYMOVE_ROOMS"
FOR_ALL = Path("/var/lib/onlymove/rooms")


def find_lobby_folder(own: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Where people meet: what the environment says, else the place for all accounts, else the account's own."""
    if named := environ.get(VARIABLE):
        return Path(named)
    return FOR_ALL if FOR_ALL.is_dir() else own


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the beginning of a record says: how the game was offered, whether its opener still waits, who was accepted
    and where that one's record is; when the record was touched last."""

    opening: Opening | None = None
    is_waiting: bool = False
    accepted: Accepting | None = None
    joiner: Person | None = None
    joined: Path | None = None
    touched: float = 0.0


Beginnings: TypeAlias = dict[tuple[int, str], tuple[RecordFile, Beginning]]
"""By account and table: a record as it was when its beginning was read."""


class Lobby:
    """`who` meets others in `folder`, and keeps to himself what is in `secrets`. A table is known by its number and by
    the account that opened it: somebody else may use the same number."""

    def __init__(
        self, folder: Path, secrets: SecretsFolder, who: Person, find_game: Callable[[GameId], AnyGame],
        clock: Callable[[], float] = time,
    ) -> None:  # fmt: skip
        self.folders = Folders(folder, who.uid, clock)
        self.secrets = secrets
        self.who = who
        self.find_game = find_game
        self.clock = clock
        self.ended: set[str] = set()
        """One's own tables whose games were seen to be over."""
        self.beginnings: Beginnings = {}
        """What the records of others said when they were read for the last list."""

    # Records.

    def opened(self, table: str, uid: int) -> Path:
        """The record that an account keeps of a table which it has opened."""
        return self.folders.path_of(uid, f"{table}{OPENED}")

    def seat(self, table: str, joiner: str, uid: int) -> Path:
        """The record that an account keeps of a table which it wants to join, or has."""
        return self.folders.path_of(uid, f"{table}.{joiner}{SEAT}")

    def new_record(self, name: str) -> Path:
        """Where oneself may begin a record of this name. Raises NoLobby."""
        return self.folders.make_own() / name

    def read_opening(self, table: str, uid: int, most: int = LARGEST) -> tuple[RecordReader, Opening]:
        """The record of the account that opened a table, up to so many bytes. Raises RecordTrouble."""
        reader = RecordReader(self.opened(table, uid), uid, self.clock)
        with closed_on_error(reader):
            reader.look(most)
            first = reader.lines[0] if reader.lines else None
            if not isinstance(first, Opening) or first.table != table:
                raise RecordTrouble("this is not the record of a table")
            try:
                read_control(first.clock)
            except BadClock as refusal:
                raise RecordTrouble(f"at this table {refusal}") from None
        return reader, first

    def read_joining(self, table: str, joiner: str, uid: int) -> tuple[RecordReader, Joining]:
        """The record of somebody who wants to join a table, up to its first line. Raises RecordTrouble."""
        reader = RecordReader(self.seat(table, joiner, uid), uid, self.clock)
        with closed_on_error(reader):
            reader.look(LONGEST_LINE)
            first = reader.lines[0] if reader.lines else None
            if not isinstance(first, Joining) or (first.table, first.joiner) != (table, joiner):
                raise RecordTrouble("this is not the record of somebody at a table")
        return reader, first

    # Tables at which a game has begun.

    def sit_down(self, table: str) -> SharedGame:
        """Back to a table at which one sits. Raises RecordTrouble, also where nobody has joined yet."""
        if (kept := self.secrets.get(table)) is None:
            raise RecordTrouble("this table is gone: its records were put away")
        return self._open_game(table, kept.uid, kept)

    def look_on(self, table: str, uid: int) -> SharedGame:
        """A table that the account `uid` has opened and at which others play. Raises RecordTrouble."""
        return self._open_game(table, uid, None)

    def _open_game(self, table: str, uid: int, kept: OwnSecrets | None) -> SharedGame:
        with ExitStack() as opened:
            lock = -1 if kept is None else self.secrets.occupy(table)
            if kept is not None:
                opened.callback(os.close, lock)
            reader, opening = self.read_opening(table, uid)
            opened.callback(reader.close)
            begin, accepted = acceptance(reader)
            if accepted is None:
                raise RecordTrouble("nobody has sat down at this table")
            if kept is not None and not has_seat(kept, accepted, self.who.uid):
                raise RecordTrouble("somebody else sits at this table")
            joined, joining = self.read_joining(table, accepted.joiner, accepted.uid)
            opened.callback(joined.close)
            joined.look()
            own = None
            if kept is not None:
                mine, seat = (joined, other(opening.seat)) if kept.joiner else (reader, opening.seat)
                writer = RecordWriter.reopen(mine.path, mine.whole)
                opened.callback(writer.close)
                own = OwnSide(seat, writer, Commitments(kept.secret, table, seat), lock)
            sides = Side(Person(reader.uid, opening.name), reader), Side(Person(joined.uid, joining.name), joined)
            shared = SharedGame(self.find_game(opening.game), sides, begin, own, self.clock)
            opened.pop_all()
        return shared


def acceptance(reader: RecordReader) -> tuple[int, Accepting | None]:
    """Whom the opener of a table has accepted, and the number of the line after that."""
    for number, said in enumerate(reader.lines, 1):
        if isinstance(said, Accepting):
            return number, said
    return 0, None


def has_seat(kept: OwnSecrets, accepted: Accepting, uid: int) -> bool:
    """Whether somebody of the account `uid` who keeps this sits at the table, as its opener or as the joiner whom the
    opener has accepted."""
    return not kept.joiner or (kept.joiner, uid) == (accepted.joiner, accepted.uid)


MOST_OF_ONE = 20
"""Tables of another account that are listed."""
MOST_LOOKED_AT = 100
"""Records of another account that are looked at: of the profiles that share it some hundred may be there at once."""
MOST_BYTES = 1 << 17
"""Bytes of another account's records that are read for one list."""
SHORT_BEGINNING, LONG_BEGINNING = 2048, 1 << 14
"""Bytes of a record that are read for the list. The first hold how a table was opened and who has sat down; only where
many were refused before it takes more."""
OLDER = "Tables of an older onlymove are not listed here."
DAY = 24 * 3600.0
WEEK = 7 * DAY
QUARTER = 90 * DAY
"""After so long without either player a game that has not ended is given up."""


@dataclass(frozen=True, slots=True)
class LobbyEntry:
    """A table: its id, the account that opened it, who opened it and, once a game has begun, who joined, as one knows
    them. `is_mine`: one sits at it, or with `is_joining` wants to; `is_alive`: its opener, or else one of both, is
    there now; `is_gone`: it was listed before."""

    table: str
    uid: int
    opening: Opening
    first: str
    second: str = ""
    is_mine: bool = False
    is_joining: bool = False
    is_alive: bool = False
    is_gone: bool = False

    def is_same(self, other: LobbyEntry) -> bool:
        """Whether this is the same table, whatever has become of it."""
        return (self.uid, self.table) == (other.uid, other.table)

    @property
    def has_begun(self) -> bool:
        return bool(self.second)

    @property
    def is_open(self) -> bool:
        """Whether somebody else waits there now."""
        return self.is_alive and not (self.is_mine or self.has_begun)

    @property
    def is_free(self) -> bool:
        """Whether one can sit down there without a code."""
        return self.is_open and not self.opening.has_code

    @property
    def is_for_me(self) -> bool:
        """Whether somebody waits there for oneself by name."""
        return self.is_open and bool(self.opening.wanted)

    @property
    def rank(self) -> int:
        """What comes first in a list: who waits for oneself, one's own tables, who waits for anybody, who has gone away
        from a table that is still open, games to look on at."""
        if self.is_for_me:
            return 0
        if self.is_mine:
            return 1 if self.has_begun else 2
        return 5 if self.has_begun else 3 if self.is_alive else 4


def lobby_entries(lobby: Lobby) -> list[LobbyEntry]:
    """The tables that are of interest, in the order of their rank; within one rank the newest come first."""
    lobby.folders.check()
    mine = {kept.table: kept for kept in lobby.secrets.all()}
    found = [listed for kept in mine.values() if (listed := _own_entry(lobby, kept)) is not None]
    known, lobby.beginnings = lobby.beginnings, {}
    for uid in lobby.folders.accounts():
        others = sorted(_entries_of(lobby, uid, mine, known), key=lambda one: one.rank)
        found += others if uid == lobby.who.uid else others[:MOST_OF_ONE]
    return sorted(found, key=lambda one: (one.rank, not one.is_alive, -one.opening.time))


def keep_marked_in_place(found: Sequence[LobbyEntry], marked: LobbyEntry, place: int) -> list[LobbyEntry]:
    """The tables in their order, except for the marked one: it stays at its place in the list, even when it is gone.
    The player may be about to press Enter."""
    others = [one for one in found if not one.is_same(marked)]
    now = next((one for one in found if one.is_same(marked)), replace(marked, is_gone=True))
    return [*others[:place], now, *others[place:]]


def has_older(lobby: Lobby) -> bool:
    """Whether somebody is at a table of an older version of this program now, and is not seen for that reason."""
    now = lobby.clock()
    there = {table for table, touched in lobby.folders.older.items() if abs(now - touched) < ALIVE_SECONDS}
    return bool(there) and not there <= {kept.table for kept in lobby.secrets.all()}


def _own_entry(lobby: Lobby, kept: OwnSecrets) -> LobbyEntry | None:
    """A table at which one sits or wants to, if there is something to go on with."""
    if kept.table in lobby.ended:
        return None
    beginning = _read_beginning(lobby, kept.table, kept.uid, LARGEST)
    entry = _entry(lobby, kept.table, kept.uid, beginning, beginning.touched)
    if entry is None:
        return None
    if beginning.accepted is None:
        is_listed = beginning.is_waiting and entry.opening.version == VERSION
        return replace(entry, is_mine=True, is_joining=bool(kept.joiner)) if is_listed else None
    if has_seat(kept, beginning.accepted, lobby.who.uid):
        # Nobody gives a sign of life any more when a game is over.
        return None if is_over(lobby, kept) else replace(entry, is_mine=True)
    return entry if entry.is_alive else None


def _entries_of(lobby: Lobby, uid: int, mine: Container[str], known: Beginnings) -> Iterator[LobbyEntry]:
    """The tables that an account has opened for others, and games that it has opened and that go on now."""
    is_trusted, bytes_left = uid == lobby.who.uid, MOST_BYTES
    for record in lobby.folders.records(uid, OPENED)[: None if is_trusted else MOST_LOOKED_AT]:
        if record.name in mine:
            continue
        before, beginning = known.get((uid, record.name), (None, Beginning()))
        # Who has sat down at a table does not change any more.
        is_settled = before is not None and (beginning.accepted is not None or before.size == record.size)
        if before is None or before.inode != record.inode or not is_settled:
            if bytes_left <= 0 and not is_trusted:
                continue
            beginning = _read_beginning(lobby, record.name, uid, LONG_BEGINNING)
            bytes_left -= min(record.size, LONG_BEGINNING if beginning.is_waiting else SHORT_BEGINNING)
        lobby.beginnings[uid, record.name] = (record, beginning)
        entry = _entry(lobby, record.name, uid, beginning, record.touched)
        if entry is None or entry.opening.version != VERSION:
            continue
        is_for_me = may_join(entry.opening, uid, lobby.who) or entry.opening.has_code
        if entry.is_alive if entry.has_begun else beginning.is_waiting and is_for_me:
            yield entry


def _entry(lobby: Lobby, table: str, uid: int, beginning: Beginning, touched: float) -> LobbyEntry | None:
    """A table, if its record says that it is one; `touched` is when its opener gave the last sign of life."""
    if (opening := beginning.opening) is None:
        return None
    me, now = lobby.who.uid, lobby.clock()
    is_here, second = is_alive(touched, now), ""
    if beginning.joiner is not None and beginning.joined is not None:
        second = beginning.joiner.named(me)
        with suppress(OSError):
            is_here = is_here or is_alive(os.lstat(beginning.joined).st_mtime, now)
    return LobbyEntry(table, uid, opening, Person(uid, opening.name).named(me), second, is_alive=is_here)


def _read_beginning(lobby: Lobby, table: str, uid: int, most: int) -> Beginning:
    """Read until it is known who has sat down at a table, or that nobody is waited for, but no more than so many bytes.
    What is no record of a table says nothing."""
    try:
        reader, opening = lobby.read_opening(table, uid, SHORT_BEGINNING)
        with closing(reader):
            if is_waiting(reader):
                reader.look(most)
        accepted = acceptance(reader)[1]
        if accepted is None:
            return Beginning(opening, is_waiting(reader), touched=reader.touched)
        joined, joining = lobby.read_joining(table, accepted.joiner, accepted.uid)
        joined.close()
    except RecordTrouble:
        return Beginning()
    return Beginning(opening, False, accepted, Person(joined.uid, joining.name), joined.path, reader.touched)


def is_waiting(reader: RecordReader) -> bool:
    """Whether the opener of a table still waits for somebody."""
    return not any(isinstance(said, Accepting | Closing) for said in reader.lines)


def is_over(lobby: Lobby, kept: OwnSecrets) -> bool:
    """Whether a game has ended, or cannot be read any more."""
    try:
        with closing(lobby.look_on(kept.table, kept.uid)) as game:
            has_ended = game.standing.is_over
    except OnlymoveError:
        return True
    if has_ended:
        lobby.ended.add(kept.table)
    return has_ended


def remove_old_records(lobby: Lobby) -> None:
    """Put one's own old records away: a week after the end of a game, a day after nobody has waited any more at a table
    that nobody joined, and what belongs to tables that are gone."""
    for kept in list(lobby.secrets.all()):
        own = lobby.seat(kept.table, kept.joiner, lobby.who.uid) if kept.joiner else lobby.opened(kept.table, kept.uid)
        try:
            age = lobby.clock() - os.lstat(own).st_mtime
        except OSError:
            lobby.secrets.forget(kept.table)
            continue
        if age > DAY and _is_done(lobby, kept, age):
            own.unlink(missing_ok=True)
            lobby.secrets.forget(kept.table)


def _is_done(lobby: Lobby, kept: OwnSecrets, age: float) -> bool:
    try:
        reader, _ = lobby.read_opening(kept.table, kept.uid)
    except RecordTrouble:
        return age > WEEK
    reader.close()
    if acceptance(reader)[1] is None:
        return True
    return age > QUARTER or (age > WEEK and is_over(lobby, kept))


def may_join(opening: Opening, uid: int, who: Person) -> bool:
    """Whether somebody may join a table without a code that the account `uid` has opened."""
    return not opening.wanted or who.is_called(opening.wanted, uid)
