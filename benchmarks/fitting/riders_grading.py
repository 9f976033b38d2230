"""How firmly moves of Light Riders are judged: what ten times the work makes of flags, and whether the engine gets any.

    python -m benchmarks.fitting.riders_grading POSITIONS NODES [--seed 7]

takes positions from games of the engine with itself, a step in twelve by lot, judges every step of both riders by so
many nodes and by ten times as many, and lets the engine choose by as many. Nodes only: the same figures anywhere.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import TypeAlias

from onlymove_engines.coach.judge import INACCURATE_ESTIMATE, grade_mixed, judge_mixed
from onlymove_engines.compiled.jit import Array
from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Turn
from onlymove_engines.core.judgement import Grade
from onlymove_engines.core.value import Mixed, Move, Seat
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders.analyst import LightRidersAnalyst
from onlymove_engines.games.lightriders.rules import LightRidersRules, Position, Step
from onlymove_engines.games.lightriders.styles import engine
from onlymove_engines.games.lightriders.territory import are_separated
from onlymove_tables.kernels import prepare

RULES = LightRidersRules()
PLAYED, STRAY = 300, 0.08
"""Nodes of a step of the games, and the share of steps by lot, so that mistakes are seen as well."""
ROUNDS, TAKEN = range(2, 60), 12
"""From a game so many positions at most are taken, after rounds by lot among these."""
MORE = 10

Judged: TypeAlias = tuple[Mixed, Mixed, tuple[Seat, Move]]
"""What is known of a position, and by ten times the work; one rider's step."""


def choice(analyst: LightRidersAnalyst, position: Position, seat: Seat, nodes: int, dice: random.Random) -> Step:
    """Return the engine's step."""
    moves = dict.fromkeys(RULES.moves_of(position, seat))
    mix = engine(Turn(position, seat, Analysis(None, moves), analyst, Budget(nodes=nodes)))
    return dice.choices(list(mix), list(mix.values()))[0]


def positions(seed: int, among: range = ROUNDS) -> Iterator[Position]:
    """Yield positions in which both riders have a choice and may still meet, several from each game."""
    return chain.from_iterable(play_games(seed, among=among))


def play_games(
    seed: int, net: Array | None = None, among: range = ROUNDS, taken: int = TAKEN
) -> Iterator[list[Position]]:
    """Yield some positions of each game in which both riders have a choice and may still meet: those after `taken`
    random rounds among these, if the game lasts so long.

    The engine plays with these weights, or with those that are installed.
    """
    dice, analyst = random.Random(seed), LightRidersAnalyst()
    while True:
        position = official_start(16, 16, dice.randrange(1 << 30))
        if net is not None:
            analyst.lookahead(position).tools.net[:] = net
        wanted = set(dice.sample(among, taken))
        found: list[Position] = []
        for rounds in range(among.stop):
            ways = [RULES.moves_of(position, seat) for seat in (0, 1)]
            if RULES.result(position) is not None or are_separated(position):
                break
            if rounds in wanted and min(map(len, ways)) > 1:
                found.append(position)
            steps = [
                dice.choice(ways[seat]) if dice.random() < STRAY else choice(analyst, position, seat, PLAYED, dice)
                for seat in (0, 1)
            ]
            position = RULES.play(position, (steps[0], steps[1]))
        yield found


def looks_bad(found: Mixed, seat: Seat, move: Move) -> bool:
    """Whether a step looks like a mistake, firmly or not."""
    return grade_mixed(found, seat, move).gravity >= Grade.MISTAKE.gravity


def is_flagged_by_one_mix(found: Mixed, seat: Seat, move: Move) -> bool:
    """Whether a step looks like a mistake by its regret against the one mix that was found."""
    return found.regret(seat, move) >= INACCURATE_ESTIMATE


def run(count: int, nodes: int, seed: int) -> Iterator[str]:
    analyst, dice = LightRidersAnalyst(), random.Random(1)
    pairs: list[Judged] = []
    marked = asked = 0
    for position in islice(positions(seed), count):
        now = analyst.mixed(position, Budget(nodes=nodes))
        later = analyst.mixed(position, Budget(nodes=MORE * nodes))
        for seat in (0, 1):
            own = choice(analyst, position, seat, nodes, dice)
            asked, marked = asked + 1, marked + judge_mixed(now, seat, own).flagged
            if not now.exact:
                pairs += [(now, later, (seat, move)) for move in now.strategies[seat]]
    firm = [pair for pair in pairs if judge_mixed(pair[0], *pair[2]).flagged]
    unsure = [pair for pair in pairs if judge_mixed(pair[0], *pair[2]).uncertain]
    single = [pair for pair in pairs if is_flagged_by_one_mix(pair[0], *pair[2])]
    yield f"{count} positions, {len(pairs)} steps judged by estimates, {nodes:,} nodes and {MORE} times as many"
    yield changes("flags by the regret of one equilibrium at one depth", single, is_flagged_by_one_mix)
    yield changes("firm flags", firm, looks_bad)
    yield changes("uncertain ones", unsure, looks_bad)
    yield f"the engine's own choices: {marked} of {asked} flagged"


def changes(name: str, flagged: list[Judged], still: Callable[[Mixed, Seat, Move], bool]) -> str:
    """Return how many of the flagged steps are no mistakes after ten times the work."""
    gone = sum(not still(later, *made) for _, later, made in flagged)
    return (
        f"{name}: {len(flagged)}, of which {gone} ({gone / max(1, len(flagged)):.0%}) are none by {MORE} times the work"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=int)
    parser.add_argument("nodes", type=int)
    parser.add_argument("--seed", type=int, default=7)
    told = parser.parse_args()
    prepare()
    for line in run(told.positions, told.nodes, told.seed):
        print(line)
