"""Small random games, and their values from the definition.

In these games play can go round in circles, a side may pass or move several times in a row, and moves may make points
for either side. Some games have a mirror image, and some look the same to both sides. The values are found by looking
one ply further again and again, without the project's solvers and searches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Final, NamedTuple, cast

import numpy as np
from onlymove_engines.core.analysis import AlternatingAnalyst, alternating
from onlymove_engines.core.errors import BadNotation, GameOver, IllegalMove
from onlymove_engines.core.facts import Facts
from onlymove_engines.core.game import AnyGame, Game, Play, Solved, Symmetry
from onlymove_engines.core.repetition import THREEFOLD, Repetition
from onlymove_engines.core.rules import MovePath, Result
from onlymove_engines.core.value import Seat
from onlymove_engines.search.rules_solver import RulesSolver
from onlymove_tables.open import LETTERS, open_analyst

from tests.literal_game import LiteralPainter

MOVES: Final = "abcdefgh"


class Place(NamedTuple):
    """A position: how many more times points can be made, the cell, its left or right copy, the side to move, and the
    points of both sides."""

    layer: int
    cell: int
    side: int
    seat: Seat
    first: int
    second: int


class Step(NamedTuple):
    """A move: the cell it leads to, whether it changes the copy and the side to move, and what it makes for the side
    that plays it and for the other side."""

    cell: int
    crosses: bool
    passes_turn: bool
    own: int
    others: int


Plan = Mapping[tuple[int, int, Seat], Sequence[Step]]
"""The moves by layer, cell and seat. The game is over where there are none."""


@dataclass(frozen=True)
class RandomRules:
    """The rules that a plan gives. Without points, `winners` says who wins where the game is over."""

    plan: Plan
    winners: Mapping[tuple[int, int, Seat], Seat | None]
    has_points: bool

    def to_move(self, position: Place) -> Seat:
        return position.seat

    def steps(self, position: Place) -> Sequence[Step]:
        return self.plan.get((position.layer, position.cell, position.seat), ())

    def legal_moves(self, position: Place) -> Sequence[str]:
        return MOVES[: len(self.steps(position))]

    def play(self, position: Place, move: str) -> Place:
        steps = self.steps(position)
        if not steps:
            raise GameOver("the game is over")
        if move not in self.legal_moves(position):
            raise IllegalMove(f"{move} is not legal")
        step = steps[MOVES.index(move)]
        gains = (step.own, step.others) if position.seat == 0 else (step.others, step.own)
        return Place(
            position.layer - any(gains),
            step.cell,
            position.side ^ step.crosses,
            position.seat ^ step.passes_turn,
            position.first + gains[0],
            position.second + gains[1],
        )

    def result(self, position: Place) -> Result | None:
        if self.steps(position):
            return None
        if self.has_points:
            return decide_by_points(position)
        return Result(self.winners[position.layer, position.cell, position.seat])


def decide_by_points(position: Place) -> Result:
    lead = position.first - position.second
    return Result(None if lead == 0 else 0 if lead > 0 else 1, (position.first, position.second))


@dataclass(frozen=True)
class RandomNotation:
    rules: RandomRules

    def format_position(self, position: Place) -> str:
        return " ".join(map(str, position))

    def parse_position(self, text: str) -> Place:
        words = text.split(" ")
        if len(words) != 6 or not all(word.isdigit() for word in words):
            raise BadNotation(f"no position '{text}'")
        return Place(*map(int, words))

    def format_move(self, position: Place, move: str) -> str:
        return move

    def parse_move(self, position: Place, text: str) -> str:
        self.rules.play(position, text)
        return text

    def paths(self, position: Place, move: str) -> Sequence[MovePath]:
        return [(move,)]


def draw(_: object) -> Result:
    return Result(None, reason="repeated")


def win_by_five(_: object) -> Result:
    return Result(0, (5, 0), reason="repeated")


REPETITIONS: Final[Mapping[str, Repetition[Place] | None]] = {
    "threefold": THREEFOLD,
    "draw": Repetition(2, draw),
    "points": Repetition(2, decide_by_points, lambda here, there: here[4:] == there[4:]),
    "own": Repetition(2, win_by_five, lambda here, there: here[4:] == there[4:]),
}


@dataclass(frozen=True)
class RandomGame:
    """A random game with its definition. `endless` is the final lead of the first player if positions repeat."""

    game: Game[Place, str]
    endless: Callable[[Place], int]
    has_points: bool

    @cached_property
    def positions(self) -> list[Place]:
        """All positions that a game can lead to."""
        rules, found = self.game.rules, {self.game.default_start(): None}
        ahead = list(found)
        while ahead:
            here = ahead.pop()
            for move in rules.legal_moves(here):
                child = rules.play(here, move)
                if child not in found:
                    found[child] = None
                    ahead.append(child)
        return list(found)


def mirror(position: Place) -> Place:
    return position._replace(side=1 - position.side)


def swap(position: Place) -> Place:
    return position._replace(seat=1 - position.seat, first=position.second, second=position.first)


def draw_game(seed: int, most_cells: int = 8, most_layers: int = 3) -> RandomGame:
    """Return a random game. Its number decides whether it has points, what repetition does, and its symmetries."""
    random = Random(seed)
    has_points = random.random() < 0.6
    is_symmetric, has_copies = random.random() < 0.4, random.random() < 0.3
    kinds = ["threefold", "points", "own"] if has_points else ["threefold", "draw"]
    kind = random.choice(kinds[: 2 if is_symmetric else None])
    again = random.choice((0.0, 0.2, 0.5, 0.8))
    cells, layers = random.randint(2, most_cells), random.randint(1, most_layers) if has_points else 1
    plan: dict[tuple[int, int, Seat], list[Step]] = {}
    winners: dict[tuple[int, int, Seat], Seat | None] = {}
    for layer in range(layers + 1):
        for cell in range(cells):
            for seat in (0, 1):
                here = layer, cell, seat
                if is_symmetric and seat:
                    plan[here] = plan[layer, cell, 0]
                    winner = winners[layer, cell, 0]
                    winners[here] = None if winner is None else 1 - winner
                    continue
                winners[here] = random.choice((0, 1, None))
                is_over = random.random() < 0.3 or (has_points and layer == 0 and random.random() < 0.5)
                plan[here] = (
                    []
                    if is_over
                    else [
                        draw_step(random, cells, again, has_copies, has_points and layer > 0)
                        for _ in range(random.randint(1, 3))
                    ]
                )
    rules = RandomRules(plan, winners, has_points)
    starts = [cell for cell in range(cells) if plan[layers, cell, 0]]
    if not starts:
        return draw_game(seed + 1_000_003, most_cells, most_layers)
    start = Place(layers, random.choice(starts), 0, 0, 0, random.choice((0, 0, 3)) if has_points else 0)
    symmetries: list[Symmetry[Place, str]] = [Symmetry("mirror", mirror, str)] if has_copies else []
    symmetries += [Symmetry("swap", swap, str, swaps_seats=True)] if is_symmetric else []
    game: Game[Place, str] = Game(
        facts=Facts(id="random", title=f"Random {seed}", pitch="random", solved="unknown", has_margin=has_points),
        seats=("First", "Second"),
        rules=rules,
        notation=RandomNotation(rules),
        painter=cast(Any, LiteralPainter()),
        start=lambda options, seed: start,
        play=Play(
            repetition=REPETITIONS[kind],
            points=(lambda position: (position.first, position.second)) if has_points else None,
        ),
        solved=Solved(symmetries=tuple(symmetries)),
    )
    leads = {"points": lambda position: position.first - position.second, "own": lambda _: 5}
    return RandomGame(game, leads.get(kind, lambda _: 0), has_points)


def draw_step(random: Random, cells: int, again: float, has_copies: bool, may_score: bool) -> Step:
    own, others = random.choice(((1, 0), (2, 0), (0, 1), (3, 1))) if may_score and random.random() < 0.4 else (0, 0)
    crosses = has_copies and random.random() < 0.5
    return Step(random.randrange(cells), crosses, random.random() >= again, own, others)


class Worth(NamedTuple):
    """What a position or move is worth to a side: the outcome, the margin to come if there are points, and the plies to
    the end otherwise. Better ones compare as greater with `rank`."""

    outcome: int
    margin: int | None
    plies: int | None

    @property
    def rank(self) -> tuple[int, int, int]:
        return self.outcome, self.margin or 0, -self.outcome * (self.plies or 0)


@dataclass
class Definition:
    """Finds values by looking further and further ahead."""

    of: RandomGame
    final: dict[Place, int] = field(default_factory=dict)
    """The first player's final lead with best play, or its outcome in a game without points."""
    plies: dict[Place, int] = field(default_factory=dict)
    """After how many plies the game is decided, in games without points."""

    def __post_init__(self) -> None:
        layers: dict[int, list[Place]] = {}
        for position in self.of.positions:
            layers.setdefault(position.first + position.second, []).append(position)
        for total in sorted(layers, reverse=True):
            self._look_ahead(layers[total])

    def _look_ahead(self, layer: list[Place]) -> None:
        """Look ahead by one ply more than there are positions with the same points. Whoever can force something other
        than endless play can do so by then."""
        rules = self.of.game.rules
        now = {here: self.of.endless(here) for here in layer}
        for depth in range(len(layer) + 2):
            before = {**self.final, **now}
            for here in layer:
                result = rules.result(here)
                if result is not None:
                    score = result.score
                    won = 0 if result.winner is None else 1 - 2 * result.winner
                    now[here] = won if score is None else score[0] - score[1]
                elif depth:
                    after = [before[rules.play(here, move)] for move in rules.legal_moves(here)]
                    now[here] = (min if here.seat else max)(after)
                if now[here] and not self.of.has_points:
                    self.plies.setdefault(here, depth)
        self.final |= now

    def value(self, position: Place) -> Worth:
        """Return the value for the side to move."""
        return self.see(position, position.seat, position)

    def moves(self, position: Place) -> dict[str, Worth]:
        rules = self.of.game.rules
        return {
            move: self.see(rules.play(position, move), position.seat, position, 1)
            for move in MOVES[: len(rules.legal_moves(position))]
        }

    def see(self, position: Place, seat: Seat, since: Place, earlier: int = 0) -> Worth:
        """Return what a position is worth to `seat`, counted from the position `since`, this many plies earlier."""
        sign = -1 if seat else 1
        final = sign * self.final[position]
        outcome = (final > 0) - (final < 0)
        if self.of.has_points:
            return Worth(outcome, final - sign * (since.first - since.second), None)
        return Worth(outcome, None, self.plies[position] + earlier if outcome else None)


def solve_from_rules(game: AnyGame) -> AlternatingAnalyst:
    """Solve a game in both ways. Return the analyst of its table, which is the same."""
    sections, derived = RulesSolver(game).build(), RulesSolver(game).derive()
    assert sections.keys() == derived.keys()
    for name, section in sections.items():
        assert np.array_equal(section, derived[name]), name
    columns = {name: memoryview(data.tobytes()).cast(LETTERS[data.dtype.str[1:]]) for name, data in sections.items()}
    return alternating(open_analyst(game, columns))
