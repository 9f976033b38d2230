"""A round of drills on the screen: a wrong answer is punished on the board, the dots show the results, the summary says
when drills come back, and fast typing does nothing to what the player has not seen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from onlymove_engines.coach.drill import Drill, Origin
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.value import Mixed, Move
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.confirmation import SECONDS
from onlymove_tui.app.launch import Timers
from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.screens.drill import DrillScreen
from onlymove_tui.app.screens.drills import DrillsScreen
from onlymove_tui.app.widgets.bars import Panel, TitleBar
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.settings import Goal, Switch
from textual.pilot import Pilot

from tests.amounts import limit_values
from tests.tui.pilots import (
    STILL,
    make_menu_app,
    make_settings,
    notice,
    press,
    press_at_once,
    settle,
    store_at,
    text,
    wait_until,
)
from tests.tui.screen_checks import SIZES, Size, find_faults
from tests.tui.test_drills_screen import FIRST, SECOND, board_text, picture, require_drill_screen, wait_for
from tests.tui.test_drills_screen import open_round as open_drills
from tests.tui.tiny_duel import tiny_duel

WRONG = ("m", *"R3", "enter")
RIGHT = ("m", *"R1", "enter")
PUNISHED = "R3: Win in 7 moves → Loss. Now Right wins in 3 moves, but only with L2."


@pytest.fixture
def box(tmp_path: Path) -> GameStore:
    """Return a box of drills for which it is always noon."""
    return store_at(tmp_path / "games.sqlite3", lambda: datetime(2026, 11, 20, 12, tzinfo=UTC))


open_round = partial(open_drills, timers=Timers(reply=0.2))
still_round = partial(open_drills, timers=STILL)


@dataclass
class Clock:
    """A clock that stands still until it is set."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


async def wait_for_reply(pilot: Pilot[int], app: OnlymoveApp) -> None:
    """Wait until the board shows the reply to the wrong answer."""
    await wait_for(pilot, app, picture((1, 1, 0)))
    await settle(pilot)


# A wrong answer.


@asynccontextmanager
async def answer_wrongly(box: GameStore) -> AsyncIterator[tuple[OnlymoveApp, Pilot[int]]]:
    """Yield a drill that was just answered wrongly, with the reply on the board."""
    async with open_round(box, *WRONG) as (app, pilot):
        await wait_for_reply(pilot, app)
        yield app, pilot


@pytest.mark.parametrize("animation", [Switch.OFF, Switch.ON])
async def test_a_wrong_answer_is_played_and_punished_on_the_board(
    box: GameStore, animation: Switch, shown_pictures: list[str]
) -> None:
    async with open_round(box, animation=animation) as (app, pilot):
        await pilot.press(*WRONG)
        await wait_until(pilot, lambda: picture((3, 1, 1)) in shown_pictures)
        await wait_for_reply(pilot, app)
        assert PUNISHED in notice(app)
        assert require_drill_screen(app).marks().last == ("L",), "the reply has its mark"
        assert require_drill_screen(app).live.session.list_moves() == []


async def test_an_arrow_key_after_a_wrong_answer_moves_the_cursor_of_the_question(box: GameStore) -> None:
    async with answer_wrongly(box) as (app, pilot):
        assert "Backspace try again" in notice(app)
        assert require_drill_screen(app).state.move_input.cursor == "L"
        await press(pilot, "right")
        assert board_text(app) == picture((3, 4, 0))
        assert require_drill_screen(app).state.move_input.cursor == "R", "one press is enough"


@pytest.mark.parametrize("key", ["left", "enter"])
async def test_a_key_of_a_move_brings_the_question_back(box: GameStore, key: str) -> None:
    async with answer_wrongly(box) as (app, pilot):
        await press(pilot, key)
        assert board_text(app) == picture((3, 4, 0))
        assert require_drill_screen(app).state.move_input.entry.prefix == ()
        assert "Left to move: keep the win." in notice(app)
        assert PUNISHED in notice(app), "what was tried is still to be read"
        await press(pilot, "right", "enter", "1")
        assert "R1 is correct." in notice(app)


async def test_a_typed_move_a_click_and_a_hint_go_back_to_the_question_too(box: GameStore) -> None:
    async with answer_wrongly(box) as (app, pilot):
        require_drill_screen(app).post_message(Pointed("R"))
        await settle(pilot)
        assert board_text(app) == picture((3, 4, 0))
        assert require_drill_screen(app).state.move_input.entry.prefix == (), "what is clicked at was another position"
        for keys in (("h",), ("m", *"R1")):
            await press(pilot, *WRONG)
            await wait_for_reply(pilot, app)
            await press(pilot, *keys)
            assert board_text(app) == picture((3, 4, 0))
        await press(pilot, "enter")
        assert "R1 is correct." in notice(app)


async def test_the_reply_does_not_overtake_a_move_tried_meanwhile(box: GameStore) -> None:
    async with open_round(box, *WRONG, "left") as (app, pilot):
        await pilot.pause(0.4)
        assert board_text(app) == picture((3, 4, 0))
        assert "punishes" not in notice(app)


async def test_where_both_move_at_once_nothing_is_punished_and_the_question_stays(box: GameStore) -> None:
    box.drills.add([Drill("duel", "0 0", 0, Origin.MISTAKE)])
    clock = Clock()
    app = make_menu_app(store=box, games=(tiny_duel(),), clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter")
        assert "Even chooses: find a move that is no mistake." in notice(app)
        clock.now += SECONDS
        await press_at_once(pilot, "m", "c", "enter", "a", "enter", "m", "a", "enter")
        assert "c: " in notice(app) or "look at the position first" in notice(app)
        assert not require_drill_screen(app).practice.is_solved, "answered before it was seen that c is wrong"
        clock.now += SECONDS
        await press(pilot, "enter")
        assert "a is correct." in notice(app)


async def test_an_inaccuracy_where_both_move_at_once_is_good_enough_and_not_called_correct(box: GameStore) -> None:
    rows: dict[Move, dict[Move, float]] = {
        "a": dict.fromkeys("abc", 0.0),
        "b": dict.fromkeys("abc", -0.08),
        "c": dict.fromkeys("abc", -0.5),
    }
    box.drills.add([Drill("duel", "0 0", 0, Origin.MISTAKE)])
    app = make_menu_app(store=box, games=(tiny_duel(),))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter")
        sure: dict[Move, float] = {"a": 1.0, "b": 0.0, "c": 0.0}
        live = require_drill_screen(app).live
        live.store_values(live.node, Mixed(0.0, (sure, sure), rows, exact=True))
        await press(pilot, "m", "b", "enter")
        assert require_drill_screen(app).practice.is_solved
        assert "b is good enough. Inaccuracy." in notice(app)


async def test_a_solution_that_is_not_proven_is_not_claimed(box: GameStore) -> None:
    async with open_round(box) as (app, pilot):
        live = require_drill_screen(app).live
        live.store_values(live.node, Analysis(None, dict.fromkeys(live.session.legal_moves())))
        await press(pilot, "s")
        assert "No best move is proven here." in notice(app)
        assert "w why" not in notice(app), "there is no move to explain"


async def test_why_continues_from_the_wrong_answer_and_enter_steps_through_it(box: GameStore) -> None:
    async with answer_wrongly(box) as (app, pilot):
        await press(pilot, "w", "enter")
        why = require_drill_screen(app).state.playback.refutation
        assert why is not None
        assert (why.texts[0], why.step) == ("R3", 2)
        await press(pilot, "q")
        assert board_text(app) == picture((3, 4, 0))
        assert not require_drill_screen(app).practice.is_solved, "why gives nothing up"
        assert "Left to move: keep the win." in notice(app)
        await press(pilot, *RIGHT)
        assert "R1 is correct." in notice(app)


async def test_the_result_of_a_round_replaces_an_older_message(box: GameStore) -> None:
    async with open_round(box, "escape") as (app, pilot):
        assert "You have chosen nothing yet." in notice(app)
        await press(pilot, "n")
        assert require_drill_screen(app).is_over
        assert "chosen nothing" not in notice(app)


# Bursts of keys.


async def test_keys_that_come_before_the_reply_was_seen_answer_nothing(
    box: GameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    late: list[Callable[[], None]] = []
    show = DrillScreen.show_reply
    monkeypatch.setattr(DrillScreen, "show_reply", lambda *reply: late.append(partial(show, *reply)))
    box.drills.add([FIRST])
    clock = Clock()
    app = make_menu_app(store=box, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter")
        clock.now += SECONDS
        await press_at_once(pilot, "right", "enter", "3", *("enter", "1", "right", "enter", "1") * 3)
        drill = require_drill_screen(app)
        assert not drill.practice.is_solved, "R1 was entered on a board that nobody had seen"
        assert drill.state.playback.refutation is not None, "the wrong answer is still to be seen"
        clock.now += SECONDS
        while not late:
            await pilot.pause(0.05)
        late.pop()()
        await wait_for_reply(pilot, app)
        await press(pilot, "1")
        assert drill.state.playback.refutation is not None, "the reply has come only now"
        clock.now += SECONDS
        await press(pilot, "1")
        assert board_text(app) == picture((3, 4, 0))
        assert drill.state.move_input.entry.prefix == ()


async def test_repeated_enter_neither_continues_nor_answers_the_next_drill(box: GameStore) -> None:
    box.drills.add([FIRST, SECOND])
    clock = Clock()
    app = make_menu_app(store=box, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter")
        clock.now += SECONDS
        await press_at_once(pilot, "right", "enter", "1", *["enter"] * 20)
        assert require_drill_screen(app).practice.place == 0, "that it is right was not seen yet"
        assert "Enter next" not in notice(app)
        clock.now += SECONDS
        await wait_until(pilot, lambda: "Enter next" in notice(app))
        await press_at_once(pilot, "enter", "right", "enter", "2", *["enter"] * 20)
        assert require_drill_screen(app).practice.place == 1
        assert not require_drill_screen(app).practice.is_answered, "answered before the position was seen"
        assert "Too quick: look at the position first." in notice(app)
        assert require_drill_screen(app).state.move_input.entry.prefix == ()
        clock.now += SECONDS
        await press(pilot, "right", "enter", "2")
        assert "R2 is correct." in notice(app)


async def test_a_move_typed_before_the_position_was_seen_keeps_its_text(box: GameStore) -> None:
    box.drills.add([FIRST])
    clock = Clock()
    app = make_menu_app(store=box, clock=clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d", "enter")
        await press_at_once(pilot, *RIGHT)
        assert "look at the position first" in notice(app)
        clock.now += SECONDS
        await press(pilot, "enter")
        assert "R1 is correct." in notice(app)


# The round.


async def test_the_title_has_a_sign_for_each_drill_and_says_how_many_in_a_row_were_right(box: GameStore) -> None:
    third, fourth = Drill("tiny", "2,3 0", 0, Origin.MISTAKE), Drill("tiny", "1,4 0", 0, Origin.MISTAKE)
    async with open_round(box, drills=[FIRST, SECOND, third, fourth]) as (app, pilot):
        title = app.screen.query_one(TitleBar)
        assert "●···  drill 1 of 4" in title.text()
        await press(pilot, *RIGHT)
        assert "✓···  drill 1 of 4" in title.text()
        await press(pilot, "enter", "m", *"R2", "enter", "enter")
        assert "✓✓●·  drill 3 of 4  2 in a row" in title.text()
        await press(pilot, *"mL1", "enter", "n", "n")
        assert "✓✓✗○  drill 4 of 4" in title.text()


async def test_where_there_is_a_frame_the_dots_are_in_it(box: GameStore) -> None:
    async with open_round(box, *RIGHT, "enter", drills=[FIRST, SECOND], size=(120, 40)) as (app, _):
        assert "✓●  drill 2 of 2" in app.screen.query_one("#board-panel", Panel).facts


async def test_the_return_date_of_a_drill_is_shown(box: GameStore) -> None:
    async with open_round(box, "s") as (app, _):
        assert "R1 is the best move. You'll see this again today." in notice(app)


async def test_the_last_drill_offers_to_finish_the_round(box: GameStore) -> None:
    async with open_round(box, drills=(FIRST, SECOND)) as (app, pilot):
        assert "n next" in text(app)
        await press(pilot, "n")
        assert "n finish" in text(app)
        await press(pilot, "question_mark")
        assert "Finish the round" in text(app)
        assert "Go to the next drill" not in text(app)


async def test_at_the_end_of_a_round_no_panel_asks_for_a_move(box: GameStore) -> None:
    async with open_round(box, "m", *"R3", "enter", size=(200, 55)) as (app, pilot):
        assert "Hidden until you have found a move." in text(app)
        await press(pilot, "n")
        assert require_drill_screen(app).is_over
        assert "Hidden until" not in text(app)


async def test_a_round_ends_with_a_summary_and_a_key_for_each_next_step(box: GameStore) -> None:
    async with open_round(box, *RIGHT, "enter", "m", *"R1", "enter", drills=[FIRST, SECOND]) as (app, pilot):
        await press(pilot, "n")
        for output in (
            "1 of 2 correct on the",
            "2 come back today.",
            "✓ ✗",
            "Enter other drills",
            "a again",
            "q back",
        ):
            assert output in text(app), output
        await press(pilot, "1", "m", "v", "h", "n")
        assert require_drill_screen(app).is_over, "nothing is left to be answered"
        await press(pilot, "a")
        assert require_drill_screen(app).practice.total == 1, "what was missed"
        assert require_drill_screen(app).practice.drill == SECOND
        assert "Right to move: keep the win." in notice(app)
        await press(pilot, "m", *"R2", "enter", "enter", "d")
        assert isinstance(app.screen, DrillsScreen)
        assert "1 of 1 correct on the first try" in text(app)


async def test_other_drills_are_one_key_away_also_from_the_drills_of_a_game(box: GameStore) -> None:
    app = make_menu_app(make_settings(training=False), store=box)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "up", "enter", "enter", *"mL1", "enter", "R", "R", "d")
        assert isinstance(app.screen, DrillScreen)
        await press(pilot, "n", "d")
        assert isinstance(app.screen, DrillsScreen)


async def test_the_goal_may_be_part_of_the_question(box: GameStore) -> None:
    async with open_round(box, drills=[replace(FIRST, origin=Origin.CONVERT)], drill_goal=Goal.HIDDEN) as (app, pilot):
        assert "Left to move." in notice(app)
        assert "win" not in text(app).lower()
        await press(pilot, *WRONG, "left")
        assert "Left to move: keep the win." in notice(app), "an answer tells it"


# Sizes and characters.


async def test_in_ascii_each_state_of_a_drill_has_a_different_sign(box: GameStore) -> None:
    async with open_round(
        box, *RIGHT, "enter", drills=[FIRST, SECOND, Drill("tiny", "2,3 0", 0, Origin.MISTAKE)], ascii=Switch.ON
    ) as (app, pilot):
        assert "+@.  drill 2 of 3" in text(app)
        await press(pilot, "m", *"R1", "enter")
        await pilot.pause(0.4)
        assert "+x.  drill 2 of 3" in text(app)
        assert text(app).isascii()
        await press(pilot, "n", "n")
        assert "+ x o" in text(app)
        assert text(app).isascii()


@pytest.mark.parametrize("size", limit_values(SIZES, 2))
async def test_a_round_is_whole_at_every_size(box: GameStore, size: Size) -> None:
    box.drills.add([FIRST, *(Drill("tiny", f"{left},4 0", 0, Origin.MISTAKE, "R3") for left in (1, 2)), SECOND])
    app = make_menu_app(store=box)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "d", "enter")
        found = find_faults(app, small_board=True)
        panel = app.screen.query_one("#board-panel", Panel)
        assert "●···" in text(app) + panel.facts, "the dots are on the smallest screen too"
        await press(pilot, *WRONG)
        await wait_for_reply(pilot, app)
        found += find_faults(app, small_board=True)
        told = PUNISHED if size[0] > len(PUNISHED) else f"{PUNISHED.partition('.')[0]}. The best reply is L2."
        assert told in " ".join(notice(app).split())
        for keys in (("left",), RIGHT, ("enter", "n", "n", "n")):
            await press(pilot, *keys)
            found += find_faults(app, small_board=True)
        assert not found
        assert "0 of 1 correct on the first try." in " ".join(text(app).split())
        assert "Enter try the missed ones again" in notice(app)


async def test_enter_leaves_a_solved_drill_even_while_the_reply_is_animated(box: GameStore) -> None:
    async with still_round(box, *RIGHT, animation=Switch.ON) as (app, pilot):
        solved = require_drill_screen(app)
        assert solved.state.playback.frames
        await pilot.press("enter")
        await settle(pilot)
        assert solved.is_over


async def test_a_solved_drill_gives_no_hint(box: GameStore) -> None:
    async with open_round(box, *RIGHT) as (app, pilot):
        await press(pilot, "h")
        assert "This drill is solved." in notice(app)


async def test_a_solved_drill_takes_no_typed_move(box: GameStore) -> None:
    async with open_round(box, *RIGHT) as (app, pilot):
        await press(pilot, "m")
        assert require_drill_screen(app).typing is None
