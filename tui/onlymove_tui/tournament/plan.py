"""What a match is: everything its games depend on, so that two runs of one plan play the same games."""

from __future__ import annotations

from dataclasses import dataclass

from onlymove_engines.core.game import GameId

from onlymove_tui.tournament.contestant import NO_LIMITS, Limits
from onlymove_tui.tournament.referee import MAX_PLIES, PLAIN_TERMS, Terms


@dataclass(frozen=True, slots=True)
class Plan:
    """Two players, as they are spelled, and on what terms they meet. Game 2k and 2k + 1 are pair k; in the first of
    them the first player has seat 0."""

    game: GameId
    players: tuple[str, str]
    limits: Limits = NO_LIMITS
    terms: Terms = PLAIN_TERMS
    seed: int = 0
    start: str = ""
    """The position that every game begins from; empty: the game's own start."""
    opening_plies: int = 0
    """So many random plies are played first."""

    def __str__(self) -> str:
        """The plan in one line, different for different plans."""
        terms = self.terms
        parts = [f"{self.players[0]} against {self.players[1]}", f"seed {self.seed}"]
        parts += [f"limit {self.limits}"] if self.limits != NO_LIMITS else []
        parts += [f"from {self.start}"] if self.start else []
        parts += [f"{self.opening_plies} random plies"] if self.opening_plies else []
        parts += [f"rule {terms.house_rule}"] if terms.house_rule else []
        parts += [] if terms.adjudicate is None else [f"adjudicated at {terms.adjudicate} plies"]
        parts += [f"at most {terms.max_plies} plies"] if terms.max_plies != MAX_PLIES else []
        return "; ".join(parts)

    def seat_of_first(self, number: int) -> int:
        """Where the first player sits in the game of this number."""
        return number % 2
