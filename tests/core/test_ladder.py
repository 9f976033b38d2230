"""Ratings agree with Glickman's paper, and the next level fits the player."""

from __future__ import annotations

import gc
from random import Random

import pytest
from onlymove_engines.core.facts import Level
from onlymove_engines.play.ladder import (
    SETTLED,
    RatedResult,
    Rating,
    Scored,
    choose_level,
    count_until_shown,
    describe_change,
    describe_rating,
    find_rating,
    has_beaten_all,
    update_rating,
)

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
    """After sixty games at even chances, the rating is settled, and nearly always right within twice its error."""
    for true_strength in (1200.0, 1700.0, 2200.0):
        is_near = []
        for seed in range(20):
            rng, played = Random(seed), tuple[Scored, ...]()
            for _ in range(60):
                level = choose_level(LEVELS, played)
                assert level is not None
                wins = rng.random() < 1 / (1 + 10 ** ((level.rating - true_strength) / 400))
                played += (Scored(level.id, WIN if wins else LOSS),)
            found = find_rating(LEVELS, played)
            assert found is not None
            assert found.deviation < SETTLED, f"still provisional: {found}"
            is_near.append(abs(found.points - true_strength) < 2 * found.deviation)
        assert sum(is_near) >= 18, true_strength


@pytest.mark.parametrize(
    ("played", "next_level"),
    [
        ((), 0),
        (((0, WIN),), 0),
        (((0, LOSS),), 0),
        (((0, WIN), (0, WIN)), 1),
        (((0, WIN), (0, LOSS), (0, WIN)), 1),
        (((0, DRAW), (0, WIN), (0, DRAW)), 1),
        (((0, WIN), (0, LOSS), (0, LOSS), (0, WIN)), 0),
        (((0, WIN), (0, DRAW), (0, LOSS)), 0),
        (((0, WIN), (0, WIN), (1, LOSS)), 1),
        (((0, WIN), (0, WIN), (1, LOSS), (1, LOSS)), 0),
        (((0, WIN), (2, LOSS), (0, WIN)), 1),
        (((3, LOSS), (2, LOSS)), 2),
        (((7, WIN), (7, WIN)), 7),
        (((0, LOSS), (0, LOSS)), 0),
    ],
    ids=str,
)
def test_two_points_of_three_lead_one_up_and_two_losses_in_a_row_one_down(
    played: tuple[tuple[int, float], ...], next_level: int
) -> None:
    assert choose_level(LEVELS, games(*played)) == LEVELS[next_level]


def test_after_a_step_down_the_lower_level_has_to_be_beaten_anew() -> None:
    down = ((0, WIN), (0, WIN), (1, LOSS), (1, LOSS))
    assert choose_level(LEVELS, games(*down, (0, LOSS))) == LEVELS[0], "the two wins were before the step down"
    assert choose_level(LEVELS, games(*down, (0, WIN), (0, WIN))) == LEVELS[1]
    assert choose_level(LEVELS, games(*down, (0, WIN), (0, WIN), (1, LOSS))) == LEVELS[1], "one loss there since then"


def test_two_draws_beat_the_highest_level_only_where_best_play_draws() -> None:
    for played, is_drawn, has_won in (
        (((7, DRAW), (7, DRAW)), True, True),
        (((7, DRAW),), True, False),
        (((7, DRAW), (7, DRAW)), False, False),
        (((7, WIN), (7, WIN)), False, True),
        (((7, DRAW), (7, DRAW), (6, WIN)), True, False),
    ):
        assert has_beaten_all(LEVELS, games(*played), is_drawn) is has_won, played
    assert choose_level(LEVELS, games((7, DRAW), (7, DRAW))) == LEVELS[7]


def test_a_rating_is_shown_from_the_fifth_rated_game_on() -> None:
    played = tuple(Scored("l0", WIN, str(number)) for number in range(6))
    assert describe_rating(LEVELS, ()) == ""
    assert [count_until_shown(LEVELS, played[:number]) for number in range(7)] == [5, 4, 3, 2, 1, 0, 0]
    assert describe_rating(LEVELS, played[:3]) == "2 more rated games until your rating shows"
    assert describe_rating(LEVELS, played[:4]) == "1 more rated game until your rating shows"
    assert describe_rating(LEVELS, played[:5]) == f"{find_rating(LEVELS, played[:5])}, provisional"
    assert describe_change(LEVELS, played[:1], played[0]) == "Rated. 4 more rated games until your rating shows."
    fifth, sixth = find_rating(LEVELS, played[:5]), find_rating(LEVELS, played)
    assert fifth is not None
    assert sixth is not None
    assert describe_change(LEVELS, played, played[4]) == f"Rating {fifth}, provisional", "no number was shown before"
    change = f"{sixth.points - fifth.points:+.0f}"
    assert describe_change(LEVELS, played, played[5]) == f"Rating {sixth} ({change}), provisional"


def test_games_against_levels_that_are_gone_do_not_bring_the_rating_nearer() -> None:
    assert count_until_shown(LEVELS, (*games((0, WIN)), Scored("gone", WIN))) == 4


def test_a_hundred_losses_in_a_row_do_not_end_below_nothing() -> None:
    """The weakest level sees nothing, but a player can still lose to it every time."""
    for levels in (LEVELS, (LEVELS[0],), tuple(Level(f"l{n}", "", "best", n, 50.0 * n, 9.0) for n in range(8))):
        for number in (1, 3, 10, 100):
            now = find_rating(levels, (Scored("l0", LOSS),) * number)
            assert now is not None
            assert now.points > 0, f"after {number} losses: {now}"


def test_games_against_levels_that_are_gone_do_not_count() -> None:
    gone = (Scored("gone", WIN),)
    assert find_rating(LEVELS, gone) is None
    assert choose_level(LEVELS, (*games((2, WIN), (2, WIN)), *gone)) == LEVELS[3]
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
