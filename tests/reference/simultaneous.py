"""Games in which both sides move at once, searched plainly: backward induction and the serialised bounds.

Knows no game: a position is asked for its moves, its children and, at the last depth, a guess. The compiled searches
of a game package are the quick twins of these; tests hold them together.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from onlymove_engines.core.rules import P, SimultaneousRules
from onlymove_engines.core.value import Seat
from onlymove_engines.search.matrix_game import solve

Guess: TypeAlias = Callable[[P], float]
"""What a position that is not searched on is worth to the first player, in [-1, 1]."""


def nowhere(_: Hashable) -> bool:
    """No position ends the tree before its last depth."""
    return False


@dataclass(frozen=True)
class Tree(Generic[P]):
    """A game tree cut off after some rounds: the law, the guess at the end, and which positions end it early."""

    rules: SimultaneousRules[P, Any]
    guess: Guess[P]
    is_leaf: Callable[[P], bool] = nowhere

    def settled(self, position: P, rounds: int) -> float | None:
        """The value of a leaf for the first player: the result, or the guess; `None` inside the tree."""
        result = self.rules.result(position)
        if result is not None:
            return float(result.outcome_for(0))
        return self.guess(position) if rounds == 0 or self.is_leaf(position) else None

    def choices(self, position: P) -> tuple[Sequence[Hashable], Sequence[Hashable]]:
        """The moves of both seats."""
        return self.rules.moves_of(position, 0), self.rules.moves_of(position, 1)

    def nash(self, position: P, rounds: int) -> float:
        """Backward induction: every matrix of the tree solved exactly. The value for the first player."""
        value = self.settled(position, rounds)
        if value is not None:
            return value
        rows, columns = self.choices(position)
        return solve([[self.nash(self.rules.play(position, (a, b)), rounds - 1) for b in columns] for a in rows]).value

    def serial(self, position: P, rounds: int, leader: Seat, low: float = -1.0, high: float = 1.0) -> float:
        """The value for the first player when `leader` shows each choice before the other moves.

        Never more than the game is worth to the leader. Alpha-beta: exact inside (low, high), beyond it a bound.
        """
        value = self.settled(position, rounds)
        if value is not None:
            return value
        rows, columns = self.choices(position)
        if leader == 0:
            best = -1.0
            for a in rows:
                worst = 1.0
                for b in columns:
                    child = self.rules.play(position, (a, b))
                    worst = min(worst, self.serial(child, rounds - 1, 0, max(low, best), min(high, worst)))
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
                most = max(most, self.serial(child, rounds - 1, 1, max(low, most), min(high, least)))
                if most >= min(high, least):
                    break
            least = min(least, most)
            if least <= low:
                break
        return least
