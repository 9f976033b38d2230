"""Ways of choosing between moves with the same result: by how easily the opponent goes wrong, or by heat.

Heat measures how many winning ends each side could reach if both helped, and how near they are. Styles that use heat
first prefer fast wins and slow losses, and then compare heat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.game import Style, Turn, alike
from onlymove_engines.core.value import Seat, other
from onlymove_engines.search.chances import ProblemSetter, choose_worth_trying

from .analyst import heat_of
from .rules import RULES, Move, Position, apply_move


def choose_by_heat(mine: int, yours: int) -> Callable[[Turn[Position, Move]], Mapping[Move, float]]:
    """Return a style that chooses moves by heat. It rates a position by the player's heat times `mine` and the
    opponent's times `yours`. Higher ratings are better."""

    def choose(turn: Turn[Position, Move]) -> Mapping[Move, float]:
        moves = choose_worth_trying(turn.analysis)
        liking: dict[Move, int] = {}
        for move in moves:
            heat = heat_of(turn.analyst, apply_move(turn.position, move))
            if heat is None:
                return alike(moves)
            liking[move] = mine * heat[turn.seat] + yours * heat[other(turn.seat)]
        top = max(liking.values())
        return alike(move for move in moves if liking[move] == top)

    return choose


def find_lead(analyst: AnyAnalyst, position: Position, seat: Seat) -> int:
    """Return how much more heat `seat` has than the other side, or 0 if no heat is stored."""
    heat = heat_of(analyst, position)
    return 0 if heat is None else heat[seat] - heat[other(seat)]


PRACTICAL: ProblemSetter[Position, Move] = ProblemSetter(RULES, find_lead)

STYLES: tuple[Style[Position, Move], ...] = (
    Style("practical", "Practical", "Keeps the result and makes your task as hard as possible.", PRACTICAL.choose),
    Style("balanced", "Balanced", "Compares its own winning chances with yours.", choose_by_heat(1, -1)),
    Style("aggressive", "Aggressive", "Goes for positions with many quick wins for itself.", choose_by_heat(1, 0)),
    Style("prudent", "Prudent", "Goes for positions in which your wins are far away.", choose_by_heat(0, -1)),
)
