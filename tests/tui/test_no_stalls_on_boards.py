"""No board waits for the analyst, a search or the disk. Workers do everything slow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.analysis import Analysis, AnyAnalyst, HintNotes
from onlymove_engines.core.game import AnyGame
from onlymove_engines.play.tree import AnyNode, Node
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.widgets.course import MoveList
from onlymove_tui.store.games import GameStore

from tests.tui.pilots import (
    FRIENDS,
    board,
    make_board_app,
    make_menu_app,
    make_settings,
    notice,
    press,
    session,
    settle,
)
from tests.tui.stalls import StallDetector
from tests.tui.test_drills_screen import require_drill_screen
from tests.tui.test_guard import Clock
from tests.tui.tiny_game import tiny_game

# At the start there are heaps of 3 and 4. The only winning move takes one on the right: equal heaps are lost.
GOOD, BAD = ("right", "enter", "1"), ("right", "enter", "3")
MISTAKE = Drill("tiny", "3,4 0", 0, Origin.MISTAKE, "R3")
SECOND = Drill("tiny", "1,3 1", 1, Origin.ONLY_MOVE)


def asks_its_analyst(position: Any, analysis: Analysis[Any], analyst: AnyAnalyst) -> HintNotes[Any]:
    """Act as a coach that has to ask its analyst before it can say something."""
    analyst.summarise([position]) if analyst is None else analyst.is_reachable(position)
    return HintNotes()


def slow_game(detector: StallDetector) -> AnyGame:
    """Return the tiny game with a coach that asks its analyst, everything slow."""
    return detector.slow_game(replace(tiny_game(), voice=replace(tiny_game().voice, hints=asks_its_analyst)))


def slow_board(detector: StallDetector, games: GameStore, **changes: Any) -> OnlymoveApp:
    """Open the slow game with a slow store."""
    return make_board_app(
        store=detector.slow(games, but=("draft", "add_saver")), games=(slow_game(detector),), **changes
    )


def read_moves(app: OnlymoveApp) -> str:
    """Return the moves as the screen shows them."""
    return app.screen.query_one(MoveList).text()


async def test_playing_waits_for_nothing(detector: StallDetector, games: GameStore) -> None:
    app = slow_board(detector, games)
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await press(pilot, "h", "h", "h", "v", *BAD, "h", "w", "w", "u", "y")
        assert session(app).list_moves()[0] == ("R", 3)
        await press(pilot, "w", "u", "u", "r", "t", "x", "R", "R")
        assert session(app).is_over


async def test_the_time_to_read_a_question_begins_when_it_is_painted(detector: StallDetector, games: GameStore) -> None:
    clock = Clock()
    app = slow_board(detector, games, players=FRIENDS, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        with detector.hold_calls():
            await pilot.press(*BAD)
            await pilot.pause()
            clock.now += 10
            await pilot.press("y")
            await pilot.pause()
            assert "take back" not in notice(app), "the stopped move is not on disk yet"
        await settle(pilot)
        assert "take back" in notice(app), "and the key that plays the move does not count yet"
        assert session(app).list_moves() == []


async def test_no_worker_is_described_by_writing_out_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(node: AnyNode) -> str:
        raise AssertionError(f"node {node.id} is written out")

    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        monkeypatch.setattr(Node, "__repr__", refuse)
        await press(pilot, *GOOD, "h")
        assert session(app).list_moves() == [("R", 1)]
        assert board(app).live.node.values is not None


async def test_unknown_values_are_announced_as_coming(detector: StallDetector) -> None:
    app = make_board_app(games=(slow_game(detector),), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        with detector.hold_calls():
            await pilot.press(*GOOD, "v")
            await pilot.pause()
            assert "Working out the values" in notice(app)
        await settle(pilot)
        assert "Working out" not in notice(app)
        assert board(app).marks().values


async def test_reviewing_waits_for_nothing(detector: StallDetector, games: GameStore) -> None:
    app = slow_board(detector, games, settings=make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await press(pilot, "m", *"L1", "enter", "m", *"L1", "enter", "R", "R", "e")
        assert isinstance(app.screen, ReviewScreen)
        await press(pilot, "right", "v", "w", "w", "home", "n", "down", "end", "left", "p")
        assert isinstance(app.screen, PlayScreen)
        assert session(app).list_moves() == [("L", 1)]


async def test_a_move_tried_before_values_are_known_is_judged_too(detector: StallDetector, games: GameStore) -> None:
    app = slow_board(detector, games, settings=make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await press(pilot, "m", *"L1", "enter", "R", "R", "q", "e")
        await press(pilot, "enter")
        assert isinstance(app.screen, ReviewScreen)
        with detector.hold_calls():
            await pilot.press("t", "m", *"R1", "enter", "m", *"L1", "enter")
            await pilot.pause()
            tried = app.screen.state.playback.node
            assert (tried.ply, tried.judgements) == (2, {})
        await settle(pilot)
        assert tried.judgements


async def test_a_round_of_drills_waits_for_nothing(detector: StallDetector, games: GameStore) -> None:
    games.drills.add([MISTAKE, SECOND])
    app = make_menu_app(store=detector.slow(games, but=("draft", "add_saver")), games=(slow_game(detector),))
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await press(pilot, "d", "enter")
        assert require_drill_screen(app).practice.place == 0
        await press(pilot, "h", "m", *"R3", "enter", "w", "w", "backspace", "m", *"R1", "enter", "w", "v", "n")
        assert require_drill_screen(app).practice.place == 1
        await press(pilot, "s", "w", "q")
        assert len(games.drills.list_due()) == 0


async def test_a_move_is_not_on_the_board_before_it_is_kept(detector: StallDetector, games: GameStore) -> None:
    app = slow_board(detector, games, settings=make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        with detector.hold_calls():
            await pilot.press("m", *"R1", "enter")
            await pilot.pause()
            assert "R1" not in read_moves(app), "shown before it is on disk"
            assert games.count() == 0
        await settle(pilot)
        assert "R1" in read_moves(app)
        assert [entry.plies for entry in games.list()] == [1]


async def test_why_says_at_once_that_it_is_being_found_out(detector: StallDetector) -> None:
    app = make_board_app(games=(slow_game(detector),))
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await press(pilot, *BAD)
        with detector.hold_calls():
            await pilot.press("w")
            await pilot.pause()
            assert "Working out an explanation" in notice(app)
            await pilot.press("u")
            await pilot.pause()
        await settle(pilot)
        assert board(app).state.playback.refutation is None, "nobody waits for it any more"
