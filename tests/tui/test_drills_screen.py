"""Drills in the app: mistakes come back, the answer is hidden, and every move that keeps the value is right."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.scene import View
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.launch import TIMERS, Timers
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.drills import DrillsScreen, make_due_round
from onlymove_tui.app.widgets.bars import Lines
from onlymove_tui.app.widgets.board_view import BoardView, SmallBoard
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Switch
from textual.pilot import Pilot

from tests.tui.pilots import (
    FRIENDS,
    make_board_app,
    make_menu_app,
    make_settings,
    notice,
    press,
    settle,
    store_at,
    text,
    wait_until,
)
from tests.tui.screen_checks import find_faults_at, lines_on_screen
from tests.tui.sizes import resize
from tests.tui.stalls import StallDetector
from tests.tui.tiny_game import Heaps, TinyPainter

# From heaps of 3 and 4, the only winning move takes one on the right. From 1 and 3 it takes two there.
FIRST = Drill("tiny", "3,4 0", 0, Origin.MISTAKE, "R3")
SECOND = Drill("tiny", "1,3 1", 1, Origin.ONLY_MOVE)


@pytest.fixture
def box(tmp_path: Path) -> GameStore:
    """Return a store in which it is midday, so that what comes back in minutes comes back today."""
    midday = datetime.now().astimezone().replace(hour=12, minute=0)
    return store_at(tmp_path / "games.sqlite3", lambda: midday.astimezone(UTC))


def require_drill_screen(app: OnlymoveApp) -> DrillScreen:
    assert isinstance(app.screen, DrillScreen)
    return app.screen


@asynccontextmanager
async def open_round(
    box: GameStore,
    *keys: str,
    drills: Sequence[Drill] = (FIRST,),
    size: tuple[int, int] = (80, 24),
    timers: Timers = TIMERS,
    **changes: Any,
) -> AsyncIterator[tuple[OnlymoveApp, Pilot[int]]]:
    """Yield the app at a round of these drills, after these keys. `changes` are settings."""
    box.drills.add(drills)
    app = make_menu_app(make_settings(**changes), store=box, timers=timers)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "d", "enter", *keys)
        yield app, pilot


async def test_a_mistake_in_a_game_becomes_a_drill_that_is_due(box: GameStore) -> None:
    app = make_board_app(make_settings(training=False), store=box, players=FRIENDS, position="1,2 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "right", "enter", "2", "enter", "left", "enter", "1")
        (due,) = box.drills.list_due()
        assert (due.drill.position, due.drill.played, due.drill.seat) == ("1,2 0", "R2", 0)
        assert "new drill" in notice(app)


async def test_drills_that_are_not_due_yet_are_listed_as_such(box: GameStore) -> None:
    app = make_board_app(make_settings(training=False), store=box, players=FRIENDS, position="1,2 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "right", "enter", "2", "enter", "left", "enter", "1", "d", "m", *"R1", "enter", "q")
        assert "d drills" in notice(app)
        assert "new drill" not in notice(app), "it has been tried"
        await press(pilot, "d")
        assert "not due yet" in notice(app)


async def test_drills_are_offered_after_a_game_just_where_it_made_some(box: GameStore) -> None:
    for moves, offered in ((*"mR1",), False), ((*"mR3", "enter", "u", *"mR1"), True):
        app = make_board_app(store=box, position="3,4 0")
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, *moves, "enter", "R", "R")
            assert bool(box.drills.list_due()) is offered, moves
            assert ("d drills" in notice(app)) is offered, moves


async def test_a_game_that_made_drills_is_not_called_free_of_mistakes(box: GameStore) -> None:
    app = make_board_app(store=box, position="3,4 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *"mR3", "enter", "u", *"mR1", "enter", "R", "R")
        assert "1 new drill" in notice(app)
        await press(pilot, "n")
        assert "No mistake of yours changed the result." in notice(app)


async def test_a_round_of_drills_from_menu_to_menu(box: GameStore) -> None:
    box.drills.add([FIRST, SECOND])
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "2 drills due now in Two Heaps" in text(app)
        await press(pilot, "end")
        assert "\n2 drills due now.\n" in text(app), "the marked game"
        await press(pilot, "d")
        assert "2 due now" in text(app)
        await press(pilot, "enter")
        assert "keep the win" in notice(app)
        await press(pilot, "right", "enter", "1")
        assert "R1 is correct. It was new, so you'll see it again today." in notice(app)
        assert len(notice(app).splitlines()) == 2, "a third line would cover the board"
        assert "Enter next" in notice(app)
        await press(pilot, "n", "m", *"R1", "enter")
        assert "Win in" in notice(app)
        assert "try again" in notice(app)
        await press(pilot, "m", *"R2", "enter")
        assert "is correct" in notice(app)
        assert "Enter finish" in notice(app), "it was the last one"
        await press(pilot, "n", "q")
        assert isinstance(app.screen, DrillsScreen)
        assert "1 of 2 correct on the first try" in text(app)
        await press(pilot, "escape")
        assert "due" not in text(app).splitlines()[0]


async def test_a_round_skips_drills_that_cannot_be_read(box: GameStore) -> None:
    box.drills.add([replace(FIRST, game="gone"), replace(FIRST, position="nonsense")])
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        assert isinstance(make_due_round(app.services, None), str)
        await press(pilot, "d", "enter")
        assert isinstance(app.screen, DrillsScreen)
        assert "nonsense" in text(app)
        box.drills.add([FIRST])
        await press(pilot, "enter")
        assert require_drill_screen(app).practice.drill == FIRST


async def test_the_answer_is_not_on_the_screen_before_it_is_asked_for(box: GameStore) -> None:
    async with open_round(box, "v") as (app, pilot):
        assert "R1" not in text(app)
        assert "Find a move first" in notice(app)
        await press(pilot, "h")
        assert "R1" not in text(app)
        await press(pilot, "s")
        assert "R1" in text(app)
        assert box.drills.count_answers("tiny") == {Origin.MISTAKE: (0, 1)}


async def test_a_drill_plays_nothing_and_lets_values_and_reasons_be_seen_once_solved(box: GameStore) -> None:
    async with open_round(box, "m", *"R1", "enter") as (app, pilot):
        drill = require_drill_screen(app)
        assert drill.live.session.list_moves() == []
        await press(pilot, "v")
        assert drill.state.values_shown
        await press(pilot, "w")
        assert drill.state.playback.refutation is not None
        assert drill.state.playback.refutation.texts[0] == "R1"


async def test_the_solution_that_was_asked_for_can_be_played_through(box: GameStore) -> None:
    async with open_round(box, "s") as (app, pilot):
        assert "w why" in notice(app)
        await press(pilot, "w")
        why = require_drill_screen(app).state.playback.refutation
        assert why is not None
        assert why.texts[0] == "R1"


async def test_no_engine_sits_at_a_drill(box: GameStore) -> None:
    async with open_round(box) as (app, pilot):
        assert "Left  you" in text(app)
        assert "Best 100" not in text(app)
        await press(pilot, "q", "escape", "up", "enter", "enter")
        assert "Best 100" in text(app)


async def test_fresh_positions_are_made_for_a_game_without_mistakes(box: GameStore) -> None:
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "up", "enter")
        await settle(pilot)
        assert (drill := require_drill_screen(app).practice.drill) is not None
        assert drill.origin is Origin.ONLY_MOVE
        await press(pilot, "q")
        marked = next(line for line in text(app).splitlines() if "▸" in line)
        assert "find the only move" in marked, "the mark stays on its line, though drills have come due above"


async def test_a_drill_that_is_steered_by_arrows_says_so_and_offers_no_enter(box: GameStore) -> None:
    box.drills.add([Drill("lightriders", "4 4 0,.,.,.,x,.,.,.,.,.,.,.,.,.,.,1", 0, Origin.MISTAKE)])
    app = make_menu_app(store=box, games=())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter")
        assert "Press an arrow key." in notice(app)
        assert "Enter choose" not in text(app)


async def test_a_fresh_round_is_about_its_theme_and_the_weakest_is_offered_first(box: GameStore) -> None:
    box.drills.add([SECOND, replace(FIRST, origin=Origin.CONVERT)])
    for due in box.drills.list_due():
        box.drills.answer(due.number, solved=due.drill.origin is Origin.ONLY_MOVE)
    app = make_menu_app(store=box)
    async with app.run_test(size=(100, 30)) as pilot:
        own = list[str]()
        for key in ("up", "right", "right"):
            await press(pilot, *(["d"] if not own else []), key)
            own += [
                line.split("new: ")[1] for line in text(app).splitlines() if "Two Heaps" in line and "new: " in line
            ]
        assert [line.split()[0] for line in own] == ["convert", "defend", "find"]
        assert "1-day streak" in text(app)
        await press(pilot, "right", "enter")
        practice = require_drill_screen(app).practice
        assert {due.drill.origin for due in practice.queue} == {Origin.CONVERT}


async def test_the_first_due_position_is_shown_beside_the_list(box: GameStore) -> None:
    box.drills.add([SECOND])
    app = make_menu_app(store=box)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "d")
        assert app.screen.query_one(SmallBoard).text().split() == picture((1, 3, 1)).split()
        await press(pilot, "up")
        assert app.screen.query_one(SmallBoard).text().split() == picture((3, 4, 0)).split(), "of new ones the start"


async def test_the_theme_of_new_positions_is_never_cut(box: GameStore) -> None:
    app = make_menu_app(store=box)
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "d", "up")
        for size in ((60, 20), (80, 24), (100, 30), (120, 40)):
            for _ in range(3):
                assert not await find_faults_at(pilot, app, size, small_board=True)
                assert not any("…" in line for line in lines_on_screen(app)), lines_on_screen(app)
                await press(pilot, "right")


async def test_positions_that_were_found_are_kept_once_they_are_tried(box: GameStore) -> None:
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "up", "enter")
        assert require_drill_screen(app).practice.total
        await press(pilot, "q")
        assert len(box.drills.list_due()) == 0
        await press(pilot, "enter", "s", "q")
        assert sum(tries for _, tries in box.drills.count_answers("tiny").values()) == 1


async def test_the_next_days_say_how_many_drills_come_due(tmp_path: Path) -> None:
    """It is noon, and a drill that was solved for the first time comes back ten minutes later."""
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    box = store_at(tmp_path / "games.sqlite3", lambda: noon)
    box.drills.add([FIRST, SECOND])
    box.drills.answer(box.drills.list_due()[0].number, solved=True)
    app = make_menu_app(store=box)
    async with app.run_test(size=(60, 30)) as pilot:
        await press(pilot, "d")
        for width in (60, 80, 100):
            await resize(pilot, (width, 30))
            names, numbers, *_ = app.screen.query_one("#detail", Lines).text().splitlines()
            assert f"{noon.astimezone():%a}"[:2] in names.split()[0]
            assert numbers.split()[0] == "2", "one now, and one later today"
            assert len(numbers.split()) >= 7
            assert "1 more drill comes back later today." in text(app)


async def test_the_drill_screens_fit(box: GameStore) -> None:
    box.drills.add([FIRST])
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d")
        assert "Two Heaps" in text(app)
        await press(pilot, "enter", "m", *"R3", "enter")
        for size in ((80, 24), (60, 20), (120, 40)):
            await resize(pilot, size)
            assert "try again" in notice(app)
            for widget in app.screen.query("*"):
                if widget.display and widget.region.area:
                    assert app.screen.region.contains_region(widget.region), widget


def board_text(app: OnlymoveApp) -> str:
    """Return the picture on the board, without marks."""
    return app.screen.query_one(BoardView).scene.text()


def picture(position: Heaps) -> str:
    return TinyPainter().scene(View((position,))).text()


async def wait_for(pilot: Pilot[int], app: OnlymoveApp, wanted: str) -> None:
    """Wait until the board looks like this."""
    await wait_until(pilot, lambda: wanted in board_text(app))


@pytest.mark.parametrize("animation", [Switch.OFF, Switch.ON])
async def test_a_right_move_is_seen_on_the_board_and_then_the_reply(
    box: GameStore, animation: Switch, shown_pictures: list[str]
) -> None:
    async with open_round(box, animation=animation) as (app, pilot):
        assert board_text(app) == picture((3, 4, 0))
        await pilot.press("m", *"R1", "enter")
        await wait_until(pilot, lambda: picture((3, 3, 1)) in shown_pictures)
        assert any("moving 2" in each for each in shown_pictures) == (animation is Switch.ON)
        assert "R1 is correct." in notice(app)
        reply = require_drill_screen(app).live.game.rules.play((3, 3, 1), ("L", 1))
        await wait_for(pilot, app, picture(reply))
        assert "R1 is correct." in notice(app), "what is asked for next is still to be read"
        await press(pilot, "backspace")
        assert board_text(app) == picture((3, 4, 0)), "back at the question"


async def test_the_reply_does_not_overtake_a_request_made_meanwhile(box: GameStore) -> None:
    async with open_round(box, "m", *"R1", "enter", "v", timers=Timers(reply=0.05)) as (app, pilot):
        await pilot.pause(0.1)
        assert board_text(app) == picture((3, 4, 0))
        assert "W7" in text(app)


async def test_the_coming_days_use_the_whole_width_however_late_they_are_known(
    box: GameStore, detector: StallDetector
) -> None:
    """The panel is hidden, and has no width, until they are known."""
    app = make_menu_app(store=detector.slow(box))
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        with detector.hold_calls():
            await pilot.press("d")
            await pilot.pause()
            assert isinstance(app.screen, DrillsScreen)
        await settle(pilot)
        shown = lines_on_screen(app)
        app.screen.mark_changed()
        await settle(pilot)
        assert lines_on_screen(app) == shown
