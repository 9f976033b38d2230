"""The schema of a player's SQLite file: opens the file, and brings its schema up to date. The file's `user_version` is
the number of the last migration that was applied to it. Contains no code for particular games."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.files import require_regular
from onlymove_engines.core.text import clean_line

from onlymove_tui.store.profiles import FILE, close_to_others, make_own_folder

SIDES = ("-wal", "-shm", "-journal")
"""The ends of the names of SQLite's files beside the file."""

WAIT_SECONDS = 2.0
"""How long opening a file waits for another process."""

CACHE_KIBIBYTES = 256
"""How much of the file a connection keeps in memory. SQLite's usual 2 MB would fill up over some 500 games of a
session. With less, lists of 2,000 games take as long, because the system keeps the file in memory anyway."""

FIRST_VERSION = 11
"""The version of the first script, which makes the whole schema. Numbers below it are from before the first release."""

MIGRATIONS = (
    # game: one row for each game. A text with several parts is JSON. Moves and positions are in the game's notation.
    #   players: who plays. own_seat: the seat of the only human player. current_node: the node on the board.
    #   undone: the nodes that redo goes back to. changed_hands: whether another player took over a side. Such a game
    #   counts as neither won nor lost.
    #   decisions, kept, mistakes, accuracy: the figures of a finished game for its only human player, so that lists and
    #   charts need not read the moves. They are the decisions that count, how many of them kept the result at the first
    #   try, the flagged moves, and the accuracy in percent. NULL without an end or with more people.
    # node: one row for each node of a game's line. Node 0 is the root.
    #   players: who played when the move was made. Empty means the same players as at the move before.
    # drill: a position in which to find a move that keeps the result. `due` is when it comes back.
    #   fsrs_state: the state of the drill in FSRS, as JSON.
    # practice: the answers to drills by day. daily: the result of the first attempt at a game's position of the day.
    # lesson: how many steps of a game's lessons the player has finished, counted from the first.
    # milestone: what a player has reached while learning a game, besides the steps of its lessons (see `Milestone`).
    """
CREATE TABLE game (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, started TEXT NOT NULL, changed TEXT NOT NULL,
  start TEXT NOT NULL, house_rule TEXT NOT NULL, players TEXT NOT NULL, own_seat INTEGER, people INTEGER NOT NULL,
  setup TEXT NOT NULL, imported INTEGER NOT NULL, training INTEGER NOT NULL,
  current_node INTEGER NOT NULL, undone TEXT NOT NULL, pending TEXT NOT NULL, agreed TEXT,
  result TEXT NOT NULL, winner INTEGER, reason TEXT NOT NULL, score TEXT, plies INTEGER NOT NULL,
  decisions INTEGER, kept INTEGER, mistakes INTEGER, accuracy REAL, changed_hands INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE node (
  game INTEGER NOT NULL REFERENCES game(id) ON DELETE CASCADE,
  id INTEGER NOT NULL, parent INTEGER, place INTEGER NOT NULL, move TEXT NOT NULL,
  judgements TEXT NOT NULL, attempts TEXT NOT NULL, hinted TEXT NOT NULL, comment TEXT NOT NULL,
  players TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (game, id)
) WITHOUT ROWID;
CREATE INDEX game_by_change ON game (changed DESC, id DESC);
CREATE INDEX game_by_result ON game (result, changed DESC, id DESC);
CREATE TABLE drill (
  id INTEGER PRIMARY KEY, game TEXT NOT NULL, position TEXT NOT NULL, seat INTEGER NOT NULL,
  origin TEXT NOT NULL, played TEXT NOT NULL, fsrs_state TEXT NOT NULL, due TEXT NOT NULL,
  tries INTEGER NOT NULL, solved INTEGER NOT NULL,
  UNIQUE (game, position, seat)
);
CREATE INDEX drill_by_due ON drill (due);
CREATE TABLE practice (
  day TEXT NOT NULL, game TEXT NOT NULL, origin TEXT NOT NULL, tries INTEGER NOT NULL, solved INTEGER NOT NULL,
  PRIMARY KEY (day, game, origin)
) WITHOUT ROWID;
CREATE TABLE daily (day TEXT NOT NULL, game TEXT NOT NULL, mark TEXT NOT NULL, PRIMARY KEY (day, game)) WITHOUT ROWID;
CREATE TABLE lesson (game TEXT PRIMARY KEY, steps INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE milestone (game TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (game, name)) WITHOUT ROWID
""",
    # 12. changed: when the drill was last added or answered. If that is in the future, a clock was wrong meanwhile.
    # What was called a proverb is advice. The challenge that began a game was called its table.
    """
ALTER TABLE drill ADD COLUMN changed TEXT NOT NULL DEFAULT '';
UPDATE drill SET changed = coalesce(json_extract(fsrs_state, '$.last_review'), due) WHERE json_valid(fsrs_state);
UPDATE drill SET origin = 'advice' WHERE origin = 'proverb';
UPDATE practice SET origin = 'advice' WHERE origin = 'proverb';
UPDATE game SET setup = json_remove(json_set(setup, '$.challenge_id', json_extract(setup, '$.table')), '$.table')
  WHERE json_valid(setup) AND json_type(setup, '$.table') IS NOT NULL
""",
    # 13. lesson_step: a step of a game's lessons, numbered from 0. task: how many of its tasks the player has done or
    # skipped. is_done: whether its last task was ever solved. It replaces `lesson`, which only counted steps.
    """
CREATE TABLE lesson_step (
  game TEXT NOT NULL, step INTEGER NOT NULL, task INTEGER NOT NULL, is_done INTEGER NOT NULL, PRIMARY KEY (game, step)
) WITHOUT ROWID;
WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < 99)
INSERT INTO lesson_step SELECT game, n, 0, 1 FROM lesson JOIN number ON n < CAST(steps AS INTEGER);
DROP TABLE lesson
""",
    # 14. symbols: what a record has after a move besides judgements, such as `!? $10`.
    "ALTER TABLE node ADD COLUMN symbols TEXT NOT NULL DEFAULT ''",
    # 15. drill.is_aside: whether the player has put the drill aside. It is not asked then.
    # daily.level: the level of the position. daily.tries: the try that solved it, or 0 if none did.
    # Until now, only the first try was stored, and all positions were of the hard level.
    """
ALTER TABLE drill ADD COLUMN is_aside INTEGER NOT NULL DEFAULT 0;
ALTER TABLE daily ADD COLUMN level TEXT NOT NULL DEFAULT 'hard';
ALTER TABLE daily ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;
UPDATE daily SET tries = 1 WHERE mark <> 'wrong'
""",
)
"""The scripts from `FIRST_VERSION` on. To change the schema, add one at the end."""

VERSION = FIRST_VERSION + len(MIGRATIONS) - 1
"""The `user_version` of a file with today's schema."""


FROM_BEFORE = (
    "is from before the first release. To keep its games, `export` them with commit f5dea7e, move the file away and"
    " `import` them"
)


class StoreTrouble(OnlymoveError):
    """The games on disk cannot be read or written. The player can continue, with games in memory only."""


def describe_unsaved(why: str) -> str:
    """Return the line about games that are not saved: `games are not saved: games.sqlite3: disk I/O error`."""
    return f"games are not saved: {why}"


def connect(path: Path | None) -> sqlite3.Connection:
    """Open the file, which is created if needed. Other users lose all access to it and to SQLite's files beside it.

    The connection uses a write-ahead journal if the file system supports one, and otherwise a plain journal (for
    example in a network home folder). With a write-ahead journal, NORMAL syncing loses nothing when the process is
    killed and never damages the file. Reads, not writes, move the journal into the file, so that no write takes long.
    """
    if path is not None:
        require_regular_files(path)
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
    # Texts are cleaned where they enter the program, but anything may have written this file.
    connection.text_factory = lambda raw: clean_line(raw.decode("utf-8", "replace"))
    try:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError:
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
        connection.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def require_regular_files(path: Path) -> None:
    """Raise OSError if the file, or one of SQLite's files beside it, is a pipe or anything else that SQLite would wait
    for."""
    for beside in ("", *SIDES):
        require_regular(path.with_name(path.name + beside))


def refuse_earlier(path: Path) -> None:
    """Raise StoreTrouble if the file is from before the first release. Nothing is written to it then, or to its
    journal. Opening it as usual would copy the journal into it. Raises OSError."""
    require_regular_files(path)
    journal = path.with_name(path.name + SIDES[0])
    # Without a journal, the file is complete. SQLite would make an empty one beside it if it were not told so.
    is_complete = not journal.exists() or not journal.stat().st_size
    where = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if is_complete else ''}"
    with suppress(sqlite3.Error), closing(sqlite3.connect(where, uri=True)) as connection:
        check_version(read_number(connection), path)


def migrate(connection: sqlite3.Connection, path: Path | None, wanted: int = VERSION) -> None:
    """Apply the migrations up to the wanted version that the file does not have yet."""
    if read_version(connection, path) == wanted:
        return
    connection.execute("BEGIN IMMEDIATE")
    applied = max(0, read_version(connection, path) - FIRST_VERSION + 1)
    for script in MIGRATIONS[applied : wanted - FIRST_VERSION + 1]:
        for statement in split_statements(script):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {wanted}")
    connection.execute("COMMIT")


def split_statements(script: str) -> Iterator[str]:
    """Yield the statements of a script. SQLite's own way to run a script would end the transaction."""
    statement = ""
    for piece in script.rstrip("; \n").split(";"):
        statement += f"{piece};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def read_version(connection: sqlite3.Connection, path: Path | None) -> int:
    """Return the number of the last migration that the file has, or 0 for an empty file. Raises StoreTrouble if a newer
    version has added some, or if the file is from before the first release."""
    version = read_number(connection)
    check_version(version, path)
    return version


def read_number(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check_version(version: int, path: Path | None) -> None:
    name = "the file" if path is None else path.name
    if version > VERSION:
        raise StoreTrouble(describe_unsaved(f"{name} was written by a newer version of onlymove"))
    if 0 < version < FIRST_VERSION:
        raise StoreTrouble(describe_unsaved(f"{name} {FROM_BEFORE}"))
