"""Light Riders: speed and depth of the searches, what pruning saves, and matches between the styles.

Everything in one process, one searching thread, after compilation, by CPU time, so that a busy machine does not
change the figures; ratios compare figures of the same run. The matches are a short form; LIGHTRIDERS_GAMES (100),
LIGHTRIDERS_MS (200, a move) and LIGHTRIDERS_BANK (10000) give the full one, which takes hours; LIGHTRIDERS_JOBS plays
so many games side by side and LIGHTRIDERS_MATCHES says against whom ("nash voronoi").
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from random import Random
from typing import Any

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Turn
from onlymove_engines.games import load
from onlymove_engines.games.lightriders._kernel.evaluations import FITTED, FLOOD
from onlymove_engines.games.lightriders.analyst import LightRidersAnalyst, load_searches
from onlymove_engines.games.lightriders.live import Lookahead
from onlymove_engines.games.lightriders.protocol import thinking_time
from onlymove_engines.games.lightriders.rules import LightRidersRules
from onlymove_engines.games.lightriders.start import official_start
from onlymove_engines.search.stop import ENDLESS

from benchmarks._duels import BANK, GAMES, JOBS, PER_MOVE, standing

RULES = LightRidersRules()
CLOCK = time.process_time
NOTHING_KNOWN: Analysis[Any] = Analysis(None, {})
MATCHES = os.environ.get("LIGHTRIDERS_MATCHES", "voronoi nash").split()


def run() -> Iterable[str]:
    """Every figure, a line each."""
    began = CLOCK()
    load_searches()
    yield f"kernels ready after {CLOCK() - began:.1f} s (compiled or loaded)"
    yield from speeds()
    yield from leaves()
    yield from small_fields()
    for rival in MATCHES:
        yield match("engine", rival, GAMES)


def speeds() -> Iterator[str]:
    """Evaluations a second and depth from starts of the 16 x 16 field."""
    for mode, search, name in (
        (FLOOD, Lookahead.serial, "alpha-beta, two-front flood"),
        (FITTED, Lookahead.serial, "alpha-beta, fitted chambers"),
        (FITTED, Lookahead.saddle, "the engine's search, fitted chambers"),
    ):
        evaluations, seconds, depths = 0, 0.0, {0.1: [], 1.0: []}  # type: tuple[int, float, dict[float, list[int]]]
        for seed in range(4):
            position = official_start(16, 16, seed)
            for limit in (0.1, 1.0):
                tools = Lookahead(16, 16)
                began, rounds = CLOCK(), 0
                for found in search(tools, position, 0, Budget.seconds(limit, CLOCK), mode):
                    rounds = found.rounds if not tools.gave_up else rounds
                seconds += CLOCK() - began
                evaluations += tools.all_evaluations
                depths[limit].append(rounds)
        yield (
            f"16x16 start, {name}: {evaluations / seconds:,.0f} evaluations a CPU second in search; "
            f"depth after 100 ms {sorted(depths[0.1])}, after 1 s {sorted(depths[1.0])} rounds over 4 starts"
        )


def leaves() -> Iterator[str]:
    """What SMAB saves against backward induction on the same trees."""
    tools = Lookahead(16, 16)
    for rounds in (2, 3, 4):
        counts = {"nash": 0, "smab": 0}
        for seed in range(4):
            position = official_start(16, 16, seed)
            for name, search in (("nash", tools.nash_value), ("smab", tools.smab_value)):
                tools.forget()
                tools.reset(ENDLESS)
                search(position, 0, rounds)
                counts[name] += tools.evaluations
        yield f"16x16 start, {rounds} rounds: SMAB looks at 1/{counts['nash'] / counts['smab']:.1f} of the leaves"


def small_fields() -> Iterator[str]:
    """The exact solver from the start of small fields."""
    game: Any = load("lightriders")
    for size in (4, 5, 6):
        analyst = LightRidersAnalyst()
        began = CLOCK()
        found = analyst.mixed(game.start({"size": f"{size}x{size}"}, 0))
        yield f"{size}x{size} start solved in {CLOCK() - began:.2f} s: value {found}"


def match(first: str, second: str, games: int) -> str:
    """Play pairs of games from seeded starts with sides swapped; how it stands goes to stderr now and then."""
    scores: list[float] = []
    with ProcessPoolExecutor(JOBS, get_context("spawn"), initializer=make_ready) as pool:
        for score in pool.map(duel, repeat(first), repeat(second), range(games)):
            scores.append(score)
            if len(scores) % 10 == 0 and len(scores) < games:
                print("so far:", standing(first, second, scores), file=sys.stderr, flush=True)
    return standing(first, second, scores)


def make_ready() -> None:
    """Compile or load every kernel of both sides before a clock runs."""
    load_searches()
    for style in load("lightriders").styles:
        style.choose(Turn(official_start(16, 16, 0), 0, NOTHING_KNOWN, LightRidersAnalyst(), Budget(depth=2)))


def duel(first: str, second: str, number: int) -> float:
    """The game of that number on the clock, each start played twice; the score of `first`: 1, 1/2 or 0."""
    seed, swapped = number // 2, number % 2 == 1
    styles = {style.id: style for style in load("lightriders").styles}
    names = (second, first) if swapped else (first, second)
    analysts = (LightRidersAnalyst(), LightRidersAnalyst())
    banks = [float(BANK), float(BANK)]
    dice, position = Random(seed), official_start(16, 16, seed)
    while (result := RULES.result(position)) is None:
        chosen = []
        for seat in (0, 1):
            began = CLOCK()
            budget = Budget.seconds(thinking_time(int(banks[seat]), PER_MOVE), CLOCK)
            mix = styles[names[seat]].choose(Turn(position, seat, NOTHING_KNOWN, analysts[seat], budget))
            chosen.append(dice.choices(list(mix), list(mix.values()))[0])
            banks[seat] = min(BANK, banks[seat] - 1000 * (CLOCK() - began) + PER_MOVE)
        position = RULES.play(position, (chosen[0], chosen[1]))
    seat_of_first = 1 if swapped else 0
    return 0.5 if result.winner is None else float(result.winner == seat_of_first)
