"""Drills that are put aside, brought back, started over and removed in the app, answers that are taken back, and what a
drill says from its first picture on."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_tui.app.screens.all_drills import AllDrillsScreen
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.drills import DrillsScreen
from onlymove_tui.play.training import BROUGHT_BACK, HARD_ROUND, PUT_ASIDE, REMOVED, STARTED_OVER, TAKEN_BACK
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import MISSES_UNTIL_ASIDE

from tests.tui.pilots import hold_analyst, make_menu_app, notice, press, settle, store_at, text, wait_until
from tests.tui.screen_checks import find_faults_at

FIRST = Drill("tiny", "3,4 0", 0, Origin.MISTAKE, "R3")
SECOND = Drill("tiny", "1,3 1", 1, Origin.ONLY_MOVE)
RIGHT, WRONG = ("m", *"R1", "enter"), ("m", *"R3", "enter")
SIZES = ((60, 20), (80, 24), (120, 40))


@pytest.fixture
def box(tmp_path: Path) -> GameStore:
    """Return a store with two drills, in which it is midday."""
    midday = datetime.now().astimezone().replace(hour=12, minute=0)
    store = store_at(tmp_path / "games.sqlite3", lambda: midday.astimezone(UTC))
    store.drills.add([FIRST, SECOND])
    return store


def read_states(box: GameStore) -> dict[str, tuple[int, int, bool]]:
    """Return the tries, the right answers and whether the drill is put aside, by position."""
    stored = box.drills.list_stored()
    return {each.asked.drill.position: (each.asked.tries, each.asked.solved, each.is_aside) for each in stored}


async def test_a_mistyped_answer_is_taken_back_and_the_question_is_asked_anew(box: GameStore) -> None:
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter", *WRONG)
        assert "u mistyped" in notice(app)
        assert read_states(box)[FIRST.position] == (1, 0, False)
        await press(pilot, "u")
        assert TAKEN_BACK in notice(app)
        assert "Left to move: keep the win." in notice(app)
        assert read_states(box)[FIRST.position] == (0, 0, False)
        await press(pilot, "u")
        assert read_states(box)[FIRST.position] == (0, 0, False), "there is nothing more to take back"
        await press(pilot, *RIGHT)
        assert read_states(box)[FIRST.position] == (1, 1, False)
        await press(pilot, "enter", *WRONG, "m", *"R2", "enter", "u")
        assert read_states(box)[SECOND.position] == (1, 0, False), "the second answer does not undo the first"


async def test_the_solution_cannot_be_taken_back(box: GameStore) -> None:
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter", "s", "u")
        assert read_states(box)[FIRST.position] == (1, 0, False)


async def test_a_drill_is_put_aside_and_another_removed_within_a_round(box: GameStore) -> None:
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter", "p")
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.practice.drill == SECOND
        assert PUT_ASIDE in notice(app)
        await press(pilot, "x")
        assert "Remove this drill for good? Press x again to confirm." in notice(app)
        await press(pilot, "right")
        assert "Remove" not in notice(app), "another key withdraws the question"
        await press(pilot, "x", "x")
        assert app.screen.is_over
        assert REMOVED in notice(app)
        assert "again" not in notice(app), "no drill is left to repeat"
        await press(pilot, "a")
        assert app.screen.is_over
        assert "of 0" not in text(app)
        assert read_states(box) == {FIRST.position: (0, 0, True)}


async def test_the_tenth_miss_puts_a_drill_aside_with_a_word(box: GameStore) -> None:
    box.drills.remove(box.drills.list_due()[1])
    number = box.drills.list_due()[0].number
    for _ in range(MISSES_UNTIL_ASIDE - 1):
        box.drills.answer(number, solved=False)
    box.drills.add([FIRST])
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter", "s")
        assert "Missed 10 times, so it is put aside." in notice(app)
        await press(pilot, "enter")
        assert "1 put aside, because you missed it so often." in " ".join(text(app).split())
        assert box.drills.list_due() == []


async def test_the_list_of_all_drills_brings_back_starts_over_and_removes(box: GameStore) -> None:
    first, second = box.drills.list_due()
    box.drills.answer(second.number, solved=True)
    box.drills.put_aside(first)
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "e")
        assert isinstance(app.screen, AllDrillsScreen)
        assert "2 drills, 1 put aside" in text(app)
        lines = [line for line in text(app).splitlines() if "Two Heaps" in line]
        assert "later today" in lines[0]
        assert "1 of 1 right" in lines[0]
        assert "put aside" in lines[1]
        await press(pilot, "z")
        assert "Forget all answers to this drill? Press z again to confirm." in text(app)
        await press(pilot, "z")
        assert STARTED_OVER in text(app)
        assert read_states(box)[SECOND.position] == (0, 0, False)
        await press(pilot, "end")
        assert "p bring back" in text(app)
        await press(pilot, "p")
        assert BROUGHT_BACK in text(app)
        assert not any(is_aside for *_, is_aside in read_states(box).values())
        await press(pilot, "home", "p")
        assert PUT_ASIDE in text(app)
        await press(pilot, "home", "x", "down")
        assert len(read_states(box)) == 2, "another key withdraws the question"
        await press(pilot, "x", "x", "x", "x")
        assert read_states(box) == {}
        assert "0 drills" in text(app)
        await press(pilot, "q", "e")
        assert "Your mistakes appear here as drills" in text(app)
        await press(pilot, "x", "p", "z", "enter", "q")
        assert isinstance(app.screen, DrillsScreen), "there is nothing left that could be changed"


async def test_a_drill_of_the_list_can_be_practised_before_it_is_due(box: GameStore) -> None:
    for due in box.drills.list_due():
        box.drills.answer(due.number, solved=True)
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "e", "enter")
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.practice.total == 1
        await press(pilot, *(RIGHT if app.screen.practice.drill == FIRST else ("m", *"R2", "enter")), "enter", "enter")
        assert isinstance(app.screen, AllDrillsScreen), "the list is what Enter goes back to"
        assert "1 of 1 correct on the first try." in text(app)
        assert "2 of 2 right" in text(app)


async def test_the_list_of_all_drills_is_whole_at_every_size(box: GameStore) -> None:
    box.drills.put_aside(box.drills.list_due()[0])
    app = make_menu_app(store=box)
    async with app.run_test(size=SIZES[0]) as pilot:
        await press(pilot, "d", "e")
        for size in SIZES:
            assert not await find_faults_at(pilot, app, size, small_board=True)
            assert "put aside" in text(app)


async def test_a_long_list_of_drills_scrolls(box: GameStore) -> None:
    box.drills.add(Drill("tiny", f"{left},{right} 0", 0, Origin.MISTAKE) for left in range(1, 9) for right in (5, 6, 7))
    app = make_menu_app(store=box)
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "d", "e")
        assert "▾ more" in text(app)
        await press(pilot, "end")
        assert "▴ more" in text(app)
        assert isinstance(app.screen, AllDrillsScreen)
        assert app.screen.marked_line is app.screen.lines[-1]


async def test_a_drill_says_in_its_first_picture_what_is_to_be_kept(box: GameStore) -> None:
    """The board's own search for an analyst never ends here."""
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        opened = hold_analyst(app)
        try:
            await pilot.press("d")
            await wait_until(pilot, lambda: isinstance(app.screen, DrillsScreen) and app.screen.known.offers)
            await pilot.press("enter")
            await wait_until(pilot, lambda: isinstance(app.screen, DrillScreen) and "to move" in notice(app))
            assert "Left to move: keep the win." in notice(app)
        finally:
            opened.set()


async def test_after_a_hard_round_there_is_a_kind_word_and_enter_goes_through_the_missed_ones(box: GameStore) -> None:
    app = make_menu_app(store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter", "s", "enter", "s", "enter")
        assert HARD_ROUND in " ".join(text(app).split()).replace(" | ", " ")
        assert "Enter try the missed ones again" in notice(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, DrillScreen)
        assert (app.screen.practice.total, app.screen.practice.place) == (2, 0)
        await press(pilot, *RIGHT, "enter", "m", *"R2", "enter", "enter")
        assert HARD_ROUND not in text(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, DrillsScreen)
