"""Why a move is bad: best play after it, to be stepped through. Knows no screen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from onlymove_engines.coach.refutation import format_line, refutation
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import AnyGame


@dataclass(frozen=True, slots=True)
class Why:
    """Best play after a move, to be stepped through: the positions from before the move, and the moves as written."""

    positions: tuple[Any, ...]
    moves: tuple[Any, ...]
    texts: tuple[str, ...]
    step: int = 1

    def stepped(self, by: int) -> Why:
        """Further along, never past either end."""
        return replace(self, step=max(0, min(len(self.moves), self.step + by)))


def line_after(game: AnyGame, position: Any, move: Any, analyst: Any, budget: Budget = UNLIMITED) -> Why:
    """Best play after `move` from `position`, ready to be stepped through."""
    moves = refutation(game, position, move, analyst, budget)
    positions = [position]
    for step in moves:
        positions.append(game.rules.play(positions[-1], step))
    return Why(tuple(positions), tuple(moves), tuple(format_line(game, position, moves)))
