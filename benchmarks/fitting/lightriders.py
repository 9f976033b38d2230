"""How the weights of the evaluation are made: games of the engine with itself, what its searches find in them, a fit.

    python -m benchmarks.fitting.lightriders GAMES NODES OUT [--seed S]

plays games on the 16 x 16 field, searching so many nodes a move, and writes the fitted net in the form of
`_kernel/net.txt`. Not needed to play. Counts nodes and draws lots by the seed, so any machine plays the same games;
the weights come out a little different with the order in which numpy's BLAS adds up, its threads included.

A search asks the evaluation about positions that nobody would play, so a third of the positions are such: some rounds
by lot aside from a game. A position is called by what a search finds it worth; one of a game in part by the game's
result. Logistic loss, so the answer of the net is the logarithm of the odds of winning.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Seat
from onlymove_engines.games.lightriders import official_start
from onlymove_engines.games.lightriders._kernel import evaluation, field
from onlymove_engines.games.lightriders._kernel.evaluation import SURE
from onlymove_engines.games.lightriders.live import Lookahead, are_separated, find_heads, find_longest_path
from onlymove_engines.games.lightriders.rules import LightRidersRules, Position, Step
from onlymove_engines.games.lightriders.styles import Mix, drop_weak_steps
from onlymove_tables.kernels import prepare

RULES = LightRidersRules()
Floats: TypeAlias = npt.NDArray[np.floating]

OPENINGS = (0, 0, 2, 4, 8, 12, 20, 30)
"""Games begin with so many rounds at a glance, a quarter of the steps by lot, so that they differ."""

GLANCE, WILD, STRAY = 40, 0.25, 0.015
"""Nodes of a glance; the share of steps by lot then and, so that mistakes are seen as well, later."""

ASIDE, ASIDE_ROUNDS, ASIDE_NODES = 0.5, (1, 1, 2, 2, 3, 4, 6), 2
"""From so many positions of a game one leads aside, by so many rounds; it is searched by so many times the nodes."""

BY_RESULT = 0.3
"""A position of a game is called by its result for this part."""

CERTAIN = 0.997
"""A proven result counts as so many chances of winning, so that the fit does not chase it."""

FILL_NODES = 10_000
"""Who fills longer decides a game once the riders are apart."""

EPOCHS, BATCH, RATE, DECAY = 80, 1024, 8e-3, 1e-1
"""Passes over the positions, positions a step, first step size (falling to 0), weight decay of Adam."""


@dataclass(frozen=True)
class Sample:
    """What the net sees of a position, and rider 0's chances: float32[2, 26], and in [0, 1]."""

    figures: Floats
    chances: float


class Player:
    """Both riders of the games, each with a memory of its own, and a third mind for positions aside."""

    def __init__(self, seed: int, size: int = 16) -> None:
        self.dice = random.Random(seed)
        self.size = size
        self.minds = [Lookahead(size, size, 1 << 15) for _ in range(3)]

    def found(self, mind: int, position: Position, seat: Seat, nodes: int) -> tuple[Mix, float]:
        """What a search would play, and the value it believes."""
        mix: Mix = {RULES.moves_of(position, seat)[0]: 1.0}
        value = 0.0
        for latest in self.minds[mind].saddle(position, seat, Budget(nodes=nodes)):
            value = latest.value
            if latest.mix and (value > -1.0 or latest.rounds == 1):
                mix = drop_weak_steps(latest)
        return mix, value

    def opening(self) -> Position:
        """A position some rounds into a careless game."""
        position = official_start(self.size, self.size, self.dice.randrange(1 << 30))
        for _ in range(self.dice.choice(OPENINGS)):
            following = RULES.play(position, (self.careless(position, 0), self.careless(position, 1)))
            if is_decided(following):
                break
            position = following
        return position

    def careless(self, position: Position, seat: Seat) -> Step:
        """A step at a glance, or by lot."""
        by_lot = self.dice.random() < WILD
        return self.by_lot(position, seat) if by_lot else self.drawn(self.found(seat, position, seat, GLANCE)[0])

    def by_lot(self, position: Position, seat: Seat) -> Step:
        """Any step."""
        return self.dice.choice(RULES.moves_of(position, seat))

    def drawn(self, mix: Mix) -> Step:
        """One step of a mix."""
        return self.dice.choices(list(mix), list(mix.values()))[0]

    def game(self, nodes: int) -> Iterator[Sample]:
        """The samples of a game while the riders could meet, and of positions aside."""
        for mind in self.minds:
            mind.forget()
        position = self.opening()
        line: list[tuple[Floats, float]] = []
        while not is_decided(position):
            found = [self.found(seat, position, seat, nodes) for seat in (0, 1)]
            figures = figures_of(self.minds[2], position)
            if figures is not None:
                line.append((figures, (found[0][1] - found[1][1]) / 2))
            if self.dice.random() < ASIDE:
                yield from self.aside(position, ASIDE_NODES * nodes)
            steps = [
                self.by_lot(position, s) if self.dice.random() < STRAY else self.drawn(found[s][0]) for s in (0, 1)
            ]
            position = RULES.play(position, (steps[0], steps[1]))
        score = self.score(position)
        for figures, value in line:
            yield Sample(figures, (1 - BY_RESULT) * chances(value) + BY_RESULT * score)

    def aside(self, position: Position, nodes: int) -> Iterator[Sample]:
        """A position some rounds by lot from here, if both can still meet there."""
        for _ in range(self.dice.choice(ASIDE_ROUNDS)):
            following = RULES.play(position, (self.by_lot(position, 0), self.by_lot(position, 1)))
            if is_decided(following):
                break
            position = following
        figures = figures_of(self.minds[2], position)
        if figures is not None:
            self.minds[2].forget()
            yield Sample(figures, chances(self.found(2, position, 0, nodes)[1]))

    def score(self, position: Position) -> float:
        """Rider 0's score once the game is over or the riders are apart: 1, 1/2 or 0."""
        result = RULES.result(position)
        if result is not None:
            return (1 + int(result.outcome_for(0))) / 2
        mine, theirs = (
            find_longest_path(self.minds[0], position, head, FILL_NODES).least for head in find_heads(position, 0)
        )
        return 0.5 if mine == theirs else float(mine > theirs)


def is_decided(position: Position) -> bool:
    """Whether the game is over or only who fills longer is left to find out."""
    return RULES.result(position) is not None or are_separated(position)


def chances(value: float) -> float:
    """A believed value as the chances of winning."""
    return min(max((1 + value / SURE) / 2, 1 - CERTAIN), CERTAIN)


def figures_of(tools: Lookahead, position: Position) -> Floats | None:
    """What the net sees of a position, rider 0 first, rounds until the fronts meet last: float32[2, 26].

    `None` where the riders cannot meet.
    """
    work = tools.tools
    tools.load(position)
    me, you = find_heads(position, 0)
    _, met = field.flood(work.boards[0], me, you, False, work)
    mine, yours = (field.list_ways(work.boards[0], head, work, work.lists[0, 0]) for head in (me, you))
    if not met or mine == 0 or yours == 0:
        return None
    evaluation.read_figures(me, you, mine, yours, work)
    meeting = np.full((2, 1), work.spread[0, field.MEETING], np.float32)
    return np.concatenate([work.figures, meeting], axis=1)


def fit(figures: Floats, targets: Floats, epochs: int = EPOCHS, seed: int = 1) -> Floats:
    """The net for figures float32[n, 2, 26] and rider 0's chances float32[n]: float32[87, 32]."""
    dice = np.random.default_rng(seed)
    views, scale = standardised(figures)
    descent = Descent(first_weights(dice, views.shape[2]))
    batches = -(-len(targets) // BATCH)
    for epoch in range(epochs):
        for number, chosen in enumerate(np.array_split(dice.permutation(len(targets)), batches)):
            left = 1 - (epoch * batches + number) / (epochs * batches)
            descent.step(gradients(descent.weights, views[chosen], targets[chosen]), RATE * left)
    return unstandardised(descent.weights, scale)


def first_weights(dice: np.random.Generator, inputs: int) -> list[Floats]:
    """Weights by lot: of the first layer, its constants, those of the second, of the answer."""
    units = field.UNITS
    shapes = ((inputs, units), None, (units, units), None, (units, 1))
    drawn = [np.zeros(units) if shape is None else dice.normal(0, shape[0] ** -0.5, shape) for shape in shapes]
    return [weights.astype(np.float32) for weights in drawn]


class Descent:
    """Adam with decoupled weight decay (Kingma and Ba 2015; Loshchilov and Hutter 2019)."""

    def __init__(self, weights: list[Floats]) -> None:
        self.weights = weights
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
            self.weights[k] -= rate * (change + DECAY * self.weights[k])


def standardised(figures: Floats) -> tuple[Floats, tuple[Floats, Floats]]:
    """Both views of every position, float32[n, 2, 52], in standard units; means and deviations of what they show."""
    plain = np.s_[:, :, evaluation.PLAIN_FROM : evaluation.PLAIN_TO]
    cells = figures[:, :, evaluation.REACH].sum(axis=1)[:, None, None]
    own = figures[:, :, : field.FIGURES] / (cells + evaluation.FLOOR)
    own[plain] = figures[plain]
    size = np.minimum(cells, evaluation.LARGEST_FIELD).repeat(2, axis=1)
    seen = np.concatenate([own, own[:, ::-1], size, figures[:, :, field.FIGURES :]], axis=2)
    mean, deviation = seen.mean(axis=(0, 1)), seen.std(axis=(0, 1)) + 1e-6
    return ((seen - mean) / deviation).astype(np.float32), (mean, deviation)


def leads_of(weights: list[Floats], views: Floats) -> tuple[Floats, list[Floats]]:
    """The lead of the first of both views, and what each layer was given and gave; views one below the other."""
    inner, constants, deeper, more, outer = weights
    seen = views.reshape(-1, views.shape[2])
    units = np.maximum(seen @ inner + constants, 0.0)
    behind = np.maximum(units @ deeper + more, 0.0)
    answers = (behind @ outer).reshape(-1, 2)
    return answers[:, 0] - answers[:, 1], [seen, units, behind]


def gradients(weights: list[Floats], views: Floats, targets: Floats) -> list[Floats]:
    """The slopes of the mean logistic loss, in the order of the weights."""
    _, _, deeper, _, outer = weights
    leads, (seen, units, behind) = leads_of(weights, views)
    errors = (1.0 / (1.0 + np.exp(-leads)) - targets) / len(targets)
    back = np.stack([errors, -errors], axis=1).reshape(-1, 1).astype(seen.dtype)
    back_behind = (back @ outer.T) * (behind > 0)
    back_units = (back_behind @ deeper.T) * (units > 0)
    return [
        seen.T @ back_units,
        back_units.sum(axis=0),
        units.T @ back_behind,
        back_behind.sum(axis=0),
        behind.T @ back,
    ]


def unstandardised(weights: list[Floats], scale: tuple[Floats, Floats]) -> Floats:
    """The net for plain shares and plain numbers, as the kernel reads it."""
    inner, constants, deeper, more, outer = weights
    mean, deviation = scale
    plain = inner / deviation[:, None]
    return np.vstack([plain, constants - mean @ plain, deeper, more, outer.T])


def collected(samples: Iterable[Sample]) -> tuple[Floats, Floats]:
    """All figures and all chances."""
    kept = list(samples)
    return np.array([one.figures for one in kept]), np.array([one.chances for one in kept], np.float32)


def main() -> None:
    """Play, fit, write."""
    words = argparse.ArgumentParser(description="fit the weights of Light Riders' evaluation to games of the engine")
    words.add_argument("games", type=int)
    words.add_argument("nodes", type=int, help="searched for each move")
    words.add_argument("out", type=Path)
    words.add_argument("--seed", type=int, default=1)
    told = words.parse_args()
    prepare()
    player = Player(told.seed)
    figures, targets = collected(sample for _ in range(told.games) for sample in player.game(told.nodes))
    np.savetxt(told.out, fit(figures, targets), "%.5g")


if __name__ == "__main__":
    main()
