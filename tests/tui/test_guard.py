"""What was not seen is not answered: a burst of keys never keeps a held move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.board.guard import SECONDS, Guard
from onlymove_tui.app.widgets.bars import Notice

from tests.tui.pilots import FRIENDS, board, burst, effective, notice, opened, press, session, settle, typed

BAD = ("right", "enter", "3")


@dataclass
class Clock:
    """Stands still until it is set."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def at_a_standstill() -> tuple[OnlymoveApp, Clock]:
    """The board of two friends, and its clock."""
    clock = Clock()
    return opened(players=FRIENDS, clock=clock), clock


@pytest.mark.parametrize("key", ["enter", "space", "t"])
async def test_a_burst_of_keys_never_plays_what_the_player_did_not_see(key: str) -> None:
    app, _ = at_a_standstill()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await burst(pilot, *BAD, *[key] * 20)
        assert board(app).match.is_held, f"{key} was pressed before the question was on the screen"
        assert session(app).moves() == []


async def test_a_key_pressed_before_the_engine_had_moved_plays_nothing_after_that() -> None:
    app = opened(effective(training=False), position="4,4 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        hasty = [typed(key) for key in ("right", "enter", "1", "enter")]
        await press(pilot, "m", *"L1", "enter")
        assert len(session(app).moves()) == 2
        for event in hasty:
            app.post_message(event)
        await settle(pilot)
        assert len(session(app).moves()) == 2, "the position was on nobody's screen when these keys were pressed"
        assert board(app).entering.prefix == ("R",), "what plays nothing is served"
        await press(pilot, "1")
        assert len(session(app).moves()) > 2


async def test_a_held_move_is_kept_once_it_has_stood_on_the_screen_long_enough() -> None:
    app, clock = at_a_standstill()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        clock.now += SECONDS - 0.01
        await press(pilot, "enter")
        assert board(app).match.is_held, "a moment too early"
        clock.now += 0.01
        await press(pilot, "enter")
        assert session(app).moves() == [("R", 3)]


async def test_a_second_held_move_waits_as_long_as_the_first() -> None:
    app, clock = at_a_standstill()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        clock.now += 10
        await press(pilot, "u")
        await burst(pilot, *BAD, "enter")
        assert board(app).match.is_held
        assert session(app).moves() == []


async def test_the_banner_names_the_key_only_when_it_counts_and_is_painted_once_for_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app, clock = at_a_standstill()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        assert "Win in 7 -> Loss in" in notice(app)
        before = notice(app).splitlines()[1]
        assert "Enter" not in before
        painted = []
        paint = Notice.refresh

        def refresh(notice: Notice, *regions: Any, **how: Any) -> Notice:
            painted.append(regions)
            return paint(notice, *regions, **how)

        monkeypatch.setattr(Notice, "refresh", refresh)
        clock.now += 10
        board(app).guard._wait()
        await pilot.pause()
        after = notice(app).splitlines()[1]
        assert "Enter keep   u rethink" in after
        assert after.index("u rethink") == before.index("u rethink"), "nothing jumps"
        assert len(painted) == 1


def test_a_guard_asks_for_the_rest_of_its_time_and_then_says_that_it_is_open() -> None:
    clock, asked, opened_at = Clock(), [], []
    guard = Guard(clock, lambda seconds, _: asked.append(seconds), lambda: opened_at.append(clock.now))
    guard.ask()
    assert not guard.is_open, "not painted yet"
    guard.paint()
    clock.now += SECONDS / 2
    guard._wait()
    assert [round(seconds, 3) for seconds in asked] == [SECONDS, SECONDS / 2]
    clock.now += SECONDS
    guard._wait()
    assert opened_at == [clock.now]
    assert guard.is_open
