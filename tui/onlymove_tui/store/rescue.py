"""Rescues a player's games from a damaged file, and reads a file that cannot be written.

A damaged file is never overwritten or deleted. Nothing is moved unless SQLite says that the file itself is damaged, on
a connection of its own, while no other session uses it. A full or failing disk, a read-only folder and a newer schema
are no damage.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import date
from itertools import count
from pathlib import Path

from onlymove_tui.store.profiles import FILE, FOLDER
from onlymove_tui.store.schema import FIRST_VERSION, SIDES, VERSION, connect, migrate, require_regular_files

DAMAGE_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
DISK_CODES = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
PRIMARY_CODE = 0xFF
"""The bits of SQLite's primary result code. The others say more about it (sqlite.org/rescode.html)."""

WORKSHOP = "rescue"
"""The folder in which the new file is made."""

WHOLE_GAMES = """
DELETE FROM node WHERE game NOT IN (SELECT id FROM game);
DELETE FROM game WHERE NOT EXISTS (SELECT 1 FROM node WHERE node.game = game.id AND node.id = game.current_node)
  OR EXISTS (SELECT 1 FROM node WHERE node.game = game.id AND node.id > 0 AND NOT EXISTS
    (SELECT 1 FROM node AS above WHERE above.game = game.id AND above.id = node.parent));
DELETE FROM node WHERE game NOT IN (SELECT id FROM game)
"""
"""Leaves out every game of which the position on the board, or a move before another one, could not be read."""


def get_code(error: Exception) -> int:
    """Return SQLite's primary result code of an error, or 0 if there is none."""
    return getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE


def is_damage(error: Exception) -> bool:
    """Whether SQLite has found that the file itself is damaged."""
    return get_code(error) in DAMAGE_CODES


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a file that is only read, in a folder that may be read-only. Raises sqlite3.Error and OSError.

    Without write access, SQLite can use a write-ahead journal only if its files exist. If there is no journal, the file
    is complete, and SQLite is told that nobody writes to it (sqlite.org/wal.html#read_only_databases).
    """
    require_regular_files(path)
    where = path.absolute().as_uri()
    connection = sqlite3.connect(f"{where}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        connection.close()
        journal = path.with_name(path.name + SIDES[0])
        if journal.exists() and journal.stat().st_size:
            raise
        connection = sqlite3.connect(f"{where}?immutable=1", uri=True, isolation_level=None)
    return connection


def copy_readable(path: Path, copy: sqlite3.Connection) -> None:
    """Copy a whole file that cannot be written into an empty database. Raises sqlite3.Error and OSError."""
    with closing(connect_to_read(path)) as source:
        source.backup(copy)


def is_damaged(path: Path) -> bool:
    """Whether a second look, on a connection of its own, finds damage in a file that this version can use. `False` if
    the disk fails, which is no damage."""
    try:
        with closing(connect_to_read(path)) as connection:
            if connection.execute("PRAGMA user_version").fetchone()[0] not in (0, *range(FIRST_VERSION, VERSION + 1)):
                return False
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",))
    except (OSError, sqlite3.Error) as error:
        return is_damage(error)


def rescue(path: Path, today: date) -> str:
    """Move a damaged file, with SQLite's files beside it, into a new folder `damaged-DATE`. Make a new file with all
    games, drills and lessons that can still be read. Return what was done as a line for the player.

    No other connection may use the file. The new file is complete before anything is moved. Raises OSError and
    sqlite3.Error, for example if the disk is full. Nothing has been moved then.
    """
    workshop = path.with_name(WORKSHOP)
    shutil.rmtree(workshop, ignore_errors=True)  # A process may have been killed here.
    workshop.mkdir(FOLDER)
    try:
        copy, new = workshop / f"copy-of-{path.name}", workshop / path.name
        present = [end for end in (*SIDES, "") if path.with_name(path.name + end).exists()]
        for end in present:
            copy_file(path.with_name(path.name + end), copy.with_name(copy.name + end))
        number = salvage(copy, new)
        away = make_new_folder(path.with_name(f"damaged-{today.isoformat()}"))
        # SQLite would read a journal that was left behind into the new file, so the file itself is moved last.
        for end in present:
            path.with_name(path.name + end).rename(away / f"{path.name}{end}")
        new.rename(path)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
    games = "no game" if not number else "1 game" if number == 1 else f"{number} games"
    return f"your file of games was damaged, so it is now in {away.name}, and {games} could be read from it"


def finish_rescue(path: Path) -> None:
    """Put the new file in its place if a rescue was killed when the damaged file had already been moved. Raises
    OSError."""
    new = path.with_name(WORKSHOP) / path.name
    if not path.exists() and new.exists():
        new.rename(path)


def copy_file(source: Path, copy: Path) -> None:
    """Copy a file that only this account may read."""
    with source.open("rb") as file, open(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE), "wb") as written:
        while chunk := file.read(1 << 20):
            written.write(chunk)


def make_new_folder(wanted: Path) -> Path:
    """Make a folder that did not exist: the wanted one, or one with a number after its name."""
    for number in count(1):
        folder = wanted if number == 1 else wanted.with_name(f"{wanted.name}-{number}")
        with suppress(FileExistsError):
            folder.mkdir(FOLDER)
            return folder
    raise AssertionError("numbers do not end")


def salvage(damaged: Path, new: Path) -> int:
    """Make a new file with everything that can be read from a damaged one, which may be changed. Return the number of
    games."""
    with closing(connect(new)) as target:
        with closing(sqlite3.connect(damaged)) as source:
            source.text_factory = lambda raw: raw.decode("utf-8", "replace")
            copy_rows(source, target)
        migrate(target, new)
        target.execute("BEGIN IMMEDIATE")
        for statement in WHOLE_GAMES.split(";"):
            target.execute(statement)
        target.execute("COMMIT")
        target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return int(target.execute("SELECT count(*) FROM game").fetchone()[0])


def copy_rows(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Copy every row that can be read. The target gets the schema of the version that wrote the source."""
    version = next(read_until_damage(source, "PRAGMA user_version"), (0,))[0]
    if not isinstance(version, int) or not FIRST_VERSION <= version <= VERSION:
        return
    target.execute("PRAGMA foreign_keys = OFF")
    migrate(target, None, version)
    target.execute("BEGIN IMMEDIATE")
    for (table,) in target.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        described = target.execute(f"PRAGMA table_info({table})").fetchall()
        columns = [row["name"] for row in described]
        keys = [row["name"] for row in sorted(described, key=lambda row: int(row["pk"])) if row["pk"]]
        insert = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        for direction in ("", " DESC"):
            order = ", ".join(f"{key}{direction}" for key in keys)
            query = f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}"
            target.executemany(insert, read_until_damage(source, query))
    target.execute("COMMIT")


def read_until_damage(source: sqlite3.Connection, query: str) -> Iterator[tuple[object, ...]]:
    """Yield rows up to the first page that cannot be read. The same query in the other direction finds those after the
    last such page. Raises sqlite3.Error if the disk fails."""
    try:
        yield from source.execute(query)
    except sqlite3.DatabaseError as error:
        if get_code(error) in DISK_CODES:
            raise
