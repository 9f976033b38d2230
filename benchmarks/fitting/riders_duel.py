"""A short match of Light Riders between two sets of weights, node limits, margins or contempts, in one process.

    python -m benchmarks.fitting.riders_duel GAMES --first nodes=2000,margin=0.1 --second nodes=2000,margin=inf

plays from official starts, some of them followed by two or four random rounds, with sides swapped after every game. A
rider is `net=FILE,nodes=N,margin=M,contempt=C`; what is not given is as in the playing engine, with 2,000 nodes. The
game ends when the riders are separated: the rider with the longer path wins. The same arguments play the same games.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Seat
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders._kernel.field import load_net
from onlymove_engines.games.lightriders.live import Lookahead
from onlymove_engines.games.lightriders.rules import RULES, Position, Step
from onlymove_engines.games.lightriders.styles import CONTEMPT, MARGIN, Mix, drop_weak_steps
from onlymove_tables.kernels import prepare

from .lightriders import SIZE, is_decided, score_end

RANDOM_ROUNDS = (0, 0, 2, 4)
"""After the start, so many rounds are random."""


class Rider:
    """One side of the match, which remembers what it searched during a game."""

    def __init__(self, spec: str) -> None:
        told = dict(part.split("=", 1) for part in spec.split(",") if part)
        self.nodes = int(told.pop("nodes", 2_000))
        self.margin, self.contempt = float(told.pop("margin", MARGIN)), float(told.pop("contempt", CONTEMPT))
        self.searches = Lookahead(SIZE, SIZE)
        if "net" in told:
            self.searches.tools.net[:] = load_net(Path(told.pop("net")))
        if told:
            raise ValueError(f"a rider has net, nodes, margin and contempt, not {', '.join(told)}")

    def choose(self, position: Position, seat: Seat, dice: random.Random) -> Step:
        moves = RULES.moves_of(position, seat)
        mix: Mix = {moves[0]: 1.0}
        if len(moves) > 1:
            with self.searches.play_to_win(self.contempt, self.margin):
                for found in self.searches.saddle(position, seat, Budget(nodes=self.nodes)):
                    if found.mix and (found.value > -1.0 or found.rounds == 1):
                        mix = drop_weak_steps(found)
        return dice.choices(list(mix), list(mix.values()))[0]


def make_start(dice: random.Random) -> Position:
    """Return an official start after some random rounds."""
    position = official_start(SIZE, SIZE, dice.randrange(1 << 30))
    for _ in range(dice.choice(RANDOM_ROUNDS)):
        first, second = (dice.choice(RULES.moves_of(position, seat)) for seat in (0, 1))
        following = RULES.play(position, (first, second))
        if is_decided(following):
            break
        position = following
    return position


def play_game(riders: tuple[Rider, Rider], number: int, seed: int) -> float:
    """Return the first rider's score in game `number`: 1, 1/2 or 0."""
    position, dice = make_start(random.Random(f"{seed}/{number // 2}")), random.Random(f"{seed}/{number}/moves")
    for rider in riders:
        rider.searches.forget()
    swapped = number % 2 == 1
    sides = riders[::-1] if swapped else riders
    while not is_decided(position):
        first, second = sides[0].choose(position, 0, dice), sides[1].choose(position, 1, dice)
        position = RULES.play(position, (first, second))
    score = score_end(sides[0].searches, position)
    return 1 - score if swapped else score


def main() -> None:
    """Play and print the score after every tenth game."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("games", type=int)
    words.add_argument("--first", default="")
    words.add_argument("--second", default="")
    words.add_argument("--seed", type=int, default=1)
    told = words.parse_args()
    prepare()
    riders, scores = (Rider(told.first), Rider(told.second)), list[float]()
    for number in range(told.games):
        scores.append(play_game(riders, number, told.seed))
        if len(scores) % 10 == 0 or len(scores) == told.games:
            mean = sum(scores) / len(scores)
            deviation = (sum((score - mean) ** 2 for score in scores) / len(scores)) ** 0.5
            print(
                f"{len(scores)} games: {100 * mean:.1f} % ± {196 * deviation / len(scores) ** 0.5:.1f}"
                f" ({scores.count(1.0)} won, {scores.count(0.5)} drawn, {scores.count(0.0)} lost)",
                flush=True,
            )


if __name__ == "__main__":
    main()
