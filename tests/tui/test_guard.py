"""Keys never answer what the player has not seen: fast typing never plays a stopped move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from onlymove_engines.play.session import Session
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.confirmation import SECONDS, TOO_QUICK, Confirmation, Guard
from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.widgets.bars import KeyBar, Notice
from onlymove_tui.play.keys import Phrase
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from textual.pilot import Pilot

from tests.tui.pilots import (
    FRIENDS,
    board,
    make_board_app,
    make_key,
    make_menu_app,
    make_settings,
    notice,
    press,
    press_at_once,
    session,
    settle,
    text,
    wait_until,
)
from tests.tui.sizes import resize
from tests.tui.tiny_game import tiny_game

BAD = ("right", "enter", "3")


@dataclass
class Clock:
    """A clock that stands still until it is set."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


def make_idle_app() -> tuple[OnlymoveApp, Clock]:
    """Return an app with two human players at a board, and its clock."""
    clock = Clock()
    return make_board_app(players=FRIENDS, clock=clock), clock


async def test_a_question_is_marked_over_the_line_of_keys_or_takes_its_place() -> None:
    app, _ = make_idle_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        keys, plain = app.screen.query_one(KeyBar), app.screen.query_one(KeyBar).styles.background
        await press(pilot, *BAD)
        assert len(app.screen.query_one(Notice).lines) == 2
        assert not keys.display
        await resize(pilot, (80, 24))
        assert keys.display
        assert keys.styles.background == app.screen.query_one(Notice).styles.background != plain
        await press(pilot, "escape")
        assert keys.styles.background == plain


async def test_quick_keys_never_play_an_unseen_move() -> None:
    app, clock = make_idle_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key in ("y", "enter", "space", "t"):
            await press_at_once(pilot, *BAD, *[key] * 20)
            assert board(app).live.stopped_move is not None, f"{key} was pressed before the question was on the screen"
            assert session(app).list_moves() == []
            clock.now += 10
            await press(pilot, "u")


async def test_a_key_pressed_before_the_engine_had_moved_plays_nothing_after_that() -> None:
    app = make_board_app(make_settings(training=False), position="4,4 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        hasty = [make_key(key) for key in ("right", "enter", "1", "enter")]
        await press(pilot, "m", *"L1", "enter")
        assert len(session(app).list_moves()) == 2
        for event in hasty:
            app.post_message(event)
        await settle(pilot)
        assert len(session(app).list_moves()) == 2, "the position was on nobody's screen when these keys were pressed"
        assert board(app).state.move_input.entry.prefix == ("R",), "what plays nothing is served"
        await press(pilot, "1")
        assert len(session(app).list_moves()) > 2


async def test_a_held_move_is_kept_once_it_has_stood_on_the_screen_long_enough() -> None:
    app, clock = make_idle_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        clock.now += SECONDS - 0.01
        await press(pilot, "y")
        assert board(app).live.stopped_move is not None, "a moment too early"
        clock.now += 0.01
        await press(pilot, "y")
        assert session(app).list_moves() == [("R", 3)]


async def test_a_second_held_move_waits_as_long_as_the_first() -> None:
    app, clock = make_idle_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        clock.now += 10
        await press(pilot, "u")
        await press_at_once(pilot, *BAD, "y")
        assert board(app).live.stopped_move is not None
        assert session(app).list_moves() == []


async def test_the_banner_names_the_key_only_when_it_counts() -> None:
    app, clock = make_idle_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        assert "??" in notice(app)
        before = notice(app).splitlines()[1]
        assert "anyway" not in before
        clock.now += 10
        await wait_until(pilot, lambda: "anyway" in notice(app).splitlines()[1])
        after = notice(app).splitlines()[1]
        assert "y play it anyway  u take back" in after
        assert after.index("u take") == before.index("u take"), "nothing jumps"


def test_a_guard_asks_for_the_rest_of_its_time_and_then_says_that_it_is_open() -> None:
    clock, opened_at = Clock(), list[float]()
    painted: list[Callable[[], None]] = []
    asked: list[tuple[float, Callable[[], object]]] = []

    def ask(seconds: float, then: Callable[[], object]) -> None:
        asked.append((seconds, then))

    guard = Guard(clock, painted.append, ask, lambda: opened_at.append(clock.now))
    guard.restart()
    assert not guard.is_open, "not painted yet"
    painted.pop()()
    clock.now += SECONDS / 2
    asked[-1][1]()
    assert [round(seconds, 3) for seconds, _ in asked] == [SECONDS, SECONDS / 2]
    clock.now += SECONDS
    asked[-1][1]()
    assert opened_at == [clock.now]
    assert guard.is_open


def test_a_command_is_confirmed_by_giving_it_again_once_the_question_was_read() -> None:
    clock, painted, said = Clock(), list[Callable[[], None]](), list[Phrase]()
    confirming = Confirmation(clock, painted.append, lambda *_: None, said.append)

    def read() -> None:
        painted.pop()()
        clock.now += SECONDS

    assert not confirming.allows("resign", "Resign?")
    assert not confirming.allows("resign", "Resign?")
    read()
    assert not confirming.allows("draw", "Draw?"), "another command asks its own question"
    assert said == ["Resign?", (TOO_QUICK, "Resign?"), "Draw?"]
    read()
    assert confirming.allows("draw", "Draw?")
    assert not confirming.allows("draw", "Draw?"), "an answer counts once"


def test_any_other_command_withdraws_a_question_and_only_ending_the_program_does_more() -> None:
    said = list[Phrase]()
    confirming = Confirmation(Clock(), lambda _: None, lambda *_: None, said.append)
    assert not confirming.withdraws("hint"), "nothing is asked"
    for command, is_all in ((None, True), ("hint", True), ("quit", False), ("resign", False)):
        confirming.allows("resign", "Resign?")
        assert confirming.withdraws(command) is is_all
        assert (confirming.asked == "resign") is (command == "resign")
    assert said == [*["Resign?", ""] * 3, "Resign?"]


async def click_targets(pilot: Pilot[Any], *targets: str) -> None:
    """Click on targets of the board, all at once."""
    for target in targets:
        pilot.app.screen.post_message(Pointed(target))
    await settle(pilot)


async def test_a_click_plays_nothing_on_a_board_that_has_just_changed() -> None:
    clock = Clock()
    app = make_board_app(make_settings(training=False), players=FRIENDS, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        clock.now += SECONDS
        await click_targets(pilot, "R", "1", "L", "1")
        assert session(app).list_moves() == [("R", 1)], "the second move was clicked before its board was on the screen"
        assert board(app).state.move_input.entry.prefix == ("L",), "what plays nothing is taken"
        clock.now += SECONDS - 0.01
        await click_targets(pilot, "1")
        assert len(session(app).list_moves()) == 1, "a moment too early"
        clock.now += 0.01
        await click_targets(pilot, "1")
        assert session(app).list_moves() == [("R", 1), ("L", 1)]


@pytest.mark.parametrize("key", ["R", "D"])
async def test_quick_keys_confirm_no_unread_question(key: str) -> None:
    app, clock = make_idle_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press_at_once(pilot, *[key] * 5)
        assert not session(app).is_over
        assert f"{key} again" in notice(app), "the question stands"
        clock.now += SECONDS
        await click_targets(pilot, "R")
        await press(pilot, key)
        assert not session(app).is_over, "a click has withdrawn the question"
        clock.now += SECONDS
        await press(pilot, key)
        assert session(app).is_over


async def test_a_game_is_not_deleted_by_a_key_that_was_pressed_twice_in_one_burst(games: GameStore) -> None:
    clock = Clock()
    game: Session[Any, Any] = Session(tiny_game())
    game.play(("R", 1))
    games.save(game, GameDetails())
    app = make_menu_app(store=games, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "e")
        await press_at_once(pilot, *["x"] * 5)
        asked = " ".join(text(app).split())
        assert "Too quick: read the question first. Delete this game for good? Press x again" in asked
        clock.now += SECONDS
        await press(pilot, "x")
        assert "The games you play appear here." in text(app)
