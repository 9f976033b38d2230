"""A store that an older version wrote opens completely, even after a kill in the middle of a migration. One from before
the first release is refused and left as it is."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random

import pytest
from onlymove_engines.coach.drill import DailyLevel, Origin
from onlymove_tui.app.launch import Preferences
from onlymove_tui.app.live_games import LiveGames
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import DailyResult, Mark
from onlymove_tui.store.schema import (
    FIRST_VERSION,
    MIGRATIONS,
    VERSION,
    StoreTrouble,
    connect,
    describe_unsaved,
    migrate,
    split_statements,
)

from tests.tui.pilots import make_settings
from tests.tui.saved_sessions import random_session

TABLES = ("game", "node", "drill", "practice", "daily", "lesson", "milestone")
OLD_STORE = Path(__file__).with_name("store_of_version_11.sql")
"""Games of each kind, drills and lessons, written by commit f5dea7e. The shared game, the lessons, and the drill on
advice were added by hand."""

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


def test_a_semicolon_in_a_text_or_a_comment_ends_no_statement() -> None:
    texts = "UPDATE game SET reason = 'a; b'; -- not here; or here\nDELETE FROM drill;\n"
    trigger = "CREATE TRIGGER t AFTER INSERT ON drill BEGIN DELETE FROM daily; DELETE FROM lesson; END"
    found = [one.strip() for one in split_statements(f"{texts}{trigger}")]
    assert found == [
        "UPDATE game SET reason = 'a; b';",
        "-- not here; or here\nDELETE FROM drill;",
        f"{trigger};",
    ]


def read_contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    raw = sqlite3.connect(path)
    names = {row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    found = {name: raw.execute(f"SELECT * FROM {name}").fetchall() for name in TABLES if name in names}
    raw.close()
    return found


def version(path: Path) -> int:
    raw = sqlite3.connect(path)
    (found,) = raw.execute("PRAGMA user_version").fetchone()
    raw.close()
    return int(found)


ALREADY = """
UPDATE drill SET origin = 'advice' WHERE origin = 'proverb';
UPDATE practice SET origin = 'advice' WHERE origin = 'proverb';
UPDATE game SET setup = replace(setup, '"table": ', '"challenge_id": ')
"""


def convert(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return what is in a store once it is up to date. Text that holds JSON is parsed."""
    found = read_contents(path)
    columns = list_columns(path)
    place = columns["game"].index("setup")
    found["game"] = [(*row[:place], json.loads(str(row[place])), *row[place + 1 :]) for row in found["game"]]
    found.pop("lesson", None)
    found["node"] = [row[: columns["node"].index("players") + 1] for row in found["node"]]
    found["drill"] = [row[: columns["drill"].index("solved") + 1] for row in found["drill"]]
    found["daily"] = [row[: columns["daily"].index("mark") + 1] for row in found["daily"]]
    return found


def list_columns(path: Path) -> dict[str, list[str]]:
    raw = sqlite3.connect(path)
    found = {name: [row[1] for row in raw.execute(f"PRAGMA table_info({name})")] for name in TABLES}
    raw.close()
    return found


def test_the_first_script_makes_the_schema_of_the_first_version(old: Path, tmp_path: Path) -> None:
    new = connect(tmp_path / "new.sqlite3")
    migrate(new, None, FIRST_VERSION)
    raw = sqlite3.connect(old)
    for name in TABLES:
        for query in (f"PRAGMA table_info({name})", f"PRAGMA index_list({name})", f"PRAGMA foreign_key_list({name})"):
            assert list(map(tuple, new.execute(query))) == raw.execute(query).fetchall()
    for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'index'").fetchall():
        query = f"PRAGMA index_xinfo({name})"
        assert list(map(tuple, new.execute(query))) == raw.execute(query).fetchall()
    raw.close()
    new.close()


def test_a_store_of_the_first_version_opens_with_every_game(old: Path) -> None:
    before = read_contents(old)
    assert all(before.values())
    copy = old.with_name("copy")
    shutil.copy(old, copy)
    raw = sqlite3.connect(copy)
    raw.executescript(ALREADY)
    raw.close()
    store = GameStore(old)
    assert not store.trouble
    assert convert(old) == convert(copy), "what has another name now is converted, and nothing else is changed"
    for number, *_ in before["game"]:
        assert isinstance(number, int)
        nodes = sum(node[0] == number for node in before["node"])
        assert len(store.load(number).session.tree.nodes) == nodes
    assert len(store.list()) == store.count() == len(before["game"])
    assert {entry.result for entry in store.list()} > {"*"}
    assert sum(tally.games for tally in store.progress.read_tallies().values()) > 0
    assert store.drills.count_answers("tobito") == {Origin.ADVICE: (1, 2)}
    assert store.find_by_challenge("abcdefgh2345mnop") == 6
    assert [store.load(number).details.challenge_id for number in (5, 6)] == ["", "abcdefgh2345mnop"]
    assert store.lessons.read_game("tobito").steps == {0, 1, 2}
    store.close()
    assert version(old) == VERSION


def test_games_that_earlier_versions_rated_stay_rated_and_unfinished_ones_become_training_games(old: Path) -> None:
    store = GameStore(old, clock=lambda: datetime(2036, 1, 1, tzinfo=UTC))
    assert store.forfeit_left_games() == [], "nobody was told that these games could be lost"
    rated = store.progress.list_rated()
    assert [(game.level, game.score) for game in (*rated["orbito"], *rated["ayoayo"])] == [("newcomer", 0.0)] * 2
    assert "tobito" not in rated, "a hint was used"
    live_games = LiveGames(Preferences(make_settings()), Random(1), store)
    unfinished = [entry for entry in store.list() if not entry.is_over]
    assert [live_games.load(entry.number).is_rated for entry in unfinished if entry.game == "tobito"] == [False]
    assert not any(entry.is_rated for entry in unfinished)
    store.close()


def test_drills_and_results_of_version_12_keep_their_meaning(path: Path) -> None:
    path.parent.mkdir()
    raw = sqlite3.connect(path)
    raw.executescript(Path(__file__).with_name("store_of_version_12.sql").read_text("utf-8"))
    raw.close()
    store = GameStore(path)
    assert not any(each.is_aside for each in store.drills.list_stored())
    results = {day: store.daily.read_results(date(2026, 11, day)) for day in (27, 28)}
    assert results == {
        27: {"orbito": DailyResult(DailyLevel.HARD, Mark.RIGHT, 1)},
        28: {"tobito": DailyResult(DailyLevel.HARD, Mark.WRONG, 0)},
    }
    store.close()


def write_earlier(path: Path, number: int) -> None:
    """Write a store from before the first release. Its session was killed, so its journal holds the last change."""
    path.parent.mkdir(exist_ok=True)
    code = """
import os, sqlite3, sys
raw = sqlite3.connect(sys.argv[1], isolation_level=None)
raw.execute("PRAGMA journal_mode = WAL")
raw.execute("CREATE TABLE game (id INTEGER PRIMARY KEY, chairs TEXT)")
raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
raw.execute("INSERT INTO game VALUES (1, '[]')")
raw.execute(f"PRAGMA user_version = {sys.argv[2]}")
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code, str(path), str(number)], check=True)


def read_files(path: Path) -> dict[str, bytes]:
    """Return what is in the file and in its journal."""
    beside = (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-journal"))
    return {file.name: file.read_bytes() for file in beside if file.exists() and file.stat().st_size}


FROM_BEFORE = describe_unsaved(
    "games.sqlite3 is from before the first release. To keep its games, `export` them with commit f5dea7e, move the"
    " file away and `import` them"
)


@pytest.mark.parametrize("was_killed", [True, False])
@pytest.mark.parametrize("number", [1, FIRST_VERSION - 1])
def test_a_store_from_before_the_first_release_is_refused_and_left_as_it_is(
    path: Path, number: int, was_killed: bool
) -> None:
    write_earlier(path, number)
    if not was_killed:
        sqlite3.connect(path).execute("PRAGMA journal_mode = DELETE").connection.close()
    before = read_files(path)
    assert len(before) == 1 + was_killed
    with pytest.raises(StoreTrouble, match=f"^{re.escape(FROM_BEFORE)}$"):
        GameStore(path)
    store = GameStore.open(path)
    assert store.trouble == FROM_BEFORE
    assert store.count() == 0, "play goes on in memory"
    store.close()
    assert read_files(path) == before


def test_a_store_that_a_newer_version_migrates_while_it_is_open_is_left_alone(tmp_path: Path) -> None:
    path, session = tmp_path / "games.sqlite3", random_session("tobito", 1, 4)
    store = GameStore(path)
    number = store.save(session, GameDetails())
    raw = sqlite3.connect(path)
    raw.execute("ALTER TABLE game RENAME COLUMN kept TO kept_again")
    raw.execute(f"PRAGMA user_version = {VERSION + 1}")
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
        assert version(old) == FIRST_VERSION, "all of it or nothing"
    assert statement > sum(len(script.split(";")) for script in MIGRATIONS[1:]), (
        "every statement of the migration had its kill"
    )
    assert version(old) == VERSION
    store = GameStore(old)
    for number, *_ in before["game"]:
        assert isinstance(number, int)
        store.load(number)
    store.close()
