"""A player's database: reads and writes from any thread, and what happens when the disk fails, or when the file is
damaged, removed or read-only. The schema is in `schema.py`. Contains no code for particular games."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import date
from os.path import samestat
from pathlib import Path
from threading import RLock

from onlymove_tables.lock import share, try_lock

from onlymove_tui.store.profiles import close_to_others, hold_profile, make_own_folder
from onlymove_tui.store.rescue import copy_readable, finish_rescue, is_damage, is_damaged, rescue
from onlymove_tui.store.schema import StoreTrouble, connect, describe_unsaved, migrate, read_version, refuse_earlier

PATIENCE_SECONDS = 2.0
"""How long a write waits for another process of the same player, when there is no screen."""

QUICK_SECONDS = 0.3
"""The same limit in the app, which must be able to quit soon. A failed write is tried again at the next change."""

CLOSING_SECONDS = 1.0
"""How long the app waits at its end for a worker that reads or writes on a slow disk."""

TIDY_AFTER = 200
"""After this many writes, the journal is copied into the file."""

SESSIONS, PROFILE = "sessions", "in-use"
"""The lock files beside the games: every session that uses the games shares the first, and the second is the lock of
the profile."""

HOW_TO_RESCUE = "To rescue what can be read, quit every other session of onlymove and start it again"

REMOVED = "your file of games was removed while it was open. A new one has been made, without your earlier games"
REPLACED = "your file of games was replaced while it was open. Your games now go into the new one"


class StoreDamaged(StoreTrouble):
    """SQLite says that the file is damaged."""


class Database:
    """One player's database, with its schema brought up to date. Without a path it is in memory, and begins with a copy
    of the file `copied`, if one is given. Any thread may use it. Reads have their own connection and never wait for a
    write. Every method raises StoreTrouble if the disk fails, or if another process locks the file for longer than
    `patience` seconds.

    A damaged file is moved away, and a new one has what could be read (see `rescue`). A file that was removed is made
    again. `notice` then says so. If that happens while the file is open, StoreTrouble says it once. The next call
    works, and `opened` has grown by one: what was written before may be missing.
    """

    def __init__(
        self,
        path: Path | None,
        patience: float = PATIENCE_SECONDS,
        copied: Path | None = None,
        closing: float = CLOSING_SECONDS,
    ) -> None:
        self.path = path
        self._closing = closing
        self.notice = ""
        self.opened = 0
        self._patience = patience
        self._is_new_to_file = 0
        self._writing = RLock()
        self._reading = self._writing if path is None else RLock()
        self._sessions: int | None = None
        self._is_open = False
        try:
            self._open_or_rescue(copied)
        except StoreTrouble:
            self._release_sessions()
            raise

    def _open_or_rescue(self, copied: Path | None) -> None:
        try:
            with self._translate_errors():
                self._open(copied)
        except StoreDamaged:
            if not self._rescue():
                raise
            with self._translate_errors():
                self._open()

    def _open(self, copied: Path | None = None) -> None:
        self._share_sessions()
        if self.path is not None:
            finish_rescue(self.path)
            refuse_earlier(self.path)
        self._writer = connect(self.path)
        try:
            if copied is not None:
                copy_readable(copied, self._writer)
            migrate(self._writer, self.path)
            self._writer.execute(f"PRAGMA busy_timeout = {int(1000 * self._patience)}")
            self._reader = self._writer if self.path is None else connect(self.path)
        except (OSError, sqlite3.Error, StoreTrouble):
            self._writer.close()
            raise
        self._place = None if self.path is None else self.path.stat()
        self._is_open = True
        self.opened += 1

    def _share_sessions(self) -> None:
        """Show other processes that this one uses the games. Where files cannot be locked, nothing is shown, and a
        damaged file is never moved."""
        if self.path is not None:
            self._release_sessions()
            with suppress(OSError):
                make_own_folder(self.path.parent)
                self._sessions = share(self.path.with_name(SESSIONS))
                close_to_others(self._sessions)

    def _release_sessions(self) -> None:
        if self._sessions is not None:
            os.close(self._sessions)
            self._sessions = None

    def _rescue(self) -> bool:
        """Rescue a damaged file that this process has closed. Return `False` if the damage is not confirmed, or if the
        disk fails. Raises StoreTrouble if another session uses the games or the profile."""
        if self.path is None or self._sessions is None:
            return False
        try:
            with hold_profile(self.path.with_name(PROFILE)) as is_held:
                if not is_damaged(self.path):
                    return False
                if not is_held or not try_lock(self._sessions):
                    raise StoreTrouble(describe_unsaved(f"{self.path.name} is damaged. {HOW_TO_RESCUE}"))
                self.notice = rescue(self.path, date.today())
                return True
        except (OSError, sqlite3.Error):
            return False
        finally:
            self._share_sessions()

    @contextmanager
    def _mend_damage(self) -> Iterator[None]:
        """Rescue the file if the block finds it damaged. Enter this before any lock is taken."""
        try:
            yield
        except StoreDamaged:
            with self._writing, self._reading, self._translate_errors():
                self._close()
                is_rescued = self._rescue()
                self._open()
            if is_rescued:
                raise StoreTrouble(self.notice) from None
            raise

    def follow_file(self) -> None:
        """Make the file again if it was removed, or open it again if it was replaced, since it was opened. Raises
        StoreTrouble to say so."""
        if self.path is None or (self._is_open and not self._has_moved(self.path)):
            return
        with self._writing, self._reading, self._translate_errors():
            was_open, is_removed = self._is_open, not self.path.exists()
            self._close()
            self._open()
        if is_removed:
            self.notice = REMOVED
        elif was_open:
            self.notice = REPLACED
        else:
            return
        raise StoreTrouble(self.notice)

    def _has_moved(self, path: Path) -> bool:
        """Whether there is no file at the path, or another one than was opened. `False` if the disk does not tell."""
        try:
            return self._place is None or not samestat(path.stat(), self._place)
        except (FileNotFoundError, NotADirectoryError):
            return True
        except OSError:
            return False

    def rows(self, query: str, values: Sequence[object] | Mapping[str, object] = ()) -> list[sqlite3.Row]:
        if not self._is_open:
            self.follow_file()
        with self._mend_damage(), self._reading, self._translate_errors():
            if self._is_new_to_file >= TIDY_AFTER:
                self._is_new_to_file = 0
                self._reader.execute("PRAGMA wal_checkpoint(PASSIVE)")
            read_version(self._reader, self.path)
            return self._reader.execute(query, values).fetchall()

    @contextmanager
    def begin_transaction(self) -> Iterator[sqlite3.Connection]:
        """Run a transaction. Everything written inside the block is stored, or nothing if the block raises."""
        self.follow_file()
        with self._mend_damage(), self._writing, self._translate_errors():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                read_version(self._writer, self.path)
                yield self._writer
                # Without a write-ahead journal a reader can delay the commit.
                self._writer.execute("COMMIT")
            except BaseException:
                # If the disk is full, SQLite has already rolled the transaction back.
                with suppress(sqlite3.DatabaseError):
                    self._writer.execute("ROLLBACK")
                raise
            self._is_new_to_file += 1

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Turn file errors into StoreTrouble with a one-line message. The message names no folder, because it must fit
        on a screen and a kiosk must not show folders (`locate` prints them)."""
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            name = self.path.name if self.path else "memory"
            kind = StoreDamaged if is_damage(error) else StoreTrouble
            raise kind(describe_unsaved(f"{name}: {why}")) from None

    def close(self) -> None:
        """Close the file once no thread uses it. Closing it earlier would crash SQLite. If a thread still uses it after
        `closing` seconds, the file stays open until the process ends."""
        with ExitStack() as held:
            for lock in (self._writing, self._reading):
                if not lock.acquire(timeout=self._closing):
                    return
                held.callback(lock.release)
            self._close()
            self._release_sessions()

    def _close(self) -> None:
        self._is_open = False
        for connection in (self._reader, self._writer):
            with suppress(sqlite3.Error):
                connection.close()
