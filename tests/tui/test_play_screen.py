"""Playing as a player does, by keys, by mouse and by typing: going back, and every way in which a game ends."""

from __future__ import annotations

from dataclasses import replace

import pytest
from onlymove_engines.core.rules import Result
from onlymove_engines.play.players import HUMAN
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.widgets.bars import KeyBar, TitleBar
from onlymove_tui.app.widgets.board_view import BoardView
from onlymove_tui.play.phrases import NOTHING_TO_REDO, NOTHING_TO_UNDO
from onlymove_tui.store.settings import Bell, Switch
from textual.pilot import Pilot

from tests.tui.pilots import (
    ENGINES,
    FRIENDS,
    STILL,
    board,
    make_board_app,
    make_settings,
    notice,
    press,
    session,
    settle,
    text,
    wait_until,
)
from tests.tui.tiny_game import Heaps, TinyRules, tiny_game

# At the start there are heaps of 3 and 4. The only winning move takes one on the right: equal heaps are lost.
GOOD, BAD = ("right", "enter", "1"), ("right", "enter", "3")


async def test_a_move_is_entered_by_cursor_and_the_engine_answers() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "right", "enter")
        assert board(app).state.move_input.entry.prefix == ("R",)
        await press(pilot, "left", "left", "enter")
        assert session(app).list_moves()[0] == ("R", 1)
        assert len(session(app).list_moves()) == 2


async def test_a_move_is_drawn_before_the_next_position_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    app, order = make_board_app(players=FRIENDS), list[str]()

    def note(host: object, name: str) -> None:
        do = getattr(host, name)

        def noted(*given: object) -> object:
            order.append(name)
            return do(*given)

        monkeypatch.setattr(host, name, noted)

    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "right", "enter")
        for host, name in ((app, "_display"), (session(app), "play"), (board(app).live, "prepare_question")):
            note(host, name)
        await press(pilot, "1")
        assert order[order.index("play") :][:2] == ["play", "_display"]
        assert "prepare_question" in order


async def test_a_move_is_entered_by_mouse() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for target in ("R", "1"):
            view = app.screen.query_one(BoardView)
            place = view.scene.place(target)
            assert place is not None
            left, top, _ = view.place_of_scene()
            await pilot.click(BoardView, offset=(left + place.x + 1, top + place.y))
            await settle(pilot)
        assert session(app).list_moves()[0] == ("R", 1)


async def test_a_move_is_typed_and_nonsense_changes_nothing_and_says_why() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", *"L9", "enter")
        assert session(app).list_moves() == []
        assert "Cannot take 9 from L" in notice(app)
        await press(pilot, "backspace", "backspace", *"banana", "enter")
        assert "Not a move: banana" in notice(app)
        await press(pilot, "ctrl+u", *"R1", "enter")
        assert session(app).list_moves() == [("R", 1)]


async def test_every_move_can_be_entered_by_keys_alone() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS, position="2,2 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for heap, number in [("L", 1), ("L", 2), ("R", 1), ("R", 2)]:
            await press(pilot, "left" if heap == "L" else "right", "enter", str(number))
            assert session(app).list_moves() == [(heap, number)]
            await press(pilot, "u")
            assert session(app).list_moves() == []


async def test_back_takes_one_target_and_leaves_the_game_alone() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "right", "enter")
        assert board(app).state.move_input.entry.prefix == ("R",)
        await press(pilot, "backspace")
        assert board(app).state.move_input.entry.prefix == ()
        await press(pilot, "backspace", "escape")
        assert session(app).list_moves() == []
        assert board(app).state.playback.is_live


async def test_undos_and_redos_cancel_and_redo_never_flags_again() -> None:
    app = make_board_app(players=FRIENDS, position="4,4 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", *"L1", "enter", "y", "m", *"R2", "enter", "y", "m", *"L1", "enter", "y")
        played = session(app).list_moves()
        assert len(played) == 3
        await press(pilot, "u", "u", "u")
        assert session(app).list_moves() == []
        await press(pilot, "r", "r", "r")
        assert session(app).list_moves() == played
        assert board(app).live.stopped_move is None


async def test_undo_against_the_engine_goes_back_to_the_own_decision() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD)
        assert len(session(app).list_moves()) == 2
        await press(pilot, "u")
        assert session(app).list_moves() == []
        assert session(app).to_move == 0
        await press(pilot, "r")
        assert len(session(app).list_moves()) == 2


async def test_resigning_asks_once_and_any_other_key_withdraws_it() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "R")
        assert "R again" in notice(app)
        await press(pilot, "v", "R")
        assert not session(app).is_over
        await press(pilot, "R")
        assert session(app).result is not None
        assert session(app).result.winner == 1  # type: ignore[union-attr]
        assert "you resigned" in notice(app)
        assert board(app).state.make_view().is_over, "the picture would show whose turn it is"


async def test_an_engine_that_is_winning_declines_a_draw_and_friends_agree() -> None:
    app = make_board_app(position="3,3 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "D", "D")
        assert not session(app).is_over
        assert "plays on" in notice(app)
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "D", "D")
        assert session(app).result is not None
        assert session(app).result.winner is None  # type: ignore[union-attr]


async def test_a_game_ends_with_its_figures_and_offers_the_review() -> None:
    app = make_board_app(position="0,1 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "enter")
        assert "You win: took the last one." in notice(app)
        assert "Enter review  a again" in notice(app)
        assert "No decisions to judge" in text(app), "the only move was forced"


class WordyRules(TinyRules):
    def result(self, position: Heaps) -> Result | None:
        result = super().result(position)
        return result and replace(result, reason="the side that was to move had no move any more")


async def test_the_end_names_the_way_to_the_panels_however_long_its_lines() -> None:
    game = replace(tiny_game(), rules=WordyRules())
    app = make_board_app(make_settings(training=False), games=(game,), position="0,2 0")
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, *"mR1", "enter")
        assert "You lose   Tab panels" in notice(app)
        assert "d drills  Enter review  a again  A swap sides  q menu" in notice(app)


async def test_after_the_game_the_panel_of_values_names_the_review() -> None:
    app = make_board_app()
    async with app.run_test(size=(200, 55)) as pilot:
        await settle(pilot)
        assert "v shows the value of every move." in text(app)
        await press(pilot, "R", "R")
        assert session(app).is_over
        assert "v shows the value of every move." not in text(app)
        assert "e shows every value in the review." in text(app)


async def test_the_end_is_announced_after_its_move_is_shown() -> None:
    app = make_board_app(make_settings(animation=Switch.ON), position="0,1 0", timers=STILL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert session(app).is_over
        assert board(app).state.playback.frames
        for early in ("You win", "no decisions", "  won", "thinking"):
            assert early not in text(app)
        await pilot.press("space")
        assert "You win: took the last one." in notice(app)
        assert "No decisions to judge" in text(app), "the only move was forced"


async def test_two_engines_play_to_the_end_and_can_be_paused() -> None:
    app = make_board_app(players=ENGINES, position="1,1 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        footer = app.screen.query_one(KeyBar).footer
        assert ("pause", "pause") in footer()
        await press(pilot, "p")
        assert "Paused" in notice(app)
        assert ("pause", "continue") in footer()
        await press(pilot, "m")
        assert board(app).typing is None, "a spectator has no move to type"
        await press(pilot, "p")
        assert ("pause", "pause") in footer()
        await wait_until(pilot, lambda: session(app).is_over)


async def test_two_engines_are_held_by_one_key_in_the_middle_of_a_move() -> None:
    app = make_board_app(make_settings(animation=Switch.ON), players=ENGINES, timers=STILL)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: board(app).state.playback.frames)
        assert "p pause" in notice(app)
        await pilot.press("p")
        await pilot.pause()
        assert not board(app).state.playback.frames
        assert "Paused" in notice(app)


async def test_swapping_sides_lets_the_engine_move() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "x")
        assert len(session(app).list_moves()) == 1
        assert session(app).human_seats == (1,)


async def test_earlier_positions_are_looked_at_without_changing_the_game() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD)
        now = session(app).position
        await press(pilot, "[", "[")
        assert board(app).state.playback.node is session(app).tree.root
        assert session(app).position == now
        await press(pilot, "1", "left")
        assert session(app).position == now
        await press(pilot, "]", "end")
        assert board(app).state.playback.is_live


async def set_going(app: OnlymoveApp, pilot: Pilot[int]) -> None:
    """Play a move, and wait until it moves on the board."""
    await settle(pilot)
    await pilot.press(*GOOD)
    await pilot.pause()
    assert board(app).state.playback.frames


async def test_any_key_ends_an_animation_and_does_nothing_but_show_the_move() -> None:
    app = make_board_app(make_settings(animation=Switch.ON), players=FRIENDS, timers=STILL)
    async with app.run_test(size=(80, 24)) as pilot:
        for key in ("u", "enter", "1", "R", "h", "v"):
            await set_going(app, pilot)
            assert "moving" in text(app)
            await pilot.press(key)
            await settle(pilot)
            assert not board(app).state.playback.frames
            assert session(app).list_moves() == [("R", 1)], "the key that skipped must neither undo nor play"
            assert board(app).state.move_input.entry.prefix == ()
            assert board(app).state.values_shown is (key == "v")
            assert (board(app).state.requests.hint is not None) is (key == "h")
            assert ("R again" in notice(app)) is (key == "R"), "what is asked first may be asked"
            await press(pilot, *["escape"] * (key == "R"), "u")
            assert session(app).list_moves() == []


async def test_another_size_of_the_terminal_ends_an_animation() -> None:
    app = make_board_app(make_settings(animation=Switch.ON), players=FRIENDS, timers=STILL)
    async with app.run_test(size=(120, 40)) as pilot:
        await set_going(app, pilot)
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert not board(app).state.playback.frames, "pictures of the old size are cut on the new one"
        assert session(app).list_moves() == [("R", 1)]


async def test_a_house_rule_is_kept_and_named() -> None:
    app = make_board_app(players=FRIENDS, house_rule="left-stands")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "left stands" in text(app)
        await press(pilot, "m", *"L3", "enter")
        assert session(app).list_moves() == []
        assert "forbids" in notice(app) or "not legal" in notice(app)


@pytest.mark.parametrize(("position", "seat"), [("2,1 0", 0), ("2,1 1", 1)])
async def test_in_a_given_position_the_person_is_to_move(position: str, seat: int) -> None:
    app = make_board_app(position=position)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert session(app).human_seats == (seat,)
        assert session(app).list_moves() == [], "the engine waits"


async def test_a_chosen_side_applies_in_a_given_position() -> None:
    app = make_board_app(position="2,1 1", players=(HUMAN, ENGINES[0]))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert session(app).list_moves() == [("L", 1)], "the engine, to move on the right, makes the heaps equal"


async def test_a_title_that_does_not_fit_leaves_out_the_solved_value() -> None:
    for width, is_whole in ((60, False), (100, True)):
        app = make_board_app(game="lightriders", games=())
        async with app.run_test(size=(width, 24)) as pilot:
            await settle(pilot)
            title = app.screen.query_one(TitleBar).text()
            assert ("solved up to" in title) is is_whole
            assert "…" not in title


async def test_a_key_that_finds_nothing_to_take_back_or_to_redo_says_so() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for key, said in (("u", NOTHING_TO_UNDO), ("r", NOTHING_TO_REDO)):
            await press(pilot, key)
            assert said in notice(app)


@pytest.mark.parametrize(("setting", "rings"), [(Bell.SHARED, 0), (Bell.ALL, 1)])
async def test_against_an_engine_no_bell_rings_unless_it_is_wished_for(setting: Bell, rings: int) -> None:
    app, rung = make_board_app(make_settings(training=False, bell=setting)), list[None]()
    app.services.ring = lambda: rung.append(None)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", *"L1", "enter")
        assert len(rung) == rings


WALKING = "0,0,0,0,0,1/1,0,0,1,0,1 20-24 0"
"""An ending of Ayòayò in which four seeds walk round, and no move makes a difference."""


async def test_one_key_plays_out_a_game_in_which_no_move_matters() -> None:
    app = make_board_app(game="ayoayo", games=(), position=WALKING)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        assert "No move matters now: g plays the rest out." in notice(app)
        await press(pilot, "g")
        assert board(app).live.session.is_over
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert "Not counted: 6 with nothing to decide." in " ".join(text(app).split())
        await press(pilot, "u")
        assert not board(app).live.session.is_over


async def test_no_game_is_played_out_while_a_move_matters() -> None:
    app = make_board_app(game="ayoayo", games=())
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "g")
        assert "g plays" not in notice(app)
        assert not board(app).live.session.list_moves()
