"""The lessons of Ayòayò."""

from __future__ import annotations

from random import Random

from onlymove_engines.coach.lessons import find_lessons, start_task
from onlymove_engines.games import load
from onlymove_engines.games.ayoayo import rules

SOON = 12
"""The most moves that a beginner should need to finish the first game of the lessons."""


def test_the_first_game_ends_soon_even_if_both_sides_play_at_random() -> None:
    game = load("ayoayo")
    task = find_lessons(game)[-1].tasks[0]
    ended = 0
    for seed in range(100):
        random, position = Random(seed), start_task(game, task).here.position
        for _ in range(SOON):
            if game.rules.result(position) is None:
                position = game.rules.play(position, random.choice(game.rules.legal_moves(position)))
        ended += game.rules.result(position) is not None
    assert ended >= 90


def test_the_first_sowing_is_no_relay_whichever_pit_is_chosen() -> None:
    """A relay runs through half the board. A beginner has to see a plain sowing first."""
    game = load("ayoayo")
    position = start_task(game, find_lessons(game)[0].tasks[0]).here.position
    assert [rules.preview(position, move).relays for move in game.rules.legal_moves(position)] == [0] * 4
