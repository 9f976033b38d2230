"""Both sides choose in secret: hidden choices, payoffs, regret, and rethinking a choice."""

from __future__ import annotations

import re

import pytest
from onlymove_engines.coach.judge import OnBad
from onlymove_engines.core.judgement import Grade
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.board.workers import EngineMoved
from onlymove_tui.app.panels.game_rows import wrap
from onlymove_tui.app.panels.value_rows import matrix_rows
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.widgets.canvas import is_further_line

from tests.tui.pilots import (
    FRIENDS,
    board,
    hold_analyst,
    make_app,
    make_settings,
    notice,
    press,
    session,
    settle,
    text,
    wait_until,
)
from tests.tui.tiny_duel import tiny_duel


def duel(**changes: object) -> OnlymoveApp:
    """Open the duel for a person against the engine."""
    chosen = {"game": "duel", "games": (tiny_duel(),), "seed": 3, "settings": make_settings(), **changes}
    return make_app(**chosen)


async def test_the_engine_is_committed_before_the_person_chooses() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert set(session(app).pending) == {1}
        fixed = session(app).pending[1]
        await press(pilot, "m", "a", "enter")
        assert session(app).list_moves() == [("a", fixed)]
        assert session(app).node.judgements.keys() == {0, 1}


async def test_two_people_choose_hidden_and_are_revealed_together() -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "a", "enter")
        assert session(app).list_moves() == []
        assert "Even has chosen" in text(app)
        assert "Odd chooses" in notice(app)
        assert board(app).marks().chosen == ()
        await press(pilot, "m", "b", "enter")
        assert session(app).list_moves() == [("a", "b")]


async def test_undo_withdraws_a_hidden_choice_before_it_undoes_a_round() -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "a", "enter", "u")
        assert not session(app).pending
        assert "Even chooses" in notice(app)


async def test_a_choice_of_the_mix_is_never_stopped_and_a_regretted_one_is() -> None:
    for choice, stopped in (("a", False), ("b", False), ("c", True)):
        app = duel()
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "m", choice, "enter")
            assert (board(app).live.stopped_move is not None) is stopped
            if stopped:
                assert "Average cost: 25 %" in text(app)


async def test_rethinking_draws_the_engine_again() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        turn = board(app).live.turn
        await press(pilot, "m", "c", "enter", "u")
        assert board(app).live.turn > turn
        assert set(session(app).pending) == {1}, "committed anew"
        assert session(app).list_moves() == []


async def test_the_last_hint_shows_payoffs_mix_and_die() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h")
        assert "With best play you score 50 % of the points." in " ".join(text(app).split())
        await press(pilot, "h", "h")
        shown = text(app)
        assert "z rolls a number for you:\n1-50 a, 51-100 b" in shown
        assert "75%" in shown
        assert "Your share of the points.\noften" in shown
        assert "Columns: your opponent's.\noften: used by best play" in shown
        assert "Proven." in shown
        await press(pilot, "z")
        assert re.search(r"You rolled \d+: play [ab].", notice(app))


async def test_one_players_hint_is_not_shown_to_the_other() -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "h", "h", "h")
        assert "z rolls" in text(app)
        await press(pilot, "m", "a", "enter")
        assert "z rolls" not in text(app)
        assert board(app).state.requests.hint is None


async def test_no_throw_is_offered_where_best_play_does_not_mix() -> None:
    rows: dict[Move, dict[Move, float]] = {
        "a": dict.fromkeys("abc", 0.0),
        "b": dict.fromkeys("abc", -0.5),
        "c": dict.fromkeys("abc", -0.5),
    }
    sure = Mixed(0.0, ({"a": 1.0, "b": 0.0, "c": 0.0}, {"a": 0.5, "b": 0.5, "c": 0.0}), rows, exact=True)
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        live = board(app).live
        live.store_values(live.node, sure)
        await press(pilot, "h", "h", "h")
        assert "75%" not in text(app)
        assert "rolls 1 to 100" not in text(app)
        await press(pilot, "z")
        assert "No need to roll: always play a." in notice(app)


async def test_values_are_what_a_choice_costs_and_not_how_often_it_is_made() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "v")
        assert {target: label for target, (label, _) in board(app).marks().values.items()} == {
            "a": "ok",
            "b": "ok",
            "c": "-25%",
        }


async def test_the_review_separates_regret_from_luck() -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "a", "enter", "m", "a", "enter", "m", "c", "enter", "m", "a", "enter")
        assert session(app).is_over
        await press(pilot, "e", "right")
        assert isinstance(app.screen, ReviewScreen)
        shown = text(app)
        assert "Even: luck +25%" in shown
        assert "Odd: luck -25%" in shown
        await press(pilot, "right")
        assert "Blunder" in notice(app)
        assert "costs 25 %" in notice(app)


async def test_the_review_shows_what_the_other_choices_of_a_round_cost() -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "m", "a", "enter", "m", "a", "enter", "m", "c", "enter", "m", "a", "enter")
        await press(pilot, "e", "right")
        assert isinstance(app.screen, ReviewScreen)
        note = "\n".join("".join(run for run, _ in row) for row in app.screen.notes().rows)
        assert "Even's options" in note
        assert "Odd's options" in note
        assert "costs 25 %" in note
        assert "▸a" in note.partition("Odd's options")[2], "what the other side chose is marked too"


async def test_the_review_gives_no_verdict_on_a_round_without_saying_whose_move_it_is_about() -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "m", "a", "enter", "m", "c", "enter", "m", "a", "enter", "enter", "m", "b", "enter")
        await press(pilot, "e", "right")
        assert "Which move is better?" in text(app)
        assert "That was a blunder." not in text(app)
        assert "Odd ??  Blunder" in notice(app)


async def test_a_sentence_of_several_lines_is_known_as_one_after_its_keys_were_named() -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        rows = [board(app).name_keys(row) for row in wrap("Costs: at least this, against best play.", 26)]
        assert [is_further_line(row) for row in rows] == [False, True]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 55)], ids=str)
async def test_values_in_the_review_leave_the_round_that_is_looked_at_beside_the_board(size: tuple[int, int]) -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "m", "a", "enter", "m", "a", "enter", "m", "c", "enter", "m", "a", "enter")
        await press(pilot, "e", "right", "v")
        assert "Even: luck +25%" in text(app)
        assert isinstance(app.screen, ReviewScreen)
        assert app.screen.make_side().worth.title == "Next round"


async def test_a_choice_that_waits_to_be_judged_is_taken_back() -> None:
    app = duel()
    opened = hold_analyst(app)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("m", "a", "enter")
        await wait_until(pilot, lambda: board(app).live.waiting == (0, "a"))
        await pilot.press("backspace")
        await wait_until(pilot, lambda: board(app).live.waiting is None)
        opened.set()
        await settle(pilot)
        assert session(app).list_moves() == []


async def test_between_two_people_a_bad_choice_is_neither_stopped_nor_mentioned_early() -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "m", "c", "enter")
        assert board(app).live.stopped_move is None, "to hold it would tell the other what it is"
        assert session(app).pending == {0: "c"}
        assert not session(app).node.attempts
        assert board(app).marks().threat == ()
        assert "This costs" not in text(app)
        await press(pilot, "m", "a", "enter")
        judgements = session(app).node.judgements
        assert (judgements[0].flagged, judgements[1].flagged) == (True, False), "both are judged once both have chosen"
        assert "Even: ?? That was a blunder." in notice(app)
        assert "Odd: Best move." in notice(app)
        await press(pilot, "m", "a", "enter")
        assert "Even has chosen" in notice(app)
        assert "Blunder" not in notice(app)


async def test_a_stopped_choice_is_marked_for_the_only_person() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "m", "c", "enter")
        assert board(app).marks().threat == ("c",)
        await press(pilot, "w")
        assert "Average cost" in text(app)
        assert len(notice(app).splitlines()) == 2, "why is said beside the loss"


async def test_the_reply_to_an_earlier_position_is_dropped() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        live = board(app).live
        fixed = session(app).pending[1]
        other = "b" if fixed == "a" else "a"
        board(app).post_message(EngineMoved(live, live.turn - 1, 1, other))
        await settle(pilot)
        assert session(app).pending[1] == fixed


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
async def test_why_says_in_words_which_choices_are_good_and_what_a_bad_one_risks(size: tuple[int, int]) -> None:
    app = duel()
    async with app.run_test(size=size) as pilot:
        await press(pilot, "w")
        shown = " ".join(text(app).split())
        assert "A and b are equally good against best play." in shown
        assert "If your opponent plays a, c scores" in shown
        assert "75%" in shown, "the table follows"


async def test_why_at_a_stopped_choice_compares_it_with_the_best_one_and_shows_the_table_where_it_fits() -> None:
    for size in ((80, 24), (120, 40)):
        app = duel()
        async with app.run_test(size=size) as pilot:
            await press(pilot, "m", "c", "enter", "w")
            assert board(app).live.stopped_move is not None
            assert "equally good" not in text(app)
            assert "If your opponent plays a, c scores" in " ".join(text(app).split())
            assert ("Your share of the points." in text(app)) is (size == (120, 40))


async def test_why_after_a_bad_round_speaks_about_that_round() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "c", "enter", "y")
        assert len(session(app).list_moves()) == 1
        await press(pilot, "w")
        shown = " ".join(text(app).split())
        assert "About c in round 1:" in shown
        assert "If your opponent plays a, c scores" in shown
        assert "Your share of the points." not in shown, "the table is about the next round"


async def test_the_verdict_is_shown_if_why_was_asked_about_the_stopped_choice() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "c", "enter", "w", "y")
        assert len(session(app).list_moves()) == 1
        assert "blunder" in notice(app)


async def test_why_leads_from_an_earlier_position_to_the_one_it_explains() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "a", "enter", "left_square_bracket")
        assert board(app).state.playback.is_past
        await press(pilot, "w")
        assert not board(app).state.playback.is_past
        assert "A in round 1 gave nothing away. Now a and b are equally good" in " ".join(text(app).split())


async def test_a_hint_replaces_an_older_answer_to_why() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "w", "h")
        assert "Hint 1 of 3" in text(app)
        assert "equally good" not in text(app)
        await press(pilot, "w")
        shown = " ".join(text(app).split())
        assert shown.index("equally good") < shown.index("Hint 1 of 3"), "the latest answer comes first"
        await press(pilot, "h", "h")
        assert "equally good" not in text(app)


async def test_the_footer_offers_why_in_every_round() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "w why" in text(app)
        await press(pilot, "m", "a", "enter")
        assert "w why" in text(app)
        await press(pilot, "question_mark")
        assert "Explain the last round and your choices now" in text(app)


async def test_why_promises_no_explanation_after_the_end() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "c", "enter", "y", "m", "c", "enter", "y")
        assert session(app).is_over
        await press(pilot, "w")
        assert "Working out" not in notice(app)


async def test_a_narrow_list_of_values_says_what_the_shares_are() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "v")
        assert "Even's options   often\n a  no cost      50 %" in text(app)
        await pilot.resize_terminal(160, 50)
        await settle(pilot)
        assert "a  no cost      50 % of the time" in text(app)


async def test_between_two_people_why_names_the_side_whose_bad_move_it_explains() -> None:
    app = duel(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "m", "a", "enter", "m", "c", "enter", "w")
        shown = " ".join(text(app).split())
        assert "About Odd's c in round 1:" in shown
        assert "If your opponent plays b, c scores" in shown


@pytest.mark.parametrize("on_bad", [OnBad.ASK, OnBad.UNDO])
async def test_why_after_a_move_was_taken_back_speaks_about_that_move(on_bad: OnBad) -> None:
    rows: dict[Move, dict[Move, float]] = {
        "a": dict.fromkeys("abc", 0.0),
        "b": dict.fromkeys("abc", -0.5),
        "c": dict.fromkeys("abc", -0.75),
    }
    sure = Mixed(0.0, ({"a": 1.0, "b": 0.0, "c": 0.0}, {"a": 1.0, "b": 0.0, "c": 0.0}), rows, exact=True)
    app = duel(settings=make_settings(on_bad=on_bad))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        board(app).live.store_values(session(app).node, sure)
        await press(pilot, "m", "b", "enter", *["u"] * (on_bad is OnBad.ASK), "w")
        assert session(app).list_moves() == []
        shown = " ".join(text(app).split())
        assert "A is best. B is worse now." in shown or "If your opponent plays a, b scores 25 % and a 50 %." in shown
        assert "c scores" not in shown, "c is the worst move, but nobody tried it"


async def test_why_does_not_take_an_engines_move_for_the_players() -> None:
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "m", "c", "enter", "y")
        await press(pilot, "x", "w")
        shown = " ".join(text(app).split())
        assert session(app).human_seats == (1,)
        assert "gave nothing away" not in shown, "the engine made that move"
        assert "About c in round 1:" in shown, "this was the player's"


async def test_why_after_an_inaccuracy_speaks_about_that_round() -> None:
    rows: dict[Move, dict[Move, float]] = {
        "a": dict.fromkeys("abc", 0.0),
        "b": dict.fromkeys("abc", -0.08),
        "c": dict.fromkeys("abc", -0.5),
    }
    sure = Mixed(0.0, ({"a": 1.0, "b": 0.0, "c": 0.0}, {"a": 1.0, "b": 0.0, "c": 0.0}), rows, exact=True)
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        board(app).live.store_values(session(app).node, sure)
        await press(pilot, "m", "b", "enter")
        found = session(app).node.judgements[0]
        assert (found.grade, found.flagged) == (Grade.INACCURACY, False)
        await press(pilot, "w")
        shown = " ".join(text(app).split())
        assert "About b in round 1: If your opponent plays a, b scores 46 % and a 50 %." in shown


@pytest.mark.parametrize("seat", [0, 1])
def test_the_payoffs_begin_with_the_choice_that_best_play_makes_most_often(seat: Seat) -> None:
    rows: dict[Move, dict[Move, float]] = {own: dict.fromkeys("abc", 0.0) for own in "abc"}
    shares: dict[Move, float] = {"a": 0.1, "b": 0.3, "c": 0.6}
    found = matrix_rows(Mixed(0.0, (shares, shares), rows, exact=True), seat)
    assert ["".join(text for text, _ in row)[:6] for row in found] == ["often ", " " * 6, "c  60%", "b  30%", "a  10%"]


async def test_a_choice_that_is_certain_to_lose_is_said_to_lose() -> None:
    rows: dict[Move, dict[Move, float]] = {"a": {"a": 1.0, "b": 1.0}, "b": {"a": 1.0, "b": -1.0}}
    sure = Mixed(1.0, ({"a": 1.0, "b": 0.0}, {"a": 0.0, "b": 1.0}), rows, exact=True)
    app = duel()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        board(app).live.store_values(session(app).node, sure)
        await press(pilot, "w")
        shown = " ".join(text(app).split())
        assert "A is best. If your opponent plays b, b loses and a wins." in shown


async def test_a_folded_screen_says_under_the_board_which_choices_are_good() -> None:
    app = duel()
    async with app.run_test(size=(60, 20)) as pilot:
        await press(pilot, "w")
        assert "A and b are equally good against best play." in notice(app)


async def test_a_wide_screen_counts_the_moves_of_one_side() -> None:
    app = duel()
    async with app.run_test(size=(200, 55)) as pilot:
        await settle(pilot)
        assert "3 moves to choose from" in text(app)
