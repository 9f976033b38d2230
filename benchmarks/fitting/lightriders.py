"""How the weights of the evaluation are made: games of the engine with itself, what its searches find in them, a fit.

    python -m benchmarks.fitting.lightriders GAMES NODES OUT [--seed S] [--keep FOLDER] [--also FOLDER ...]

plays games on the 16 x 16 field, searching so many nodes a move, and writes the fitted net in the form of
`_kernel/net.txt`. It is not needed to play. Searches count nodes and every game has a seed of its own, so any machine
plays the same games. The weights differ a little with the order in which numpy's BLAS adds up, its threads included.
With `--keep`, each game is a file in that folder, and a game that is there is not played again. `--also` adds the
games in other folders.

A search asks the evaluation about positions that nobody would play, so a third of the positions are such: a few random
rounds aside from a game. The target of a position is the value that a search finds; for a position of a game, its
result counts in part. The loss is logistic, so the answer of the net is the logarithm of the odds of winning. The fit
begins with random weights and ends with the running average of its last ones.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Seat
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders._kernel import evaluation, field
from onlymove_engines.games.lightriders._kernel.evaluation import SURE
from onlymove_engines.games.lightriders.live import Lookahead, find_heads, find_longest_path
from onlymove_engines.games.lightriders.rules import LightRidersRules, Position, Step
from onlymove_engines.games.lightriders.styles import MARGIN, MIN_SHARE, Mix, drop_weak_steps
from onlymove_engines.games.lightriders.territory import are_separated
from onlymove_tables.kernels import prepare

RULES = LightRidersRules()
Floats: TypeAlias = npt.NDArray[np.floating]

OPENINGS = (0, 0, 2, 4, 8, 12, 20, 30)
"""Games begin with so many rounds at a glance, a quarter of the steps by lot, so that they differ."""

SIZE = 16
"""Width and height of the field."""

GLANCE, WILD, STRAY = 40, 0.25, 0.015
"""Nodes of a glance; the share of steps by lot then and, so that mistakes are seen as well, later."""

ASIDE, ASIDE_ROUNDS = 0.5, (1, 1, 2, 2, 3, 4, 6)
"""From this share of the positions of a game a line leads aside, so many rounds long."""

BY_RESULT = 0.15
"""A position of a game is called by its result for this part."""

CERTAIN = 0.997
"""A proven result counts as so many chances of winning, so that the fit does not chase it."""

FILL_NODES = 10_000
"""Who fills longer decides a game once the riders are apart."""

EPOCHS, BATCH, RATE, DECAY, AVERAGED = 200, 1024, 5e-3, 0.1, 1e-3
"""Passes over the positions, positions a step, the largest step size, the weight decay of Adam, and how much of a new
weight enters the running average. The first 10,000 steps enter with more. The step size grows for one pass, and then
falls along a cosine."""

LAST_RATE = 0.02
"""The step size at the end, as a share of the largest one."""


@dataclass(frozen=True)
class Sample:
    """A position of the 16 x 16 field and rider 0's value by a search; for a position of a game, also its score in that
    game: 1, 1/2 or 0.
    """

    position: Position
    value: float
    score: float | None = None

    def target(self) -> float:
        """Return rider 0's chances of winning, in [0, 1], that the fit aims at."""
        searched = find_chances(self.value)
        return searched if self.score is None else (1 - BY_RESULT) * searched + BY_RESULT * self.score

    def __str__(self) -> str:
        return f"{self.value:.4f} {'-' if self.score is None else self.score} {self.position.cells}"


def read_sample(line: str) -> Sample:
    """Read a line that `str` of a sample wrote."""
    value, score, cells = line.split()
    return Sample(Position(SIZE, SIZE, cells), float(value), None if score == "-" else float(score))


class Player:
    """Plays both riders of one game by one search, and values positions aside by another."""

    def __init__(self, seed: str) -> None:
        self.dice = random.Random(seed)
        self.minds = [Lookahead(SIZE, SIZE, 1 << 16) for _ in range(2)]

    def search(self, mind: int, position: Position, nodes: int) -> tuple[tuple[Mix, Mix], float]:
        """Return what the riders would play by a search for rider 0, and the value it finds for rider 0."""
        searches = self.minds[mind]
        mixes: tuple[Mix, Mix] = ({RULES.moves_of(position, 0)[0]: 1.0}, {RULES.moves_of(position, 1)[0]: 1.0})
        value = 0.0
        with searches.play_to_win(0.0, MARGIN):
            for latest in searches.saddle(position, 0, Budget(nodes=nodes)):
                value = latest.value
                if latest.mix:
                    mixes = drop_weak_steps(latest), find_replies(searches, position) or mixes[1]
        return mixes, value

    def play_opening(self) -> Position:
        """Return a position some rounds into a careless game."""
        position = official_start(SIZE, SIZE, self.dice.randrange(1 << 30))
        for _ in range(self.dice.choice(OPENINGS)):
            following = self.play_round(position, self.search(0, position, GLANCE)[0], WILD)
            if is_decided(following):
                break
            position = following
        return position

    def play_round(self, position: Position, mixes: tuple[Mix, Mix], wild: float) -> Position:
        """Return the position after a step of each rider: of its mix, or for this share of the steps, any step."""
        first, second = (
            self.choose_any(position, seat) if self.dice.random() < wild else self.draw_step(mixes[seat])
            for seat in (0, 1)
        )
        return RULES.play(position, (first, second))

    def choose_any(self, position: Position, seat: Seat) -> Step:
        return self.dice.choice(RULES.moves_of(position, seat))

    def draw_step(self, mix: Mix) -> Step:
        return self.dice.choices(list(mix), list(mix.values()))[0]

    def play_game(self, nodes: int) -> Iterator[Sample]:
        """Yield the samples of a game while the riders can meet, and those of positions aside."""
        position = self.play_opening()
        line: list[tuple[Position, float]] = []
        while not is_decided(position):
            mixes, value = self.search(0, position, nodes)
            line.append((position, value))
            if self.dice.random() < ASIDE:
                aside = self.step_aside(position)
                self.minds[1].forget()
                yield Sample(aside, self.search(1, aside, nodes)[1])
            position = self.play_round(position, mixes, STRAY)
        score = score_end(self.minds[0], position)
        for earlier, value in line:
            yield Sample(earlier, value, score)

    def step_aside(self, position: Position) -> Position:
        """Return a position a few random rounds from here in which both riders can still meet."""
        for _ in range(self.dice.choice(ASIDE_ROUNDS)):
            following = RULES.play(position, (self.choose_any(position, 0), self.choose_any(position, 1)))
            if is_decided(following):
                break
            position = following
        return position


def score_end(searches: Lookahead, position: Position) -> float:
    """Return rider 0's score once the game is over or the riders are separated: 1, 1/2 or 0."""
    result = RULES.result(position)
    if result is not None:
        return (1 + int(result.outcome_for(0))) / 2
    mine, theirs = (find_longest_path(searches, position, head, FILL_NODES).least for head in find_heads(position, 0))
    return 0.5 if mine == theirs else float(mine > theirs)


def find_replies(searches: Lookahead, position: Position) -> Mix:
    """Return the other rider's mix by the last search by saddle points; nothing if it left none."""
    steps, tools = position.list_neighbours(find_heads(position, 1)[0]), searches.tools
    cells = [int(cell) for cell in tools.lists[1, 0, : len(steps)]]
    if np.count_nonzero(tools.result[1:]) > 1:
        shares = zip(cells, tools.mixes[1], strict=False)
        return {steps[cell]: float(share) for cell, share in shares if share >= MIN_SHARE and cell in steps}
    best = int(tools.killers[1, 0])  # the search rewards the reply it ends with
    return {steps[best]: 1.0} if best in steps else {}


def is_decided(position: Position) -> bool:
    """Whether the game is over or only who fills longer is left to find out."""
    return RULES.result(position) is not None or are_separated(position)


def find_chances(value: float) -> float:
    """A believed value as the chances of winning."""
    return min(max((1 + value / SURE) / 2, 1 - CERTAIN), CERTAIN)


def figures_of(tools: Lookahead, position: Position) -> Floats | None:
    """What the net sees of a position, rider 0 first, rounds until the fronts meet last: float32[2, 31].

    `None` where the riders cannot meet.
    """
    work = tools.tools
    tools.load(position)
    me, you = find_heads(position, 0)
    _, met = field.flood(work.boards[0], me, you, work)
    mine, yours = (field.list_ways(work.boards[0], head, work, work.lists[0, 0]) for head in (me, you))
    if not met or mine == 0 or yours == 0:
        return None
    evaluation.read_figures(me, you, mine, yours, work)
    found = np.full((2, field.FIGURES + 1), work.stat[field.MEETING], np.float32)
    found[:, :-1] = work.figures[:, : field.FIGURES]
    return found


def fit(figures: Floats, targets: Floats, rate: float = RATE) -> Floats:
    """Return the net for figures float32[n, 2, 31] and rider 0's chances float32[n], as the kernel reads it."""
    dice = np.random.default_rng(1)
    (sums, gaps), scale = standardise(figures)
    descent = Descent(first_weights(dice, sums.shape[1], gaps.shape[1]))
    batches = -(-len(targets) // BATCH)
    for epoch in range(EPOCHS):
        for number, chosen in enumerate(np.array_split(dice.permutation(len(targets)), batches)):
            done = (epoch * batches + number) / (EPOCHS * batches)
            left = LAST_RATE + (1 - LAST_RATE) * (1 + math.cos(math.pi * done)) / 2
            slopes = gradients(descent.weights, sums[chosen], gaps[chosen], targets[chosen])
            descent.step(slopes, rate * left * min(1.0, (descent.steps + 1) / batches))
    return unstandardise(descent.averages, scale)


def first_weights(dice: np.random.Generator, sums: int, gaps: int) -> list[Floats]:
    """Weights by lot: of the first layer for sums and for differences, its constants, those of the second layer, its
    constants, and those of the answer."""
    wide, last = field.BLOCKS * field.UNITS, evaluation.LAST_UNITS
    inputs = sums + gaps
    first, second = (dice.normal(0, inputs**-0.5, (read, wide)) for read in (sums, gaps))
    deeper, outer = dice.normal(0, wide**-0.5, (wide, last)), dice.normal(0, last**-0.5, (last, 1))
    drawn = [first, second, np.zeros(wide), deeper, np.zeros(last), outer]
    return [weights.astype(np.float32) for weights in drawn]


class Descent:
    """Adam with decoupled weight decay (Kingma and Ba 2015; Loshchilov and Hutter 2019). Constants do not decay."""

    def __init__(self, weights: list[Floats]) -> None:
        self.weights = weights
        self.averages = [weight.copy() for weight in weights]
        self.means = [np.zeros_like(weight) for weight in weights]
        self.squares = [np.zeros_like(weight) for weight in weights]
        self.steps = 0

    def step(self, slopes: list[Floats], rate: float) -> None:
        """Change the weights against the slopes."""
        self.steps += 1
        unbiased = (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for k, slope in enumerate(slopes):
            self.means[k] += 0.1 * (slope - self.means[k])
            self.squares[k] += 0.001 * (slope * slope - self.squares[k])
            change = unbiased * self.means[k] / (np.sqrt(self.squares[k]) + 1e-8)
            decay = DECAY if self.weights[k].ndim > 1 else 0.0
            self.weights[k] -= rate * (change + decay * self.weights[k])
            self.averages[k] += max(AVERAGED, 10 / (self.steps + 10)) * (self.weights[k] - self.averages[k])


def standardise(figures: Floats) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats, Floats]]:
    """Return what the net reads of every position, in standard units, and the scale: means and deviations of the first
    part, and deviations of the second.

    The first part is the same for both riders: the sums of their figures, the open cells and the rounds until the
    fronts meet, float32[n, 32]. The second part is the differences as rider 0 sees them, float32[n, 30].
    """
    plain = np.s_[:, :, evaluation.PLAIN_FROM : evaluation.PLAIN_TO]
    cells = figures[:, :, evaluation.REACH].sum(axis=1)[:, None, None]
    own = figures[:, :, : field.FIGURES] / (cells + evaluation.FLOOR)
    own[plain] = figures[plain]
    size = np.minimum(cells[:, 0], evaluation.MAX_FIELD)
    sums = np.concatenate([own[:, 0] + own[:, 1], size, figures[:, 0, field.FIGURES :]], axis=1)
    gaps = own[:, 0] - own[:, 1]
    mean, deviation, spread = sums.mean(axis=0), sums.std(axis=0) + 1e-6, gaps.std(axis=0) + 1e-6
    parts = ((sums - mean) / deviation).astype(np.float32), (gaps / spread).astype(np.float32)
    return parts, (mean, deviation, spread)


def leads_of(weights: list[Floats], sums: Floats, gaps: Floats) -> tuple[Floats, tuple[Floats, Floats]]:
    """Return rider 0's leads, and both layers as rider 0 and then as rider 1 sees them, one below the other."""
    for_sums, for_gaps, constants, deeper, more, outer = weights
    both, gap = sums @ for_sums + constants, gaps @ for_gaps
    units = np.maximum(np.concatenate([both + gap, both - gap]), 0.0)
    behind = np.maximum(units @ deeper + more, 0.0)
    mine, yours = (behind @ outer).reshape(2, -1)
    return mine - yours, (units, behind)


def gradients(weights: list[Floats], sums: Floats, gaps: Floats, targets: Floats) -> list[Floats]:
    """Return the slopes of the mean logistic loss, in the order of the weights."""
    deeper, outer = weights[3], weights[5]
    leads, (units, behind) = leads_of(weights, sums, gaps)
    errors = (1.0 / (1.0 + np.exp(-leads)) - targets) / len(targets)
    back = np.concatenate([errors, -errors])[:, None].astype(sums.dtype)
    back_behind = (back @ outer.T) * (behind > 0)
    mine, yours = np.split((back_behind @ deeper.T) * (units > 0), 2)
    return [
        sums.T @ (mine + yours),
        gaps.T @ (mine - yours),
        (mine + yours).sum(axis=0),
        units.T @ back_behind,
        back_behind.sum(axis=0),
        behind.T @ back,
    ]


def unstandardise(weights: list[Floats], scale: tuple[Floats, Floats, Floats]) -> Floats:
    """Return the net for plain shares and plain numbers, as the kernel reads it."""
    for_sums, for_gaps, constants, deeper, more, outer = weights
    mean, deviation, spread = scale
    plain = for_sums / deviation[:, None]
    rows = plain[: field.FIGURES], for_gaps / spread[:, None], plain[field.FIGURES :], constants - mean @ plain
    blocks = np.hsplit(np.vstack(rows), field.BLOCKS)
    twice = np.vstack([deeper, more])
    return np.vstack([*blocks, np.hstack([twice, twice]), np.hstack([outer.T, -outer.T])])


def read_figures(samples: Iterable[Sample]) -> tuple[Floats, Floats]:
    """Return the figures and the targets of all samples: float32[n, 2, 26] and float32[n]."""
    tools = Lookahead(SIZE, SIZE, 1)
    seen = [(figures, one.target()) for one in samples if (figures := figures_of(tools, one.position)) is not None]
    return np.array([figures for figures, _ in seen]), np.array([target for _, target in seen], np.float32)


def read_folders(folders: Iterable[Path]) -> Iterator[Sample]:
    """Yield the samples of all games in the folders, in the order of their numbers."""
    for folder in folders:
        for file in sorted(folder.glob("*.txt"), key=lambda file: int(file.stem)):
            yield from map(read_sample, file.read_text().splitlines())


def play_games(numbers: Iterable[int], nodes: int, seed: int, folder: Path | None) -> Iterator[Sample]:
    """Yield the samples of the games with these numbers: from the folder where they are in it, otherwise played now."""
    for number in numbers:
        file = None if folder is None else folder / f"{number}.txt"
        if file is not None and file.exists():
            yield from map(read_sample, file.read_text().splitlines())
            continue
        samples = list(Player(f"{seed}/{number}").play_game(nodes))
        if file is not None:
            file.write_text("".join(f"{sample}\n" for sample in samples))
        yield from samples


def main() -> None:
    """Play, fit, write."""
    words = argparse.ArgumentParser(description="fit the weights of Light Riders' evaluation to games of the engine")
    words.add_argument("games", type=int)
    words.add_argument("nodes", type=int, help="searched for each move")
    words.add_argument("out", type=Path)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--first", type=int, default=0, help="number of the first game")
    words.add_argument("--keep", type=Path, help="folder of the games")
    words.add_argument("--also", type=Path, nargs="*", default=(), help="folders of games played before")
    told = words.parse_args()
    prepare()
    if told.keep is not None:
        told.keep.mkdir(parents=True, exist_ok=True)
    numbers = range(told.first, told.first + told.games)
    played = play_games(numbers, told.nodes, told.seed, told.keep)
    figures, targets = read_figures(chain(read_folders(told.also), played))
    np.savetxt(told.out, fit(figures, targets), "%.6g")


if __name__ == "__main__":
    main()
