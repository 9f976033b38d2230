"""Opens the SQLite file of a player: journal, patience, schema and its migrations. Knows no game.

The file's `user_version` counts the migrations that were applied to it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock

from onlymove_engines.core.errors import OnlymoveError

PATIENCE_SECONDS = 2.0
"""How long a write waits for another process of the same player."""

ONE_AT_A_TIME = RLock()
"""Workers share the connections: whoever is inside `told` has them alone."""

#   game 1 ──< node        one row a game, one row a node of its line (0 is the root)
#   `at` is the node on the board, `undone` the nodes that redo goes back to; `own` is the only person's seat.
#   Texts with several parts are JSON; moves and positions are in the game's notation.
FIRST_SCHEMA = """
CREATE TABLE game (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, started TEXT NOT NULL, changed TEXT NOT NULL,
  start TEXT NOT NULL, house_rule TEXT NOT NULL, chairs TEXT NOT NULL, own INTEGER, people INTEGER NOT NULL,
  setup TEXT NOT NULL, imported INTEGER NOT NULL, training INTEGER NOT NULL,
  at INTEGER NOT NULL, undone TEXT NOT NULL, pending TEXT NOT NULL, agreed TEXT,
  result TEXT NOT NULL, winner INTEGER, reason TEXT NOT NULL, score TEXT, plies INTEGER NOT NULL
);
CREATE TABLE node (
  game INTEGER NOT NULL REFERENCES game(id) ON DELETE CASCADE,
  id INTEGER NOT NULL, parent INTEGER, place INTEGER NOT NULL, move TEXT NOT NULL,
  judgements TEXT NOT NULL, attempts TEXT NOT NULL, hinted TEXT NOT NULL, comment TEXT NOT NULL,
  PRIMARY KEY (game, id)
) WITHOUT ROWID;
CREATE INDEX game_by_change ON game (changed DESC, id DESC);
CREATE INDEX game_by_result ON game (result, changed DESC, id DESC);
"""

#   drill: a position to find a keeping move in; `card` is its FSRS state, `due` when it comes back.
DRILL_SCHEMA = """
CREATE TABLE drill (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, position TEXT NOT NULL, seat INTEGER NOT NULL,
  origin TEXT NOT NULL, played TEXT NOT NULL, card TEXT NOT NULL, due TEXT NOT NULL,
  tries INTEGER NOT NULL, solved INTEGER NOT NULL,
  UNIQUE (game, position, seat)
);
CREATE INDEX drill_by_due ON drill (due)
"""

MIGRATIONS = (FIRST_SCHEMA, DRILL_SCHEMA)


class StoreTrouble(OnlymoveError):
    """The games on disk cannot be read or written. Play can go on in memory."""


def open_database(path: Path | None) -> sqlite3.Connection:
    """The player's database, brought up to date; `None`: one in memory. Raises StoreTrouble."""
    with told(path):
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            ":memory:" if path is None else path,
            timeout=PATIENCE_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            _prepare(connection)
            _migrate(connection, path)
        except (sqlite3.Error, StoreTrouble):
            connection.close()
            raise
        return connection


@contextmanager
def told(path: Path | None) -> Iterator[None]:
    """Turns what can go wrong with the file into one clear line (StoreTrouble), without folders: it must fit a
    screen, and a kiosk shows none (`locate` does)."""
    try:
        with ONE_AT_A_TIME:
            yield
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise StoreTrouble(f"games are not saved: {path.name if path else 'memory'}: {why}") from None


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Everything inside is written, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        # A full disk has rolled the transaction back already.
        with suppress(sqlite3.OperationalError):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _prepare(connection: sqlite3.Connection) -> None:
    """A write-ahead journal where the file system carries one, else the plain one (home folders over a network).

    With it, NORMAL syncing loses nothing when the process is killed, and never damages the file.
    """
    try:
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    except sqlite3.OperationalError:
        mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")
    connection.execute("PRAGMA foreign_keys = ON")


def _migrate(connection: sqlite3.Connection, path: Path | None) -> None:
    if _version(connection) == len(MIGRATIONS):
        return
    with transaction(connection):
        version = _version(connection)
        if version > len(MIGRATIONS):
            raise StoreTrouble(f"games are not saved: {path and path.name} was written by a newer onlymove")
        for script in MIGRATIONS[version:]:
            for statement in script.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])
