"""The styles of Orbito's engine."""

from __future__ import annotations

from onlymove_engines.core.game import Style
from onlymove_engines.search.chances import FASTEST, ProblemSetter

from .rules import RULES, Move, Position

PRACTICAL: ProblemSetter[Position, Move] = ProblemSetter(RULES)

STYLES: tuple[Style[Position, Move], ...] = (
    Style("practical", "Practical", "Keeps the result and makes your task as hard as possible.", PRACTICAL.choose),
    FASTEST,
)
