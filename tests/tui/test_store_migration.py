"""A store that an older version wrote opens completely, even after a kill in the middle of a migration."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.rows import GameDetails
from onlymove_tui.store.schema import MIGRATIONS, StoreTrouble

from tests.tui.saved_sessions import random_session

TABLES = ("game", "node", "drill", "practice", "daily", "lesson")
OLD_STORE = Path(__file__).with_name("store_of_version_8.sql")
"""Two games of each kind, drills and lessons, written by the last version that used the word `chairs`."""

KILLED_AT = """
import os, signal, sqlite3, sys
from pathlib import Path
from onlymove_tui.store.database import Database

class Killed(sqlite3.Connection):
    is_migrating, left = False, int(sys.argv[2])
    def execute(self, sql, *rest):
        Killed.is_migrating |= sql == "BEGIN IMMEDIATE"
        if Killed.is_migrating and Killed.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        Killed.left -= Killed.is_migrating
        Killed.is_migrating &= sql != "COMMIT"
        return super().execute(sql, *rest)

real = sqlite3.connect
sqlite3.connect = lambda *rest, **named: real(*rest, **named, factory=Killed)
Database(Path(sys.argv[1]))
"""
"""Opens a store, and kills itself before the statement with this number of the migration."""


@pytest.fixture
def old(path: Path) -> Path:
    path.parent.mkdir()
    raw = sqlite3.connect(path)
    raw.executescript(OLD_STORE.read_text("utf-8"))
    raw.close()
    return path


def read_contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    raw = sqlite3.connect(path)
    found = {name: raw.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES}
    raw.close()
    return found


def first_columns(path: Path, before: dict[str, list[tuple[object, ...]]]) -> dict[str, list[tuple[object, ...]]]:
    """Return the contents, without the columns that were not there before."""
    return {name: [row[: len(before[name][0])] for row in found] for name, found in read_contents(path).items()}


def version(path: Path) -> int:
    raw = sqlite3.connect(path)
    (found,) = raw.execute("PRAGMA user_version").fetchone()
    raw.close()
    return int(found)


def test_a_store_of_version_8_opens_with_every_game(old: Path) -> None:
    before = read_contents(old)
    assert all(before.values())
    store = GameStore(old)
    assert not store.trouble
    assert first_columns(old, before) == before, "columns are renamed or added, nothing else"
    for number, *_ in before["game"]:
        assert isinstance(number, int)
        nodes = sum(node[0] == number for node in before["node"])
        assert len(store.load(number).session.line.nodes) == nodes
    assert len(store.list()) == store.count() == len(before["game"])
    assert {entry.result for entry in store.list()} > {"*"}
    assert sum(tally.games for tally in store.progress.read_tallies().values()) > 0
    assert store.drills.count_answers("tobito")
    store.close()
    assert version(old) == len(MIGRATIONS)


def test_a_store_of_version_10_keeps_its_figures(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    store = GameStore(path)
    store.save(random_session("tobito", 1, 4), GameDetails())
    store.close()
    raw = sqlite3.connect(path)
    raw.execute("ALTER TABLE game RENAME COLUMN kept TO held")
    raw.execute("ALTER TABLE drill DROP COLUMN changed")
    raw.execute("UPDATE game SET decisions = 4, held = 3")
    raw.execute("PRAGMA user_version = 10")
    raw.commit()
    raw.close()
    store = GameStore(path)
    assert [(entry.kept, entry.decisions) for entry in store.list()] == [(3, 4)]
    store.close()


def test_a_store_that_a_newer_version_migrates_while_it_is_open_is_left_alone(tmp_path: Path) -> None:
    path, session = tmp_path / "games.sqlite3", random_session("tobito", 1, 4)
    store = GameStore(path)
    number = store.save(session, GameDetails())
    raw = sqlite3.connect(path)
    raw.execute("ALTER TABLE game RENAME COLUMN kept TO kept_again")
    raw.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    raw.commit()
    for use in (store.list, lambda: store.save(session, GameDetails(), number), lambda: store.delete(number)):
        with pytest.raises(
            StoreTrouble, match=r"^games are not saved: games.sqlite3 was written by a newer version of onlymove$"
        ):
            use()
    assert raw.execute("SELECT count(*) FROM game").fetchone() == (1,)
    raw.close()
    store.close()


def test_a_store_is_whole_wherever_its_migration_is_killed(old: Path) -> None:
    before = read_contents(old)
    for statement in range(100):
        killed = subprocess.run([sys.executable, "-c", KILLED_AT, str(old), str(statement)], check=False)
        if killed.returncode == 0:
            break
        assert killed.returncode == -signal.SIGKILL
        assert read_contents(old) == before
        assert version(old) == 8, "all of it or nothing"
    assert statement > sum(len(script.split(";")) for script in MIGRATIONS[8:]), (
        "every statement of the migration had its kill"
    )
    assert first_columns(old, before) == before
    assert version(old) == len(MIGRATIONS)
    store = GameStore(old)
    for number, *_ in before["game"]:
        assert isinstance(number, int)
        store.load(number)
    store.close()
