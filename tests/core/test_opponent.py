"""Strength: uniform at 0, always best at 100, plausible between."""

from __future__ import annotations

from collections import Counter
from random import Random

from onlymove_engines.core.game import Style, alike
from onlymove_engines.play.opponent import Opponent
from onlymove_engines.search.deepening import LiveAnalyst

from tests.literal_game import literal_game

GAME = literal_game()
ANALYST = LiveAnalyst(GAME)


STYLE: Style[str, str] = Style("exact", "Exact", "Best moves.", lambda turn: alike(turn.analysis.best()))


def frequencies(strength: int, draws: int = 6000) -> Counter[str]:
    opponent, random = Opponent(ANALYST, STYLE, strength), Random(7)
    moves = GAME.rules.legal_moves("start")
    return Counter(opponent.choose("start", 0, moves, random) for _ in range(draws))


def test_strength_0_plays_every_move_alike() -> None:
    found = frequencies(0)
    # chi-square with 2 degrees of freedom: 13.8 is the 0.1 % point
    assert sum((found[move] - 2000) ** 2 / 2000 for move in "abc") < 13.8


def test_strength_100_plays_only_best_moves() -> None:
    assert set(frequencies(100, 300)) == {"a"}


def test_between_a_move_is_rarer_the_more_it_gives_away_and_the_stronger_the_player() -> None:
    by_strength = {strength: frequencies(strength, 1500) for strength in (20, 50, 80)}
    for strength, found in by_strength.items():
        assert found["a"] > found["c"] > found["b"] or found["b"] == 0, (strength, found)
    assert by_strength[20]["a"] < by_strength[50]["a"] < by_strength[80]["a"]
