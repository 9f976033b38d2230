"""Ratings agree with Glickman's paper, and the next level fits the player."""

from __future__ import annotations

import gc
from random import Random

import pytest
from onlymove_engines.core.facts import Level
from onlymove_engines.play.ladder import SETTLED, RatedResult, Rating, Scored, choose_level, find_rating, update_rating

LEVELS = tuple(Level(f"l{n}", f"Level {n}", "best", 12 * n, 180.0 * n, 25.0) for n in range(8))
WIN, DRAW, LOSS = 1.0, 0.5, 0.0


def games(*results: tuple[int, float]) -> tuple[Scored, ...]:
    return tuple(Scored(LEVELS[number].id, score) for number, score in results)


def test_the_worked_example_of_the_paper() -> None:
    """The paper's result on page 4 is 1464.06, 151.52, 0.05999."""
    met = [RatedResult(1400, 30, WIN), RatedResult(1550, 100, LOSS), RatedResult(1700, 300, LOSS)]
    after = update_rating(Rating(1500, 200, 0.06), met)
    paper = ((after.points, 1464.06, 0.01), (after.deviation, 151.52, 0.005), (after.volatility, 0.05999, 0.00001))
    for found, printed, rounding in paper:
        assert found == pytest.approx(printed, abs=rounding), "the paper rounds on its way"


def test_a_period_without_games_only_widens_the_error() -> None:
    """This is step 6 of the paper."""
    before = Rating(1500, 200, 0.06)
    after = update_rating(before, [])
    assert (after.points, after.volatility) == (before.points, before.volatility)
    assert after.deviation == pytest.approx(200.27, abs=0.01)


def test_great_surprises_are_solved_too() -> None:
    """This is the other branch of step 5: the result is farther from the expected one than the errors explain."""
    after = update_rating(Rating(1500, 30, 0.06), [RatedResult(900, 20, LOSS)] * 20)
    assert after.points < 1500
    assert after.volatility > 0.06


def test_a_player_of_known_strength_is_found() -> None:
    """After sixty games at even chances, the rating is settled and right within twice its error."""
    for true_strength in (1200.0, 1700.0, 2200.0):
        rng, played = Random(3), tuple[Scored, ...]()
        for _ in range(60):
            level = choose_level(LEVELS, played)
            assert level is not None
            wins = rng.random() < 1 / (1 + 10 ** ((level.rating - true_strength) / 400))
            played += (Scored(level.id, WIN if wins else LOSS),)
        found = find_rating(LEVELS, played)
        assert found is not None
        assert found.deviation < SETTLED, f"still provisional: {found}"
        assert abs(found.points - true_strength) < 2 * found.deviation, f"{found} for {true_strength}"


def test_the_ladder_begins_at_its_foot_and_goes_a_step_at_a_time() -> None:
    offered = [
        choose_level(LEVELS, played)
        for played in ((), games((0, WIN)), games((0, LOSS)), games((0, WIN), (1, DRAW)), games((0, WIN), (1, LOSS)))
    ]
    assert offered == [LEVELS[0], LEVELS[1], LEVELS[0], LEVELS[1], LEVELS[0]]
    assert choose_level(LEVELS, games((7, WIN))) == LEVELS[7], "there is nothing above the top"


def test_a_hundred_losses_in_a_row_do_not_end_below_nothing() -> None:
    """The weakest level sees nothing, but a player can still lose to it every time."""
    for levels in (LEVELS, (LEVELS[0],), tuple(Level(f"l{n}", "", "best", n, 50.0 * n, 9.0) for n in range(8))):
        for number in (1, 3, 10, 100):
            now = find_rating(levels, (Scored("l0", LOSS),) * number)
            assert now is not None
            assert now.points > 0, f"after {number} losses: {now}"


def test_a_settled_player_meets_the_nearest_level() -> None:
    played = games(*[(3, WIN), (3, LOSS)] * 12)
    now = find_rating(LEVELS, played)
    assert now is not None
    assert not now.is_provisional
    assert choose_level(LEVELS, (*played, *games((3, LOSS)))) == LEVELS[3]


def test_games_against_levels_that_are_gone_do_not_count() -> None:
    gone = (Scored("gone", WIN),)
    assert find_rating(LEVELS, gone) is None
    assert choose_level(LEVELS, (*games((2, WIN)), *gone)) == LEVELS[3]
    assert (find_rating((), gone), choose_level((), gone)) == (None, None)


def test_a_standing_reads_as_points_and_error() -> None:
    now = find_rating(LEVELS, games((3, WIN)))
    assert now is not None
    assert now.is_provisional
    assert str(now) == f"{now.points:.0f} ±{now.deviation:.0f}"


def test_ratings_that_were_asked_for_keep_few_games_in_memory() -> None:
    """Each time a game ends, all games are read again."""

    def count_alive() -> int:
        return sum(type(each) is Scored for each in gc.get_objects())

    before, longest = count_alive(), 40
    for length in range(longest):
        find_rating(LEVELS, tuple(Scored("l1", 1.0, str(number)) for number in range(length)))
    assert count_alive() - before <= 2 * longest
