"""The next game: a rematch by one key, a new game with the last settings, and changed players in a game under way."""

from __future__ import annotations

from onlymove_engines.play.players import HUMAN, Player, PlayerKind
from onlymove_tui.app.app import OnlymoveApp
from onlymove_tui.app.screens.new_game import NewGameScreen, PlayersScreen
from onlymove_tui.app.widgets.choices import Choices
from onlymove_tui.app.widgets.fields import read_values
from onlymove_tui.store.games import GameStore

from tests.tui.pilots import board, make_board_app, make_menu_app, press, session, settle, text

WEAK = Player(PlayerKind.ENGINE, "best", 30)
GIVE_UP = ("R", "R")
MOVE = ("right", "enter", "1")


def new_game_values(app: OnlymoveApp) -> dict[str, str]:
    """Return the values in the form of a new game."""
    assert isinstance(app.screen, NewGameScreen)
    return read_values(app.screen.fields)


async def test_a_new_game_is_set_up_as_the_last_one_was(games: GameStore) -> None:
    app = make_board_app(
        store=games, players=(WEAK, HUMAN), options={"heaps": "2-2"}, house_rule="left-stands", training=False
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *MOVE, *GIVE_UP, "c")
        chosen = new_game_values(app)
        assert chosen == {
            "kind.0": "engine", "strength.0": "30", "kind.1": "human", "training": "off", "option.heaps": "2-2",
            "rule": "left-stands", "position": "",
        }  # fmt: skip
    again = make_menu_app(store=games)
    async with again.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "enter")
        assert new_game_values(again) == chosen, "it is stored, not only remembered"
        await press(pilot, "enter")
        assert [(player.is_human, player.strength) for player in session(again).players] == [(False, 30), (True, 100)]


async def test_two_people_are_remembered_for_the_next_game(games: GameStore) -> None:
    app = make_board_app(store=games, players=(HUMAN, HUMAN))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, *MOVE, "c")
        assert not {"engine.0", "engine.1", "strength.0", "strength.1"} & new_game_values(app).keys()


async def test_a_rematch_is_the_same_game_once_more(games: GameStore) -> None:
    app = make_board_app(
        store=games, players=(HUMAN, WEAK), options={"heaps": "4-4"}, house_rule="left-stands", training=False
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        first = session(app)
        await press(pilot, *MOVE, "a")
        assert session(app) is first, "only a game that is over has a rematch"
        await press(pilot, *GIVE_UP, "a")
        again = session(app)
        assert again is not first
        assert (again.players, again.list_moves(), again.position) == ((HUMAN, WEAK), [], (4, 4, 0))
        assert again.tree.house_rule is not None
        assert not board(app).live.training
        await press(pilot, *MOVE, *GIVE_UP, "A")
        assert session(app).players == (WEAK, HUMAN)
        assert games.count() == 3, "each is a game of its own"


async def test_a_rematch_begins_where_the_game_began() -> None:
    app = make_board_app(position="2,1 1", players=(HUMAN, WEAK))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *GIVE_UP, "a")
        assert session(app).tree.root.position == (2, 1, 1)
        assert "custom starting position" in text(app), "what the game is worth from its usual start is not said here"


async def test_a_side_is_taken_over_and_handed_over_during_a_game(games: GameStore) -> None:
    app = make_board_app(store=games, players=(HUMAN, WEAK))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *MOVE)
        played = session(app).list_moves()
        await press(pilot, "P")
        assert isinstance(app.screen, PlayersScreen)
        assert "human" in text(app)
        await press(pilot, "down", "down", "right", "enter")
        assert session(app).players == (HUMAN, HUMAN), "the engine's side is taken over"
        assert session(app).list_moves() == played, "nothing of the game is lost"
        await press(pilot, "P", "down", "right", "enter")
        await settle(pilot)
        assert [player.is_human for player in session(app).players] == [False, True]
        assert len(session(app).list_moves()) > len(played), "the engine plays on at once"


async def test_an_engine_becomes_another_one_from_here_on() -> None:
    app = make_board_app(players=(HUMAN, WEAK))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, "P", "down", "down", "down", "m", *"70", "enter", "enter")
        assert session(app).players == (HUMAN, Player(PlayerKind.ENGINE, "best", 70))
        assert "Best 70" in text(app)


async def test_leaving_the_panel_of_players_changes_nothing() -> None:
    app = make_board_app(players=(HUMAN, WEAK))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        turn = board(app).live.turn
        await press(pilot, "P", "down", "right", "escape")
        assert session(app).players == (HUMAN, WEAK)
        await press(pilot, "P", "enter")
        assert board(app).live.turn == turn, "an engine that thinks is not interrupted for nothing"


async def test_the_panel_of_players_is_whole_on_a_small_screen() -> None:
    app = make_board_app(players=(WEAK, WEAK))
    async with app.run_test(size=(60, 20)) as pilot:
        await settle(pilot)
        await press(pilot, "p", "P")
        for _ in app.screen.query_one(Choices).entries:
            assert "…" not in text(app)
            await press(pilot, "down")
