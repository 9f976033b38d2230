"""Ratings of players who have met in matches, from all their results at once. Pure arithmetic.

The Bradley-Terry model: the odds of i against j are the ratio of their strengths (R. Bradley and M. Terry, Biometrika
39, 1952). A draw is half a win. It is fitted by Newton's method, which the likelihood, concave in the ratings, allows;
errors are those of P. Huber (1967) and H. White (1982), from how far each pair of games lies from what the ratings
expect of it, so that draws, and what a start decides, do not count as luck.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from onlymove.tournament.statistics import ELO, NORMAL_95, SHARES, Pentanomial, expected_score

Floats: TypeAlias = npt.NDArray[np.float64]
Meetings: TypeAlias = Mapping[tuple[str, str], Pentanomial]
"""Two players, and the pairs of games between them seen by the first; each couple once, either way round."""

STEPS = 100
CLOSE = 1e-10


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo points above the anchor, and half the 95 % interval of that difference."""

    elo: float
    error: float


def rate_players(meetings: Meetings, anchor: str) -> dict[str, Rating]:
    """Rate everybody who met. The anchor's rating is 0. Raises ValueError if the results do not bound every difference,
    because a player or a group has only won or only lost against all others."""
    names = sorted({name for couple in meetings for name in couple}, key=lambda name: (name != anchor, name))
    if names[:1] != [anchor]:
        raise ValueError(f"{anchor} has played no game")
    if (group := find_unbounded(meetings, names)) is not None:
        raise ValueError(f"nothing bounds how strong these are: {', '.join(sorted(group))}")
    places = {name: k for k, name in enumerate(names)}
    rows = [(places[one], places[two], np.array(counts, float)) for (one, two), counts in meetings.items()]
    strengths = np.zeros(len(names))
    for _ in range(STEPS):
        slope, curvature, _ = find_slopes(strengths, rows)
        step = np.linalg.solve(curvature[1:, 1:], slope[1:])
        strengths[1:] += np.clip(step, -1.0, 1.0)
        if np.abs(step).max(initial=0.0) < CLOSE:
            break
    _, curvature, spread = find_slopes(strengths, rows)
    inverse = np.linalg.inv(curvature[1:, 1:])
    errors = np.sqrt(np.diag(inverse @ spread[1:, 1:] @ inverse))
    found = zip(names, strengths, [0.0, *errors], strict=True)
    return {name: Rating(ELO * float(value), NORMAL_95 * ELO * float(error)) for name, value, error in found}


def find_slopes(strengths: Floats, rows: Sequence[tuple[int, int, Floats]]) -> tuple[Floats, Floats, Floats]:
    """Return the slope and the negative curvature of the log-likelihood at these strengths, and the sum of the outer
    products of the slopes of the single pairs of games."""
    size = len(strengths)
    slope, curvature, spread = np.zeros(size), np.zeros((size, size)), np.zeros((size, size))
    for one, two, counts in rows:
        share = expected_score(ELO * (strengths[one] - strengths[two]))
        residuals = 2 * (np.array(SHARES) - share)
        apart = np.zeros(size)
        apart[one], apart[two] = 1.0, -1.0
        slope += apart * float(counts @ residuals)
        curvature += np.outer(apart, apart) * float(2 * counts.sum() * share * (1 - share))
        spread += np.outer(apart, apart) * float(counts @ residuals**2)
    return slope, curvature, spread


def find_unbounded(meetings: Meetings, names: Sequence[str]) -> set[str] | None:
    """Return the players that no chain of points scored connects with the anchor in both directions (L. Ford, 1957)."""
    takes: dict[str, set[str]] = {name: set() for name in names}
    for (one, two), counts in meetings.items():
        if any(counts[1:]):
            takes[one].add(two)
        if any(counts[:-1]):
            takes[two].add(one)
    loses = {name: {winner for winner, beaten in takes.items() if name in beaten} for name in names}
    for ways in (takes, loses):
        seen, todo = {names[0]}, [names[0]]
        while todo:
            new = ways[todo.pop()] - seen
            seen |= new
            todo += new
        if len(seen) < len(names):
            return set(names) - seen
    return None
