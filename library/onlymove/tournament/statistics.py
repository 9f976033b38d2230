"""The statistics of a match: pairs of games, Elo differences with their errors, and a sequential test.

Games are counted in pairs from one start with sides swapped. A pair has five possible results, from 0 to 2 points (the
pentanomial model). Counting single games would treat the effect of the start as luck and make the error too large.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

Pentanomial: TypeAlias = tuple[int, int, int, int, int]
"""The number of pairs in which the first player scored 0, 1/2, 1, 3/2 and 2 points."""

NO_PAIRS: Final[Pentanomial] = (0, 0, 0, 0, 0)
SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The mean score of a game in each kind of pair."""

ELO: Final = 400 / math.log(10)
"""Elo points per unit of log-odds: 400 points are odds of ten to one (A. Elo, 1978)."""

NORMAL_95: Final = 1.959964
"""The number of standard errors on either side of the mean in a 95 % interval."""

ERROR: Final = 0.05
"""The chance that a sequential test accepts the wrong hypothesis, for either hypothesis."""

BOUND: Final = math.log((1 - ERROR) / ERROR)
"""The log-likelihood ratio at which a sequential test is decided: positive for `elo1`, negative for `elo0`."""

MAX_ELO: Final = 1000.0
"""The largest Elo difference that a test may ask about. Beyond, floating-point scores come too close to 0 and 1."""

HALVINGS: Final = 50
"""How often an interval is halved until floating-point numbers cannot tell its ends apart."""

UNSEEN: Final = 1e-3
"""Replaces a count of 0, for which a likelihood ratio has no value. The test frameworks for chess do the same."""


def with_pair(counts: Pentanomial, points: float) -> Pentanomial:
    """Return the counts after one more pair, in which the first player scored `points`, from 0 to 2."""
    first, second, third, fourth, fifth = (count + (2 * points == k) for k, count in enumerate(counts))
    return first, second, third, fourth, fifth


def elo_difference(score: float) -> float:
    """Return the Elo difference that corresponds to this score. Infinite for scores of 0 and 1."""
    if not 0.0 < score < 1.0:
        return math.copysign(math.inf, score - 0.5)
    return ELO * math.log(score / (1.0 - score))


def expected_score(elo: float) -> float:
    return 1.0 / (1.0 + math.exp(-elo / ELO))


def mean_score(counts: Sequence[float]) -> float:
    """Return the mean score of a game. There must be at least one pair."""
    return sum(share * count for share, count in zip(SHARES, counts, strict=True)) / sum(counts)


def score_error(counts: Pentanomial) -> float | None:
    """Return half the width of the 95 % interval of the mean score, or `None` if the pairs have no spread."""
    pairs = sum(counts)
    if pairs < 2:
        return None
    score = mean_score(counts)
    squares = sum(count * (share - score) ** 2 for share, count in zip(SHARES, counts, strict=True))
    return NORMAL_95 * math.sqrt(squares / (pairs - 1) / pairs) if squares else None


def elo_error(counts: Pentanomial) -> float | None:
    """Return half the width of the 95 % interval of the Elo difference, or `None` if it is unbounded or unknown."""
    error = score_error(counts)
    if error is None:
        return None
    score = mean_score(counts)
    low, high = elo_difference(score - error), elo_difference(score + error)
    return (high - low) / 2 if math.isfinite(high - low) else None


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test of whether the first player is stronger by `elo1` or by `elo0`.

    The test is by A. Wald, "Sequential tests of statistical hypotheses", Ann. Math. Statist. 16 (1945), in its
    generalised form. Each hypothesis stands for the most likely distribution of pairs that has its mean (M. Van den
    Bergh, "A practical introduction to the GSPRT", 2020).
    """

    elo0: float
    elo1: float

    def compute_ratio(self, counts: Pentanomial) -> float:
        if counts == NO_PAIRS:
            return 0.0
        seen = [count or UNSEEN for count in counts]
        scores = [expected_score(elo) for elo in (self.elo0, self.elo1)]
        tilts = [tilt(seen, score) for score in scores]
        return sum(
            count * math.log((1 + tilts[0] * (share - scores[0])) / (1 + tilts[1] * (share - scores[1])))
            for share, count in zip(SHARES, seen, strict=True)
        )

    def decision(self, counts: Pentanomial) -> str | None:
        ratio = self.compute_ratio(counts)
        return "H1" if ratio >= BOUND else "H0" if ratio <= -BOUND else None


def tilt(counts: Sequence[float], score: float) -> float:
    """Return the t that gives the most likely distribution with the mean `score`. In that distribution, the share of a
    kind of pair is its frequency / (1 + t (its score - mean)). The equation is solved by bisection, because its left
    side falls as t grows."""
    low, high = -1 / (1 - score), 1 / score
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        slope = sum(
            count * (share - score) / (1 + middle * (share - score))
            for share, count in zip(SHARES, counts, strict=True)
        )
        low, high = (middle, high) if slope > 0 else (low, middle)
    return (low + high) / 2
