"""The schema of a player's SQLite file: opens the file, and brings its schema up to date. The file's `user_version` is
the number of migrations that were applied to it. Contains no code for particular games."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.text import clean_line

from onlymove_tui.store.profiles import FILE, close_to_others, make_own_folder

SIDES = ("-wal", "-shm", "-journal")
"""The ends of the names of SQLite's files beside the file."""

WAIT_SECONDS = 2.0
"""How long opening a file waits for another process."""

MIGRATIONS = (
    # Each game has one row in `game`, and each node of its line has one row in `node`. Node 0 is the root.
    # `undone` lists the nodes that redo goes back to. A text with several parts is JSON. Moves and positions are
    # in the game's notation. A later migration renames some columns.
    """
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
""",
    # drill: a position in which to find a move that keeps the result. `due` is when it comes back.
    """
CREATE TABLE drill (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, position TEXT NOT NULL, seat INTEGER NOT NULL,
  origin TEXT NOT NULL, played TEXT NOT NULL, card TEXT NOT NULL, due TEXT NOT NULL,
  tries INTEGER NOT NULL, solved INTEGER NOT NULL,
  UNIQUE (game, position, seat)
);
CREATE INDEX drill_by_due ON drill (due)
""",
    # game: the figures of a finished game for its only human player, so that lists and charts need not read the
    # moves. They are the decisions that count, how many of them kept the result, the flagged moves, and the
    # accuracy in percent. NULL until they are computed. practice: the answers to drills by day.
    """
ALTER TABLE game ADD COLUMN decisions INTEGER;
ALTER TABLE game ADD COLUMN kept INTEGER;
ALTER TABLE game ADD COLUMN mistakes INTEGER;
ALTER TABLE game ADD COLUMN accuracy REAL;
CREATE TABLE practice (
  day TEXT NOT NULL, game TEXT NOT NULL, origin TEXT NOT NULL, tries INTEGER NOT NULL, solved INTEGER NOT NULL,
  PRIMARY KEY (day, game, origin)
) WITHOUT ROWID
""",
    # players: who played when a move was made. Empty means the same players as at the move before. Older games
    # get their last players. For imported games the players are not known.
    """
ALTER TABLE node ADD COLUMN players TEXT NOT NULL DEFAULT '';
UPDATE node SET players = (SELECT chairs FROM game WHERE game.id = node.game)
  WHERE parent = 0 AND game IN (SELECT id FROM game WHERE NOT imported)
""",
    # changed_hands: whether another player took over a side. Such a game counts as neither won nor lost.
    "ALTER TABLE game ADD COLUMN changed_hands INTEGER NOT NULL DEFAULT 0",
    # daily: the result of the first attempt at a game's position of the day.
    "CREATE TABLE daily (day TEXT NOT NULL, game TEXT NOT NULL, mark TEXT NOT NULL, PRIMARY KEY (day, game))"
    " WITHOUT ROWID",
    # lesson: how many steps of a game's lessons the player has finished, counted from the first.
    "CREATE TABLE lesson (game TEXT PRIMARY KEY, steps INTEGER NOT NULL) WITHOUT ROWID",
    # Older figures left out mistakes that were made after full hints. They are computed again.
    "UPDATE game SET decisions = NULL",
    # players: who played, as JSON. own_seat: the seat of the only human player. current_node: the node on the
    # board. held: how many decisions kept the result. fsrs_state: the state of the drill in FSRS, as JSON.
    """
ALTER TABLE game RENAME COLUMN chairs TO players;
ALTER TABLE game RENAME COLUMN own TO own_seat;
ALTER TABLE game RENAME COLUMN at TO current_node;
ALTER TABLE game RENAME COLUMN kept TO held;
ALTER TABLE drill RENAME COLUMN card TO fsrs_state
""",
    # milestone: what a player has reached while learning a game, besides the steps of its lessons (see `Milestone`).
    "CREATE TABLE milestone (game TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (game, name)) WITHOUT ROWID",
    # kept: how many decisions kept the result at the first try.
    "ALTER TABLE game RENAME COLUMN held TO kept",
    # changed: when the drill was last added or answered. If that is in the future, a clock was wrong meanwhile.
    """
ALTER TABLE drill ADD COLUMN changed TEXT NOT NULL DEFAULT '';
UPDATE drill SET changed = coalesce(json_extract(fsrs_state, '$.last_review'), due) WHERE json_valid(fsrs_state)
""",
)


class StoreTrouble(OnlymoveError):
    """The games on disk cannot be read or written. The player can continue, with games in memory only."""


def connect(path: Path | None) -> sqlite3.Connection:
    """Open the file, which is created if needed. Other users lose all access to it and to SQLite's files beside it.

    The connection uses a write-ahead journal if the file system supports one, and otherwise a plain journal (for
    example in a network home folder). With a write-ahead journal, NORMAL syncing loses nothing when the process is
    killed and never damages the file. Reads, not writes, move the journal into the file, so that no write takes long.
    """
    if path is not None:
        make_own_folder(path.parent)
        # An existing file must not be opened here. Closing it would drop the locks of this process's connections, and
        # another process could then discard what they write (sqlite.org/howtocorrupt.html, 2.2).
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE))
        for beside in ("", *SIDES):
            close_to_others(path.with_name(path.name + beside))
    where = ":memory:" if path is None else path
    connection = sqlite3.connect(where, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    # An earlier version stored the texts of other people's records as they were.
    connection.text_factory = lambda raw: clean_line(raw.decode("utf-8", "replace"))
    try:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError:
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        connection.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def migrate(connection: sqlite3.Connection, path: Path | None, wanted: int = len(MIGRATIONS)) -> None:
    """Apply the migrations up to the wanted version that the file does not have yet."""
    if read_version(connection, path) == wanted:
        return
    connection.execute("BEGIN IMMEDIATE")
    version = read_version(connection, path)
    for script in MIGRATIONS[version:wanted]:
        for statement in script.split(";"):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {wanted}")
    connection.execute("COMMIT")


def read_version(connection: sqlite3.Connection, path: Path | None) -> int:
    """Return how many migrations the file has. Raises StoreTrouble if a newer version has added some."""
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > len(MIGRATIONS):
        raise StoreTrouble(f"games are not saved: {path and path.name} was written by a newer version of onlymove")
    return version
