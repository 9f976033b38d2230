"""Trying moves while reviewing a game: the player sees what they are worth, plays on from them, and takes them back."""

from __future__ import annotations

import re

from onlymove_engines.play.session import AnySession, Session
from onlymove_tui.app.messages import Pointed
from onlymove_tui.app.screens.play import PlayScreen
from onlymove_tui.app.widgets.bars import KeyBar
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore

from tests.tui.pilots import FRIENDS, make_app, make_board_app, make_settings, notice, press, session, settle, text
from tests.tui.screen_checks import lines_on_screen
from tests.tui.test_review_screen import GAME, make_friends_app, play, review
from tests.tui.tiny_duel import tiny_duel
from tests.tui.tiny_game import tiny_game


async def test_a_move_is_tried_with_its_value_continued_and_taken_back(games: GameStore) -> None:
    app = make_friends_app(games)
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        played = list(session(app).list_moves())
        await press(pilot, "e", "t", "right", "enter", "1")
        assert "1. R1 !" in notice(app), "the move, its sign"
        assert "Win in 7 moves" in notice(app), "and what it leads to"
        assert "▸R1" in text(app)
        assert "Left" in app.screen.query_one("#standing").text()  # type: ignore[attr-defined]
        await play(pilot, "L1")
        assert "2. L1" in notice(app), "it is gone on from"
        await press(pilot, "escape")
        assert "1. R1" in notice(app)
        await press(pilot, "escape")
        assert "Start of the game" in notice(app)
        await press(pilot, "escape", "right")
        assert "1. L1" in notice(app), "the game goes on as it was played"
        assert "+" in app.screen.query_one("#moves").text()  # type: ignore[attr-defined]
        await press(pilot, "down")
        assert "1. R1" in notice(app), "what was tried is a variation"
        await press(pilot, "escape")
        assert isinstance(app.screen, PlayScreen)
        assert session(app).list_moves() == played
        assert len(session(app).tree.nodes) == len(played) + 1, "and none in the game itself"
        assert len(session(app).tree.root.children) == 1, "it is gone after the review"


async def test_the_footer_says_what_esc_does_while_moves_are_tried() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "t")
        footer = app.screen.query_one(KeyBar).footer
        assert footer()[0] == ("choose", "choose")
        assert footer()[-2:] == [("leave_review", "stop trying"), ("help", "keys")]
        await press(pilot, "enter")
        assert footer()[-2] == ("leave_review", "take back")
        await press(pilot, "escape")
        assert footer()[-2] == ("leave_review", "stop trying")
        await press(pilot, "escape")
        assert footer()[-2] == ("leave_review", "back")


async def test_the_help_says_that_arrows_move_the_cursor_while_moves_are_tried() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 50)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "t", "question_mark")
        for line in (r"Left +Move the cursor left", r"Enter Space +Choose what is", r"\[ +Go one move back"):
            assert re.search(line, text(app)), line
        assert "Go to the next variation" not in text(app)
        await press(pilot, "escape", "escape", "question_mark")
        assert re.search(r"Left \[ +Go one move back", text(app))


async def test_a_key_that_finds_no_mistake_still_ends_trying_on_the_board() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "t", "N")
        shown = lines_on_screen(app)
        assert "What would you play?" not in notice(app)
        await press(pilot, "f", "f")
        assert lines_on_screen(app) == shown, "no cursor is left"


async def test_enter_is_not_named_where_the_arrows_steer() -> None:
    app = make_app(game="lightriders", settings=make_settings(training=False), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "e", "t")
        assert "What would you play?" in notice(app)
        assert "choose" not in [word for _, word in app.screen.query_one(KeyBar).footer()]


async def test_one_plays_on_from_a_move_that_was_tried() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "t")
        await play(pilot, "R1")
        await press(pilot, "p")
        assert isinstance(app.screen, PlayScreen)
        assert session(app).list_moves() == [("R", 1)]


async def test_where_the_game_is_over_no_move_is_tried_and_it_says_so() -> None:
    app = make_board_app(make_settings(training=False), position="0,1 1", players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, "R1")
        await press(pilot, "e", "end")
        for way in (("t",), ("m",), ("t", "enter")):
            await press(pilot, *way)
            assert "The game is over here" in notice(app), way
            assert review(app).base is None, way
            assert review(app).typing is None, way
        await press(pilot, "home", "t")
        await play(pilot, "R1")
        assert "The game is over here" in notice(app), "a move that was tried has ended it"
        assert "what would you play" not in notice(app)
        await press(pilot, "escape", "escape")
        assert review(app).base is None


async def test_a_click_or_a_typed_move_tries_without_being_asked() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "right")
        app.screen.post_message(Pointed("R"))
        await settle(pilot)
        assert "Trying" in notice(app)
        await press(pilot, "escape", "escape")
        await play(pilot, "R3")
        assert "2. R3" in notice(app)


async def test_the_example_beside_a_typed_move_is_legal_where_it_is_tried() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "home", "t", "m")
        assert "For example: L1" in notice(app)


async def test_moving_through_the_game_ends_trying() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        for key, place in (("]", "1. L1"), ("n", "1. L1"), ("end", "5. L1"), ("home", "Start of the game")):
            await press(pilot, "e", "t")
            await play(pilot, "R1")
            await press(pilot, key)
            assert place in notice(app), key
            assert review(app).base is None
            await press(pilot, "escape")


async def test_both_sides_choices_are_tried_where_both_move_at_once() -> None:
    app = make_board_app(make_settings(training=False), game="duel", games=(tiny_duel(),), players=FRIENDS)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "R", "R", "e", "t")
        seats = []
        while review(app).state.playback.node.ply == 0:
            entering = review(app).state.move_input
            assert entering.session.choosing_seat is not None
            seats.append(entering.session.choosing_seat)
            move = entering.session.moves_of(entering.session.choosing_seat)[0]
            await press(pilot, "m", *str(move), "enter")
        assert seats == [0, 1]


def test_a_move_played_after_it_was_tried_belongs_to_the_game(games: GameStore) -> None:
    game: AnySession = Session(tiny_game(), (4, 4, 0))
    first, second = game.legal_moves()[:2]
    game.play(first)
    trial: AnySession = Session.from_tree(game.tree.branch(game.tree.root))
    tried = trial.play(second)
    further = trial.play(trial.legal_moves()[0])
    assert [node.id for node in game.tree.root.children] == [1, -1], "the game's own move stays the main line"
    number = games.save(game, GameDetails())
    assert len(games.load(number).session.tree.nodes) == 2, "a move that is only tried is not saved"
    game.undo()
    own = game.play(second)
    assert (own.id, own.children, own.players_at_move) == (2, [], game.players)
    game.tree.forget_tried()
    assert tried.children == []
    assert [node.id for node in game.tree.root.children] == [2, 1]
    assert further.path()[:2] == [game.tree.root, tried]
    assert len(games.load(games.save(game, GameDetails(), number)).session.tree.nodes) == 3


async def test_a_click_on_best_play_after_a_tried_move_chooses_nothing() -> None:
    app = make_friends_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await play(pilot, *GAME)
        await press(pilot, "e", "t")
        await play(pilot, "L1")
        await press(pilot, "w")
        assert review(app).state.playback.refutation is not None
        app.screen.post_message(Pointed("R"))
        await settle(pilot)
        await press(pilot, "escape")
        assert "What would you play?" in notice(app), "no target is picked"
