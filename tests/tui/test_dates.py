"""Clocks that jump forwards, back, and to other time zones: nothing is locked away until a date that was never reached,
and no screen shows another day than the player's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from onlymove_engines.coach.drill import DailyLevel, Drill, Origin
from onlymove_engines.play.ladder import Scored, choose_level
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players
from onlymove_engines.play.session import Session
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import Autosave, GameStore
from onlymove_tui.store.learning import NEW, DailyResult, Due, Mark

from tests.tui.pilots import STILL, make_menu_app, press, settle, text, wait_until
from tests.tui.test_sides import LEVELS
from tests.tui.tiny_game import tiny_game

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""A Friday."""
AHEAD = datetime(2031, 5, 5, 10, 0, tzinfo=UTC)
BEHIND = datetime(2020, 1, 1, 0, 0, tzinfo=UTC)
DAY = timedelta(days=1)
DRILL = Drill("tiny", "3,4 0", 0, Origin.MISTAKE)
OTHER = replace(DRILL, position="2,1 0")
FRESH = Due(NEW, replace(DRILL, origin=Origin.ONLY_MOVE), 0, 0)
AGAINST_ENGINE: Players = (HUMAN, Player(PlayerKind.ENGINE))


class ScriptedClock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> ScriptedClock:
    return ScriptedClock()


@pytest.fixture
def store(tmp_path: Path, clock: ScriptedClock) -> Iterator[GameStore]:
    opened = GameStore(tmp_path / "games.sqlite3", lambda _: tiny_game(), clock)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _use_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Begin in UTC, and go back to the real time zone at the end."""
    move_to(monkeypatch, "UTC")
    yield
    monkeypatch.undo()
    time.tzset()


def move_to(monkeypatch: pytest.MonkeyPatch, zone: str) -> None:
    """Travel to a time zone, named as in POSIX: `UTC-14` is fourteen hours ahead of UTC."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()


def answer(store: GameStore, drill: Drill = DRILL, solved: bool = True) -> None:
    (due,) = store.drills.filter_open([drill])
    store.drills.record_answer(due, solved, with_hint=False)


@pytest.mark.parametrize("solved", [True, False])
@pytest.mark.parametrize("is_new", [True, False])
def test_a_drill_answered_while_the_clock_was_ahead_is_due_now(
    store: GameStore, clock: ScriptedClock, solved: bool, is_new: bool
) -> None:
    if not is_new:
        answer(store)
    clock.now = AHEAD
    answer(store, solved=solved)
    for now in (NOW, NOW + DAY, AHEAD - timedelta(seconds=1)):
        clock.now = now
        assert [due.drill.position for due in store.drills.list_due()] == [DRILL.position]
        assert [due.drill.position for due in store.drills.filter_open([DRILL])] == [DRILL.position]
        assert store.drills.count_due_by_game() == {"tiny": 1}
        assert store.drills.count_due_by_day(3, "tiny") == [1, 0, 0]
        assert store.progress.read("tiny").drills.due == 1


def test_a_drill_answered_again_with_the_right_clock_comes_back_as_usual(
    store: GameStore, clock: ScriptedClock
) -> None:
    clock.now = AHEAD
    answer(store)
    clock.now = NOW
    answer(store)
    assert store.drills.list_due() == []
    clock.now = NOW + 30 * DAY
    assert len(store.drills.list_due()) == 1, "not in 2031"


@pytest.mark.parametrize("is_made_again", [True, False])
def test_a_mistake_made_while_the_clock_was_ahead_is_due_now(
    store: GameStore, clock: ScriptedClock, is_made_again: bool
) -> None:
    if is_made_again:
        answer(store)
    clock.now = AHEAD
    store.drills.add([DRILL])
    clock.now = NOW + timedelta(seconds=1)
    assert len(store.drills.list_due()) == 1


def test_a_drill_answered_while_the_clock_was_behind_is_due_by_its_date(store: GameStore, clock: ScriptedClock) -> None:
    clock.now = BEHIND
    answer(store)
    clock.now = NOW
    assert len(store.drills.list_due()) == 1
    answer(store)
    assert store.drills.list_due() == []


def test_a_clock_that_was_set_back_makes_no_answered_drill_wait_longer(store: GameStore, clock: ScriptedClock) -> None:
    store.drills.add([DRILL, OTHER])
    answer(store)
    clock.now = BEHIND
    assert len(store.drills.list_due()) == 2, "nobody knows how long ago it was answered"
    clock.now = NOW + timedelta(seconds=1)
    assert [due.drill for due in store.drills.list_due()] == [OTHER], "it waits again once the clock is right"


def play_game(store: GameStore, score: float | None = None, level: str = "novice") -> int:
    """Save a game. With a score, it is over and rated."""
    session: Session[object, object] = Session(tiny_game(), players=AGAINST_ENGINE)
    session.play(session.legal_moves()[0])
    saver = Autosave(store, session, GameDetails())
    if score is not None:
        session.resign(0)
        saver.set_score(Scored(level, score))
    assert saver.save() == ""
    assert saver.number is not None
    return saver.number


def test_a_rated_game_from_the_future_does_not_stay_the_last_one(store: GameStore, clock: ScriptedClock) -> None:
    play_game(store, 1.0, "novice")
    clock.now = AHEAD
    play_game(store, 1.0, "master")
    clock.now = NOW + DAY
    play_game(store, 0.0, "novice")
    rated = store.progress.list_rated()["tiny"]
    assert [(game.level, game.score) for game in rated] == [("novice", 1.0), ("master", 1.0), ("novice", 0.0)]
    assert choose_level(LEVELS, rated) == LEVELS[0], "the level after a loss at the lowest one"
    clock.now = AHEAD + DAY
    assert [game.level for game in store.progress.list_rated()["tiny"]] == ["novice", "novice", "master"]


def test_a_game_from_the_future_does_not_stay_the_one_to_resume(store: GameStore, clock: ScriptedClock) -> None:
    clock.now = AHEAD
    future = play_game(store)
    clock.now = NOW
    now = play_game(store)
    latest = store.find_latest_unfinished()
    assert latest is not None
    assert latest.number == now
    assert [entry.number for entry in store.list()] == [now, future]
    store.delete(now)
    latest = store.find_latest_unfinished()
    assert latest is not None, "it is still there"
    assert latest.number == future


def test_with_a_clock_behind_the_latest_game_is_still_the_latest(store: GameStore, clock: ScriptedClock) -> None:
    first = play_game(store)
    clock.now += DAY
    second = play_game(store)
    clock.now = BEHIND
    assert [entry.number for entry in store.list()] == [second, first]
    third = play_game(store)
    assert [entry.number for entry in store.list()] == [third, second, first]


def test_a_jump_forwards_and_back_costs_no_streak(store: GameStore, clock: ScriptedClock) -> None:
    answer(store)
    store.daily.save(store.find_today(), "tiny", solved=True)
    for jump in (AHEAD, BEHIND):
        clock.now = jump
        answer(store, OTHER)
        store.daily.save(store.find_today(), "tiny", solved=True)
        clock.now = NOW
        assert store.drills.streak() == 1
        assert store.daily.streak(store.find_today()) == 1
    clock.now = NOW + DAY
    answer(store)
    store.daily.save(store.find_today(), "tiny", solved=False)
    assert store.drills.streak() == store.daily.streak(store.find_today()) == 2


def test_the_position_of_the_day_is_that_of_the_players_calendar(
    store: GameStore, clock: ScriptedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.now = AHEAD
    store.daily.save(store.find_today(), "tiny", solved=False)
    clock.now = NOW
    assert not store.daily.read_results(store.find_today()), "today's was not tried yet"
    store.daily.save(store.find_today(), "tiny", solved=True)
    assert store.daily.read_results(date(2026, 11, 20)) == {"tiny": DailyResult(DailyLevel.HARD, Mark.RIGHT, 1)}
    move_to(monkeypatch, "UTC-14")
    assert store.find_today() == date(2026, 11, 21)
    assert not store.daily.read_results(store.find_today()), "there the next day has begun"
    move_to(monkeypatch, "UTC+12")
    clock.now = NOW - timedelta(hours=1)
    assert store.find_today() == date(2026, 11, 19)


def test_a_streak_goes_on_in_every_time_zone_in_which_no_date_is_left_out(
    store: GameStore, clock: ScriptedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(store)
    move_to(monkeypatch, "UTC-14")
    assert store.drills.streak() == 1, "the day before"
    answer_again(store, clock)
    assert store.drills.streak() == 2
    move_to(monkeypatch, "UTC+12")
    assert store.drills.streak() == 1, "the first of both days, again"
    move_to(monkeypatch, "UTC-14")
    assert store.drills.streak() == 2, "nothing was lost on the way"


def answer_again(store: GameStore, clock: ScriptedClock) -> None:
    """Answer the drill when it is due, an hour later."""
    clock.now += timedelta(hours=1)
    answer(store)


def test_coming_days_begin_with_today_in_every_time_zone(
    store: GameStore, clock: ScriptedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.drills.add([DRILL])
    (due,) = store.drills.list_due()
    back = store.drills.answer(due.number, solved=True).due
    clock.now = back - timedelta(minutes=1)
    for zone in ("UTC-14", "UTC", "UTC+12"):
        move_to(monkeypatch, zone)
        expected = [0, 0, 0]
        expected[(back.astimezone().date() - clock.now.astimezone().date()).days] = 1
        assert store.drills.count_due_by_day(3) == expected


@pytest.mark.parametrize("key", ["d", "p"])
@pytest.mark.parametrize("jump", [DAY, -DAY, AHEAD - NOW])
async def test_an_open_screen_with_days_follows_the_calendar(
    store: GameStore,
    clock: ScriptedClock,
    key: str,
    jump: timedelta,
) -> None:
    store.drills.add([DRILL])
    app = make_menu_app(store=store, timers=STILL._replace(calendar=0.01))

    def shows_day(day: datetime) -> bool:
        """Whether the row of weekdays begins with this day."""
        names = [f"{day + ahead * DAY:%a}"[:2] for ahead in range(7)]
        found = [word for line in text(app).splitlines() for word in line.split() if word in names]
        return found[:7] == names

    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, key, *(["up"] if key == "p" else []))
        await wait_until(pilot, lambda: shows_day(NOW))
        clock.now = NOW + jump
        await wait_until(pilot, lambda: shows_day(NOW + jump))
