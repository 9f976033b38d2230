"""How much the values of Light Riders change when the search looks deeper, and how far they are from better ones.

    python -m benchmarks.fitting.riders_drift POSITIONS [--nodes N] [--net FILE] [--games-by FILE]

plays games of the engine against itself, one step in twelve random, and takes one position of each game, in which the
riders can still meet. Positions of the same game often have similar errors, so the intervals would be too narrow. The
last table compares the value at some depths with the deepest look within N nodes (3,000,000 take about five seconds).
A net whose values are all near 0 would change little. So the other tables measure errors on positions that do not
depend on the net: against exact values late in the games, and against searches of 20,000 nodes with the weights of
`--games-by`, which also play the games. All limits are nodes, so any machine gives the same figures.

`--net` is the file of the weights to measure; both files are the installed weights if they are not given.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.budget import Budget
from onlymove_engines.games.lightriders._kernel import field
from onlymove_engines.games.lightriders.analyst import TRIED_CELLS, LightRidersAnalyst
from onlymove_engines.games.lightriders.live import Lookahead
from onlymove_engines.games.lightriders.rules import Position
from onlymove_engines.games.lightriders.territory import find_reachable
from onlymove_tables.kernels import prepare

from .riders_grading import play_games

DEPTHS = (1, 4, 8, 10, 12)
"""Rounds after which the value is compared."""

FAR = 0.2
"""A difference that is counted."""

BEFORE_NODES = 20_000
"""Nodes of a search with the weights before the change."""

LATE_ROUNDS, EARLY_ROUNDS = range(25, 110), range(2, 60)
"""Rounds from which positions for exact values, and all others, are taken."""


@dataclass(frozen=True)
class Errors:
    """Differences of values from better ones, by depth."""

    name: str
    by_depth: dict[int, list[float]]
    better: list[float]

    def lines(self) -> Iterator[str]:
        """Yield a line for each depth, with half the 95 % interval of each root mean square."""
        size = compute_rms(self.better)
        yield f"{self.name}: {len(self.better)} positions; the better values are {size:.2f} (rms) from 0"
        for depth, errors in self.by_depth.items():
            far = sum(abs(error) > FAR for error in errors) / max(1, len(errors))
            figures = f"{compute_rms(errors):.3f} ± {rms_error(errors):.3f}"
            yield f"  depth {depth:2}: rms {figures}, more than {FAR}: {far:.0%}"


def compute_rms(values: Sequence[float]) -> float:
    return float(np.sqrt(np.mean(np.square(values)))) if values else 0.0


def rms_error(values: Sequence[float]) -> float:
    """Return half the 95 % interval of the root mean square, by the deviation of the squares."""
    if len(values) < 2:
        return 0.0
    squares = np.square(values)
    return float(1.96 * squares.std(ddof=1) / len(values) ** 0.5 / max(2 * compute_rms(values), 1e-9))


def make_searches(net: Array) -> Lookahead:
    """Return the searches of a 16 x 16 field with these weights."""
    searches = Lookahead(16, 16)
    searches.tools.net[:] = net
    return searches


def values_by_depth(searches: Lookahead, position: Position, nodes: int, depth: int | None = None) -> list[float]:
    """Return rider 0's value at every depth that was completed, the first depth first."""
    searches.forget()
    searches.tools.killers[:] = 0
    values: list[float] = []
    for found in searches.saddle(position, 0, Budget(nodes=nodes, depth=depth)):
        values[found.rounds - 1 :] = [found.value]
    return values


def compare(searches: Lookahead, cases: Sequence[tuple[Position, float | None]], nodes: int, name: str) -> Errors:
    """Compare the values at each depth with the better value of each case, or where there is none, with the deepest."""
    by_depth: dict[int, list[float]] = {depth: [] for depth in DEPTHS}
    better: list[float] = []
    for position, known in cases:
        values = values_by_depth(searches, position, nodes)
        better.append(values[-1] if known is None else known)
        for depth in DEPTHS:
            by_depth[depth].append(values[min(depth, len(values)) - 1] - better[-1])
    return Errors(name, by_depth, better)


def find_early(seed: int, net: Array, count: int) -> list[Position]:
    """Return positions after random rounds, at most one of each game."""
    return list(islice(chain.from_iterable(play_games(seed, net, EARLY_ROUNDS, 1)), count))


def find_late(seed: int, net: Array, count: int) -> list[tuple[Position, float | None]]:
    """Return positions with few cells in play, at most one of each game, with their exact values."""
    analyst = LightRidersAnalyst()
    games = play_games(seed, net, LATE_ROUNDS)
    return list(islice((case for game in games if (case := find_first_proven(analyst, game))), count))


def find_first_proven(analyst: LightRidersAnalyst, game: Sequence[Position]) -> tuple[Position, float | None] | None:
    """Return the first of these positions that can be proven, with its exact value."""
    for position in game:
        if len(find_reachable(position)) <= TRIED_CELLS and (found := analyst.solve_exactly(position, Budget())):
            return position, found.expected
    return None


def run(count: int, nodes: int, seed: int, net: Array, before: Array) -> Iterator[str]:
    searches, earlier = make_searches(net), make_searches(before)
    fresh = find_early(seed, before, count)
    yield from compare(searches, find_late(seed + 1, before, count), 2_000, "against exact values").lines()
    cases = [(position, values_by_depth(earlier, position, BEFORE_NODES)[-1]) for position in fresh]
    yield from compare(searches, cases, BEFORE_NODES, f"against {BEFORE_NODES:,} nodes with the weights before").lines()
    yield from compare(searches, [(each, None) for each in fresh], nodes, f"against {nodes:,} nodes").lines()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=int)
    parser.add_argument("--nodes", type=int, default=3_000_000)
    parser.add_argument("--seed", type=int, default=30)
    parser.add_argument("--net", type=Path)
    parser.add_argument("--games-by", type=Path)
    told = parser.parse_args()
    prepare()
    installed = field.load_net()
    measured, playing = (installed if file is None else field.load_net(file) for file in (told.net, told.games_by))
    for line in run(told.positions, told.nodes, told.seed, measured, playing):
        print(line, flush=True)
