"""Saved games: every ply is safe, and games come back as they were saved."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onlymove_engines import games
from onlymove_engines.coach.judge import OnBad
from onlymove_engines.core.judgement import Grade, Judgement, Objective
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Outcome, proven
from onlymove_engines.play.players import HUMAN
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.records.record import Record, judgements_from_json, judgements_to_json
from onlymove_tui.store.database import QUICK_SECONDS, Database
from onlymove_tui.store.entries import GameDetails, GameNumber
from onlymove_tui.store.exchange import Importer, to_record
from onlymove_tui.store.games import Autosave, GameStore, Saved
from onlymove_tui.store.progress import Tally
from onlymove_tui.store.rows import LISTED, to_rows, to_session

from tests.tui.saved_sessions import ENGINE, GAME_IDS, load_session, picture, play_session, random_session, step
from tests.tui.tiny_game import tiny_game

values = st.builds(
    proven,
    st.sampled_from(list(Outcome)),
    st.none() | st.integers(0, 40),
    st.none() | st.integers(-48, 48),
)
judgements = st.builds(
    Judgement,
    st.sampled_from(list(Grade)),
    st.none() | values,
    st.none() | values,
    st.booleans(),
    st.booleans(),
    st.integers(0, 20),
    st.integers(0, 48),
    st.floats(0, 1),
    st.none() | st.floats(-1, 1),
    st.booleans(),
)


@given(st.dictionaries(st.sampled_from((0, 1)), judgements))
def test_judgements_come_back_as_they_were(found: dict[int, Judgement]) -> None:
    assert judgements_from_json(judgements_to_json(found)) == found


@pytest.mark.parametrize("game_id", GAME_IDS)
@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 30))
def test_a_session_comes_back_as_it_was(game_id: str, seed: int, steps: int) -> None:
    session = random_session(game_id, seed, steps)
    again, details = to_session(to_rows(session, GameDetails()), session.game)
    assert (picture(again), details) == (picture(session), GameDetails())


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_after_every_change_another_process_sees_all_of_it(path: Path, store: GameStore, game_id: str) -> None:
    random = Random(game_id)
    game = games.load(game_id)
    session: AnySession = Session(game, players=(HUMAN, ENGINE))
    session.play(random.choice(list(session.legal_moves())))
    saved = Autosave(store, session, GameDetails())
    for _ in range(25):
        step(session, random)
        assert not saved.save()
        assert saved.number is not None
        assert picture(load_session(path, saved.number)) == picture(session)
    assert store.count() == 1


def test_undone_moves_can_be_redone_after_a_resume(path: Path, store: GameStore) -> None:
    session: AnySession = Session(games.load(GAME_IDS[0]))
    for _ in range(4):
        session.play(session.legal_moves()[0])
    furthest = session.position
    session.undo()
    session.undo()
    resumed = load_session(path, store.save(session, GameDetails()))
    assert (len(resumed.undone), resumed.position) == (2, session.position)
    assert resumed.redo()
    assert resumed.redo()
    assert resumed.position == furthest


def test_the_details_come_back(store: GameStore) -> None:
    details = GameDetails(
        {"size": "8x8"}, 7, False, OnBad.MARK, Objective.MARGIN, ("Ada", "Bob"), True, {"Date": "1994.??.??"}
    )
    number = store.save(play_session(GAME_IDS[0]), details)
    assert store.load(number).details == details


def test_a_game_without_a_move_is_not_kept(store: GameStore) -> None:
    assert Autosave(store, play_session(GAME_IDS[0], 0), GameDetails()).save() == ""
    assert store.count() == 0


def test_a_game_in_which_no_move_has_stood_is_not_resumed_in_place_of_one_that_has_begun(store: GameStore) -> None:
    begun, thought_over = play_session(GAME_IDS[0]), play_session(GAME_IDS[-1], 0)
    number = store.save(begun, GameDetails())
    thought_over.node.hinted.add(0)
    assert Autosave(store, thought_over, GameDetails()).save() == ""
    assert store.count() == 2, "what was asked for counts all the same"
    assert store.count(LISTED) == store.count("unfinished") == 1, "but is not listed"
    latest = store.find_latest_unfinished()
    assert latest is not None
    assert latest.number == number
    begun.undo()
    store.save(begun, GameDetails(), number)
    again = store.find_latest_unfinished()
    assert again is not None, "redo goes on with it"
    assert (again.number, again.plies) == (number, 0)


def test_the_latest_unfinished_game_is_the_one_touched_last(path: Path) -> None:
    ticks = count()
    store = GameStore(path, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=next(ticks)))
    first, second = play_session(GAME_IDS[0]), play_session(GAME_IDS[-1])
    numbers = [store.save(session, GameDetails()) for session in (first, second)]
    over = play_session(GAME_IDS[0])
    over.resign(0)
    store.save(over, GameDetails())
    store.save(play_session(GAME_IDS[0]), GameDetails(imported=True))
    latest = store.find_latest_unfinished()
    assert latest is not None
    assert latest.number == numbers[1]
    store.save(first, GameDetails(), numbers[0])
    again = store.find_latest_unfinished()
    assert again is not None
    assert (again.number, again.game, again.plies, again.result, again.own) == (numbers[0], GAME_IDS[0], 1, "*", 0)
    store.close()


def test_the_record_counts_one_persons_games_against_engines(store: GameStore) -> None:
    for loser, players, imported in [
        (1, (HUMAN, ENGINE), False),
        (1, (HUMAN, ENGINE), False),
        (1, (ENGINE, HUMAN), False),
        (None, (ENGINE, HUMAN), False),
        (0, (HUMAN, HUMAN), False),
        (0, (ENGINE, ENGINE), False),
        (0, (HUMAN, ENGINE), True),
    ]:
        session = play_session(GAME_IDS[0], players=players)
        if loser is None:
            session.agree_draw()
        else:
            session.resign(loser)
        store.save(session, GameDetails(imported=imported))
    assert store.progress.read_tallies() == {GAME_IDS[0]: Tally(2, 1, 1)}
    assert store.count("won") == 3 - 1
    assert store.count("drawn") == 1
    assert store.count(game=GAME_IDS[0]) == 7
    assert len(store.list(3)) == 3
    assert len(store.list(100, "lost")) == store.count("lost")


def test_a_deleted_game_is_gone_with_all_its_moves(path: Path, store: GameStore) -> None:
    number = store.save(play_session(GAME_IDS[0], 3), GameDetails())
    store.delete(number)
    with pytest.raises(KeyError):
        store.load(number)
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT count(*) FROM node").fetchone() == (0,)
    raw.close()


def test_a_resigned_game_comes_back_resigned(path: Path, store: GameStore) -> None:
    session = play_session(GAME_IDS[0])
    session.resign(1)
    assert load_session(path, store.save(session, GameDetails())).result == Result(
        0, reason=f"{session.game.seats[1]} resigned"
    )


def test_any_thread_may_read_while_another_writes(path: Path) -> None:
    store = GameStore(path, patience=QUICK_SECONDS)
    session = play_session(GAME_IDS[0])
    saved = Autosave(store, session, GameDetails())
    with ThreadPoolExecutor(4) as readers:
        looking = [
            readers.submit(lambda: [len(store.list()) + len(store.drills.list_due()) for _ in range(50)])
            for _ in range(4)
        ]
        for _ in range(60):
            if session.is_over:
                session.undo()
            session.play(session.legal_moves()[0])
            assert saved.save() == ""
        assert all(look.result()[-1] <= 1 for look in looking)
    store.close()


def test_the_moves_of_both_sides_are_counted(tmp_path: Path) -> None:
    game = tiny_game()
    store = GameStore(tmp_path / "games.sqlite3", lambda _: game)
    for first in (0, 1):
        for plies in range(5):
            session: AnySession = Session(game, (3, 4, first))
            for move in (("L", 1), ("R", 1), ("L", 1), ("R", 1))[:plies]:
                session.play(move)
            number = store.save(session, GameDetails())
            (entry,) = (found for found in store.list() if found.number == number)
            assert entry.plies == plies, first
    store.close()


@pytest.fixture
def in_auckland(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "NZST-12")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("in_auckland")
def test_a_record_has_the_day_of_the_players_calendar_and_is_known_by_that_of_another_place() -> None:
    store = GameStore(None, clock=lambda: datetime(2026, 11, 20, 23, 30, tzinfo=UTC))
    store.save(play_session(GAME_IDS[0], 2), GameDetails())
    (entry,) = store.list()
    record = to_record(entry, store.load(entry.number))
    assert record.tags["Date"] == "2026.11.21"
    for day, is_known in (("2026.11.21", True), ("2026.11.20", True), ("2026.11.19", False), ("2026.11.22", False)):
        dated = replace(record, tags=record.tags | {"Date": day})
        assert (Importer(store).find(dated) is not None) is is_known, day
    store.close()


class CountingStore(GameStore):
    """A store that counts how often games are read."""

    reads = 0

    def peek(self, number: GameNumber) -> Saved:
        self.reads += 1
        return super().peek(number)


def test_an_import_reads_each_saved_game_once() -> None:
    """Otherwise the time to import games again would grow with the square of their number."""
    number_of_games = 12
    tree = play_session(GAME_IDS[0], 2).tree
    records = [Record(tree, {"First": f"player {number}"}) for number in range(number_of_games)]
    with closing(CountingStore(None)) as store:
        first, again = Importer(store).add(records), Importer(store).add(records)
        assert [one.number for one in first] == [one.number for one in again]
        assert ({one.was_there for one in first}, {one.was_there for one in again}) == ({False}, {True})
        assert store.reads == number_of_games


class SlowValue:
    """A value of a query. SQLite takes it while it reads, and only then goes on."""

    def __init__(self, take: Callable[[], int]) -> None:
        self.take = take

    def __conform__(self, protocol: object) -> int:
        return self.take()


def test_the_file_is_closed_when_a_worker_has_read(path: Path) -> None:
    database = Database(path, closing=1e6)
    with ThreadPoolExecutor(1) as other:
        closing = list[Future[None]]()

        def close_meanwhile() -> int:
            closing.append(other.submit(database.close))
            return len(wait(closing, timeout=0.05).done)

        assert database.rows("SELECT ?", [SlowValue(close_meanwhile)])[0][0] == 0, "closed under the reader"
        closing[0].result()


def test_a_worker_that_never_ends_does_not_prevent_leaving(path: Path) -> None:
    database = Database(path, closing=0.0)
    with ThreadPoolExecutor(1) as other, database.begin_transaction():
        other.submit(database.close).result()
        assert database.rows("SELECT count(*) FROM game")[0][0] == 0, "it is not closed under the worker"
    database.close()


LOOKING = """
import sys
from pathlib import Path
from onlymove_tui.store.games import GameStore
store = GameStore(Path(sys.argv[1]))
print(store.count())
store.close()
"""


def test_another_reader_of_the_file_does_not_lose_later_writes(path: Path) -> None:
    """The process merges the journal into the file and removes it when it ends, unless it sees that others use the
    file."""

    def look() -> str:
        return subprocess.run([sys.executable, "-c", LOOKING, path], capture_output=True, text=True, check=True).stdout

    with closing(GameStore(path)) as store:
        assert look() == "0\n"
        store.save(play_session(GAME_IDS[0]), GameDetails())
        assert look() == "1\n"
        store.save(play_session(GAME_IDS[0]), GameDetails())
        assert look() == "2\n"
