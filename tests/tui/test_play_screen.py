"""Playing as a player does: by keys, by mouse, by typing; training that holds a bad move; the way back."""

from __future__ import annotations

import pytest
from onlymove_tui.messages import Looked, Seated
from onlymove_tui.store.settings import Switch
from onlymove_tui.widgets.board import BoardView

from tests.tui.pilots import ENGINES, FRIENDS, board, effective, notice, opened, press, session, settle, text

# From the start, 3 and 4 strokes, the only winning move is to take one on the right: equal heaps are lost.
GOOD, BAD = ("right", "enter", "1"), ("right", "enter", "3")


async def test_a_move_is_entered_by_cursor_and_the_engine_answers() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "right", "enter")
        assert board(app).entry.prefix == ("R",)
        await press(pilot, "left", "left", "enter")
        assert session(app).moves()[0] == ("R", 1)
        assert len(session(app).moves()) == 2


async def test_a_move_is_entered_by_mouse() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for target in ("R", "1"):
            view = app.screen.query_one(BoardView)
            place = view.scene.place(target)
            assert place is not None
            left, top = view.offset_of_scene()
            await pilot.click(BoardView, offset=(left + place.x + 1, top + place.y))
            await settle(pilot)
        assert session(app).moves()[0] == ("R", 1)


async def test_a_move_is_typed_and_nonsense_changes_nothing_and_says_why() -> None:
    app = opened(chairs=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", *"L9", "enter")
        assert session(app).moves() == []
        assert "cannot take 9 from L" in notice(app)
        await press(pilot, "m", *"banana", "enter")
        assert "not a move" in notice(app)
        await press(pilot, "m", *"R1", "enter")
        assert session(app).moves() == [("R", 1)]


async def test_every_move_can_be_entered_by_keys_alone() -> None:
    app = opened(effective(training=False), chairs=FRIENDS, position="2,2 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for heap, number in [("L", 1), ("L", 2), ("R", 1), ("R", 2)]:
            await press(pilot, "left" if heap == "L" else "right", "enter", str(number))
            assert session(app).moves() == [(heap, number)]
            await press(pilot, "u")
            assert session(app).moves() == []


async def test_back_takes_one_target_and_leaves_the_game_alone() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "right", "enter")
        assert board(app).entry.prefix == ("R",)
        await press(pilot, "backspace")
        assert board(app).entry.prefix == ()
        await press(pilot, "backspace", "escape")
        assert session(app).moves() == []
        assert board(app).is_live


async def test_a_bad_move_is_held_until_it_is_kept() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        assert session(app).moves() == []
        held = board(app).match.tutor.held
        assert held is not None
        assert held.move == ("R", 3)
        assert "Win in 7 -> Loss in" in notice(app)
        assert "Enter keep   u rethink   h hint   w why" in notice(app)
        assert "R1" not in text(app), "the banner must not name the better move"
        await press(pilot, "enter")
        assert session(app).moves()[0] == ("R", 3)
        assert len(session(app).moves()) == 2


@pytest.mark.parametrize("key", ["u", "escape", "backspace"])
async def test_a_held_move_is_rethought_and_the_position_is_the_same(key: str) -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = session(app).position
        await press(pilot, *BAD, key)
        assert board(app).match.tutor.held is None
        assert session(app).position == before
        assert session(app).moves() == []
        await press(pilot, *GOOD)
        assert session(app).moves()[0] == ("R", 1)
        first = session(app).line.root.attempts[0]
        assert first.flagged, "a retried decision counts by its first attempt"


async def test_keys_that_play_do_nothing_while_a_move_is_held() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "1", "2", "left", "right", "m", "R", "1", "enter")
        assert session(app).moves() == []
        assert board(app).match.tutor.held is not None


async def test_a_good_move_is_played_at_once_and_praised() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD)
        assert "The only move that wins." in notice(app)


async def test_without_training_nothing_is_held_and_nothing_shown() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "t", *BAD)
        assert session(app).moves()[0] == ("R", 3)
        assert "?" not in app.screen.query_one("#moves").text()  # type: ignore[attr-defined]
        assert session(app).line.root.children[0].judgements[0].flagged, "judged quietly all the same"


async def test_the_engines_move_is_not_graded_before_it_is_answered() -> None:
    app = opened(effective(strength=0))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD)
        match = board(app).match
        reply = match.node
        assert match.known[reply.parent.id] is not None if reply.parent else False
        assert reply.judgements, "judged"
        assert not match.is_disclosed(reply), "but not shown"


async def test_hints_come_in_three_stages_and_the_first_names_no_move() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h")
        note = app.screen.query_one("#note").text()  # type: ignore[attr-defined]
        assert "Hint 1 of 3" in note
        assert "1 of 7 moves keeps it" in " ".join(note.split())
        assert "R1" not in text(app)
        assert not board(app).marks().hint
        await press(pilot, "h")
        assert board(app).marks().hint == ("R",)
        await press(pilot, "h")
        assert "R1" in app.screen.query_one("#note").text()  # type: ignore[attr-defined]
        assert session(app).node.hinted == {0}


async def test_a_setting_goes_straight_to_the_last_hint() -> None:
    app = opened(effective(hint_straight=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h")
        assert "Hint 3 of 3" in text(app)


async def test_the_value_of_every_target_is_shown_on_demand() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "v")
        assert {target: label for target, (label, _) in board(app).marks().values.items()} == {"L": "L6", "R": "W7"}
        await press(pilot, "right", "enter")
        assert board(app).marks().values["1"][0] == "W7"
        assert "W7" in text(app)
        await press(pilot, "v")
        assert not board(app).marks().values


async def test_why_plays_the_refutation_to_its_end() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "w")
        why = board(app).why
        assert why is not None
        assert why.texts[0] == "R3"
        assert len(why.moves) == board(app).match.tutor.held.judgement.after.remoteness  # type: ignore[union-attr]
        for _ in range(20):
            await press(pilot, "w")
        assert "Right wins" in notice(app)
        assert session(app).moves() == []
        await press(pilot, "u")
        assert board(app).why is None
        assert board(app).match.tutor.held is not None, "back at the question"


async def test_undos_and_redos_cancel_and_redo_never_flags_again() -> None:
    app = opened(chairs=FRIENDS, position="4,4 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", *"L1", "enter", "enter", "m", *"R2", "enter", "enter", "m", *"L1", "enter", "enter")
        played = session(app).moves()
        assert len(played) == 3
        await press(pilot, "u", "u", "u")
        assert session(app).moves() == []
        await press(pilot, "r", "r", "r")
        assert session(app).moves() == played
        assert board(app).match.tutor.held is None


async def test_undo_against_the_engine_goes_back_to_the_own_decision() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD)
        assert len(session(app).moves()) == 2
        await press(pilot, "u")
        assert session(app).moves() == []
        assert session(app).to_move == 0
        await press(pilot, "r")
        assert len(session(app).moves()) == 2


async def test_resigning_asks_once_and_any_other_key_withdraws_it() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "R")
        assert "R again" in notice(app)
        await press(pilot, "v", "R")
        assert not session(app).is_over
        await press(pilot, "R")
        assert session(app).result is not None
        assert session(app).result.winner == 1  # type: ignore[union-attr]
        assert "Left resigned" in notice(app)


async def test_an_engine_that_is_winning_declines_a_draw_and_friends_agree() -> None:
    app = opened(position="3,3 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "D", "D")
        assert not session(app).is_over
        assert "plays on" in notice(app)
    app = opened(chairs=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "D", "D")
        assert session(app).result is not None
        assert session(app).result.winner is None  # type: ignore[union-attr]


async def test_a_game_ends_with_its_figures_and_offers_the_review() -> None:
    app = opened(position="0,1 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter", "enter")
        assert "Left wins: took the last one." in notice(app)
        assert "e review   c new game" in notice(app)
        assert "Kept the value" in text(app)


async def test_two_engines_play_to_the_end_and_can_be_paused() -> None:
    app = opened(chairs=ENGINES, position="1,1 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "p")
        assert "Paused" in notice(app)
        await press(pilot, "p")
        for _ in range(40):
            await pilot.pause(0.1)
            if session(app).is_over:
                break
        assert session(app).is_over


async def test_swapping_sides_lets_the_engine_move() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "x")
        assert len(session(app).moves()) == 1
        assert session(app).human_seats() == (1,)


async def test_earlier_positions_are_looked_at_without_changing_the_game() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD)
        now = session(app).position
        await press(pilot, "[", "[")
        assert board(app).shown_node() is session(app).line.root
        assert session(app).position == now
        await press(pilot, "1", "left")
        assert session(app).position == now
        await press(pilot, "]", "end")
        assert board(app).is_live


async def test_any_key_skips_an_animation_and_does_nothing_else() -> None:
    app = opened(effective(animation=Switch.ON), chairs=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press(*GOOD)
        await pilot.pause()
        assert board(app).frames
        assert "moving" in text(app)
        await pilot.press("u")
        assert not board(app).frames
        assert session(app).moves() == [("R", 1)], "the key that skipped must not undo"


async def test_a_house_rule_is_kept_and_named() -> None:
    app = opened(chairs=FRIENDS, house_rule="left-stands")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "left stands" in text(app)
        await press(pilot, "m", *"L3", "enter")
        assert session(app).moves() == []
        assert "forbids" in notice(app) or "not legal" in notice(app)


async def test_a_position_can_be_given() -> None:
    app = opened(position="2,1 1")
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert session(app).moves() == [("L", 1)], "the engine, to move on the right, makes the heaps equal"


async def test_a_hint_that_was_asked_for_too_early_comes_when_the_values_do() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        match = board(app).match
        values = match.known.pop(match.node.id)
        await press(pilot, "h")
        assert "One moment" in notice(app)
        board(app).post_message(Looked(match.node.id, values))
        await settle(pilot)
        assert "Hint 1 of 3" in text(app)


async def test_a_move_made_before_anything_is_known_is_still_held() -> None:
    app = opened()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        match = board(app).match
        values = match.known.pop(match.node.id)
        match.analyst, match.is_seated = None, False
        await press(pilot, *BAD)
        assert match.waiting == (0, ("R", 3))
        board(app).post_message(Seated(app._authorities["tiny"][0], ""))
        board(app).post_message(Looked(match.node.id, values))
        await settle(pilot)
        assert match.tutor.held is not None
        assert session(app).moves() == []
