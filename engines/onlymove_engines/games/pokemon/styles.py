"""How the engine likes to play. Both styles keep every win and every draw."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.game import Style, Turn, alike
from onlymove_engines.search.lookup import worth_trying

from .coach import traps
from .rules import Placement, Position


def fastest(turn: Turn[Position, Placement]) -> Mapping[Placement, float]:
    """The shortest win, any draw, the longest defence; beside unknown moves what is not known to lose."""
    return alike(worth_trying(turn.analysis))


def practical(turn: Turn[Position, Placement]) -> Mapping[Placement, float]:
    """In a draw the keeping moves with the best trap, else as `fastest`."""
    found = traps(turn.position, turn.analysis, turn.analyst)
    if not found:
        return fastest(turn)
    top = next(iter(found.values())).rank
    return alike(move for move, trap in found.items() if trap.rank == top)


STYLES: tuple[Style[Position, Placement], ...] = (
    Style("fastest", "Fastest", "Wins as fast and loses as slowly as it can; in a draw any move that holds.", fastest),
    Style("practical", "Practical", "As Fastest, but in a draw it plays where you are most likely to slip.", practical),
)
