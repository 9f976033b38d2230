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
from onlymove_tui.store.learning import MISSES_UNTIL_ASIDE, NEW, ROUND, Due, StoredDrill

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
    assert store.drills.record_answer(new, solved=False, with_hint=False).days == 0
    assert store.drills.record_answer(new, solved=True, with_hint=False).days >= 0
    assert store.drills.count_answers("literal")[Origin.ONLY_MOVE] == (1, 2)
    assert store.drills.filter_open([GENERATED]) == [], "it is not due yet"


def test_a_solved_drill_comes_back_later_than_a_failed_one(store: GameStore, clock: Hands) -> None:
    store.drills.add([MISTAKE, GENERATED])
    solved, failed = store.drills.list_due()
    for _ in range(3):
        solved_due = store.drills.answer(solved.number, solved=True).due
        failed_due = store.drills.answer(failed.number, solved=False).due
        assert clock.now < failed_due < solved_due
        clock.now = solved_due
    assert solved_due - failed_due > timedelta(days=1)


def test_an_answered_drill_is_gone_until_it_is_due_and_counts_its_tries(store: GameStore, clock: Hands) -> None:
    store.drills.add([MISTAKE])
    (due,) = store.drills.list_due()
    clock.now = store.drills.answer(due.number, solved=True).due - timedelta(seconds=1)
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


def read_all(path: Path) -> list[list[tuple[object, ...]]]:
    """Return what is stored about drills and the days on which they were answered."""
    with closing(sqlite3.connect(path)) as raw:
        return [raw.execute(f"SELECT * FROM {name}").fetchall() for name in ("drill", "practice")]


def find_stored(store: GameStore, drill: Drill) -> StoredDrill:
    return next(each for each in store.drills.list_stored() if each.asked.drill == drill)


def test_a_drill_that_was_put_aside_is_asked_again_only_once_it_is_brought_back(store: GameStore, clock: Hands) -> None:
    store.drills.add([MISTAKE, GENERATED])
    store.drills.put_aside(find_stored(store, MISTAKE).asked)
    clock.now += timedelta(days=400)
    assert [due.drill for due in store.drills.list_due()] == [GENERATED]
    assert store.drills.filter_open([MISTAKE]) == []
    assert (store.drills.count_due_by_game(), store.drills.count_due_by_day(1)) == ({"literal": 1}, [1])
    assert store.progress.read("literal").drills.total == 1
    assert [each.is_aside for each in store.drills.list_stored()] == [False, True], "it can still be seen, at the end"
    store.drills.add([MISTAKE])
    assert find_stored(store, MISTAKE).is_aside, "also if the mistake is made again"
    store.drills.bring_back(find_stored(store, MISTAKE).asked)
    assert {due.drill for due in store.drills.list_due()} == {MISTAKE, GENERATED}


def test_a_generated_drill_that_is_put_aside_before_its_answer_is_not_found_again(store: GameStore) -> None:
    store.drills.put_aside(Due(NEW, GENERATED, 0, 0))
    assert store.drills.filter_open([GENERATED]) == []


def test_a_drill_is_put_aside_with_every_tenth_miss(store: GameStore) -> None:
    store.drills.add([MISTAKE])
    number = store.drills.list_due()[0].number
    aside = list[int]()
    for attempt in range(1, 2 * MISSES_UNTIL_ASIDE + 2):
        if store.drills.answer(number, solved=attempt == 5).is_put_aside:
            aside.append(attempt)
            assert find_stored(store, MISTAKE).is_aside
            store.drills.bring_back(find_stored(store, MISTAKE).asked)
    assert aside == [MISSES_UNTIL_ASIDE + 1, 2 * MISSES_UNTIL_ASIDE + 1], "the right answer was no miss"


def test_a_drill_that_starts_over_is_as_new(store: GameStore, path: Path, clock: Hands) -> None:
    store.drills.add([MISTAKE])
    clock.now += timedelta(hours=1)
    number = store.drills.list_due()[0].number
    store.drills.answer(number, solved=True)
    store.drills.answer(number, solved=False)
    store.drills.put_aside(find_stored(store, MISTAKE).asked)
    store.drills.start_over(find_stored(store, MISTAKE).asked)
    ((started,), _) = read_all(path)
    store.drills.remove(find_stored(store, MISTAKE).asked)
    store.drills.add([MISTAKE])
    ((fresh,), _) = read_all(path)
    assert started[1:] == fresh[1:], "only its number differs from that of a new drill"


def test_a_removed_drill_is_gone_until_the_mistake_is_made_again(store: GameStore) -> None:
    store.drills.add([MISTAKE])
    store.drills.remove(store.drills.list_due()[0])
    assert store.drills.list_stored() == []
    assert store.drills.add([MISTAKE]) == 1


@pytest.mark.parametrize("solved", [True, False])
@pytest.mark.parametrize("misses", [0, 1, MISSES_UNTIL_ASIDE - 1])
def test_an_answer_that_is_taken_back_leaves_nothing_behind(
    store: GameStore, path: Path, clock: Hands, solved: bool, misses: int
) -> None:
    store.drills.add([MISTAKE])
    number = store.drills.list_due()[0].number
    for _ in range(misses):
        store.drills.answer(number, solved=False)
        clock.now += timedelta(minutes=20)
    before = read_all(path)
    answered = store.drills.answer(number, solved)
    clock.now += timedelta(minutes=1)
    store.drills.take_back(answered)
    assert read_all(path) == before


def test_a_new_drill_whose_answer_is_taken_back_is_new_again(store: GameStore, path: Path) -> None:
    new = Due(NEW, GENERATED, 0, 0)
    store.drills.take_back(store.drills.record_answer(new, solved=False, with_hint=False))
    assert read_all(path) == [[], []]
    assert store.drills.filter_open([GENERATED]) == [new]


def test_an_answer_is_not_taken_back_from_a_drill_that_was_answered_again(
    store: GameStore, path: Path, clock: Hands
) -> None:
    store.drills.add([MISTAKE])
    number = store.drills.list_due()[0].number
    answered = store.drills.answer(number, solved=False)
    clock.now += timedelta(minutes=1)
    store.drills.answer(number, solved=True)
    before = read_all(path)
    store.drills.take_back(answered)
    assert read_all(path) == before


def test_a_drill_that_is_gone_cannot_be_changed(store: GameStore) -> None:
    gone = Due(99, MISTAKE, 0, 0)
    for change in (store.drills.put_aside, store.drills.bring_back, store.drills.start_over):
        with pytest.raises(KeyError):
            change(gone)
    store.drills.remove(gone)
