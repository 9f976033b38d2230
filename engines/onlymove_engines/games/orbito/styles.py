"""How Orbito's engine likes to play."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.game import Style, Turn, alike
from onlymove_engines.search.chances import ProblemSetter
from onlymove_engines.search.lookup import worth_trying

from .rules import RULES, Move, Position

PRACTICAL: ProblemSetter[Position, Move] = ProblemSetter(RULES)


def fastest(turn: Turn[Position, Move]) -> Mapping[Move, float]:
    """The shortest win, any drawing move, the longest defence; without a table what promises most."""
    return alike(worth_trying(turn.analysis))


STYLES: tuple[Style[Position, Move], ...] = (
    Style("practical", "Practical", "Keeps the result and sets the opponent the hardest task.", PRACTICAL.choose),
    Style("fastest", "Fastest", "Wins and loses as it should; in a draw any move that holds.", fastest),
)
