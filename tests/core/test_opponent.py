"""Engines play at random at strength 0, always the best at 100, and plausibly between."""

from __future__ import annotations

from collections import Counter
from random import Random
from types import SimpleNamespace
from typing import Any

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import Style, Turn, alike
from onlymove_engines.core.value import Draw, Loss, Outcome, Win, proven
from onlymove_engines.play.players import LEVEL_NODES, MoveChooser
from onlymove_engines.search.deepening import LiveAnalyst

from tests.literal_game import literal_game

GAME = literal_game()
ANALYST = LiveAnalyst(GAME)


STYLE: Style[str, str] = Style("exact", "Exact", "Best moves.", lambda turn: alike(turn.analysis.list_best_moves()))


def frequencies(strength: int, draws: int = 6000) -> Counter[str]:
    opponent, random = MoveChooser(ANALYST, STYLE, strength), Random(7)
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


def share_of(seen: Analysis[str], move: str, strength: int, draws: int = 1500) -> float:
    """Return how often a player of this strength plays `move` with this analysis."""
    opponent, random = MoveChooser(ANALYST, STYLE, strength), Random(7)
    chosen = [opponent.choose("start", 0, tuple(seen.moves), random, find_values=lambda _: seen) for _ in range(draws)]
    return chosen.count(move) / draws


def test_a_weak_player_misses_distant_results_first() -> None:
    wins = [Analysis(None, {"a": Win(plies), "b": Draw(), "c": Draw()}) for plies in (1, 5, 15)]
    for strength in (20, 50, 80):
        found = [share_of(seen, "a", strength) for seen in wins]
        assert found == sorted(found, reverse=True), (strength, found)
        assert found[0] > found[2] + 0.15, (strength, found)
    traps = [Analysis(None, {"a": Loss(plies), "b": Draw(), "c": Draw()}) for plies in (2, 8)]
    for strength in (20, 50, 80):
        near, far = (share_of(seen, "a", strength) for seen in traps)
        assert near < far, f"strength {strength} walks into a loss in 2 as often as into one in 8"


def test_with_points_a_mistake_is_rarer_the_more_points_it_gives_away() -> None:
    seen = Analysis(
        None, {move: proven(Outcome.LOSS, None, margin) for move, margin in zip("abc", (-4, -8, -20), strict=True)}
    )
    for strength in (20, 50, 80):
        best, small, great = (share_of(seen, move, strength) for move in "abc")
        assert best > small > great, strength


def test_a_stronger_player_uses_its_styles_own_search_more_often() -> None:
    stubborn: Style[str, str] = Style("own", "Own", "", lambda turn: alike("b"), needs_analysis=False)
    moves, shares = GAME.rules.legal_moves("start"), []
    for strength in (20, 60, 90, 100):
        opponent, random = MoveChooser(ANALYST, stubborn, strength), Random(7)
        shares.append([opponent.choose("start", 0, moves, random) for _ in range(400)].count("b") / 400)
    assert shares == sorted(shares), "b loses: only its own search finds it good"
    assert shares[0] < 0.3
    assert shares[-1] == 1


def list_search_budgets(budget: Budget) -> list[Budget]:
    """Return the budgets with which five strengths search in a game with simultaneous moves."""
    looked: list[Budget] = []

    def mix(turn: Turn[str, str]) -> dict[str, float]:
        looked.append(turn.budget)
        return {"a": 1.0}

    style: Style[str, str] = Style("own", "Own", "", mix, needs_analysis=False)
    seldom = Random(3)
    seldom.random = lambda: 0.0  # type: ignore[method-assign]
    unasked: Any = SimpleNamespace(is_reachable=list, mixed=list, summarise=list)
    for strength in (20, 50, 80, 95, 100):
        MoveChooser(unasked, style, strength).choose("start", 0, "ab", seldom, budget)
    return looked


def test_with_simultaneous_moves_weak_players_search_less_deeply() -> None:
    assert [looked.depth for looked in list_search_budgets(UNLIMITED)] == [1, 2, 3, 5, None]
    assert [looked.depth for looked in list_search_budgets(Budget(depth=2))] == [1, 2, 2, 2, 2]


def test_with_simultaneous_moves_only_full_strength_depends_on_the_clock() -> None:
    seconds = Budget.seconds(1.0, lambda: 0.0)
    *weak, full = list_search_budgets(seconds)
    assert full == seconds
    assert {(looked.nodes, looked.clock, looked.deadline) for looked in weak} == {(LEVEL_NODES, None, None)}
    assert [looked.nodes for looked in list_search_budgets(Budget(nodes=30))] == [30] * 5
