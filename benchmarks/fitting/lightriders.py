"""How the weights of the evaluation are made: games of the engine with itself, and a fit to their results.

    python -m benchmarks.fitting.lightriders GAMES NODES OUT

plays games on the 16 x 16 field, searching so many nodes a move, and writes the fitted net in the form of
`_kernel/net.txt`. Not needed to play. Positions are called by the result of their game; logistic loss, so the answer
of the net is the logarithm of the odds of winning.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.value import Seat
from onlymove_engines.games.lightriders._kernel import field, net
from onlymove_engines.games.lightriders.fill import are_separated, longest_from
from onlymove_engines.games.lightriders.live import Lookahead, heads
from onlymove_engines.games.lightriders.rules import LightRidersRules, Position, Step
from onlymove_engines.games.lightriders.start import official_start

RULES = LightRidersRules()
Floats: TypeAlias = npt.NDArray[np.float64]

OPENINGS = (2, 6, 12, 20, 30)
"""Games begin with so many rounds at a glance, a quarter of the steps by lot, so that they differ."""

GLANCE, WILD, STRAY = 40, 0.25, 0.03
"""Nodes of a glance; the share of steps by lot then and, so that mistakes are seen as well, later."""

FILL_NODES = 30_000
"""Who fills longer decides a game once the riders are apart."""

EPOCHS, BATCH, RATE, DECAY = 20, 512, 3e-3, 3e-2
"""Passes over the positions, positions a step, first step size (falling to 0), weight decay of Adam."""

UNITS = 16
SIZE_UNIT = 128.0
"""Open cells that make one standard unit of size."""


class Player:
    """Both riders of the games, each with a memory of its own."""

    def __init__(self, seed: int, size: int = 16) -> None:
        self.dice = random.Random(seed)
        self.size = size
        self.minds = (Lookahead(size, size, 1 << 15), Lookahead(size, size, 1 << 15))

    def step(self, position: Position, seat: Seat, nodes: int, stray: float) -> Step:
        """The engine's step within so many nodes, now and then one by lot."""
        moves = RULES.moves_of(position, seat)
        if len(moves) == 1 or self.dice.random() < stray:
            return self.dice.choice(moves)
        mix = {moves[0]: 1.0}
        for found in self.minds[seat].saddle(position, seat, Budget(nodes=nodes)):
            if found.value > -1.0 or found.rounds == 1:
                mix = found.mix
        return self.dice.choices(list(mix), list(mix.values()))[0]

    def after(self, position: Position, nodes: int, stray: float) -> Position:
        """The position after both have moved."""
        return RULES.play(position, (self.step(position, 0, nodes, stray), self.step(position, 1, nodes, stray)))

    def opening(self) -> Position:
        """A position some rounds into a careless game."""
        position = official_start(self.size, self.size, self.dice.randrange(1 << 30))
        for _ in range(self.dice.choice(OPENINGS)):
            following = self.after(position, GLANCE, WILD)
            if RULES.result(following) is not None or are_separated(following):
                break
            position = following
        return position

    def game(self, nodes: int) -> tuple[list[Position], float]:
        """The positions of a game while the riders could meet, and rider 0's score."""
        for mind in self.minds:
            mind.forget()
        position = self.opening()
        positions = []
        while (score := self.score(position)) is None:
            positions.append(position)
            position = self.after(position, nodes, STRAY)
        return positions, score

    def score(self, position: Position) -> float | None:
        """Rider 0's score once the game is over or the riders are apart: 1, 1/2 or 0."""
        result = RULES.result(position)
        if result is not None:
            return (1 + int(result.outcome_for(0))) / 2
        if not are_separated(position):
            return None
        mine, theirs = (longest_from(self.minds[0], position, head, FILL_NODES).least for head in heads(position, 0))
        return 0.5 if mine == theirs else float(mine > theirs)


def figures_of(tools: Lookahead, position: Position) -> Floats | None:
    """What the net sees of a position, rider 0 first: float64[2, 9]; `None` where the riders cannot meet."""
    work = tools.tools
    tools.load(position)
    me, you = heads(position, 0)
    _, met = field.flood(work.boards[0], me, you, work, work)
    mine, yours = (field.ways(work.boards[0], head, work, work.lists[0, 0]) for head in (me, you))
    if not met or mine == 0 or yours == 0:
        return None
    net.gather(me, you, mine, yours, work)
    return np.array(work.figures)


def samples(games: Iterable[tuple[list[Position], float]], tools: Lookahead) -> Iterator[tuple[Floats, float]]:
    """Every second position of the games as figures, with the score."""
    for number, (positions, score) in enumerate(games):
        for position in positions[number % 2 :: 2]:
            figures = figures_of(tools, position)
            if figures is not None:
                yield figures, score


def fit(figures: Floats, scores: Floats, epochs: int = EPOCHS, seed: int = 1) -> Floats:
    """The net for figures float64[n, 2, 9] and rider 0's scores float64[n]: float64[21, 16]."""
    dice = np.random.default_rng(seed)
    views, scale = standardised(figures)
    inputs = views.shape[2]
    weights = [dice.normal(0, inputs**-0.5, (inputs, UNITS)), np.zeros(UNITS), dice.normal(0, UNITS**-0.5, UNITS)]
    descent = Descent(weights)
    batches = -(-len(scores) // BATCH)
    for epoch in range(epochs):
        for number, chosen in enumerate(np.array_split(dice.permutation(len(scores)), batches)):
            left = 1 - (epoch * batches + number) / (epochs * batches)
            descent.step(gradients(weights, views[chosen], scores[chosen]), RATE * left)
    return unstandardised(weights, scale)


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
    """Both views of every position, float64[n, 2, 19], in standard units; the means and deviations of the shares."""
    cells = figures[:, :, net.REACH].sum(axis=1)[:, None, None]
    shares = figures / (cells + net.FLOOR)
    mean, deviation = shares.mean(axis=(0, 1)), shares.std(axis=(0, 1)) + 1e-6
    units = (shares - mean) / deviation
    size = np.minimum(cells, net.LARGEST).repeat(2, axis=1) / SIZE_UNIT
    return np.concatenate([units, units[:, ::-1], size], axis=2), (mean, deviation)


def gradients(weights: list[Floats], views: Floats, scores: Floats) -> list[Floats]:
    """The slopes of the mean logistic loss: of inner weights, constants, outer weights."""
    inner, constants, outer = weights
    sums = views @ inner + constants
    units = np.maximum(sums, 0.0)
    leads = (units[:, 0] - units[:, 1]) @ outer
    errors = (1.0 / (1.0 + np.exp(-leads)) - scores) / len(scores)
    back = (sums > 0) * outer * (errors[:, None, None] * np.array([1.0, -1.0])[None, :, None])
    return [np.einsum("nvi,nvu->iu", views, back), back.sum(axis=(0, 1)), errors @ (units[:, 0] - units[:, 1])]


def unstandardised(weights: list[Floats], scale: tuple[Floats, Floats]) -> Floats:
    """The net for plain shares and the plain number of open cells."""
    inner, constants, outer = weights
    mean, deviation = (np.concatenate([part, part]) for part in scale)
    own = inner[:-1] / deviation[:, None]
    return np.vstack([own, inner[-1:] / SIZE_UNIT, constants - mean @ own, outer])


def main() -> None:
    """Play, fit, write."""
    words = argparse.ArgumentParser(description="fit the weights of Light Riders' evaluation to games of the engine")
    words.add_argument("games", type=int)
    words.add_argument("nodes", type=int, help="searched for each move")
    words.add_argument("out", type=Path)
    told = words.parse_args()
    player = Player(seed=1)
    found = list(samples((player.game(told.nodes) for _ in range(told.games)), Lookahead(16, 16, 2)))
    weights = fit(np.array([figures for figures, _ in found]), np.array([score for _, score in found]))
    np.savetxt(told.out, weights, "%.5g")


if __name__ == "__main__":
    main()
