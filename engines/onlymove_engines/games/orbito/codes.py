"""The meaning of a stored byte. It is the first player's score, while a `Value` is seen by the side to move.

The score is 17 minus the number of marbles at the end if White wins, the negative of that if Black wins, and 0 for a
draw. Every ply adds one marble, so the score also determines the remoteness.
"""

from __future__ import annotations

from functools import cache

from onlymove_engines.core.value import Draw, Outcome, Value, proven

from .rules import Position

LOWEST, HIGHEST = -9, 10
"""The limits of scores. A line of four is complete at the earliest with the 7th marble on the board (White's) or the
8th (Black's)."""


@cache
def value_of(marbles: int, score: int) -> Value:
    """Return the value of a position with this many marbles and this score, seen by the side to move."""
    mine = -score if marbles % 2 else score
    if mine == 0:
        return Draw()
    outcome = Outcome.WIN if mine > 0 else Outcome.LOSS
    return proven(outcome, 17 - abs(score) - marbles)


def score_of(position: Position, value: Value) -> int | None:
    """Return the first player's score for a value seen from `position`, or `None` if its remoteness is not known."""
    if value.outcome is Outcome.DRAW:
        return 0
    if value.remoteness is None:
        return None
    marbles = position.marbles
    score = (17 - marbles - value.remoteness) * int(value.outcome)
    return -score if marbles % 2 else score
