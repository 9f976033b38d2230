"""The reasons why a move is bad appear beside the move, and not before the player may read them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from onlymove_engines.coach.figures import SeatMove, find_flagged_choices
from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.coach.reasons import NOTHING_PROVEN, Explanation, choose_fitting_sentence
from onlymove_engines.core.budget import UNLIMITED
from onlymove_engines.core.game import Claim, GameReasons
from onlymove_engines.core.judgement import Judgement
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.live.live_game import LiveGame, allows_help
from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_engines.play.session import Session
from onlymove_tui.app.panels import game_rows
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.widgets.bars import KeyBar
from onlymove_tui.app.widgets.canvas import row_width
from onlymove_tui.play.line_mode import LineMode, ReviewLines, Voice
from onlymove_tui.play.reasons import select_reasons

from tests.tui.live_games import AGAINST, FRIENDS, make_heap_game, store_current_values
from tests.tui.pilots import (
    board,
    make_board_app,
    make_settings,
    notice,
    panels,
    press,
    session,
    settle,
    text,
)
from tests.tui.tiny_duel import DuelAnalyst, tiny_duel

BAD, BETTER = ("right", "enter", "3"), "R1"
WHY = "Now Right wins in 3 moves, but only with L2."
COUNT = "Only 1 of the 7 moves won."


# Finding reasons.


def test_the_explanation_names_the_better_move_only_if_allowed() -> None:
    live = make_heap_game((7, 0))
    live.offer(0, 2)
    found = live.explain((live.node, 0, 2), UNLIMITED)
    assert found.full == ("Now Second wins in 3 moves, but only with 2.", "Only 1 would have won (in 5 moves).")
    assert found.discreet == ("Now Second wins in 3 moves, but only with 2.",)
    assert found.lasting == ("Only 1 of the 2 moves won.",)


def test_only_judged_bad_moves_are_explained() -> None:
    live = make_heap_game((7, 0))
    assert live.prepare_explanation((live.node, 0, 1)) is None, "a good move"
    live = make_heap_game((7, 0), knows_values=False)
    assert live.prepare_explanation((live.node, 0, 2)) is None, "a move that is not judged"
    assert live.get_explanation((live.node, 0, 2)) == NOTHING_PROVEN


def test_a_number_is_no_reply() -> None:
    answer = "First replies with pit 3 and captures 8."
    found = Explanation(discreet=("This move captures 3, but a best move captures 8 seeds.", answer))
    assert found.select_by_reply("pit 3") == (answer,)
    assert found.select_by_reply("") == (), "there is no reply"


def test_with_simultaneous_moves_each_side_is_named() -> None:
    def explain_mixed(position: object, seat: Seat, move: Move, known: Mixed) -> Iterable[Claim]:
        told = (f"{move} of {seat}", f"more about {move} of {seat}")
        return [Claim("Told", sentence) for sentence in told]

    game = replace(tiny_duel(), voice=replace(tiny_duel().voice, reasons=GameReasons(mixed=explain_mixed)))
    live = LiveGame(Session(game, players=FRIENDS), Coaching(), False)
    live.set_analyst(DuelAnalyst())
    store_current_values(live)
    values = live.node.values
    assert isinstance(values, Mixed)
    worst = [max(values.strategies[seat], key=lambda move: values.regret(seat, move)) for seat in (0, 1)]
    for seat, move in enumerate(worst):
        live.offer(seat, move)
    choices = find_flagged_choices(live.node)
    for choice in choices:
        live.explain(choice, UNLIMITED)
    assert len(choices) == 2, "both went wrong"
    assert list(live.list_reasons(live.node)) == [
        f"{game.seats[seat]}: {words}{worst[seat]} of {seat}" for words in ("", "more about ") for seat in (0, 1)
    ]


# When reasons may be shown.


def test_two_people_see_no_explanation_before_the_end() -> None:
    live = make_heap_game((7, 0), FRIENDS)
    assert not allows_help(live)
    live.resign(0)
    assert allows_help(live)


def test_a_remote_player_sees_no_explanation_before_the_end() -> None:
    elsewhere = Player(PlayerKind.ELSEWHERE, name="bo")
    assert not allows_help(make_heap_game((7, 0), (HUMAN, elsewhere)))


@pytest.mark.parametrize(("players", "output"), [(AGAINST, True), (FRIENDS, False)])
def test_in_line_mode_a_stopped_move_is_explained_fully_and_a_played_one_without_grading_replies(
    players: tuple[Player, Player], output: bool
) -> None:
    live, lines = make_heap_game((7, 0), players), list[str]()
    mode = LineMode(live, Voice(lines.append, lambda: 0.0))
    mode.answer("2")
    assert (lines[-1] == "Now Second wins in 3 moves, but only with 2.") is output
    assert not any("1 would have won" in line for line in lines), "it does not name the better move"
    mode.answer("keep")
    assert ("Only 1 of the 2 moves won." in lines) is output
    assert sum("only with 2" in line for line in lines) == output


def test_in_line_mode_a_reason_is_printed_once_for_each_attempt() -> None:
    live, lines = make_heap_game((7, 0), AGAINST), list[str]()
    mode = LineMode(live, Voice(lines.append, lambda: 0.0))
    for line in ("2", "why", "why", "rethink", "2"):
        mode.answer(line)
    output = [line for line in lines if "not played yet" in line or "Best play" in line or "only with 2" in line]
    stopped, best, reason = (
        next(line for line in output if part in line) for part in ("not played yet", "Best play", "only with")
    )
    assert output == [stopped, reason, best, best, stopped, reason]


def test_in_a_review_in_line_mode_a_reason_is_printed_once_for_each_visit() -> None:
    live, lines = make_heap_game((7, 0), on_bad=OnBad.MARK), list[str]()
    live.offer(0, 2)
    mode = ReviewLines(live, Voice(lines.append, lambda: 0.0))
    for line in ("next", "why", "why"):
        mode.answer(line)
    assert [line.count("1 would have won") for line in lines if line.startswith(("Only", "Best"))] == [1, 0, 0]
    mode.answer("back")
    mode.answer("next")
    assert sum("Only 1 would have won" in line for line in lines) == 2


# Where reasons are shown.


async def test_the_banner_of_a_stopped_move_says_why_in_the_line_that_is_there() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        assert f"??  {WHY}" in notice(app)
        assert "→" not in notice(app), "the panel beside the board says what is lost"
        assert len(notice(app).splitlines()) == 2
        assert BETTER not in text(app)


async def test_a_reason_that_does_not_fit_gives_way_to_a_shorter_one_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Judgement, "lost", lambda _: "A loss that takes some time to describe")
    app = make_board_app()
    async with app.run_test(size=(60, 24)) as pilot:
        await press(pilot, *BAD)
        assert len(notice(app).splitlines()) == 2
        assert WHY not in notice(app)
    assert choose_fitting_sentence(("too long to fit", "short"), 8) == "short"
    assert choose_fitting_sentence(("too long to fit",), 8) == ""


async def test_beside_a_wide_board_lines_are_reserved_for_an_explanation() -> None:
    app = make_board_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, *BAD)
        live = board(app).live
        after = board(app).notes().rows
        shown = " ".join("".join(part for part, _ in row) for row in after)
        assert WHY in " ".join(shown.split())
        assert live.offered is not None
        live.store_explanation(live.offered, NOTHING_PROVEN)
        assert len(board(app).notes().rows) == len(after), "nothing jumps when it comes"


def test_reasons_beside_a_board_take_the_same_lines_however_many_fit() -> None:
    live = make_heap_game()
    for sentences in ((), ("short",), ("a sentence of several words " * 2,) * 3):
        rows = game_rows.reason_rows(live, sentences, 26)
        assert len(rows) == game_rows.REASON_LINES
        assert all(row_width(row) <= 26 for row in rows)


async def test_best_play_is_explained_beside_the_board() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "w")
        assert "After your move" in panels(app)
        assert WHY in " ".join(text(app).split())
        assert f"{BETTER} won" not in text(app)


async def test_best_play_after_a_move_without_known_reasons_has_its_verdict_beside_it() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "y", "w")
        first = "".join(text for row in board(app).notes().rows[:2] for text, _ in row)
        assert " ".join(first.split()) == WHY, "above the moves"
        live = board(app).live
        assert live.offered is not None
        live.store_explanation(live.offered, NOTHING_PROVEN)
        assert "You threw away" in "".join(text for text, _ in board(app).notes().rows[0])


async def test_the_explanation_of_a_played_move_does_not_grade_its_reply() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "y")
        assert len(session(app).list_moves()) == 2, "the engine has replied"
        assert f"1. R3: You threw away a win in 7 moves.  {COUNT}" in notice(app), (
            "the verdict says which move it is about"
        )
        assert WHY not in text(app)
        live = board(app).live
        start, own, reply = live.node.path()
        assert live.get_explanation((start, 0, own.move)) is not NOTHING_PROVEN
        assert live.get_explanation((own, 1, reply.move)) is NOTHING_PROVEN


async def test_hidden_reasons_are_not_searched() -> None:
    app = make_board_app(make_settings(on_bad=OnBad.MARK), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        assert "You threw away a win in 7 moves." in notice(app)
        choice = board(app).live.offered
        assert choice is not None
        assert board(app).live.get_explanation(choice) is NOTHING_PROVEN


async def test_two_people_read_no_reasons_while_they_play_and_all_of_them_in_the_review() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD)
        assert board(app).live.stopped_move is not None
        assert WHY not in text(app)
        await press(pilot, "w")
        assert "After this move" in panels(app)
        assert WHY not in " ".join(text(app).split())
        await press(pilot, "u", "y")
        assert COUNT not in text(app)
        await press(pilot, "left", "enter", "1", "enter", "R", "R", "e", "n")
        assert isinstance(app.screen, ReviewScreen)
        assert WHY in notice(app)
        await press(pilot, "w")
        assert f"Only {BETTER}" not in " ".join(text(app).split()), "the player may look for it first"
        await press(pilot, "escape", "v", "w")
        assert f"Only {BETTER} would have won." in " ".join(text(app).split())


async def test_the_last_move_and_a_tried_move_have_their_reason_after_the_remark() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(100, 24)) as pilot:
        await press(pilot, *BAD, "y", "R", "R", "e", "end")
        assert f"Left wins: Right resigned.  {WHY}" in notice(app)
        await press(pilot, "home", "t", "m", "L", "1", "enter")
        assert "Trying: What would you play?  Now Right wins in" in notice(app)


async def test_a_move_that_is_taken_back_meanwhile_is_not_explained() -> None:
    app = make_board_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *BAD, "u")
        assert WHY not in text(app)
        assert board(app).live.stopped_move is None


async def test_a_move_taken_back_at_once_is_explained_if_it_fits() -> None:
    app = make_board_app(make_settings(on_bad=OnBad.UNDO))
    async with app.run_test(size=(120, 30)) as pilot:
        await settle(pilot)
        await press(pilot, *BAD)
        assert f"Taken back: Win in 7 moves → Loss. Try again.  {WHY}" in notice(app)


async def test_with_the_values_one_reads_which_good_move_is_hardest_to_answer() -> None:
    app = make_board_app(options={"heaps": "4-4"})
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "v")
        assert "Trickiest move: L1 (6 of 7 replies lose)." in notice(app)
        await press(pilot, "v")
        assert "Hardest" not in notice(app)


async def test_on_a_low_terminal_the_keys_stay_below_a_message() -> None:
    app = make_board_app(options={"heaps": "4-4"})
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "v", "enter")
        assert "Trickiest move: L1 (6 of 7 replies lose)." in notice(app)
        assert not board(app).query_one(KeyBar).has_class("-crowded"), "the values take the line of keys away"


def test_in_lines_the_values_say_it_too() -> None:
    live, lines = make_heap_game((6, 0)), list[str]()
    LineMode(live, Voice(lines.append, lambda: 0.0)).answer("values")
    assert lines[-1] == "Trickiest move: 1 (1 of 2 replies loses)."


def test_reasons_name_no_better_move_before_a_move_and_no_reply_after_it() -> None:
    found = Explanation(("Better was 1.",), ("The reply 1 wins.",), ("It leaves five.",))
    live = make_heap_game(players=AGAINST)
    choice: SeatMove = (live.node, 0, 2)
    assert select_reasons(live, choice, found) == found.discreet
    live.set_training(False)
    live.offer(0, 2)
    assert live.node is not choice[0]
    assert select_reasons(live, choice, found) == found.lasting
    friends = make_heap_game()
    assert select_reasons(friends, (friends.node, 0, 2), found) == (), "it would help the other one"
