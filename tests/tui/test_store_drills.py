"""The box of drills: which are due, and when they come back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import NEW, ROUND, Due

MISTAKE = Drill("literal", "start", 0, Origin.MISTAKE, "b")
GENERATED = Drill("literal", "A", 1, Origin.ONLY_MOVE)


class Hands:
    """A clock that only tests move."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Hands:
    return Hands()


@pytest.fixture
def store(path: Path, clock: Hands) -> Iterator[GameStore]:
    opened = GameStore(path, clock=clock)
    yield opened
    opened.close()


def test_new_drills_are_due_at_once_and_kept_once(store: GameStore) -> None:
    assert store.drills.add([MISTAKE, GENERATED]) == 2
    assert store.drills.add([MISTAKE]) == 0
    assert [due.drill for due in store.drills.list_due()] == [MISTAKE, GENERATED]
    assert len(store.drills.list_due(["literal"])) == 2
    assert len(store.drills.list_due(["other"])) == 0


def test_a_generated_drill_is_stored_when_it_is_answered(store: GameStore) -> None:
    store.drills.add([MISTAKE])
    kept, new = store.drills.filter_open([MISTAKE, GENERATED])
    assert (kept.number, new) == (store.drills.list_due()[0].number, Due(NEW, GENERATED, 0, 0))
    assert store.drills.record_answer(new, solved=False, with_hint=False) == 0
    assert store.drills.record_answer(new, solved=True, with_hint=False) >= 0
    assert store.drills.count_answers("literal")[Origin.ONLY_MOVE] == (1, 2)
    assert store.drills.filter_open([GENERATED]) == [], "it is not due yet"


def test_a_solved_drill_comes_back_later_than_a_failed_one(store: GameStore, clock: Hands) -> None:
    store.drills.add([MISTAKE, GENERATED])
    solved, failed = store.drills.list_due()
    for _ in range(3):
        solved_due = store.drills.answer(solved.number, solved=True)
        failed_due = store.drills.answer(failed.number, solved=False)
        assert clock.now < failed_due < solved_due
        clock.now = solved_due
    assert solved_due - failed_due > timedelta(days=1)


def test_an_answered_drill_is_gone_until_it_is_due_and_counts_its_tries(store: GameStore, clock: Hands) -> None:
    store.drills.add([MISTAKE])
    (due,) = store.drills.list_due()
    clock.now = store.drills.answer(due.number, solved=True) - timedelta(seconds=1)
    assert store.drills.list_due() == []
    clock.now += timedelta(seconds=1)
    (back,) = store.drills.list_due()
    assert (back.tries, back.solved) == (1, 1)


def test_days_are_those_of_the_players_calendar(store: GameStore, clock: Hands) -> None:
    midnight = clock.now.astimezone().replace(hour=0, minute=0) + timedelta(days=1)
    clock.now = midnight - timedelta(minutes=1)
    within = [midnight - timedelta(seconds=1), midnight, midnight + timedelta(hours=23), midnight + timedelta(days=3)]
    assert [store.drills.days_until(due.astimezone(UTC)) for due in within] == [0, 1, 1, 4]


def test_the_same_mistake_made_again_is_due_at_once(store: GameStore, clock: Hands) -> None:
    store.drills.add([MISTAKE])
    store.drills.answer(store.drills.list_due()[0].number, solved=True)
    clock.now += timedelta(seconds=5)
    store.drills.add([MISTAKE])
    assert len(store.drills.list_due()) == 1


def test_a_drill_of_an_unknown_kind_waits_for_a_newer_version(store: GameStore, path: Path) -> None:
    store.drills.add([MISTAKE, GENERATED])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE drill SET origin = 'of tomorrow' WHERE position = 'A'")
    assert [due.drill for due in store.drills.list_due()] == [MISTAKE]
    assert (len(store.drills.list_due()), store.drills.count_due_by_game()) == (1, {"literal": 1})
    assert list(store.drills.count_answers("literal")) == [Origin.MISTAKE]
    assert [due.drill for due in store.drills.filter_open([GENERATED])] == [GENERATED]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM drill").fetchone() == (2,), "it stays in the box"


def test_a_round_is_not_full_of_drills_of_a_game_that_is_gone(store: GameStore, clock: Hands) -> None:
    store.drills.add(Drill("gone", str(number), 0, Origin.MISTAKE) for number in range(ROUND))
    clock.now += timedelta(seconds=1)
    store.drills.add([MISTAKE])
    assert [due.drill for due in store.drills.list_due(["other", "literal"])] == [MISTAKE]
    assert len(store.drills.list_due()) == ROUND


def test_an_unknown_drill_is_refused(store: GameStore) -> None:
    with pytest.raises(KeyError):
        store.drills.answer(99, solved=True)
