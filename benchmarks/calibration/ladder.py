"""Which strengths make a ladder of equal steps, and what its rungs are called. Pure arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

USUAL = 8
"""Levels of a game."""
MIN_STEP, MAX_STEP = 115.0, 210.0
"""Elo points between neighbours. If eight levels would be closer, there are fewer levels. If they would be further
apart, there are more."""

TITLES = {
    6: "Newcomer Beginner Casual Club Expert",
    7: "Newcomer Beginner Casual Club Expert Master",
    8: "Newcomer Beginner Casual Regular Club Expert Master",
    9: "Newcomer Beginner Casual Regular Club Advanced Expert Master",
    10: "Newcomer Beginner Casual Regular Club Advanced Expert Master Grandmaster",
    11: "Newcomer Beginner Learner Casual Regular Club Advanced Expert Master Grandmaster",
    12: "Newcomer Beginner Learner Casual Regular Club Advanced Expert Master Grandmaster Champion",
}
"""The titles by the number of levels, weakest first. The strongest level has a title of its own."""


def count_levels(span: float) -> int:
    """Return how many levels there are between random moves and best play, which are `span` Elo points apart."""
    step = span / (USUAL - 1)
    wanted = USUAL
    if step < MIN_STEP:
        wanted = 1 + int(span / MIN_STEP)
    elif step > MAX_STEP:
        wanted = 2 + int(span / MAX_STEP)
    return min(max(wanted, min(TITLES)), max(TITLES))


def titles(count: int, strongest: str) -> list[str]:
    """Return the titles of this many levels, weakest first."""
    return [*TITLES[count].split(), strongest]


def choose_even_strengths(measured: Mapping[int, float]) -> list[int]:
    """Choose a strength for each level, including the weakest and the strongest that were measured, with about equal
    differences in Elo between neighbours."""
    strengths = sorted(measured)
    elos = list(accumulate((measured[strength] for strength in strengths), max))
    span = elos[-1] - elos[0]
    count = count_levels(span)
    wanted = [elos[0] + span * k / (count - 1) for k in range(1, count - 1)]
    return [strengths[0], *(interpolate_strength(strengths, elos, elo) for elo in wanted), strengths[-1]]


def interpolate_strength(strengths: Sequence[int], elos: Sequence[float], wanted: float) -> int:
    """Return the strength with this many Elo points, on the straight line between its neighbours."""
    place = next(k for k, elo in enumerate(elos) if elo >= wanted)
    low, high = elos[place - 1], elos[place]
    share = (wanted - low) / (high - low)
    return round(strengths[place - 1] + share * (strengths[place] - strengths[place - 1]))
