"""Entering a move: keys in quick succession, keys that come early, how a stopped move looks, and what digits mean."""

from __future__ import annotations

from onlymove_engines.coach.judge import judge
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.messages import Jumped, Pointed
from onlymove_tui.app.panels.value_rows import NUMBERED
from onlymove_tui.app.widgets.board_view import BoardView
from onlymove_tui.store.settings import Switch
from textual.events import Paste
from textual.pilot import Pilot

from tests.tui.pilots import (
    FRIENDS,
    STILL,
    board,
    make_board_app,
    make_settings,
    notice,
    press,
    press_at_once,
    session,
    settle,
    text,
)
from tests.tui.screen_checks import find_faults
from tests.tui.stalls import StallDetector
from tests.tui.test_simultaneous_screen import duel
from tests.tui.tiny_game import tiny_game

GOOD, BAD = ("right", "enter", "1"), ("right", "enter", "3")


def read_board(app: OnlymoveApp) -> str:
    """Return the board with its marks, as text."""
    return app.screen.query_one(BoardView).text()


async def test_a_typed_move_that_comes_in_one_burst_is_played_whole() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press_at_once(pilot, "m", *"R1", "enter", "m", *"L2", "enter")
        assert session(app).list_moves() == [("R", 1), ("L", 2)]


async def test_targets_picked_in_one_burst_are_all_taken() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press_at_once(pilot, *GOOD)
        assert session(app).list_moves() == [("R", 1)]


async def test_a_refused_text_stays_to_be_mended_with_the_reason_beside_it() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "m", *"R9", "enter")
        assert "R9" in notice(app)
        assert "Cannot take 9 from R" in notice(app)
        await press(pilot, *"uqx", "backspace", "backspace", "backspace", "backspace")
        assert session(app).list_moves() == []
        assert "cannot take" not in notice(app), "what is typed next is another text"
        await press(pilot, "1", "enter")
        assert session(app).list_moves() == [("R", 1)]


async def test_a_reason_of_two_lines_takes_no_space_from_the_board() -> None:
    app = make_board_app(make_settings(), game="tobito", games=(), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for typed in ("zz9", "zz9" * 9):
            await press(pilot, "m", *typed, "enter")
            assert "a move is two cells" in notice(app)
            assert find_faults(app) == []
            assert "Enter accept" in text(app)
            await press(pilot, "escape")


async def test_escape_and_an_empty_line_close_the_line() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        for way in (("escape",), ("enter",), ("R", "escape")):
            await press(pilot, "m", *way)
            assert "Left to move" in notice(app)
        assert session(app).list_moves() == []


def orbito() -> OnlymoveApp:
    """Open a position of a game whose board shows the move that is being entered."""
    return make_board_app(game="orbito", games=(), position="W.../..../..W./B... B", players=FRIENDS)


async def enter(pilot: Pilot[int], app: OnlymoveApp, flagged: bool, typed: bool = True) -> None:
    """Enter the first move here that is flagged, or that is not. It is typed, or picked target by target."""
    await settle(pilot)
    live, position = board(app).live, session(app).position
    values, seat = live.node.values, session(app).to_move
    assert values is not None
    assert seat is not None
    moves = session(app).legal_moves()
    move = next(move for move in moves if judge(values, move, live.coaching, seat).flagged is flagged)
    if typed:
        await press(pilot, "m", *live.game.notation.format_move(position, move), "enter")
    else:
        for target in live.game.notation.paths(position, move)[0]:
            app.screen.post_message(Pointed(target))
            await settle(pilot)
    assert (live.stopped_move is not None) is flagged


async def test_a_stopped_move_is_drawn_alike_however_it_was_entered() -> None:
    pictures = []
    for typed in (False, True):
        app = orbito()
        async with app.run_test(size=(80, 24)) as pilot:
            await enter(pilot, app, flagged=True, typed=typed)
            pictures.append(read_board(app))
    assert pictures[0] == pictures[1]


async def test_a_stopped_move_is_not_drawn_on_an_earlier_position() -> None:
    app = orbito()
    async with app.run_test(size=(80, 24)) as pilot:
        await enter(pilot, app, flagged=False)
        await press(pilot, "<")
        start = read_board(app)
        await press(pilot, ">")
        await enter(pilot, app, flagged=True, typed=False)
        stopped = read_board(app)
        for way, back in (("<", ">"), ("[", "]"), ("home", "enter")):
            await press(pilot, way)
            assert read_board(app) == start, way
            await press(pilot, back)
            assert read_board(app) == stopped, "still stopped, and drawn as before"
        board(app).post_message(Jumped(0))
        await settle(pilot)
        assert read_board(app) == start, "by a click on the value strip"


async def test_training_off_takes_a_stopped_move_and_does_not_throw_it_away() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        assert board(app).live.stopped_move is not None
        await press(pilot, "t")
        assert session(app).list_moves() == [("R", 3)]


async def test_typing_over_a_stopped_move_shows_the_keys() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "m")
        assert "Press y to play it anyway, u to take it back." in notice(app)
        assert board(app).typing is None, "nothing is typed in vain"
        await press(pilot, "y")
        assert session(app).list_moves() == [("R", 3)]


async def test_typing_takes_back_what_was_picked() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "left", "enter")
        assert board(app).state.move_input.entry.prefix == ("L",)
        await press(pilot, "m")
        assert board(app).state.move_input.entry.prefix == ()
        await press(pilot, *"R1", "enter")
        assert session(app).list_moves() == [("R", 1)]


async def test_digits_that_are_targets_play_no_hint() -> None:
    app = make_board_app(make_settings(training=False, hint_straight=True), players=FRIENDS, position="2,2 0")
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h")
        assert "Hint: best moves" in text(app), "the only hint needs no count"
        assert "1 L1" not in text(app), "a number would promise that the digit plays it"
        await press(pilot, "2")
        assert session(app).list_moves() == []


async def test_a_digit_selects_a_hint_where_digits_mean_nothing_else() -> None:
    app = make_board_app(make_settings(training=False, hint_straight=True), game="tobito", games=(), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "h")
        hint = board(app).state.requests.hint
        assert hint is not None
        await press(pilot, "2")
        assert session(app).list_moves() == [], "nothing is played by surprise"
        assert "Enter plays this move." in notice(app)
        await press(pilot, "enter")
        assert session(app).list_moves() == [hint.moves[1]]


async def test_a_long_list_of_hints_marks_only_the_moves_with_digits() -> None:
    app = make_board_app(make_settings(training=False), game="orbito", games=(), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h")
        hint = board(app).state.requests.hint
        assert hint is not None
        assert len(hint.moves) > NUMBERED == len(board(app).marks().hint)


async def test_the_overlay_previews_moves_only_where_one_is_to_be_chosen() -> None:
    app = make_board_app(make_settings(training=False), game="ayoayo", games=(), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "o")
        assert "Pit 1 ends in" in board(app).state.draw().text()
        await press(pilot, "1", "left_square_bracket")
        assert "ends in" not in board(app).state.draw().text()


async def test_a_hint_marks_only_what_can_be_picked_next() -> None:
    app = make_board_app(make_settings(training=False, hint_straight=True), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h")
        hint = board(app).state.requests.hint
        assert hint is not None
        assert hint.moves == (("R", 1),)
        assert board(app).marks().hint == ("R",)
        await press(pilot, "right", "enter")
        assert board(app).marks().hint == ("1",)
        await press(pilot, "backspace", "left", "enter")
        assert board(app).marks().hint == (), "no hinted move begins on the left"


async def test_an_early_hint_marks_nothing_once_a_move_is_begun() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h", "h")
        assert board(app).marks().hint == ("R",)
        await press(pilot, "right", "enter")
        assert board(app).marks().hint == ()


async def test_a_hint_at_a_stopped_move_marks_where_a_better_one_begins() -> None:
    app = make_board_app(make_settings(hint_straight=True), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "h")
        assert board(app).live.stopped_move is not None
        assert board(app).marks().hint == ("R",)


async def test_keys_that_come_while_the_engine_thinks_are_served_when_it_has_moved(detector: StallDetector) -> None:
    app = make_board_app(make_settings(training=False), games=(detector.slow_game(tiny_game()),), position="4,4 0")
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        with detector.hold_calls():
            await pilot.press("m", *"L1", "enter")
            await pilot.pause()
            assert "thinking" in notice(app)
            await pilot.press("right", "enter")
            await pilot.pause()
            assert session(app).list_moves() == [("L", 1)]
        await settle(pilot)
        assert len(session(app).list_moves()) == 2
        assert board(app).state.move_input.entry.prefix == ("R",), "the cursor went right and Enter chose the heap"


async def test_no_early_key_completes_a_move_on_an_unseen_position(detector: StallDetector) -> None:
    app = make_board_app(make_settings(training=False), games=(detector.slow_game(tiny_game()),), position="4,4 0")
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        with detector.hold_calls():
            await pilot.press("m", *"L1", "enter")
            await pilot.press("right", "enter", "1", *["enter"] * 20)
            await pilot.pause()
        await settle(pilot)
        assert len(session(app).list_moves()) == 2, "the person's move and the engine's"


async def test_a_move_may_be_typed_ahead_but_not_played(detector: StallDetector) -> None:
    app = make_board_app(make_settings(training=False), games=(detector.slow_game(tiny_game()),), position="4,4 0")
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        with detector.hold_calls():
            await pilot.press("m", *"L1", "enter")
            await pilot.press("m", *"R1", "enter")
            await pilot.pause()
            assert "R1" in notice(app)
            assert "not your turn yet" in notice(app)
        await settle(pilot)
        assert len(session(app).list_moves()) == 2
        assert "not your turn" not in notice(app), "it is now"
        await press(pilot, "enter")
        assert session(app).list_moves()[2] == ("R", 1)


async def test_a_stopped_move_is_mentioned_while_another_is_typed(detector: StallDetector) -> None:
    app = make_board_app(games=(detector.slow_game(tiny_game()),), players=FRIENDS, position="4,4 0")
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await settle(pilot)
        with detector.hold_calls():
            await pilot.press("m", *"L1", "enter", "m", *"R3", "enter", "m", *"R1", "enter")
            await pilot.pause()
            assert "still being checked. Backspace" in notice(app)
        await settle(pilot)
        assert "Decide about your move first" in notice(app)


async def test_an_arrow_that_ends_an_animation_moves_the_cursor_too() -> None:
    app = make_board_app(make_settings(animation=Switch.ON, training=False), players=FRIENDS, timers=STILL)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press(*GOOD)
        await pilot.pause()
        assert board(app).state.playback.frames
        here = board(app).state.move_input.cursor
        await pilot.press("left" if here == "R" else "right")
        assert not board(app).state.playback.frames
        assert board(app).state.move_input.cursor != here


async def test_reasons_asked_for_go_with_the_stopped_move() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "c", "enter")
        assert board(app).live.stopped_move is not None
        await press(pilot, "w")
        assert "If your opponent plays" in text(app)
        await press(pilot, "u")
        assert "If your opponent plays" not in text(app)
        assert not board(app).marks().values
        await press(pilot, "m", "c", "enter", "w", "y")
        assert len(session(app).list_moves()) == 1
        assert "If your opponent plays" not in text(app)


async def test_the_first_choice_stays_secret_until_the_second() -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Even chooses" in notice(app)
        before = read_board(app)
        await press(pilot, "m", "c", "enter")
        assert read_board(app) == before
        for output in ("This costs", "??", "Blunder", "Best", "good choice", "play it anyway"):
            assert output not in text(app)
        assert "Odd chooses" in notice(app)


async def test_against_an_engine_both_choose_at_once() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Both move at once" in notice(app)
        assert "to move" not in notice(app)


async def test_enter_does_nothing_where_arrows_steer() -> None:
    app = make_board_app(
        make_settings(training=False), game="lightriders", games=(), players=FRIENDS, options={"size": "4x4"}
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "Enter choose" not in text(app)
        assert "Press an arrow key." in notice(app)
        await press(pilot, "enter", "space")
        assert not session(app).pending
        assert session(app).list_moves() == []


async def test_where_arrows_steer_the_keys_say_so_and_nothing_is_flipped() -> None:
    for game, games, steers in (("lightriders", (), True), ("tiny", (tiny_game(),), False)):
        app = make_board_app(make_settings(training=False), game=game, games=games, players=FRIENDS)
        async with app.run_test(size=(120, 60)) as pilot:
            await settle(pilot)
            await press(pilot, "question_mark")
            assert ("Choose left" in text(app)) is steers
            assert ("Move the cursor left" in text(app)) is not steers
            assert ("Flip the board" in text(app)) is not steers


async def test_the_overlay_is_explained_in_numbers_beside_the_board() -> None:
    cells = ",".join("0...xxxx.......1")
    app = make_board_app(
        make_settings(training=False), game="lightriders", games=(), players=FRIENDS, position=f"4 4 {cells}"
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        output = ("Rider 1: 3 cells", "Rider 2: 7 cells", "Contested: 0 cells")
        assert not any(words in text(app) for words in output)
        await press(pilot, "o")
        assert all(words in text(app) for words in output), text(app)
        await press(pilot, "o")
        assert not any(words in text(app) for words in output)


async def test_any_arrow_continues_only_if_a_rider_has_no_way_out() -> None:
    for cells, chosen in (("0x..x..........1", {0: "x"}), ("0...x..........1", {})):
        app = make_board_app(
            make_settings(training=False),
            game="lightriders",
            games=(),
            players=FRIENDS,
            position=f"4 4 {','.join(cells)}",
        )
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            await press(pilot, "left")
            assert session(app).pending == chosen, cells


async def test_of_several_pasted_lines_the_first_is_typed_and_the_screen_says_so() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await press(pilot, "m")
        app.post_message(Paste("\r\nR1\r\nq\r\nL2\r\n"))
        await settle(pilot)
        assert "R1" in notice(app)
        assert "R1q" not in notice(app)
        assert "Only the first of 3 lines was pasted." in notice(app)
        await press(pilot, "enter")
        assert session(app).list_moves() == [("R", 1)]
