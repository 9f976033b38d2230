"""Scores, Elo, errors and sequential tests, compared with separate formulas and simulations."""

from __future__ import annotations

import math
from random import Random

import pytest
from onlymove.tournament.statistics import (
    BOUND,
    MAX_ELO,
    NO_PAIRS,
    SHARES,
    Pentanomial,
    Sprt,
    elo_difference,
    elo_error,
    expected_score,
    mean_score,
    score_error,
    tilt,
    with_pair,
)

from benchmarks.calibration.ratings import rate_players


def draw_pairs(dice: Random, weights: tuple[float, ...], pairs: int) -> Pentanomial:
    """Draw this many random pairs."""
    counts = NO_PAIRS
    for share in dice.choices(SHARES, weights, k=pairs):
        counts = with_pair(counts, 2 * share)
    return counts


def tilt_pairs(elo: float) -> tuple[float, ...]:
    """Return a distribution of pairs whose mean score is that of this Elo difference. The games of a pair are
    independent."""
    score = expected_score(elo)
    single = (1 - score - 0.1, 0.2, score - 0.1)
    pair = [0.0] * 5
    for i, a in enumerate(single):
        for j, b in enumerate(single):
            pair[i + j] += a * b
    return tuple(pair)


def test_pairs_are_counted_by_their_points() -> None:
    counts = NO_PAIRS
    for points in (0, 0.5, 1, 1, 1.5, 2, 2):
        counts = with_pair(counts, points)
    assert counts == (1, 1, 2, 1, 2)
    assert mean_score(counts) == pytest.approx(8 / 14)


@pytest.mark.parametrize(("score", "elo"), [(0.5, 0.0), (0.75, 190.8485), (10 / 11, 400.0), (1 / 11, -400.0)])
def test_elo_is_the_logistic_curve(score: float, elo: float) -> None:
    assert elo_difference(score) == pytest.approx(elo, abs=1e-3)
    assert expected_score(elo) == pytest.approx(score, abs=1e-6)


def test_elo_of_all_or_nothing_is_infinite_and_has_no_error() -> None:
    assert elo_difference(1.0) == math.inf
    assert elo_difference(0.0) == -math.inf
    assert elo_error((0, 0, 0, 0, 10)) is None
    assert elo_error((0, 0, 0, 1, 1)) is None, "the interval reaches beyond what an Elo difference can be"
    assert score_error((0, 0, 1, 0, 0)) is None


def test_pairs_that_a_start_decides_are_no_luck() -> None:
    """The first player always wins, so pairs are level although single games are not."""
    even, won_or_lost = (1, 0, 98, 0, 1), (50, 0, 0, 0, 50)
    small, large = elo_error(even), elo_error(won_or_lost)
    assert small is not None
    assert large is not None
    assert small < large / 5


def test_the_interval_covers_the_truth_in_95_of_100_matches() -> None:
    dice, truth, hit = Random(1), expected_score(60), 0
    for _ in range(400):
        counts = draw_pairs(dice, tilt_pairs(60), 100)
        error = score_error(counts)
        assert error is not None
        hit += abs(mean_score(counts) - truth) <= error
    assert 0.92 <= hit / 400 <= 0.975


COUNTS: Pentanomial = (31, 62, 118, 70, 42)


def test_the_tilted_distribution_has_the_mean_and_no_likelier_one_has() -> None:
    dice, score = Random(2), expected_score(30)
    t = tilt(COUNTS, score)
    best = [n / sum(COUNTS) / (1 + t * (x - score)) for n, x in zip(COUNTS, SHARES, strict=True)]
    assert sum(best) == pytest.approx(1)
    assert sum(p * x for p, x in zip(best, SHARES, strict=True)) == pytest.approx(score)
    top = sum(n * math.log(p) for n, p in zip(COUNTS, best, strict=True))
    for _ in range(100):  # a shift that changes neither the sum nor the mean: a + b + c = 0 = a x + b y + c z
        k, a = dice.randrange(1, 4), dice.uniform(-0.02, 0.02)
        other = list(best)
        for place, change in ((k - 1, a), (k, -2 * a), (k + 1, a)):
            other[place] += change
        assert sum(n * math.log(p) for n, p in zip(COUNTS, other, strict=True)) <= top


def test_between_close_hypotheses_the_ratio_is_that_of_normal_means() -> None:
    """For small effects, the log-likelihood ratio is n (s1 - s0) (2 mean - s0 - s1) / (2 variance)."""
    low, high, mean, pairs = expected_score(0), expected_score(5), mean_score(COUNTS), sum(COUNTS)
    variance = sum(n * (x - mean) ** 2 for n, x in zip(COUNTS, SHARES, strict=True)) / pairs
    expected = pairs * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert Sprt(0, 5).compute_ratio(COUNTS) == pytest.approx(expected, rel=0.02)
    assert Sprt(5, 0).compute_ratio(COUNTS) == pytest.approx(-Sprt(0, 5).compute_ratio(COUNTS))


def run_sprt(dice: Random, elo: float, sprt: Sprt) -> str:
    counts, weights = NO_PAIRS, tilt_pairs(elo)
    while (decision := sprt.decision(counts)) is None:
        for share in dice.choices(SHARES, weights, k=3):
            counts = with_pair(counts, 2 * share)
    return decision


@pytest.mark.parametrize(("elo", "right"), [(0, "H0"), (120, "H1")])
def test_a_sequential_test_is_wrong_about_one_time_in_twenty(elo: float, right: str) -> None:
    dice, sprt = Random(3), Sprt(0, 120)
    wrong = sum(run_sprt(dice, elo, sprt) != right for _ in range(60))
    assert wrong <= 6


@pytest.mark.parametrize("elos", [(-MAX_ELO, MAX_ELO), (MAX_ELO - 1e-6, MAX_ELO), (-MAX_ELO, 1 - MAX_ELO)])
@pytest.mark.parametrize("counts", [(10**6, 0, 0, 0, 0), (0, 0, 0, 0, 10**6), (0, 0, 1, 0, 0), COUNTS])
def test_hypotheses_as_far_as_they_may_be_have_a_ratio(elos: tuple[float, float], counts: Pentanomial) -> None:
    assert math.isfinite(Sprt(*elos).compute_ratio(counts))


def test_before_the_first_pair_nothing_is_decided() -> None:
    assert Sprt(0, 10).decision(NO_PAIRS) is None
    assert pytest.approx(2.944439) == BOUND


def test_two_players_are_rated_as_their_match_says() -> None:
    ratings = rate_players({("a", "b"): COUNTS}, "b")
    error = elo_error(COUNTS)
    assert error is not None
    assert ratings["a"].elo == pytest.approx(elo_difference(mean_score(COUNTS)))
    assert ratings["a"].error == pytest.approx(error, rel=0.01)
    assert (ratings["b"].elo, ratings["b"].error) == (0, 0)


def test_a_round_robin_finds_the_strengths_within_their_errors() -> None:
    dice, truth = Random(4), {"a": 0.0, "b": 90.0, "c": 210.0, "d": 260.0}
    names = sorted(truth)
    meetings = {
        (one, two): draw_pairs(dice, tilt_pairs(truth[one] - truth[two]), 300)
        for one in names
        for two in names[names.index(one) + 1 :]
    }
    ratings = rate_players(meetings, "a")
    for name in names[1:]:
        assert abs(ratings[name].elo - truth[name]) < 1.5 * ratings[name].error
        assert 10 < ratings[name].error < 40
    shifted = rate_players(meetings, "c")
    assert shifted["d"].elo == pytest.approx(ratings["d"].elo - ratings["c"].elo)


def test_a_player_who_has_only_won_is_not_rated() -> None:
    with pytest.raises(ValueError, match="how strong these are: c"):
        rate_players({("a", "b"): COUNTS, ("c", "b"): (0, 0, 0, 0, 9)}, "a")
    with pytest.raises(ValueError, match="nobody has played no game"):
        rate_players({("a", "b"): COUNTS}, "nobody")
