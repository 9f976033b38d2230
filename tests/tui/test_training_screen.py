"""Training at the board: a bad move is stopped, hints come in stages, and reasons can be played through."""

from __future__ import annotations

import pytest
from onlymove_engines.coach.hint import Hint
from onlymove_engines.coach.judge import OnBad
from onlymove_tui.app.board.board import Board
from onlymove_tui.app.board.picture import BoardPicture
from onlymove_tui.app.board.workers import HintFound, ValuesFound
from onlymove_tui.app.widgets.bars import KeyBar
from onlymove_tui.play.situations import ONLY_HERE

from tests.tui.pilots import (
    FRIENDS,
    board,
    hold_analyst,
    make_board_app,
    make_settings,
    notice,
    panels,
    press,
    session,
    settle,
    text,
    wait_until,
)
from tests.tui.sizes import resize

# At the start there are heaps of 3 and 4. The only winning move takes one on the right: equal heaps are lost.
GOOD, BAD = ("right", "enter", "1"), ("right", "enter", "3")


async def test_a_bad_move_is_stopped_until_it_is_kept() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        assert session(app).list_moves() == []
        stopped = board(app).live.stopped_move
        assert stopped is not None
        assert stopped.move == ("R", 3)
        assert "Right wins in 3 moves" in notice(app)
        assert "y play it anyway  u take back  h hint  w why" in notice(app)
        assert "R1" not in text(app), "the banner must not name the better move"
        await press(pilot, "y")
        assert session(app).list_moves()[0] == ("R", 3)
        assert len(session(app).list_moves()) == 2


async def test_a_key_that_chooses_plays_no_stopped_move_and_says_which_key_does() -> None:
    app = make_board_app(make_settings(keymap={"keep": "Y"}))
    async with app.run_test(size=(80, 24)) as pilot:
        for key, size in (("enter", (80, 24)), ("space", (60, 20))):
            await resize(pilot, size)
            await press(pilot, *BAD, key, key)
            assert session(app).list_moves() == []
            assert board(app).live.stopped_move is not None
            assert "Press Y to play it anyway, u to take it back." in notice(app)
            assert "Y play it anyway  u take back" in notice(app)
            assert "…" not in notice(app)
            await press(pilot, "Y")
            assert session(app).list_moves()[0] == ("R", 3)
            await press(pilot, *["u"] * 4)


async def test_a_stopped_move_is_played_from_where_it_is_seen_only() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *GOOD, *BAD[1:2], "1", "y")
        assert len(session(app).list_moves()) == 2, "y plays nothing where nothing is stopped"
        await press(pilot, "u", "u", *BAD, "w", "y")
        assert session(app).list_moves() == [], "the board shows the end of the refutation"
        await press(pilot, "u", "y")
        assert session(app).list_moves() == [("R", 3)]


async def test_a_stopped_move_is_rethought_and_the_position_is_the_same() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        before = session(app).position
        for key in ("u", "escape", "backspace"):
            await press(pilot, *BAD, "1", "2", "left", "right", "m", "R", "1", "enter")
            assert board(app).live.stopped_move is not None, "keys that play do nothing now"
            await press(pilot, key)
            assert board(app).live.stopped_move is None, key
            assert session(app).position == before
            assert session(app).list_moves() == []
        await press(pilot, *GOOD)
        assert "The only move that wins." in notice(app)
        assert session(app).list_moves()[0] == ("R", 1)
        first = session(app).tree.root.attempts[0]
        assert first.flagged, "a retried decision counts by its first attempt"


async def test_without_training_nothing_is_stopped_and_nothing_shown() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "t")
        assert session(app).list_moves()[0] == ("R", 3), "the move that was stopped is not thrown away"
        assert "?" not in app.screen.query_one("#moves").text()  # type: ignore[attr-defined]
        assert session(app).tree.root.children[0].judgements[0].flagged, "judged quietly all the same"
        await press(pilot, "u", "u", "v", *BAD)
        assert session(app).list_moves()[0] == ("R", 3), "nothing is stopped"


async def test_training_that_ignores_bad_moves_tells_of_them_only_in_the_review() -> None:
    app = make_board_app(make_settings(on_bad=OnBad.OFF), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        assert session(app).list_moves() == [("R", 3)], "nothing is stopped"
        assert session(app).tree.root.children[0].judgements[0].flagged, "judged quietly all the same"
        assert "?" not in app.screen.query_one("#moves").text()  # type: ignore[attr-defined]
        assert "threw away" not in text(app)
        await press(pilot, "R", "R", "e", "n")
        assert "??" in app.screen.query_one("#moves").text()  # type: ignore[attr-defined]


async def test_values_are_not_offered_over_a_stopped_move_where_they_cannot_be_seen() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "v")
        assert not board(app).live.node.hinted, "nothing was shown, so it is no hint"
        assert "v values" not in text(app)
        await press(pilot, "u")
        assert not board(app).marks().values, "a key that did nothing has no effect later"
        await press(pilot, "v")
        assert board(app).marks().values


async def test_the_latest_request_gets_the_space_beside_a_narrow_board() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "v")
        assert "Every move" in panels(app)
        await press(pilot, "h")
        assert "Hint 1 of 3" in text(app), panels(app)
        assert "Every move" not in panels(app)
        await press(pilot, "v", "v")
        assert "Every move" in panels(app)


async def test_the_end_of_a_game_is_announced_even_if_values_are_shown() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "v", "R", "R")
        assert "The game" in panels(app)
        assert "Every move" not in panels(app)


async def test_a_stopped_move_is_announced_even_if_values_are_shown() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "v", *BAD)
        assert "Not played yet" in panels(app)
        await press(pilot, "u")
        assert "Every move" in panels(app)


async def test_hints_come_in_three_stages_and_the_first_names_no_move() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h")
        note = app.screen.query_one("#note").text()  # type: ignore[attr-defined]
        assert "Hint 1 of 3" in note
        assert "1 of 7 moves wins" in " ".join(note.split())
        assert "R1" not in text(app)
        assert not board(app).marks().hint
        await press(pilot, "h")
        assert board(app).marks().hint == ("R",)
        assert "★ A good move may be here." in app.screen.query_one("#note").text()  # type: ignore[attr-defined]
        await press(pilot, "h")
        assert "R1" in app.screen.query_one("#note").text()  # type: ignore[attr-defined]
        assert session(app).node.hinted == {0}


async def test_on_a_narrow_screen_a_hint_about_a_stopped_move_is_read_in_the_banner() -> None:
    app = make_board_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, *BAD)
        assert "Win in 7 moves → Loss" in notice(app)
        await press(pilot, "h")
        assert "Win in 7 moves. 1 of 7 moves wins." in notice(app)
        assert "…" not in notice(app)
        assert "y play it anyway" in notice(app)
        assert "Tab panels" in notice(app), "the banner takes the footer's line, and names what that would"
        await press(pilot, "u")
        assert "is good" not in notice(app)


async def test_a_long_hint_leaves_the_keys_visible_or_goes_beside_the_board() -> None:
    app = make_board_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "h")
        live = board(app).live
        long = Hint(1, ("Every move that takes one of the smaller heaps is good.",))
        board(app).post_message(HintFound(live, live.turn, long))
        await settle(pilot)
        assert notice(app).strip() == "Every move that takes one of the smaller heaps is good."
        assert not app.screen.query_one(KeyBar).has_class("-crowded"), (
            "the footer names the key to the rest of the hint"
        )
        await pilot.resize_terminal(100, 30)
        await settle(pilot)
        assert "is good" not in notice(app)
        assert "Hint 1 of 3" in text(app)
        assert "to move" in notice(app)


async def test_a_hint_at_an_earlier_position_or_along_best_play_is_refused_aloud() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "y", "left_square_bracket", "h")
        assert ONLY_HERE in notice(app)
        await press(pilot, "left_square_bracket")
        assert ONLY_HERE not in notice(app)
        await press(pilot, "end", "w", "h")
        assert ONLY_HERE in notice(app)
        await press(pilot, "right")
        assert "Move 2 of" in notice(app)


async def test_a_setting_goes_straight_to_the_last_hint() -> None:
    app = make_board_app(make_settings(hint_straight=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h")
        assert "Hint 3 of 3" in text(app)


async def test_the_value_of_every_target_is_shown_on_demand() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "v")
        assert {target: label for target, (label, _) in board(app).marks().values.items()} == {"L": "L6", "R": "W7"}
        await press(pilot, "right", "enter")
        assert board(app).marks().values["1"][0] == "W7"
        assert "W7" in text(app)
        await press(pilot, "v")
        assert not board(app).marks().values


async def test_q_leaves_the_refutation_before_it_leaves_the_game() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "w")
        assert "q game" in notice(app)
        await press(pilot, "q")
        assert board(app).live.stopped_move is not None, "back at the question"
        assert board(app).state.playback.refutation is None


async def test_why_plays_the_refutation_to_its_end() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "w")
        why = board(app).state.playback.refutation
        assert why is not None
        assert why.texts[0] == "R3"
        assert "Left R3" in notice(app)
        assert "▸ ● R3" in text(app)
        assert "▸ ○ Right" in text(app), "the side to move on the board"
        await press(pilot, "right")
        assert "▸ ● Left" in text(app)
        assert len(why.moves) == board(app).live.stopped_move.judgement.after.remoteness  # type: ignore[union-attr]
        for _ in range(20):
            await press(pilot, "w")
        assert "Right wins" in notice(app)
        assert session(app).list_moves() == []
        await press(pilot, "u")
        assert board(app).state.playback.refutation is None
        assert board(app).live.stopped_move is not None, "back at the question"


async def test_the_arrows_step_through_the_refutation_as_in_a_review() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "w")
        assert "Right next   Left back   q game" in notice(app)
        steps = []
        for key in ("right", "right", "left", *["right"] * 9, *["left"] * 9):
            await press(pilot, key)
            line = board(app).state.playback.refutation
            assert line is not None
            steps.append((key, line.step, len(line.moves)))
        end = steps[0][2]
        assert [step for _, step, _ in steps[:3]] == [2, 3, 2]
        assert (steps[11][1], steps[-1][1]) == (end, 0), "no further than either end"
        assert board(app).live.stopped_move is not None


async def test_a_hint_that_was_asked_for_too_early_comes_when_the_values_do() -> None:
    app = make_board_app()
    opened = hold_analyst(app)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("h")
        await wait_until(pilot, lambda: "Working out the values" in notice(app))
        opened.set()
        await settle(pilot)
        assert "Hint 1 of 3" in text(app)


async def test_an_opening_board_is_painted_before_it_has_a_size_and_once_more_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    painted, paint = list[BoardPicture](), Board.paint

    def note(self: Board, picture: BoardPicture) -> None:
        painted.append(picture)
        paint(self, picture)

    monkeypatch.setattr(Board, "paint", note)
    async with make_board_app(players=FRIENDS).run_test(size=(80, 24)) as pilot:
        await settle(pilot)
    assert len([picture for picture in painted if None not in picture]) == 2


async def test_values_that_come_repaint_a_board_only_if_it_shows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    app, painted = make_board_app(), list[BoardPicture]()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        paint, live = Board.paint, board(app).live

        def note(self: Board, picture: BoardPicture) -> None:
            painted.append(picture)
            paint(self, picture)

        monkeypatch.setattr(Board, "paint", note)
        board(app).post_message(ValuesFound(live, live.node, live.node.values))
        await settle(pilot)
        assert painted == []
        await press(pilot, "v")
        painted.clear()
        board(app).post_message(ValuesFound(live, live.node, live.node.values))
        await settle(pilot)
        assert any(picture.side is not None for picture in painted)


async def test_a_move_made_before_anything_is_known_is_still_stopped() -> None:
    app = make_board_app()
    opened = hold_analyst(app)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*BAD)
        live = board(app).live
        await wait_until(pilot, lambda: live.waiting)
        opened.set()
        await settle(pilot)
        assert live.stopped_move is not None
        assert session(app).list_moves() == []
