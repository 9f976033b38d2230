"""How the engine likes to play. Both styles keep every win and every draw."""

from __future__ import annotations

from onlymove_engines.core.analysis import Analysis
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Style
from onlymove_engines.core.value import Outcome

from .coach import Coached, traps
from .rules import Placement, Position


def fastest(
    _position: Position, analysis: Analysis[Placement], _analyst: Coached, _budget: Budget
) -> tuple[Placement, ...]:
    """The shortest win, any draw, the longest defence; beside unknown moves what is not known to lose."""
    if analysis.is_complete:
        return analysis.best()
    known = {move: value for move, value in analysis.moves.items() if value is not None}
    wins = {move: value for move, value in known.items() if value.outcome is Outcome.WIN}
    if wins:
        return tuple(move for move, value in wins.items() if value == max(wins.values()))
    lost = {move for move, value in known.items() if value.outcome is Outcome.LOSS}
    return tuple(move for move in analysis.moves if move not in lost)


def practical(
    position: Position, analysis: Analysis[Placement], analyst: Coached, budget: Budget
) -> tuple[Placement, ...]:
    """In a draw the keeping moves with the best trap, else as `fastest`."""
    found = traps(position, analysis, analyst)
    if not found:
        return fastest(position, analysis, analyst, budget)
    top = next(iter(found.values())).rank
    return tuple(move for move, trap in found.items() if trap.rank == top)


STYLES: tuple[Style[Position, Placement], ...] = (
    Style("fastest", "Fastest", "Wins as fast and loses as slowly as it can; in a draw any move that holds.", fastest),
    Style("practical", "Practical", "As Fastest, but in a draw it plays where you are most likely to slip.", practical),
)
