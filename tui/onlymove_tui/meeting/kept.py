"""What one side of a table keeps to itself, in a folder that nobody else can read: what its hidden choices come of, and
the code of a table. Written once, before the record that needs it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from onlymove_tui.meeting.log import LogTrouble
from onlymove_tui.meeting.spoken_lines import Id
from onlymove_tui.store.private import open_own_file

ENDING = ".json"


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """One's own side of a table. `joiner` is empty for whoever opened it, `uid` the opener's account."""

    table: Id
    secret: str
    uid: int
    joiner: str = ""
    code: str = ""


class Drawer:
    """The folder of one player."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, kept: Kept) -> None:
        """Keep this. Raises LogTrouble."""
        try:
            file = open_own_file(self._path(kept.table), os.O_WRONLY | os.O_EXCL)
            with os.fdopen(file, "wb") as stream:
                stream.write(msgspec.json.encode(kept))
                stream.flush()
                os.fsync(file)
        except OSError as error:
            raise LogTrouble(f"this table cannot be kept: {error.strerror}") from None

    def get(self, table: str) -> Kept | None:
        """One's own side of a table, or `None`."""
        try:
            return msgspec.json.decode(self._path(table).read_bytes(), type=Kept)
        except (OSError, msgspec.DecodeError):
            return None

    def all(self) -> Iterator[Kept]:
        """Every table that one sits at, or sat at not long ago."""
        for path in sorted(self.folder.glob(f"*{ENDING}")):
            if (kept := self.get(path.name.removesuffix(ENDING))) is not None:
                yield kept

    def forget(self, table: str) -> None:
        """Keep it no longer."""
        with suppress(OSError):
            self._path(table).unlink()

    def occupy(self, table: str) -> int:
        """This process alone sits at the table; until the file that is returned is closed. Raises LogTrouble."""
        try:
            file = os.open(self._path(table), os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise LogTrouble(f"this table cannot be kept: {error.strerror}") from None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise LogTrouble("you sit at this table in another login: leave it there first") from None
        return file

    def _path(self, table: str) -> Path:
        return self.folder / f"{table}{ENDING}"
