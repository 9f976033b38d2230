"""Saved games when something goes wrong: damaged rows and files, two processes in one game, a disk that fails."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.games import load
from onlymove_engines.play.ladder import Scored
from onlymove_tui.play.learning_path import list_parts
from onlymove_tui.play.training import describe_result
from onlymove_tui.store.database import QUICK_SECONDS, Database
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.exchange import export_games, export_learned
from onlymove_tui.store.games import Autosave, GameStore
from onlymove_tui.store.learning import NEW, Due, Milestone
from onlymove_tui.store.rows import GameRefused
from onlymove_tui.store.schema import VERSION, StoreTrouble, describe_unsaved

from tests.tui.saved_sessions import GAME_IDS, load_session, picture, play_session


def test_two_processes_in_one_game_lose_nothing_of_either(path: Path, store: GameStore) -> None:
    number = store.save(play_session(GAME_IDS[0], 2), GameDetails())
    elsewhere = GameStore(path)
    here, there = store.load(number).session, elsewhere.load(number).session
    here.play(here.legal_moves()[0])
    there.play(there.legal_moves()[-1])
    assert store.save(here, GameDetails(), number) == number
    forked = elsewhere.save(there, GameDetails(), number)
    assert forked != number
    assert picture(load_session(path, number)) == picture(here)
    assert picture(load_session(path, forked)) == picture(there)
    elsewhere.close()


def test_a_game_that_two_processes_end_counts_once_for_the_rating(path: Path, store: GameStore) -> None:
    number = store.save(play_session(GAME_IDS[0], 2), GameDetails())
    elsewhere = GameStore(path)
    ends = []
    for one in (store, elsewhere):
        saved = one.load(number)
        ends.append(Autosave(one, saved.session, saved.details, number))
    for end in ends:
        end.session.resign(0)
        end.set_score(Scored("novice", 1.0))
        assert end.save() == ""
    assert ends[0].number != ends[1].number
    for end in ends:
        assert end.save() == ""
        assert len(store.progress.list_rated()[GAME_IDS[0]]) == 1, "one game, one score"
    assert [end.details.rated is None for end in ends] == [False, True]
    elsewhere.close()


@pytest.mark.parametrize("is_deleted_elsewhere", [True, False])
def test_a_game_that_was_deleted_meanwhile_is_saved_whole(
    path: Path, store: GameStore, is_deleted_elsewhere: bool
) -> None:
    session = play_session(GAME_IDS[0], 2)
    number = store.save(session, GameDetails())
    deleting = GameStore(path) if is_deleted_elsewhere else store
    deleting.delete(number)
    session.play(session.legal_moves()[0])
    assert picture(load_session(path, store.save(session, GameDetails(), number))) == picture(session)
    deleting.close()


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE node SET move = 'nonsense' WHERE id = 2", "move 2 'nonsense':"),
        ("UPDATE game SET start = 'nonsense'", "game:"),
        ("UPDATE game SET house_rule = 'none-such'", "no house rule 'none-such'"),
        ("UPDATE game SET current_node = 99", "damaged"),
        ("UPDATE game SET undone = '['", "damaged"),
        ("UPDATE game SET players = '{}'", "damaged"),
        ("UPDATE game SET setup = '{}'", "damaged"),
        ("UPDATE node SET judgements = '{\"0\": {}}' WHERE id = 1", "damaged"),
        ("DELETE FROM node WHERE id = 1", "damaged"),
    ],
)
def test_what_the_rules_reject_is_refused_with_one_line(path: Path, store: GameStore, damage: str, why: str) -> None:
    number = store.save(play_session(GAME_IDS[0], 3), GameDetails())
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute(damage)
    raw.close()
    with pytest.raises(GameRefused) as caught:
        store.load(number)
    assert str(caught.value).startswith("saved ")
    assert why in str(caught.value)
    assert "\n" not in str(caught.value)


WRONG = ("null", "[]", "{}", '{"0": null}', '"x"', "[" * 3000, "9" * 5000, -1, 1.5, 1 << 62)
"""What a damaged row may hold. A column for numbers may also hold text."""
DAMAGED = ("game", "node", "drill", "practice", "lesson_step", "milestone", "daily")
"""The tables of a player's file."""


READS: tuple[Callable[[GameStore], object], ...] = (
    lambda store: store.load(1),
    lambda store: store.list(),
    lambda store: list(export_games(store, None)),
    lambda store: export_learned(store, None),
    lambda store: list_parts(load(GAME_IDS[0]), store.lessons.read_game(GAME_IDS[0])),
    lambda store: store.drills.count_due_by_day(7),
    lambda store: [store.drills.record_answer(due, solved=False, with_hint=False) for due in store.drills.list_due()],
    lambda store: store.drills.streak(),
    lambda store: store.drills.list_stored(),
    lambda store: store.daily.streak(date(2026, 1, 1)),
    lambda store: [*map(describe_result, store.daily.read_results(date(2026, 1, 1)).values())],
    lambda store: [*map(describe_result, store.daily.list_before(date(2026, 1, 2), "heap", 2))],
    lambda store: store.progress.read(GAME_IDS[0]),
    lambda store: store.progress.list_rated(),
    lambda store: store.progress.own_games(GAME_IDS[0]),
    lambda store: store.find_last_played(GAME_IDS[0]),
    lambda store: store.find_latest_unfinished(),
)


@pytest.mark.parametrize("table", DAMAGED)
def test_whatever_a_row_holds_it_is_read_or_refused_with_one_line(path: Path, store: GameStore, table: str) -> None:
    store.save(play_session(GAME_IDS[0], 3), GameDetails())
    store.lessons.save(GAME_IDS[0], range(1), [Milestone.LESSONS])
    drills = [Drill(GAME_IDS[0], position, 0, Origin.MISTAKE, "y") for position in "ab"]
    store.drills.record_answer(Due(NEW, drills[0], 0, 0), solved=True, with_hint=False)
    store.drills.add(drills)
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("INSERT INTO daily VALUES ('2026-01-01', 'heap', 'x', 'easy', 0)")
    raw.execute(f"CREATE TEMP TABLE whole AS SELECT * FROM {table}")
    refusals: list[str] = []
    columns = [row[1] for row in raw.execute(f"PRAGMA table_info({table})") if row[1] != "id"]
    for column in columns:
        for wrong in WRONG:
            with suppress(sqlite3.Error):
                raw.execute(f"UPDATE {table} SET {column} = ?", (wrong,))
            for read in READS:
                try:
                    read(store)
                except OnlymoveError as refusal:
                    refusals.append(str(refusal))
            raw.execute(f"DELETE FROM {table}")
            raw.execute(f"INSERT INTO {table} SELECT * FROM whole")
    raw.close()
    assert not [refusal for refusal in refusals if "\n" in refusal]


def find_trouble(path: Path) -> str:
    store = GameStore.open(path)
    number = store.save(play_session(GAME_IDS[0]), GameDetails())
    assert store.load(number).session.node.ply == 1, "play goes on in memory"
    trouble = store.trouble
    store.close()
    return trouble


def test_a_newer_file_is_left_alone_and_play_continues(path: Path, store: GameStore) -> None:
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version = {VERSION + 1}")
    raw.close()
    assert find_trouble(path) == describe_unsaved(f"{path.name} was written by a newer version of onlymove")


def test_play_continues_if_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("")
    assert find_trouble(tmp_path / "blocked" / "games.sqlite3").startswith(describe_unsaved(""))


def test_a_disk_failure_is_reported_and_saving_is_tried_again(path: Path) -> None:
    with Database(path, QUICK_SECONDS).begin_transaction() as connection:
        (waits,) = connection.execute("PRAGMA busy_timeout").fetchone()
    assert waits == 1000 * QUICK_SECONDS, "milliseconds that a screen waits for another process"
    store = GameStore(path, patience=QUICK_SECONDS)
    session = play_session(GAME_IDS[0])
    saved = Autosave(store, session, GameDetails())
    assert saved.save() == ""
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("BEGIN EXCLUSIVE")
    session.play(session.legal_moves()[0])
    assert saved.save() == describe_unsaved(f"{path.name}: database is locked")
    blocker.execute("COMMIT")
    blocker.close()
    assert saved.save() == ""
    assert saved.trouble == ""
    assert saved.number is not None
    assert picture(load_session(path, saved.number)) == picture(session)
    assert store.count() == 1
    store.close()


class Elsewhere(sqlite3.Connection):
    """Refuses the write-ahead journal, as a home folder on a network does."""

    def execute(self, sql: str, *rest: Any) -> sqlite3.Cursor:
        if "= WAL" in sql:
            raise sqlite3.OperationalError("locking protocol")
        return super().execute(sql, *rest)


@pytest.fixture
def other_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *rest, **named: real(*rest, **named, factory=Elsewhere))


@pytest.mark.usefixtures("other_connections")
def test_without_shared_memory_the_plain_journal_is_used(path: Path) -> None:
    store = GameStore(path)
    number = store.save(play_session(GAME_IDS[0]), GameDetails())
    assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone()[0] == "delete"
    store.close()
    assert load_session(path, number).node.ply == 1


@pytest.mark.usefixtures("other_connections")
def test_a_write_blocked_by_a_reader_is_saved_later(path: Path) -> None:
    store = GameStore(path, patience=0.0)
    session = play_session(GAME_IDS[0])
    reader = sqlite3.connect(path, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM game").fetchall()
    with pytest.raises(StoreTrouble, match="database is locked"):
        store.save(session, GameDetails())
    reader.close()
    number = store.save(session, GameDetails())
    assert store.count() == 1, "nothing is left of what failed"
    assert picture(load_session(path, number)) == picture(session)
    store.close()
