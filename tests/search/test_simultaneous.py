"""Plain searches of games with simultaneous moves, in a game with known values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from onlymove_engines.core.errors import IllegalMove
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat

from tests.reference.simultaneous import Tree

Round = tuple[int, int]


@dataclass(frozen=True)
class Pennies:
    """Some rounds of hide and seek. The seeker, who is the first player, scores if both choose the same number."""

    left: int
    score: int = 0
    target: int = 1


class PenniesRules:
    """Both choose one of two numbers. The seeker wins with more than `target` points."""

    def to_move(self, position: Pennies) -> Seat | None:
        return None

    def moves_of(self, position: Pennies, seat: Seat) -> Sequence[int]:
        return () if self.result(position) else (0, 1)

    def legal_moves(self, position: Pennies) -> Sequence[Round]:
        return tuple((a, b) for a in self.moves_of(position, 0) for b in self.moves_of(position, 1))

    def play(self, position: Pennies, move: Round) -> Pennies:
        if move not in self.legal_moves(position):
            raise IllegalMove("no")
        return Pennies(position.left - 1, position.score + (move[0] == move[1]), position.target)

    def result(self, position: Pennies) -> Result | None:
        if position.left > 0:
            return None
        return Result(0 if position.score >= position.target else 1)


def tree() -> Tree[Pennies]:
    """Return a tree whose leaves are estimated as draws."""
    return Tree(PenniesRules(), lambda position: 0.0)


@pytest.mark.parametrize(("left", "value"), [(1, 0.0), (2, 0.5), (3, 0.75)])
def test_backward_induction_mixes(left: int, value: float) -> None:
    assert tree().nash(Pennies(left), 9) == pytest.approx(value)


@pytest.mark.parametrize("left", [1, 2, 3])
def test_showing_the_choice_first_is_worse(left: int) -> None:
    assert tree().solve_with_leader(Pennies(left), 9, 0) == -1.0
    assert tree().solve_with_leader(Pennies(left), 9, 1) == 1.0


def test_the_guess_counts_at_the_last_depth() -> None:
    assert tree().nash(Pennies(4), 2) == 0.0


def test_serial_bounds_enclose_random_guesses() -> None:
    dice = random.Random(3)
    for _ in range(200):
        guesses: dict[Pennies, float] = {}

        def guess(position: Pennies, known: dict[Pennies, float] = guesses) -> float:
            return known.setdefault(position, dice.uniform(-1, 1))

        searched = Tree(PenniesRules(), guess)
        value = searched.nash(Pennies(5, 0, 2), 3)
        low, high = (
            searched.solve_with_leader(Pennies(5, 0, 2), 3, 0),
            searched.solve_with_leader(Pennies(5, 0, 2), 3, 1),
        )
        assert low - 1e-9 <= value <= high + 1e-9
