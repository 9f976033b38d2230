"""What a player is told who has never finished a game of this kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from onlymove_engines.games import load, own_cards
from onlymove_tui.app.panels.status_lines import next_pick
from onlymove_tui.store.games import GameStore

from tests.tui.pilots import board, notice, opened, press, settle
from tests.tui.tiny_game import tiny_game

BAD = ("right", "enter", "3")


async def test_the_goal_stands_on_the_board_until_a_game_is_finished(games: GameStore) -> None:
    for is_first in (True, False):
        app = opened(store=games, games=(replace(tiny_game(), goal="Take the last one."),))
        async with app.run_test(size=(80, 24)) as pilot:
            await settle(pilot)
            assert ("Take the last one.   F1 the rules" in notice(app)) is is_first
            await press(pilot, "m", *"R1", "enter", "R", "R")


@pytest.mark.parametrize("first", [(), ("f1", "escape")], ids=["nothing", "the rules"])
async def test_no_move_is_held_before_the_player_could_know_the_rules(games: GameStore, first: Sequence[str]) -> None:
    app = opened(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *first, *BAD)
        assert board(app).match.is_held is bool(first)
        assert bool(board(app).match.session.moves()) is not bool(first)


async def test_a_lesson_is_enough_for_moves_to_be_held(games: GameStore) -> None:
    games.lessons.keep("tiny", 1)
    app = opened(store=games)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await press(pilot, *BAD)
        assert board(app).match.is_held


def test_the_next_step_of_a_move_is_said_in_words() -> None:
    orbito, tobito = load("orbito"), load("tobito")
    assert next_pick(orbito, ("d2", "c2")) == "d2 - c2: Now place your own marble."
    assert next_pick(tobito, ("a5", "b4", "c3")) == "a5 - b4 - c3: Choose where the jumped pawn goes."
    assert next_pick(tiny_game(), ("L",)) == "L - ?", "a game may say nothing of it"


def test_every_game_names_its_goal() -> None:
    assert all(card.goal for card in own_cards())
