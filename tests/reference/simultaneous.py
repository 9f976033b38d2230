"""Plain searches of games in which both sides move at once: backward induction, and the bounds if one side shows its
choice.

The code knows no game. It asks for a position's moves, for the positions after them and, at the last depth, for an
estimate. Tests compare the compiled searches of game packages with these.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from onlymove_engines.core.rules import P, SimultaneousRules
from onlymove_engines.core.value import Seat
from onlymove_engines.search.matrix_game import solve

Guess: TypeAlias = Callable[[P], float]
"""Returns an estimate for the first player, from -1 to 1, of a position that is not searched further."""


def is_never_leaf(_: Hashable) -> bool:
    """Return False, so that no position ends the tree before its last depth."""
    return False


@dataclass(frozen=True)
class Tree(Generic[P]):
    """A game tree with a limited number of rounds. `guess` estimates its leaves, and `is_leaf` says which positions end
    it early. A last round with at most `narrow` pairs of moves does not count."""

    rules: SimultaneousRules[P, Any]
    guess: Guess[P]
    is_leaf: Callable[[P], bool] = is_never_leaf
    narrow: int = 0

    def find_leaf_value(self, position: P, rounds: int) -> float | None:
        """Return the first player's value of a leaf: the result or the estimate. Return `None` for other positions."""
        result = self.rules.result(position)
        if result is not None:
            return float(result.outcome_for(0))
        return self.guess(position) if rounds == 0 or self.is_leaf(position) else None

    def choices(self, position: P, rounds: int) -> tuple[Sequence[Hashable], Sequence[Hashable], int]:
        """Return both sides' moves, and how many rounds are left after them."""
        rows, columns = self.rules.moves_of(position, 0), self.rules.moves_of(position, 1)
        return rows, columns, rounds - (rounds > 1 or len(rows) * len(columns) > self.narrow)

    def nash(self, position: P, rounds: int) -> float:
        """Return the first player's value by backward induction, which solves every matrix of the tree exactly."""
        value = self.find_leaf_value(position, rounds)
        if value is not None:
            return value
        rows, columns, left = self.choices(position, rounds)
        return solve([[self.nash(self.rules.play(position, (a, b)), left) for b in columns] for a in rows]).value

    def solve_with_leader(self, position: P, rounds: int, leader: Seat, low: float = -1.0, high: float = 1.0) -> float:
        """Return the first player's value if `leader` shows each choice before the other side chooses. To the leader,
        this is never more than the game is worth.

        The search is alpha-beta. The value is exact inside (low, high), and a bound outside.
        """
        value = self.find_leaf_value(position, rounds)
        if value is not None:
            return value
        rows, columns, left = self.choices(position, rounds)
        if leader == 0:
            best = -1.0
            for a in rows:
                worst = 1.0
                for b in columns:
                    child = self.rules.play(position, (a, b))
                    worst = min(worst, self.solve_with_leader(child, left, 0, max(low, best), min(high, worst)))
                    if worst <= max(low, best):
                        break
                best = max(best, worst)
                if best >= high:
                    break
            return best
        least = 1.0
        for b in columns:
            most = -1.0
            for a in rows:
                child = self.rules.play(position, (a, b))
                most = max(most, self.solve_with_leader(child, left, 1, max(low, most), min(high, least)))
                if most >= min(high, least):
                    break
            least = min(least, most)
            if least <= low:
                break
        return least
