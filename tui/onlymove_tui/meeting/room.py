"""The place where people of one host find each other, as one of them sees it: tables are opened, looked for, joined and
come back to here.

An administrator makes one place for all accounts (docs/hosting.md); without it the profiles of one account have theirs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import time

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.core.value import other
from onlymove_engines.match.clock import BadClock, read_control

from onlymove_tui.meeting.course import line_of
from onlymove_tui.meeting.folders import OPENED, SEAT, Folders, RecordFile
from onlymove_tui.meeting.hidden import Hiding
from onlymove_tui.meeting.kept import Drawer, Kept
from onlymove_tui.meeting.log import LARGEST, LogReader, LogTrouble, LogWriter
from onlymove_tui.meeting.people import Person
from onlymove_tui.meeting.spoken_lines import LONGEST_LINE, Accepting, Closing, Joining, Opening
from onlymove_tui.meeting.table import OwnSide, Side, Table

VARIABLE = "ONLYMOVE_ROOMS"
FOR_ALL = Path("/var/lib/onlymove/rooms")


def find_room(own: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Where people meet: what the environment says, else the place for all accounts, else the account's own."""
    if named := environ.get(VARIABLE):
        return Path(named)
    return FOR_ALL if FOR_ALL.is_dir() else own


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the beginning of a record says of a table: how it was opened, whether it waits for somebody, who has sat
    down and where that one's record is. `inode` and `size` tell whether it has to be read again."""

    inode: int
    size: int
    opening: Opening | None = None
    holds: bool = False
    joiner: Person | None = None
    joined: Path | None = None

    def is_of(self, record: RecordFile) -> bool:
        """Whether this is what the record still says. Who has sat down at a table does not change any more."""
        is_settled = self.joiner is not None or self.size == record.size
        return self.inode == record.inode and is_settled


class MeetingRoom:
    """`who` meets others in `folder`, and keeps to himself what is in `drawer`. A table is known by its number and by
    the account that opened it: somebody else may use the same number."""

    def __init__(
        self, folder: Path, drawer: Drawer, who: Person, find_game: Callable[[GameId], AnyGame],
        clock: Callable[[], float] = time,
    ) -> None:  # fmt: skip
        self.folders = Folders(folder, who.uid, clock)
        self.drawer = drawer
        self.who = who
        self.find_game = find_game
        self.clock = clock
        self.ended: set[str] = set()
        """One's own tables whose games were seen to be over."""
        self.beginnings: dict[tuple[int, str], Beginning] = {}
        """What the records of others said when they were read for the last list."""

    # Records.

    def opened(self, table: str, uid: int) -> Path:
        """The record that an account keeps of a table which it has opened."""
        return self.folders.path_of(uid, f"{table}{OPENED}")

    def seat(self, table: str, joiner: str, uid: int) -> Path:
        """The record that an account keeps of a table which it wants to join, or has."""
        return self.folders.path_of(uid, f"{table}.{joiner}{SEAT}")

    def new_record(self, name: str) -> Path:
        """Where oneself may begin a record of this name. Raises NoRoom."""
        return self.folders.make_own() / name

    def own_record(self, kept: Kept) -> Path:
        """The record that oneself keeps."""
        uid = self.who.uid
        return self.seat(kept.table, kept.joiner, uid) if kept.joiner else self.opened(kept.table, uid)

    def read_opening(self, table: str, uid: int, most: int = LARGEST) -> tuple[LogReader, Opening]:
        """The record of the account that opened a table, up to so many bytes. Raises LogTrouble for anything else."""
        reader = self._read(self.opened(table, uid), uid, most)
        first = reader.lines[0] if reader.lines else None
        if not isinstance(first, Opening) or first.table != table:
            reader.close()
            raise LogTrouble("this is not the record of a table")
        try:
            read_control(first.clock)
        except BadClock as refusal:
            reader.close()
            raise LogTrouble(f"at this table {refusal}") from None
        return reader, first

    def read_joining(self, table: str, joiner: str, uid: int) -> tuple[LogReader, Joining]:
        """The record of somebody who wants to join a table, up to its first line. Raises LogTrouble for anything
        else."""
        reader = self._read(self.seat(table, joiner, uid), uid, LONGEST_LINE)
        first = reader.lines[0] if reader.lines else None
        if not isinstance(first, Joining) or (first.table, first.joiner) != (table, joiner):
            reader.close()
            raise LogTrouble("this is not the record of somebody at a table")
        return reader, first

    def _read(self, path: Path, uid: int, most: int) -> LogReader:
        reader = LogReader(path, uid, self.clock)
        try:
            reader.look(most)
        except LogTrouble:
            reader.close()
            raise
        return reader

    # Tables at which a game has begun.

    def sit_down(self, table: str) -> Table:
        """Back to a table at which one sits. Raises LogTrouble, also where nobody has joined yet."""
        kept = self.drawer.get(table)
        if kept is None:
            raise LogTrouble("this table is gone: its records were put away")
        place = self.drawer.occupy(table)
        try:
            return self._table(table, kept.uid, kept, place)
        except OnlymoveError:
            os.close(place)
            raise

    def look_on(self, table: str, uid: int) -> Table:
        """A table that the account `uid` has opened and at which others play. Raises LogTrouble."""
        return self._table(table, uid, None, -1)

    def _table(self, table: str, uid: int, kept: Kept | None, place: int) -> Table:
        reader, opening = self.read_opening(table, uid)
        begin, accepted = acceptance(reader)
        if accepted is None:
            reader.close()
            raise LogTrouble("nobody has sat down at this table")
        if kept is not None and not sits(kept, accepted, self.who.uid):
            reader.close()
            raise LogTrouble("somebody else sits at this table")
        try:
            joined, joining = self.read_joining(table, accepted.joiner, accepted.uid)
        except LogTrouble:
            reader.close()
            raise
        sides = (
            Side(Person(reader.uid, opening.name), reader),
            Side(Person(joined.uid, joining.name), joined),
        )
        try:
            joined.look()
            game = self.find_game(opening.game)
            line_of(game, opening)
            return Table(game, sides, begin, own_side(kept, sides, opening, place), self.clock)
        except OnlymoveError:
            reader.close()
            joined.close()
            raise


def own_side(kept: Kept | None, sides: tuple[Side, Side], opening: Opening, place: int) -> OwnSide | None:
    """One's own part of a table; `None` for whoever looks on."""
    if kept is None:
        return None
    mine, seat = (sides[1], other(opening.seat)) if kept.joiner else (sides[0], opening.seat)
    writer = LogWriter.reopen(mine.reader.path, mine.reader.whole)
    return OwnSide(seat, writer, Hiding(kept.secret, opening.table, seat), place)


def acceptance(reader: LogReader) -> tuple[int, Accepting | None]:
    """Whom the opener of a table has accepted, and the number of the line after that."""
    for number, said in enumerate(reader.lines, 1):
        if isinstance(said, Accepting):
            return number, said
    return 0, None


def holds(reader: LogReader) -> bool:
    """Whether a table still waits for somebody."""
    return not any(isinstance(said, Accepting | Closing) for said in reader.lines)


def sits(kept: Kept, accepted: Accepting, uid: int) -> bool:
    """Whether somebody of the account `uid` who keeps this sits at the table, as its opener or as the joiner whom the
    opener has accepted."""
    return not kept.joiner or (kept.joiner, uid) == (accepted.joiner, accepted.uid)
