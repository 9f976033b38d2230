"""Best play after a bad move, to be stepped through. Knows no screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from onlymove_engines.coach.refutation import refutation
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move
from onlymove_engines.play.line import AnyLine, AnyNode


@dataclass(frozen=True, slots=True)
class Refutation:
    """The positions from before the move on, and the moves with their spelling; `step` moves have been looked at."""

    positions: tuple[AnyPosition, ...]
    moves: tuple[Move, ...]
    texts: tuple[str, ...]
    step: int = 1

    def stepped(self, by: int) -> Refutation:
        """Further along, never past either end."""
        return replace(self, step=max(0, min(len(self.moves), self.step + by)))


Search: TypeAlias = Callable[[Budget], Refutation]
"""Finds a refutation within a budget, and changes nothing."""


def search(line: AnyLine, node: AnyNode, move: Move, analyst: AnyAnalyst) -> Search:
    """The search for best play after `move` from `node`, to be carried out in a worker."""

    def find(budget: Budget) -> Refutation:
        game, moves, positions = line.game, refutation(line, node, move, analyst, budget), [node.position]
        for step in moves:
            positions.append(game.rules.play(positions[-1], step))
        texts = tuple(game.said(*step) for step in zip(positions, moves, strict=False))
        return Refutation(tuple(positions), tuple(moves), texts)

    return find


def single(game: AnyGame, position: AnyPosition, move: Move) -> Refutation:
    """A move alone, as a line that goes no further."""
    return Refutation((position, game.rules.play(position, move)), (move,), (game.said(position, move),))
