"""What the matches of Light Riders have in common: their length and time from the environment, and how they stand."""

from __future__ import annotations

import math
import os

GAMES = int(os.environ.get("LIGHTRIDERS_GAMES", "10"))
PER_MOVE = int(os.environ.get("LIGHTRIDERS_MS", "20"))
"""Milliseconds that come back to the bank with every move."""

BANK = int(os.environ.get("LIGHTRIDERS_BANK", str(50 * PER_MOVE)))
"""Milliseconds in the bank at the start, and at most."""

JOBS = int(os.environ.get("LIGHTRIDERS_JOBS", "1"))


def standing(first: str, second: str, scores: list[float]) -> str:
    """The score of `first` with its 95 % error bar."""
    games = len(scores)
    mean = sum(scores) / games
    spread = math.sqrt(sum((score - mean) ** 2 for score in scores) / max(1, games - 1) / games)
    return (
        f"{first} against {second}: {100 * mean:.0f} % +- {196 * spread:.0f} over {games} games "
        f"at {BANK} + {PER_MOVE} ms ({scores.count(1.0)} won, {scores.count(0.5)} drawn, {scores.count(0.0)} lost)"
    )
