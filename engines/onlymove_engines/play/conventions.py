"""Rules that players may agree on, and the draw by repetition. Solved values know nothing of either.

For every game: positions are only compared, and moves only played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Seat, other

THREEFOLD = 3


class NoRepetitions:
    """No move may lead to a position that the game has already seen; who has no other move loses."""

    id = "no-repetitions"
    title = "no repetitions"

    def legal_moves(self, rules: Any, past: Sequence[Any], moves: Sequence[Any]) -> Sequence[Any]:
        """Those of `moves` that lead to a position not in `past` (oldest first, the current one last)."""
        if not past:
            return moves
        seen = set(past)
        return tuple(move for move in moves if rules.play(past[-1], move) not in seen)

    def result_when_stuck(self, seat: Seat) -> Result:
        """The other side wins."""
        return Result(other(seat), reason="every move would repeat a position")


def threefold(positions: Sequence[Any]) -> Result | None:
    """A draw when the last of `positions`, the side to move included, stands for the third time."""
    if positions and positions.count(positions[-1]) >= THREEFOLD:
        return Result(None, reason="the position stands for the third time")
    return None
