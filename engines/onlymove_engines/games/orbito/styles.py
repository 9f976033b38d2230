"""The styles of Orbito's engine."""

from __future__ import annotations

from onlymove_engines.core.game import Style
from onlymove_engines.search.chances import ProblemSetter, play_fastest

from .rules import RULES, Move, Position

PRACTICAL: ProblemSetter[Position, Move] = ProblemSetter(RULES)

STYLES: tuple[Style[Position, Move], ...] = (
    Style("practical", "Practical", "Keeps the result and sets the opponent the hardest task.", PRACTICAL.choose),
    Style("fastest", "Fastest", "Wins and loses as it should; in a draw any move that holds.", play_fastest),
)
