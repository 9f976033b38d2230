"""Plays matches of many players with each other in this process. Players who meet often enough can be rated."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import Any, TypeAlias

from onlymove.tournament.contestants import NO_LIMITS, Limits
from onlymove.tournament.referee import MatchContext, Plan, conduct_numbered, open_context
from onlymove.tournament.statistics import NO_PAIRS, Pentanomial, with_pair
from onlymove_engines.core.analysis import AnyAnalysis, Summary, Tally, Tallying, alternating
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.value import Mixed, Outcome
from onlymove_engines.search.deepening import count_moves

from benchmarks.calibration.ratings import Meetings

MAX_PLIES = 200
"""Plies after which a game that repeats itself is drawn."""

REMEMBERED = 30_000
"""Positions whose moves are remembered, because players meet the same early positions again and again."""

SEED = 13

SHARE = 10
"""Pairs of games that a process plays at a time."""

Couple: TypeAlias = tuple[str, str]


@cache
def make_caching_context(game_id: GameId) -> MatchContext:
    """Return the context of a solved game with one analyst that looks nothing up twice. Its answers are exact, so no
    game depends on another. A search that estimates starts every game with an empty memory."""
    context = open_context(game_id)
    if context.game.solved.solver is None or context.game.facts.simultaneous:
        return context
    analyst: Any = alternating(context.open_analyst())
    ask = lru_cache(REMEMBERED)(analyst.analyse)

    def look(position: Any, _: object = None) -> AnyAnalysis:
        found: AnyAnalysis = ask(position)
        return found

    def count(positions: Sequence[Any], _: object = None) -> list[Tally | None]:
        summaries = zip(positions, analyst.summarise(positions), strict=True)
        return [count_row(summary) or count_moves(ask(position)) for position, summary in summaries]

    # A game package asks what its analyst is, so that another in front of it would not do; some are frozen.
    object.__setattr__(analyst, "analyse", look)
    if not isinstance(analyst, Tallying):
        object.__setattr__(analyst, "tallies", count)
    return MatchContext(context.game, lambda: analyst, context.made_with)


def count_row(row: Summary) -> Tally | None:
    """Return the same count from a row of batch analysis, which kernels compute faster, or `None` if the row does not
    tell."""
    moves, keeping = int(row.moves), int(row.keeping)
    assert not isinstance(row.value, Mixed)
    if row.value.outcome is Outcome.WIN:
        return None
    if row.value.outcome is Outcome.DRAW:
        return Tally(0, keeping, moves - keeping, keeping)
    return Tally(0, 0, moves, len(row.best.split()) if moves else 0)


def play_pairs(game_id: GameId, limits: Limits, couple: Couple, pairs: range) -> Pentanomial:
    """Play pairs of games between two players. The result is seen by the first."""
    context, plan = make_caching_context(game_id), Plan(game_id, couple, limits, max_plies=MAX_PLIES, seed=SEED)
    counts = NO_PAIRS
    for pair in pairs:
        games = (2 * pair, 2 * pair + 1)
        counts = with_pair(counts, sum(points(plan, number, context) for number in games))
    return counts


def add_pairs(some: Pentanomial, more: Pentanomial) -> Pentanomial:
    a, b, c, d, e = (one + other for one, other in zip(some, more, strict=True))
    return a, b, c, d, e


def points(plan: Plan, number: int, context: MatchContext) -> float:
    """Return how many points the first player of the plan scored in a game."""
    winner = conduct_numbered(context, plan, number).result.winner
    return 0.5 if winner is None else float(winner == number % 2)


def round_robin(
    game_id: GameId, players: Sequence[str], pairs: Callable[[int], int], limits: Limits = NO_LIMITS, jobs: int = 1
) -> Meetings:
    """Play all the matches between players whose distance in the list is a key of `pairs`. Each couple meets once, and
    the later of the two in `players` counts as the first. Several processes share the games, which changes no game."""
    apart = {
        (players[strong], players[weak]): pairs(strong - weak)
        for weak, strong in combinations(range(len(players)), 2)
        if pairs(strong - weak)
    }
    tasks = [(couple, range(count)[k : k + SHARE]) for couple, count in apart.items() for k in range(0, count, SHARE)]
    meetings = dict.fromkeys(apart, NO_PAIRS)
    with ProcessPoolExecutor(jobs) as pool:
        played = pool.map(partial(play_pairs, game_id, limits), *zip(*tasks, strict=True))
        for (couple, part), found in zip(tasks, played, strict=True):
            meetings[couple] = add_pairs(meetings[couple], found)
            if part.stop == apart[couple]:
                print(f"{game_id}: {couple[0]} against {couple[1]}: {meetings[couple]}", file=sys.stderr, flush=True)
    return meetings
