"""The player's own games in the explorer: the positions that they passed through, and how they ended."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from onlymove_engines import games
from onlymove_engines.play.players import HUMAN
from onlymove_engines.play.session import Session
from onlymove_tui.store.entries import GameDetails
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.progress import LATEST, OwnGame, Tally, count_visits

from tests.tui.pilots import make_menu_app, notice, press, settle, store_at, text
from tests.tui.saved_sessions import ENGINE, GAME_IDS, random_session
from tests.tui.tiny_game import tiny_game


def test_positions_are_those_of_the_games_that_count(path: Path) -> None:
    store, expected, over = GameStore(path), Counter[Any](), 0
    for seed in range(12):
        session = random_session(GAME_IDS[0], seed, 25)
        for node in session.tree.nodes:
            node.players_at_move = session.players
        if not session.is_over:
            session.resign(seed % 2)
        store.save(session, GameDetails())
        if len(session.human_seats) == 1:
            over += 1
            expected.update({node.position for node in session.node.path()})
    found = count_visits(games.load(GAME_IDS[0]), store.progress.own_games(GAME_IDS[0]))
    store.close()
    assert over > 2
    assert {position: tally.games for position, tally in found.items()} == expected


def test_moves_from_the_first_illegal_one_on_are_left_out() -> None:
    found = count_visits(
        tiny_game(), [OwnGame("3,4 0", ("R1", "R9", "L1"), Tally(wins=1)), OwnGame("?", (), Tally(losses=1))]
    )
    assert found == {(3, 4, 0): Tally(wins=1), (3, 3, 1): Tally(wins=1)}


def test_only_the_latest_games_are_gone_through(path: Path) -> None:
    store = GameStore(path, lambda _: tiny_game())
    for _ in range(LATEST + 5):
        session: Session[Any, Any] = Session(tiny_game(), players=(HUMAN, ENGINE))
        session.resign(1)
        store.save(session, GameDetails())
    assert len(store.progress.own_games("tiny")) == LATEST
    store.close()


async def test_the_explorer_shows_where_the_players_games_went(tmp_path: Path) -> None:
    store = store_at(tmp_path / "games.sqlite")
    for moves, loser in (((("R", 1),), 1), ((("R", 1), ("L", 2)), 0), ((("L", 1),), 0)):
        session: Session[Any, Any] = Session(tiny_game(), players=(HUMAN, ENGINE))
        for move in moves:
            session.play(move)
        session.resign(loser)
        store.save(session, GameDetails())
    app = make_menu_app(store=store)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "up", "X")
        assert "Your games here: 1 won, 0" in text(app)
        assert "W7   R1  yours: 2" in text(app)
        assert "yours: 1 won, 0 drawn, 1 lost" in notice(app)
        await pilot.resize_terminal(60, 20)
        await settle(pilot)
        assert len(notice(app).splitlines()) == 1, "what does not fit is left out"
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        await press(pilot, "enter", "enter")
        assert "Your games here" not in text(app)
