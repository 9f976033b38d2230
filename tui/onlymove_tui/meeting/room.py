"""The place where people of one host find each other: a folder in which everybody may make files, and only the owner of
one may change it. Tables are opened, looked for, joined and come back to here.

An administrator makes one for all accounts (docs/hosting.md); without it the profiles of one account have theirs.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from time import time

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame, GameId
from onlymove_engines.core.value import other
from onlymove_engines.match.clock import BadClock, read_control

from onlymove_tui.meeting.course import line_of
from onlymove_tui.meeting.hidden import Hiding
from onlymove_tui.meeting.kept import Drawer, Kept
from onlymove_tui.meeting.log import LogReader, LogTrouble, LogWriter
from onlymove_tui.meeting.people import Person
from onlymove_tui.meeting.spoken_lines import Accepting, Joining, Opening
from onlymove_tui.meeting.table import OwnSide, Side, Table

VARIABLE = "ONLYMOVE_ROOMS"
FOR_ALL = Path("/var/lib/onlymove/rooms")
OPENED, SEAT = ".table", ".seat"
MOST_FILES = 2000
"""More are not looked at: somebody leans on the room."""


class NoRoom(OnlymoveError):
    """There is no place to meet, or it is not safe."""


def find_room(own: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Where people meet: what the environment says, else the place for all accounts, else the account's own."""
    if named := environ.get(VARIABLE):
        return Path(named)
    return FOR_ALL if FOR_ALL.is_dir() else own


class MeetingRoom:
    """`who` meets others in `folder`, and keeps to himself what is in `drawer`."""

    def __init__(
        self, folder: Path, drawer: Drawer, who: Person, find_game: Callable[[GameId], AnyGame],
        clock: Callable[[], float] = time,
    ) -> None:  # fmt: skip
        self.folder = folder
        self.drawer = drawer
        self.who = who
        self.find_game = find_game
        self.clock = clock
        self.ended: set[str] = set()
        """Tables whose games were seen to be over."""

    def check(self) -> None:
        """Raises NoRoom unless nobody here can change the files of another one."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            found = self.folder.lstat()
        except OSError as error:
            raise NoRoom(f"there is no place to meet others: {error.strerror}") from None
        is_shared = bool(found.st_mode & (stat.S_IWGRP | stat.S_IWOTH))
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in (0, os.geteuid()):
            raise NoRoom("the place to meet others belongs to somebody else (docs/hosting.md)")
        if is_shared and not found.st_mode & stat.S_ISVTX:
            raise NoRoom("the place to meet others is not safe: it needs mode 1777 (docs/hosting.md)")

    # Files.

    def opened(self, table: str) -> Path:
        """The record of who opened a table."""
        return self.folder / f"{table}{OPENED}"

    def seat(self, table: str, joiner: str) -> Path:
        """The record of who wants to join it, or has."""
        return self.folder / f"{table}.{joiner}{SEAT}"

    def names(self, ending: str, beginning: str = "") -> Iterator[str]:
        """The names of the records of a kind, without their ending."""
        with suppress(OSError), os.scandir(self.folder) as entries:
            for _, entry in zip(range(MOST_FILES), entries, strict=False):
                if entry.name.endswith(ending) and entry.name.startswith(beginning):
                    yield entry.name.removesuffix(ending)

    def read_opening(self, table: str, uid: int | None = None) -> tuple[LogReader, Opening]:
        """The record of who opened a table. Raises LogTrouble for anything else."""
        reader = self._read(self.opened(table), uid)
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

    def read_joining(self, table: str, joiner: str, uid: int | None = None) -> tuple[LogReader, Joining]:
        """The record of who wants to join one. Raises LogTrouble for anything else."""
        reader = self._read(self.seat(table, joiner), uid)
        first = reader.lines[0] if reader.lines else None
        if not isinstance(first, Joining) or (first.table, first.joiner) != (table, joiner):
            reader.close()
            raise LogTrouble("this is not the record of somebody at a table")
        return reader, first

    def _read(self, path: Path, uid: int | None) -> LogReader:
        reader = LogReader(path, uid, self.clock)
        try:
            reader.look()
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
            return self._table(table, kept, place)
        except OnlymoveError:
            os.close(place)
            raise

    def look_on(self, table: str) -> Table:
        """A table at which others play. Raises LogTrouble."""
        return self._table(table, None, -1)

    def _table(self, table: str, kept: Kept | None, place: int) -> Table:
        reader, opening = self.read_opening(table, None if kept is None else kept.uid)
        begin, accepted = acceptance(reader)
        if accepted is None:
            reader.close()
            raise LogTrouble("nobody has sat down at this table")
        if kept is not None and kept.joiner not in ("", accepted.joiner):
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
