"""Light Riders: speed and depth of the searches, and what pruning saves.

Everything in one process, one searching thread, after compilation, by CPU time, so that a busy machine does not
change the figures; ratios compare figures of the same run.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from onlymove_engines.core.budget import Budget
from onlymove_engines.games import load
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders._kernel.evaluation import FITTED, FLOOD
from onlymove_engines.games.lightriders.analyst import UNITS, LightRidersAnalyst
from onlymove_engines.games.lightriders.live import Lookahead
from onlymove_engines.games.lightriders.rules import LightRidersRules
from onlymove_engines.search.stop import ENDLESS

RULES = LightRidersRules()
CLOCK = time.process_time


def run() -> Iterable[str]:
    """Every figure, a line each."""
    began = CLOCK()
    for unit in UNITS:
        unit()
    yield f"compiled code ready after {CLOCK() - began:.1f} s (compiled or loaded)"
    yield from speeds()
    yield from leaves()
    yield from small_fields()


def speeds() -> Iterator[str]:
    """Evaluations a second and depth from starts of the 16 x 16 field."""
    for mode, search, name in (
        (FLOOD, Lookahead.serial, "alpha-beta, two-front flood"),
        (FITTED, Lookahead.serial, "alpha-beta, fitted evaluation"),
        (FITTED, Lookahead.saddle, "the engine's search, fitted evaluation"),
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
