"""What a stored byte means. It is the first player's score, while a `Value` is always the mover's.

A score is +(17 - marbles on the board at the end) when White wins, minus that when Black wins, 0 for a draw. Every
ply adds one marble, so the score also tells the remoteness.
"""

from __future__ import annotations

from functools import cache

from onlymove_engines.core.value import Draw, Outcome, Value, proven

from .rules import Position

LOWEST, HIGHEST = -9, 10
"""The winner's fourth marble in a line is at best the 7th (White's) or 8th (Black's) on the board."""


@cache
def value_of(marbles: int, score: int) -> Value:
    """Return the value for the side to move of a position with this many marbles and this score."""
    mine = -score if marbles % 2 else score
    if mine == 0:
        return Draw()
    outcome = Outcome.WIN if mine > 0 else Outcome.LOSS
    return proven(outcome, 17 - abs(score) - marbles)


def score_of(position: Position, value: Value) -> int | None:
    """The first player's score of a value seen from `position`; `None` when its length is not known."""
    if value.outcome is Outcome.DRAW:
        return 0
    if value.remoteness is None:
        return None
    marbles = position.marbles
    score = (17 - marbles - value.remoteness) * int(value.outcome)
    return -score if marbles % 2 else score
