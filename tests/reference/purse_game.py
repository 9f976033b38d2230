"""Small random games with points, in which play can go round in circles. Quiet moves stay on a layer, and moves that
make points lead one layer down.

A position is written `2a0:4-8`: the layer, the side to move, the cell, and the points of both sides. The game ends on
the lowest layer, or when a position occurs again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import TypeAlias

from onlymove_engines.core.facts import Facts
from onlymove_engines.core.game import Game, Play
from onlymove_engines.core.repetition import Repetition
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat

from tests.literal_game import LiteralRules, Over, Tree, literal_game
from tests.reference.every_line import PlainAnalyst

Plan: TypeAlias = dict[str, list[tuple[str, int, int]]]
"""For each cell, the cells that its moves lead to, each with the points for the side that moves and for the other."""

LAYERS, CELLS = 2, 3
UNREACHED = 1 << 20


@dataclass(frozen=True)
class PurseRules(LiteralRules):
    """The rules given by a tree. The side with more points at the end wins."""

    def result(self, position: str) -> Result | None:
        return find_result(position) if isinstance(self.tree[position], Over) else None


def read_points(position: str) -> tuple[int, int]:
    """Return the points of both sides."""
    first, second = position.partition(":")[2].split("-")
    return int(first), int(second)


def find_result(position: str) -> Result:
    """Return the result by points."""
    first, second = read_points(position)
    return Result(None if first == second else 0 if first > second else 1, (first, second))


def count_lead(position: str, seat: Seat) -> int:
    """Return the points of `seat` minus those of the other side."""
    return read_points(position)[seat] - read_points(position)[1 - seat]


def leads_back(here: str, there: str) -> bool:
    """Whether no points were made between two positions."""
    return read_points(here) == read_points(there)


def draw_plan(random: Random) -> Plan:
    """Return a plan with one to three quiet moves in each cell, and often one that makes points."""
    plan: Plan = {}
    for layer in range(1, LAYERS + 1):
        for side, other in ("ab", "ba"):
            for cell in range(CELLS):
                there = random.sample(range(CELLS), random.randint(1, CELLS))
                plan[f"{layer}{side}{cell}"] = [(f"{layer}{other}{to}", 0, 0) for to in there]
                if random.random() < 0.4:
                    points = random.choice([(4, 0), (4, 0), (8, 0), (0, 4), (4, 4)])
                    plan[f"{layer}{side}{cell}"].append((f"{layer - 1}{other}{random.randrange(CELLS)}", *points))
    return plan


def unfold_tree(plan: Plan, start: str) -> Tree:
    """Return the tree of all positions that the start leads to, with their points."""
    tree: dict[str, tuple[int, dict[str, str]] | Over] = {}
    ahead = [start]
    while ahead:
        position = ahead.pop()
        cell, (first, second) = position.partition(":")[0], read_points(position)
        seat = "ab".index(cell[1])
        moves = {}
        for letter, (to, own, others) in zip("abcx", plan.get(cell, ()), strict=False):
            gains = (own, others) if seat == 0 else (others, own)
            moves[letter] = f"{to}:{first + gains[0]}-{second + gains[1]}"
        tree[position] = (seat, moves) if moves else Over(None, seat)
        ahead += [child for child in moves.values() if child not in tree]
    return tree


def purse_game(random: Random) -> Game[str, str]:
    """Return the definition of a random game."""
    start = f"{LAYERS}a0:{random.choice(['0-0', '0-0', '4-0', '0-4', '0-8'])}"
    tree = unfold_tree(draw_plan(random), start)
    return replace(
        literal_game(tree, start),
        play=Play(repetition=Repetition(2, find_result, leads_back), points=read_points),
        rules=PurseRules(tree),
        facts=Facts(has_margin=True),
    )


@dataclass
class RankedAnalyst(PlainAnalyst[str, str]):
    """An analyst that also knows how far away the next points are."""

    ranks: dict[str, int] = field(default_factory=dict)

    def rank(self, position: str) -> int:
        """Return the rank of a position. All ranks of its layer are computed by going over them until nothing
        changes."""
        if position not in self.ranks:
            assert isinstance(self.game.rules, PurseRules)
            layer = [place for place in self.game.rules.tree if place[0] == position[0] and leads_back(position, place)]
            found = dict.fromkeys(layer, UNREACHED)
            while (better := {place: self._rank(place, found) for place in layer}) != found:
                found = better
            self.ranks |= found
        return self.ranks[position]

    def _rank(self, position: str, ranks: dict[str, int]) -> int:
        best = self.probe(position).margin or 0
        if best == 0 or self.game.rules.result(position) is not None:
            return 0
        keeping = [
            self.game.rules.play(position, move)
            for move, value in self.analyse(position).moves.items()
            if value is not None and value.margin == best
        ]
        quiet = [ranks[child] for child in keeping if leads_back(position, child)]
        if best > 0:
            return 1 if len(quiet) < len(keeping) else min(UNREACHED, 1 + min(quiet))
        return min(UNREACHED, 1 + max(quiet, default=0))
