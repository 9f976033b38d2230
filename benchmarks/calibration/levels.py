"""The levels of every game: how strong each strength is, a ladder of equal steps, and how far apart its rungs are.

    python -m benchmarks.calibration.levels [--share 1] [--again] [--jobs 1] [GAME ...]

plays the matches, or this share of their games, and writes the levels into each `game.toml` and docs/levels.md.
`--again` begins with the levels in `game.toml`, for an engine that has changed a little. The same command plays the
same games, in as many processes as `--jobs` says. A game takes some minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import ceil

from onlymove.tournament.contestants import NO_LIMITS, Limits
from onlymove.tournament.statistics import NORMAL_95
from onlymove_engines.core.facts import Level
from onlymove_engines.core.game import AnyGame
from onlymove_engines.games import list_own_games, load
from onlymove_engines.play.players import LEVEL_NODES, RANDOM, Player, PlayerKind, format_player

from benchmarks.calibration.ladder import choose_even_strengths, titles
from benchmarks.calibration.matches import round_robin
from benchmarks.calibration.pages import (
    format_crosstable,
    format_rating,
    format_rows,
    read_page_rows,
    write_levels,
    write_section,
)
from benchmarks.calibration.ratings import Meetings, Rating, rate_players

STRENGTHS = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 100)
TOLD = (0, 20, 40, 60, 80, 90, 95, 100)
"""Strengths that the page lists."""

ON_THE_SCALE = {1: 50, 2: 25}
"""How many pairs of games two strengths play, by how many places they are apart."""

ON_THE_LADDER = {1: 150, 2: 50}
FURTHER_APART = 15
"""The same for levels. Levels that are further apart play `FURTHER_APART` pairs."""

ATTEMPTS = 3
MIN_STEP, MAX_STEP = 105.0, 245.0
"""The bounds on a step of the ladder, in Elo points. Outside them, the levels are chosen once more."""

SOLVED, SEARCHED = "Perfect", "Grandmaster"
"""What the strongest level is called if it never errs, and if nobody knows whether it does."""


def name_players(game: AnyGame, strengths: Sequence[int]) -> list[str]:
    """Return the players of the game's first style at these strengths."""
    return [format_player(game, Player(PlayerKind.ENGINE, game.play.styles[0].id, strength)) for strength in strengths]


def find_limits(game: AnyGame) -> Limits:
    """Return the limits of a move's search. There are none if the game has a table."""
    return NO_LIMITS if game.solved.solver is not None else Limits(nodes=LEVEL_NODES)


def scale_pairs(pairs: Mapping[int, int], further: int, share: float) -> Callable[[int], int]:
    """Return how many pairs of games two players meet in, by how many places they are apart, if only this share is
    played."""
    return lambda apart: ceil(share * pairs.get(apart, further))


def calibrate(game: AnyGame, share: float, again: bool, jobs: int) -> None:
    """Measure the strengths, choose levels among them, measure those, and write down the result. If a step between two
    levels is too small or too large, choose once more."""
    strengths, strength_rows = [level.strength for level in game.facts.levels], read_page_rows(game.id, "strength")
    if not again:
        scale, _ = measure_strengths(game, STRENGTHS, scale_pairs(ON_THE_SCALE, 0, share), jobs)
        strengths = choose_even_strengths(list_elos(scale))
        strength_rows = format_rows(
            ["strength", *TOLD], [["Elo", *(format_rating(scale[strength]) for strength in TOLD)]]
        )
    for _ in range(ATTEMPTS):
        found, meetings = measure_strengths(game, strengths, scale_pairs(ON_THE_LADDER, FURTHER_APART, share), jobs)
        if all(MIN_STEP <= high - low <= MAX_STEP for low, high in pairwise(list_elos(found).values())):
            break
        strengths = choose_even_strengths(list_elos(found))
    levels, players = list_levels(game, found), name_players(game, list(found))
    write_levels(game.id, levels)
    names = [level.title for level in levels]
    level_rows = format_rows(["level", "player", "Elo", "step"], rows(names, players, meetings))
    write_section(game.id, [*strength_rows, *level_rows, *format_crosstable(names, players, meetings)])


def list_elos(found: Mapping[int, Rating]) -> dict[int, float]:
    """Return the Elo points of each strength, without their errors."""
    return {strength: one.elo for strength, one in found.items()}


def measure_strengths(
    game: AnyGame, strengths: Sequence[int], pairs: Callable[[int], int], jobs: int
) -> tuple[dict[int, Rating], Meetings]:
    """Measure the first style at these strengths. The first of them must be 0."""
    players = name_players(game, strengths)
    meetings = round_robin(game.id, players, pairs, find_limits(game), jobs)
    found = rate_players(meetings, RANDOM)
    return {strength: found[player] for strength, player in zip(strengths, players, strict=True)}, meetings


def list_levels(game: AnyGame, found: Mapping[int, Rating]) -> list[Level]:
    """Return the levels as `game.toml` lists them. Their errors are standard errors."""
    names = titles(len(found), SEARCHED if game.solved.solver is None else SOLVED)
    return [
        Level(title.lower(), title, game.play.styles[0].id, strength, one.elo, one.error / NORMAL_95)
        for title, (strength, one) in zip(names, found.items(), strict=True)
    ]


def rows(names: Sequence[str], players: Sequence[str], meetings: Meetings) -> list[list[str]]:
    """Yield each level with its player, its rating and its distance from the level below."""
    found = rate_players(meetings, players[0])
    steps = ["", *(format_rating(rate_players(meetings, weak)[strong]) for weak, strong in pairwise(players))]
    return [
        [name, f"`{player}`", format_rating(found[player]), step]
        for name, player, step in zip(names, players, steps, strict=True)
    ]


def main() -> None:
    """Calibrate these games, or all."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("games", nargs="*", default=[facts.id for facts in list_own_games()])
    asked = parser.parse_args()
    for name in asked.games:
        calibrate(load(name), asked.share, asked.again, asked.jobs)


if __name__ == "__main__":
    main()
