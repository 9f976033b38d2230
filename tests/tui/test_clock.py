"""Optional clocks: how they are written, how they count, what happens when the time is over, and that killing the app
gains no time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.live.clock import (
    CHOICES,
    NO_CLOCK,
    BadClock,
    GameClock,
    TimeControl,
    describe_time,
    format_time,
    may_be_timed,
    read_control,
)
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_tui.app.screens.palette import record_text
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.widgets.bars import Lines
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.store.games import GameStore
from textual.timer import Timer

from tests.tui.pilots import (
    FRIENDS,
    board,
    make_app,
    make_board_app,
    make_menu_app,
    make_settings,
    notice,
    press,
    session,
    settle,
    store_at,
    text,
)
from tests.tui.test_sides import choose, form_of
from tests.tui.tiny_duel import tiny_duel
from tests.tui.tiny_game import tiny_game


class Seconds:
    """A clock that only tests move."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


def start_clock(control: TimeControl, seconds: Seconds) -> GameClock:
    """Return a clock on which the first player's time runs."""
    clock = GameClock(control, seconds, None)
    clock.start(0, 0)
    return clock


UNITS = {
    "5m+3s": TimeControl(300.0, 3.0),
    "90s + 2s": TimeControl(90.0, 2.0),
    "5 min + 3 s": TimeControl(300.0, 3.0),
    "0.5h+1m": TimeControl(1800.0, 60.0),
    "5+500ms": TimeControl(300.0, 0.5),
    "1m": TimeControl(60.0),
}
"""Clocks with units. A number alone keeps its own."""


def test_a_clock_is_spelled_in_seconds_a_move_or_minutes_and_increment() -> None:
    assert read_control("30") == TimeControl(30.0)
    assert read_control("5+3") == TimeControl(300.0, 3.0)
    assert (read_control("off"), read_control("")) == (None, None)
    assert TimeControl(30.0).format_short() == "30 s a move"
    assert TimeControl(300.0, 3.0).format_short() == "5 min + 3 s"
    assert CHOICES[0] == NO_CLOCK
    assert all(control.format_short() for text in CHOICES[1:] if (control := read_control(text)))
    for spelled, control in UNITS.items():
        assert read_control(spelled) == control
    for nonsense in ("5x+3", "5m+", "m", "5 5+3", "soon", "5+", "-3", "0", "5+-1", "nan", "inf", "1e9", "5+3+1"):
        with pytest.raises(BadClock):
            read_control(nonsense)


def test_a_bank_runs_for_the_side_that_chooses_and_grows_with_its_moves(seconds: Seconds) -> None:
    clock = start_clock(TimeControl(60.0, 5.0), seconds)
    seconds.now += 10
    assert clock.seconds_left == (50.0, 60.0)
    clock.start(1, 1)
    seconds.now += 4
    assert clock.seconds_left == (55.0, 56.0)
    clock.start(0, 0)
    assert clock.seconds_left == (55.0, 56.0), "a move taken back earns nothing"
    seconds.now += 55
    assert clock.late_seat == 0


def test_a_move_that_is_made_again_earns_nothing_more(seconds: Seconds) -> None:
    clock = start_clock(TimeControl(60.0, 5.0), seconds)
    for _ in range(3):
        clock.start(1, 1)
        assert clock.seconds_left == (65.0, 60.0)
        clock.start(0, 0)
    clock.start(1, 1)
    clock.start(0, 2)
    assert clock.seconds_left == (65.0, 65.0)


def test_time_for_a_move_is_whole_again_at_the_next(seconds: Seconds) -> None:
    clock = start_clock(TimeControl(30.0), seconds)
    seconds.now += 29
    clock.start(1, 1)
    assert clock.seconds_left == (30.0, 30.0)


def test_where_both_choose_unseen_each_has_its_own_time(seconds: Seconds) -> None:
    clock = start_clock(TimeControl(60.0, 5.0), seconds)
    seconds.now += 10
    clock.start(1, 0)
    seconds.now += 20
    assert clock.seconds_left == (55.0, 40.0)
    clock.start(None, 0)
    seconds.now += 100
    assert clock.seconds_left == (55.0, 40.0), "nobody's time runs while a choice waits for an engine"
    clock.start(0, 1)
    assert clock.seconds_left == (55.0, 45.0)


def test_a_loss_on_time_that_is_taken_back_begins_with_new_time(seconds: Seconds) -> None:
    clock = start_clock(TimeControl(60.0, 5.0), seconds)
    seconds.now += 61
    assert clock.late_seat == 0
    clock.lose_on_time(0)
    assert clock.late_seat is None
    clock.start(0, 0)
    assert clock.seconds_left == (60.0, 60.0)


def test_times_are_read_as_minutes_and_seconds() -> None:
    assert [format_time(left) for left in (300.0, 61.2, 59.0, 0.3, 0.0, -2.0)] == [
        "5:00", "1:02", "0:59", "0:01", "0:00", "0:00",
    ]  # fmt: skip


def test_times_are_written_in_words() -> None:
    assert [describe_time(left) for left in (298.0, 300.0, 61.0, 59.2, 1.0, 0.0, -2.0)] == [
        "4 minutes 58 seconds", "5 minutes", "1 minute 1 second", "1 minute", "1 second", "0 seconds", "0 seconds",
    ]  # fmt: skip


def test_a_time_control_is_described_exactly() -> None:
    output = {
        text: control.describe() for text in ("1.5", "90", "5+3", "5+0", "0.5+0.4") if (control := read_control(text))
    }
    assert output == {
        "1.5": "1.5 seconds a move",
        "90": "1 minute 30 seconds a move",
        "5+3": "5 minutes, 3 seconds more for each move",
        "5+0": "5 minutes",
        "0.5+0.4": "30 seconds, 0.4 seconds more for each move",
    }


def test_only_two_people_or_simultaneous_moves_get_a_clock() -> None:
    against = (HUMAN, Player(PlayerKind.ENGINE))
    assert may_be_timed(tiny_game(), FRIENDS)
    assert not may_be_timed(tiny_game(), against)
    assert may_be_timed(tiny_duel(), against)
    assert not may_be_timed(tiny_duel(), (against[1], against[1]))


async def test_times_of_two_people_stand_below_each_other_with_nothing_between(seconds: Seconds) -> None:
    app = make_board_app(players=FRIENDS, time_control="5+3", clock=seconds)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert app.screen.query_one("#players", Lines).text() == "▸ ● Left   5:00\n  ○ Right  5:00"


async def test_running_out_of_time_loses_and_the_summary_says_so(seconds: Seconds) -> None:
    app = make_board_app(players=FRIENDS, time_control="30", clock=seconds, training=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert text(app).count("0:30") == 2
        seconds.now += 20
        board(app).check_clock()
        await settle(pilot)
        assert "0:10" in text(app)
        await press(pilot, "enter", "1")
        assert "0:10" not in text(app), "a move has made the time whole again"
        seconds.now += 31
        await press(pilot, "enter", "1")
        assert session(app).node.ply == 1, "a move that comes too late is not played"
        result = session(app).result
        assert result is not None
        assert (result.winner, result.reason) == (0, "Right ran out of time")
        assert "Right ran out of time" in notice(app)
        assert '[Termination "Right ran out of time"]' in record_text(board(app))
        await press(pilot, "u")
        assert not session(app).is_over


async def test_a_hidden_choice_that_was_made_in_time_is_in_time(seconds: Seconds) -> None:
    app = make_app(
        game="duel", games=(tiny_duel(),), settings=make_settings(), players=FRIENDS, time_control="10", clock=seconds
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        seconds.now += 9.7
        await press(pilot, "m", "a", "enter")
        seconds.now += 9.7
        board(app).check_clock()
        assert not session(app).is_over
        await press(pilot, "m", "b", "enter")
        assert session(app).list_moves() == [("a", "b")]


async def test_the_clock_is_below_the_board_if_there_is_no_side_panel(seconds: Seconds) -> None:
    app = make_board_app(players=FRIENDS, time_control="5+3", clock=seconds)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        assert notice(app).startswith(" ● 5:00  ○ 5:00   Left to move")
        seconds.now += 10
        board(app).check_clock()
        await settle(pilot)
        assert "● 4:50  ○ 5:00" in notice(app)
        for key, shown in (
            ("h", "Win in 7 moves"),
            ("m", "Move"),
            ("escape", "Left"),
            ("enter", "?"),
            ("R", "Resign?"),
        ):
            await press(pilot, key)
            assert shown in notice(app)
            assert "● 4:50  ○ 5:00" in notice(app), f"not after {key}"
        seconds.now += 300
        board(app).check_clock()
        await settle(pilot)
        assert notice(app).startswith(" Right wins: Left ran out of time."), "that is what there is to say then"


@pytest.mark.parametrize(("spelled", "ticks"), [("", []), ("30", [1.0])])
async def test_nothing_ticks_without_a_clock_and_once_a_second_with_one(
    spelled: str, ticks: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[float] = []
    begin = PlayScreen.set_interval

    def count_timers(screen: PlayScreen, interval: float, *what: Any, **how: Any) -> Timer:
        if screen.check_clock in what:
            begun.append(interval)
        return begin(screen, interval, *what, **how)

    monkeypatch.setattr(PlayScreen, "set_interval", count_timers)
    app = make_board_app(players=FRIENDS, time_control=spelled)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert begun == ticks


async def test_killing_the_app_gains_no_time(tmp_path: Path, seconds: Seconds) -> None:
    path = tmp_path / "games.sqlite3"
    app = make_board_app(players=FRIENDS, time_control="5+3", clock=seconds, store=store_at(path), training=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "enter", "1")
        seconds.now += 100
        board(app).check_clock()
        await settle(pilot)
        # As after a kill, only what is on disk now is left.
        there = GameStore(path, lambda _: tiny_game())
        (entry,) = there.list()
        assert there.load(entry.number).details.left == (303.0, 200.0)
        there.close()


async def test_the_clock_continues_where_it_stopped(tmp_path: Path, seconds: Seconds) -> None:
    path = tmp_path / "games.sqlite3"
    app = make_board_app(players=FRIENDS, time_control="5+3", clock=seconds, store=store_at(path), training=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        seconds.now += 60
        await press(pilot, "enter", "1")
        await press(pilot, "q")
        seconds.now += 1000
        await press(pilot, "r")
        clock = board(app).live.clock
        assert clock is not None
        assert clock.seconds_left == (243.0, 300.0), "time passes only while the board is there"


async def test_the_form_has_a_clock_for_two_people_and_remembers_it(tmp_path: Path) -> None:
    app = make_menu_app(store=store_at(tmp_path / "games.sqlite3"))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter")
        assert "Clock" not in text(app)
        await choose(pilot, "kind.1", "human")
        await choose(pilot, "clock", "5+3")
        assert "5 min + 3 s" in text(app)
        form_of(pilot).query_one(Choices).mark(0)
        await press(pilot, "enter")
        clock = board(app).live.clock
        assert clock is not None
        assert clock.control == TimeControl(300.0, 3.0)
