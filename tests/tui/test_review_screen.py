"""Reviewing a game: judgements, mistakes, variations, and playing on."""

from __future__ import annotations

import re
from itertools import chain

from onlymove_engines.coach.figures import count_figures, list_choices_at
from onlymove_engines.core.judgement import Grade, Judgement
from onlymove_engines.core.value import Win
from onlymove_engines.play.players import HUMAN
from onlymove_engines.play.session import AnySession
from onlymove_engines.records.record import Record, format_record
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.live_games import find_autosave
from onlymove_tui.app.panels import side_panels
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.screens.review import ReviewScreen
from onlymove_tui.app.widgets.bars import TitleBar
from onlymove_tui.app.widgets.course import MoveList, ValueStrip
from onlymove_tui.app.widgets.layout import SIDE_WIDTH
from onlymove_tui.store.games import GameStore

from tests.tui.pilots import (
    ENGINES,
    FRIENDS,
    board,
    make_board_app,
    make_settings,
    notice,
    press,
    press_at_once,
    session,
    settle,
    text,
    wait_until,
)
from tests.tui.stalls import StallDetector
from tests.tui.tiny_game import tiny_game

# A whole game from 3 and 4. The first move throws the win away, the second gives it back, and the third keeps it.
GAME = ("L1", "L1", "R3", "R1", "L1")


def review(app: OnlymoveApp) -> ReviewScreen:
    """Return the open review."""
    assert isinstance(app.screen, ReviewScreen)
    return app.screen


def session_of(app: OnlymoveApp) -> AnySession:
    """Return the game that is reviewed."""
    return review(app).live.session


async def play(pilot: object, *moves: str) -> None:
    """Type moves."""
    for move in moves:
        await press_at_once(pilot, "m", *move, "enter")  # type: ignore[arg-type]


def make_friends_app(games: GameStore | None = None) -> OnlymoveApp:
    """Open a game of two people, without training."""
    return make_board_app(make_settings(training=False), players=FRIENDS, store=games)


async def test_every_move_has_its_judgement_and_the_best_moves() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        assert session(app).is_over
        await press(pilot, "e")
        assert review(app).state.playback.node is review(app).live.session.tree.root
        await press(pilot, "right")
        assert "1. L1 ??  Blunder" in notice(app)
        assert "Win in 7 moves → Loss" in notice(app)
        assert "R1" not in app.screen.query_one("#note").text(), "a puzzle"  # type: ignore[attr-defined]
        await press(pilot, "v")
        assert "R1" in app.screen.query_one("#note").text()  # type: ignore[attr-defined]
        await press(pilot, "end")
        assert "wins" in notice(app)
        assert "moves were good" in text(app)


async def test_a_verdict_says_who_went_wrong() -> None:
    app = make_friends_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "right")
        assert "Left threw away a win in 7 moves." in text(app)
        assert "You just" not in text(app)


async def test_the_mistake_keys_also_visit_inaccuracies() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        node = session(app).node.path()[1]
        node.judgements = {0: Judgement(Grade.INACCURACY, Win(5), Win(11), slower=3)}
        await press(pilot, "e", "n")
        assert review(app).state.playback.node is node


async def test_the_mistakes_of_an_opponent_are_not_counted_as_yours() -> None:
    app = make_board_app(make_settings(training=False), players=(HUMAN, ENGINES[0]))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "R", "R", "e", "home", "n")
        assert "You made no mistakes in this game." in notice(app)
        await press(pilot, "N")
        assert "You made no mistakes in this game." in notice(app)


async def test_before_the_first_move_there_is_no_word_about_mistakes() -> None:
    app = make_board_app(players=(HUMAN, ENGINES[0]))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "n")
        assert "No moves have been played yet." in notice(app)


async def test_mistake_keys_visit_exactly_the_flagged_moves_in_order() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e")
        path = review(app).state.playback.last_node.path()
        flagged = [ply for ply, node in enumerate(path) if any(j.flagged for j in node.judgements.values())]
        assert flagged
        visited = []
        for _ in flagged:
            await press(pilot, "n")
            visited.append(review(app).state.playback.node.ply)
        assert visited == flagged
        await press(pilot, "n")
        assert "There are no mistakes after this." in notice(app)
        await press(pilot, "home", "end", "N")
        assert review(app).state.playback.node.ply == max(
            ply for ply in flagged if ply < len(path) - 1 or ply == flagged[-1]
        )


async def test_stepping_shows_the_position_of_every_ply() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        positions = session(app).node.positions()
        await press(pilot, "e")
        seen = [review(app).state.make_view().position]
        for _ in GAME:
            await press(pilot, "right")
            seen.append(review(app).state.make_view().position)
        assert seen == positions


async def test_one_plays_on_from_any_point_and_the_game_itself_is_untouched(games: GameStore) -> None:
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        played = find_autosave(board(app).live)
        await press(pilot, "e", "right", "p")
        assert isinstance(app.screen, PlayScreen)
        assert session(app).list_moves() == [("L", 1)]
        new = find_autosave(board(app).live)
        assert played is not None
        assert new is not None
        assert new.details.seed == played.details.seed, "so a random start counts as the usual one"
        await play(pilot, "R4")
        assert games.count() == 2
        finished = [entry for entry in games.list() if entry.is_over]
        assert [entry.plies for entry in finished] == [len(GAME)]


async def test_enter_begins_no_game_and_names_the_key_that_does(games: GameStore) -> None:
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "right", "enter")
        assert review(app).state.playback.node.ply == 1
        assert "p plays a new game from here. t tries a move." in notice(app)
        assert games.count() == 1


async def test_moves_taken_back_are_variations_that_can_be_visited() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, "R1")
        await press(pilot, "u")
        await play(pilot, "L2")
        await press(pilot, "e", "right")
        first = review(app).state.playback.node.move
        await press(pilot, "down")
        assert {first, review(app).state.playback.node.move} == {("R", 1), ("L", 2)}
        assert "+" in app.screen.query_one("#moves").text()  # type: ignore[attr-defined]


async def test_why_plays_the_best_answer_in_the_review_too() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "right", "w")
        assert review(app).state.playback.refutation is not None
        await press(pilot, *["right"] * 12)
        assert "wins" in notice(app)
        await press(pilot, "home")
        assert review(app).state.playback.refutation is None


async def test_the_value_strip_shows_each_side_above_and_below() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e")
        strip = app.screen.query_one(ValueStrip).strip
        heights = [column.height for column in strip.columns]
        assert heights[0] is not None
        assert heights[0] > 0, "the start is won for the first player"
        assert heights[1] is not None
        assert heights[1] < 0, "and thrown away at once"
        assert heights[-1] is not None
        assert abs(heights[-1]) == 4


async def test_a_refutation_has_no_text_about_the_game_below_it() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "right", "enter", "3", "R", "R", "e", "end")
        assert "resigned" in notice(app)
        await press(pilot, "w")
        assert "Move 1 of" in notice(app)
        assert "resigned" not in notice(app), "that was another line"


async def test_escape_leaves_the_refutation_before_it_leaves_the_review() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "right", "w", "w")
        assert "Move 2 of" in notice(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, ReviewScreen)
        assert "Move 2 of" not in notice(app)
        assert "1. L1" in notice(app), "where it was"
        await press(pilot, "escape")
        assert isinstance(app.screen, PlayScreen)


async def test_there_is_one_numbering_of_moves_that_of_both_sides() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 40)) as pilot:
        await play(pilot, *GAME)
        assert format_record(Record(session(app).tree)).split("]\n")[-1].split()[0] == "1."
        await press(pilot, "[", "[")
        assert "After move 3 of 5" in notice(app)
        await press(pilot, "e")
        assert [line.split()[0] for line in app.screen.query_one(MoveList).text().splitlines()] == ["1", "3", "5"]
        for number, headline in enumerate(("1. L1", "2. L1", "3. R3"), 1):
            await press(pilot, "right")
            assert f"move {number} of 5" in app.screen.query_one(TitleBar).text()
            assert notice(app).split("  ")[0].strip().startswith(headline)
        await press(pilot, "end")
        assert re.findall(r"First slip: move \d\.", text(app)) == ["First slip: move 1.", "First slip: move 2."]


async def test_each_move_has_a_number_also_if_the_second_player_begins() -> None:
    app = make_board_app(make_settings(training=False), players=FRIENDS, position="3,4 1")
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, "L1", "L1", "R3")
        moves = app.screen.query_one(MoveList)
        lines = [line.replace("▸", " ").split() for line in moves.text().splitlines()]
        assert lines == [["1", "L1"], ["2", "L1", "R3"]]
        await pilot.click(MoveList, offset=(6, 1))
        await settle(pilot)
        assert "After move 2 of 3" in notice(app)


async def test_counts_of_classes_add_up_to_the_moves_that_stand() -> None:
    app = make_board_app(players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        # Left changes one move, finds one with all hints, and plays one at once. Right has lost whatever it plays.
        await press(pilot, "m", *"R3", "enter", "u", "m", *"R1", "enter", "m", *"L1", "enter")
        await press(pilot, "h", "h", "h", "m", *"R1", "enter", "m", *"L1", "enter", "m", *"L1", "enter", "y", "R", "R")
        for side in (0, 1):
            made = list_choices_at(session(app).node.path(), side)
            found = count_figures(made)
            path = session(app).node.path()
            shown = chain(*side_panels.list_figure_parts(made, SIDE_WIDTH, in_words=True))
            words = " ".join(" ".join(run for row in shown for run, _ in row).split())
            kinds = r"(\d+) (?:with nothing to decide|not judged|best|good|inaccuracy|mistake|missed win|blunder)"
            counted = sum(map(int, re.findall(kinds, words)))
            headline = f"{found.kept} of {found.decisions} moves were good at the first try"
            assert (headline if found.decisions else "No decisions to judge") in words
            moves = sum(seat == side for node in path[1:] for seat in node.judgements)
            assert counted == moves - (side == 0), words
            assert ("Not counted: 1 with a full hint." in words) is (side == 0)
            assert ("1 bad first try undone." in words) is (side == 0)


async def test_a_refutation_that_is_not_waited_for_any_more_is_not_shown(detector: StallDetector) -> None:
    game = detector.slow_game(tiny_game())
    app = make_board_app(make_settings(training=False), players=FRIENDS, games=(game,))
    async with app.run_test(size=(80, 24)) as pilot, detector.forbid_stalls():
        await play(pilot, *GAME)
        await press(pilot, "e", "right")
        with detector.hold_calls():
            await pilot.press("w")
            await pilot.pause()
            assert "Working out an explanation" in notice(app)
            await pilot.press("escape")
            await pilot.pause()
            assert "Working out an explanation" not in notice(app)
            await pilot.press("w", "right")
            await pilot.pause()
        await settle(pilot)
        assert review(app).state.playback.refutation is None
        assert "2. L1" in notice(app)


async def test_moves_that_were_taken_back_lie_beyond_the_end_of_the_game() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, "L1", "R2", "L1")
        await press(pilot, "u", "u", "e")
        assert review(app).state.playback.last_node is session_of(app).node, "what was played is the game"
        await press(pilot, "right", "right")
        assert review(app).state.playback.node.move == ("R", 2)
        await press(pilot, "right", "right")
        assert review(app).state.playback.node.ply == 3


async def test_best_play_after_a_move_names_the_keys_that_go_along_it_and_back() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "right", "w")
        assert "Right next   Left back   Esc review" in notice(app)
        await press(pilot, "w", "[", "backspace")
        assert review(app).state.playback.refutation is None
        assert "1. L1" in notice(app)
        await press(pilot, "w", "t", "escape")
        assert review(app).state.playback.refutation is None
        assert "1. L1" in notice(app), "tried again from where the review stands"


async def test_a_mistake_is_explained_although_every_move_was_judged_during_the_game() -> None:
    app = make_friends_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await play(pilot, *GAME)
        assert all(node.values is not None for node in session(app).tree.nodes if node.result is None)
        await press(pilot, "e", "n")
        screen = review(app)
        assert screen.live.list_reasons(screen.state.playback.node)


async def test_a_review_of_a_game_between_engines_goes_on_with_it() -> None:
    app = make_board_app(make_settings(training=False), players=ENGINES, position="9,9 0")
    async with app.run_test(size=(80, 24)) as pilot:
        game = board(app)
        game.action_pause()
        await press(pilot, "e")
        before = len(review(app).path())
        game.action_pause()
        await wait_until(pilot, lambda: session_of(app).is_over)
        assert len(review(app).path()) == len(session_of(app).node.path()) > before
        assert review(app).state.playback.node is session_of(app).tree.root, "the board stays"
        await press(pilot, "end")
        assert review(app).state.playback.node is session_of(app).node
