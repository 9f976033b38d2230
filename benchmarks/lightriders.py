"""Light Riders: speed and depth of the searches, and what pruning saves.

Everything in one process, one searching thread, after compilation, by CPU time, so that a busy machine does not
change the figures; ratios compare figures of the same run.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from onlymove_engines.core.budget import Budget
from onlymove_engines.games import load
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders._kernel.evaluation import FITTED, FLOOD
from onlymove_engines.games.lightriders._kernel.field import GAVE_UP, LEAVES
from onlymove_engines.games.lightriders._kernel.induction import nash_at_root, smab_at_root
from onlymove_engines.games.lightriders.analyst import UNITS, LightRidersAnalyst
from onlymove_engines.games.lightriders.live import Lookahead
from onlymove_engines.games.lightriders.rules import LightRidersRules, Position
from onlymove_engines.games.lightriders.styles import MARGIN, Search
from onlymove_engines.search.stop import ENDLESS

from benchmarks.fitting.riders_grading import positions

RULES = LightRidersRules()
CLOCK = time.process_time
MIDDLE = range(15, 40)
"""Rounds after which the positions of the middle game are taken."""


def run() -> Iterable[str]:
    began = CLOCK()
    for unit in UNITS:
        unit()
    yield f"compiled code ready after {CLOCK() - began:.1f} s (compiled or loaded)"
    yield from measure_speeds()
    yield from measure_smab()
    yield from small_fields()


def measure_speeds() -> Iterator[str]:
    """Yield evaluations a second and depths, from starts of the 16 x 16 field and from positions of games after 15 to
    40 rounds."""
    starts = [official_start(16, 16, seed) for seed in range(4)]
    fields = {"start": starts, "mid-game": list(islice(positions(5, among=MIDDLE), 0, 80, 20))}
    for mode, search, margin, name in (
        (FLOOD, Lookahead.serial, math.inf, "alpha-beta, two-front flood"),
        (FITTED, Lookahead.serial, math.inf, "alpha-beta, fitted evaluation"),
        (FITTED, Lookahead.saddle, math.inf, "saddle points, fitted evaluation"),
        (FITTED, Lookahead.saddle, MARGIN, "the engine's selective search"),
    ):
        for where, chosen in fields.items():
            yield f"16x16 {where}, {name}: {measure_search(chosen, mode, search, margin)}"


def measure_search(chosen: Iterable[Position], mode: int, search: Search, margin: float) -> str:
    """Return the speed of a search, and its depth after 0.1 and 1 second in each position."""
    evaluations, seconds = 0, 0.0
    depths: dict[float, list[int]] = {0.1: [], 1.0: []}
    for position in chosen:
        for limit, found_depths in depths.items():
            tools = Lookahead(16, 16)
            began, rounds = CLOCK(), 0
            with tools.play_to_win(0.0, margin):
                for found in search(tools, position, 0, Budget.seconds(limit, CLOCK), mode):
                    rounds = rounds if tools.tools.stat[GAVE_UP] else found.rounds
            seconds += CLOCK() - began
            evaluations += tools.all_evaluations
            found_depths.append(rounds)
    return (
        f"{evaluations / seconds:,.0f} evaluations a CPU second in search; "
        f"depth after 100 ms {sorted(depths[0.1])}, after 1 s {sorted(depths[1.0])} rounds in 4 positions"
    )


def measure_smab() -> Iterator[str]:
    """Yield how much SMAB saves against backward induction on the same trees."""
    tools = Lookahead(16, 16)
    for rounds in (2, 3, 4):
        counts = {"nash": 0, "smab": 0}
        for seed in range(4):
            position = official_start(16, 16, seed)
            for name, search in (("nash", nash_at_root), ("smab", smab_at_root)):
                tools.forget()
                with tools.limit(ENDLESS):
                    search(*tools.load(position), rounds, FITTED, tools.tools)
                counts[name] += int(tools.tools.stat[LEAVES])
        yield f"16x16 start, {rounds} rounds: SMAB looks at 1/{counts['nash'] / counts['smab']:.1f} of the leaves"


def small_fields() -> Iterator[str]:
    """Time the exact solver from the start of small fields."""
    game: Any = load("lightriders")
    for size in (4, 5, 6):
        analyst = LightRidersAnalyst()
        began = CLOCK()
        found = analyst.mixed(game.start({"size": f"{size}x{size}"}, 0))
        yield f"{size}x{size} start solved in {CLOCK() - began:.2f} s: value {found}"
