"""A player's file that is damaged, removed, replaced or read-only: what can be kept is kept, and the player is told."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, cast

import pytest
from onlymove_tables.lock import hold, share
from onlymove_tui.store.database import HOW_TO_RESCUE, REMOVED, REPLACED
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import Autosave, GameStore
from onlymove_tui.store.learning import Milestone
from onlymove_tui.store.rescue import rescue
from onlymove_tui.store.schema import SIDES, VERSION, StoreTrouble, describe_unsaved

from tests.tui.saved_sessions import GAME_IDS, load_session, picture, play_session

GAMES = 120
PAGE = 4096
"""SQLite's usual page size in bytes."""


def fill_file(path: Path) -> None:
    """Save many games, and lessons that are finished, and close the file."""
    store = GameStore(path)
    for _ in range(GAMES):
        store.save(play_session(GAME_IDS[0], 3), GameDetails())
    store.lessons.save(GAME_IDS[0], range(2), [Milestone.LESSONS])
    store.close()


def find_pages(path: Path, table: str) -> list[int]:
    """Return the pages of a table in the order of its rows, without the page at the root."""
    raw = sqlite3.connect(path)
    (root,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    raw.close()
    content = path.read_bytes()
    at = (root - 1) * PAGE
    cells = int.from_bytes(content[at + 3 : at + 5])
    offsets = (int.from_bytes(content[at + 12 + 2 * cell :][:2]) for cell in range(cells))
    return [int.from_bytes(content[at + place :][:4]) for place in (*offsets, 8)]


def damage_page(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE)
        file.write(b"\xff" * PAGE)


def damage_table(path: Path, table: str = "game") -> None:
    """Damage a page in the middle of a table."""
    pages = find_pages(path, table)
    damage_page(path, pages[len(pages) // 2])


def write_garbage(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("this is no database, it is a diary " * 100)


def away(path: Path, suffix: str = "") -> Path:
    """Return where a damaged file is moved to."""
    return path.with_name(f"damaged-{date.today().isoformat()}{suffix}") / path.name


def list_damaged(path: Path) -> list[str]:
    return sorted(folder.name for folder in path.parent.glob("damaged-*"))


def test_a_file_that_is_no_database_is_moved_away_and_play_is_saved(path: Path) -> None:
    write_garbage(path)
    before = path.read_bytes()
    store = GameStore.open(path)
    today = date.today().isoformat()
    assert store.notice == (
        f"your file of games was damaged, so it is now in damaged-{today}, and no game could be read from it"
    )
    assert not store.trouble, "new games are saved"
    session = play_session(GAME_IDS[0])
    number = store.save(session, GameDetails())
    store.close()
    assert picture(load_session(path, number)) == picture(session)
    assert away(path).read_bytes() == before
    assert not path.with_name("rescue").exists()


@pytest.mark.parametrize("table", ["game", "node"])
def test_what_can_be_read_of_a_damaged_file_is_kept_and_counted(path: Path, table: str) -> None:
    fill_file(path)
    damage_table(path, table)
    before = path.read_bytes()
    store = GameStore.open(path)
    with pytest.raises(StoreTrouble) as told:
        read_all(store)
    kept = store.list(GAMES)
    assert 0 < len(kept) < GAMES
    assert str(told.value) == store.notice
    assert store.notice.endswith(f"and {len(kept)} games could be read from it")
    for entry in kept:
        assert len(store.load(entry.number).session.tree.nodes) == 4, "the whole game"
    assert store.lessons.read_game(GAME_IDS[0]).steps == {0, 1}
    assert store.save_at_last() == store.notice, "it is said again at the end"
    assert away(path).read_bytes() == before
    store.close()


def read_all(store: GameStore) -> None:
    for entry in store.list(GAMES):
        store.load(entry.number)


def test_a_game_under_way_is_saved_after_the_damage_is_found(path: Path) -> None:
    fill_file(path)
    damage_page(path, find_pages(path, "game")[-1])
    store, session = GameStore.open(path), play_session(GAME_IDS[0])
    saver = Autosave(store, session, GameDetails())
    assert saver.save() == store.notice != ""
    session.play(session.legal_moves()[0])
    assert saver.save() == "", "the next change is saved"
    assert saver.number is not None
    store.close()
    assert picture(load_session(path, saver.number)) == picture(session)


KILLED_AT = """
import os, pathlib, signal, sys
from onlymove_tui.store.games import GameStore

left, rename = int(sys.argv[2]), pathlib.Path.rename

def rename_or_die(path, target):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return rename(path, target)

pathlib.Path.rename = rename_or_die
store = GameStore.open(pathlib.Path(sys.argv[1]))
try:
    store.list(1000)
except Exception:
    pass
"""
"""Rescues a file, and kills itself before the rename with this number."""


def test_a_rescue_that_is_killed_loses_nothing(path: Path) -> None:
    fill_file(path)
    damage_table(path)
    whole = path.with_name("whole")
    shutil.copy(path, whole)
    for number in range(10):
        shutil.copy(whole, path)
        killed = subprocess.run([sys.executable, "-c", KILLED_AT, str(path), str(number)], check=False)
        store = GameStore.open(path)
        with suppress(StoreTrouble):
            read_all(store)
        assert 0 < store.count() < GAMES
        store.close()
        if killed.returncode == 0:
            break
        assert killed.returncode == -signal.SIGKILL
        assert any(file.read_bytes() == whole.read_bytes() for file in path.parent.glob(f"damaged-*/{path.name}"))
    assert number > 1, "every rename had its kill"


def test_an_older_file_is_rescued_too(path: Path) -> None:
    path.parent.mkdir()
    raw = sqlite3.connect(path)
    raw.executescript(Path(__file__).with_name("store_of_version_11.sql").read_text("utf-8"))
    (games,) = raw.execute("SELECT count(*) FROM game").fetchone()
    (page,) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'practice'").fetchone()
    raw.close()
    damage_page(path, page)
    store = GameStore.open(path)
    with suppress(StoreTrouble):
        store.drills.streak()
    assert store.notice.endswith(f"and {games} games could be read from it")
    read_all(store)
    store.close()


def test_damaged_files_of_one_day_are_all_kept(path: Path) -> None:
    path.parent.mkdir()
    for number in range(3):
        path.write_text(f"{number}" * 1000)
        GameStore.open(path).close()
    assert [away(path, suffix).read_text()[0] for suffix in ("", "-2", "-3")] == ["0", "1", "2"]


def test_the_files_beside_a_damaged_file_are_moved_with_it(path: Path) -> None:
    write_garbage(path)
    for end in SIDES:
        path.with_name(path.name + end).write_text(end)
    rescue(path, date(2026, 1, 1))
    away = path.with_name("damaged-2026-01-01")
    assert {file.name for file in away.iterdir()} == {path.name + end for end in ("", *SIDES)}
    assert all((away / f"{path.name}{end}").read_text() == end for end in SIDES)
    assert [file.name for file in path.parent.glob("games*")] == [path.name], "none is left for the new file"


def test_nothing_is_moved_while_another_session_uses_the_games(path: Path) -> None:
    write_garbage(path)
    session = share(path.with_name("sessions"))
    store = GameStore.open(path)
    assert store.trouble == describe_unsaved(f"games.sqlite3 is damaged. {HOW_TO_RESCUE}")
    assert list_damaged(path) == []
    os.close(session)
    store.close()
    assert GameStore.open(path).notice, "now it is"


def test_nothing_is_moved_while_another_session_has_the_profile(path: Path) -> None:
    write_garbage(path)
    path.with_name("in-use").write_text(f"{os.getpid() + 1}")
    held = hold(path.with_name("in-use"))
    assert held is not None
    assert "quit every other session" in GameStore.open(path).trouble
    os.ftruncate(held, 0)
    os.pwrite(held, f"{os.getpid()} {os.uname().nodename}".encode(), 0)
    assert list_damaged(path) == []
    os.close(held)


def test_a_damaged_file_of_a_newer_version_is_left_alone(path: Path) -> None:
    fill_file(path)
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version = {VERSION + 1}")
    raw.close()
    damage_table(path)
    assert GameStore.open(path).trouble == describe_unsaved("games.sqlite3 was written by a newer version of onlymove")
    assert list_damaged(path) == []


def make_failing(code: int) -> type[sqlite3.Connection]:
    """Return a kind of connection that fails with this code."""

    class Failing(sqlite3.Connection):
        def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
            error = sqlite3.OperationalError("it fails")
            error.sqlite_errorcode = code
            raise error

        def backup(self, *rest: Any, **named: Any) -> None:
            self.execute("")

    return Failing


@pytest.mark.parametrize(
    "code",
    [
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_IOERR_SHORT_READ,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    ],
)
def test_a_whole_file_is_left_alone_whatever_one_connection_says(
    path: Path, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Damage that only one connection has seen may be in the memory of the machine."""
    fill_file(path)
    before = path.read_bytes()
    fail_on(monkeypatch, lambda where: isinstance(where, Path), code)
    store = GameStore.open(path)
    assert store.trouble == describe_unsaved("games.sqlite3: it fails. Your earlier games are shown")
    assert store.count() == GAMES, "they can be read on another connection"
    assert list_damaged(path) == []
    assert path.read_bytes() == before


def fail_on(monkeypatch: pytest.MonkeyPatch, fails: Callable[[object], bool], code: int = sqlite3.SQLITE_IOERR) -> None:
    """Let connections fail that are opened with such a place."""
    real, failing = cast(Any, sqlite3.connect), make_failing(code)

    def connect(where: object, **named: object) -> object:
        return real(where, **named, factory=failing if fails(where) else sqlite3.Connection)

    monkeypatch.setattr(sqlite3, "connect", connect)


def test_a_disk_that_fails_everywhere_moves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_file(path)
    fail_on(monkeypatch, lambda where: where != ":memory:")
    store = GameStore.open(path)
    assert store.trouble == describe_unsaved("games.sqlite3: it fails")
    assert store.count() == 0
    assert list_damaged(path) == []


def test_a_file_that_cannot_be_written_is_read_with_its_journal(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_file(path)
    other = GameStore(path)
    number = other.save(play_session(GAME_IDS[0], 2), GameDetails())
    fail_on(monkeypatch, lambda where: isinstance(where, Path), sqlite3.SQLITE_READONLY)
    store = GameStore.open(path)
    assert store.has_history
    assert store.count() == GAMES + 1, "the last game is in the journal"
    assert store.load(number).session.node.ply == 2
    session = play_session(GAME_IDS[0])
    saver = Autosave(store, session, GameDetails())
    assert saver.save() == store.trouble == store.save_at_last()
    assert store.count() == GAMES + 2, "play goes on in memory"
    other.close()
    store.close()


def test_a_session_that_has_only_read_loses_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_file(path)
    fail_on(monkeypatch, lambda where: isinstance(where, Path))
    store = GameStore.open(path)
    read_all(store)
    assert store.save_at_last() == ""


def remove(path: Path) -> None:
    shutil.rmtree(path.parent)


def replace_by_another(path: Path) -> None:
    other = path.parent.with_name("other") / path.name
    fill_file(other)
    other.replace(path)


@pytest.mark.parametrize(("happens", "said"), [(remove, REMOVED), (replace_by_another, REPLACED)])
@pytest.mark.parametrize("plays_on", [True, False])
def test_the_game_under_way_is_kept_if_the_file_is_gone(
    path: Path, happens: Callable[[Path], None], said: str, plays_on: bool
) -> None:
    store, session = GameStore(path), play_session(GAME_IDS[0])
    saver = Autosave(store, session, GameDetails())
    assert saver.save() == ""
    happens(path)
    if plays_on:
        session.play(session.legal_moves()[0])
        assert saver.save() == said
        session.play(session.legal_moves()[0])
        assert saver.save() == ""
    assert store.save_at_last() == said
    assert saver.number is not None
    store.close()
    assert picture(load_session(path, saver.number)) == picture(session)


def test_a_removed_folder_that_cannot_be_made_again_is_said_until_it_can(path: Path) -> None:
    store, session = GameStore(path), play_session(GAME_IDS[0])
    saver = Autosave(store, session, GameDetails())
    assert saver.save() == ""
    remove(path)
    path.parent.write_text("")
    for _ in range(2):
        assert saver.save() == describe_unsaved("games.sqlite3: File exists")
    assert store.save_at_last() == describe_unsaved("games.sqlite3: File exists")
    path.parent.unlink()
    assert saver.save() == REMOVED
    assert saver.save() == ""
    store.close()
    assert saver.number is not None
    assert picture(load_session(path, saver.number)) == picture(session)


def test_an_unsaved_game_that_was_left_is_saved_at_the_end(path: Path) -> None:
    store, session = GameStore(path, patience=0.0), play_session(GAME_IDS[0])
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN EXCLUSIVE")
    trouble = Autosave(store, session, GameDetails()).save()
    assert trouble == describe_unsaved("games.sqlite3: database is locked")
    assert store.save_at_last() == trouble
    blocker.execute("COMMIT")
    blocker.close()
    assert store.count() == 0
    assert store.save_at_last() == ""
    assert store.count() == 1, "although no board holds it"
    store.close()
