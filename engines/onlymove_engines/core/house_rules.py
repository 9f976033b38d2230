"""What may be agreed on besides the printed rules, and what ends a game that goes in circles: data on a card.

How they are applied to a game is `play.conventions`' to know. Solved values know nothing of house rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol

from .rules import P, Result
from .value import Seat, other


def anywhere(_here: object, _there: object) -> bool:
    """Every position may come back, for all that is known."""
    return True


@dataclass(frozen=True, slots=True)
class Repetition(Generic[P]):
    """A position that stands for the `times`-th time in a game ends it with `result`.

    A position holds everything that must be the same again: the side to move, and captures where they count.
    `leads_back(here, there)` is false only where no line that has gone from `there` to `here` can come to `there`
    again; in a game with points it is false where points were made between, since what they leave never comes back.
    """

    times: int
    result: Callable[[P], Result]
    leads_back: Callable[[P, P], bool] = anywhere


def drawn_by_repetition(_: object) -> Result:
    """A draw, whatever the position."""
    return Result(None, reason="the position stands for the third time")


THREEFOLD: Repetition[Any] = Repetition(3, drawn_by_repetition)


class HouseRule(Protocol):
    """A rule that players may agree on."""

    id: str
    title: str

    def legal_moves(self, rules: Any, past: Sequence[Any], moves: Sequence[Any]) -> Sequence[Any]:
        """Those of `moves` that the rule allows after the positions `past` (oldest first, the current last)."""
        ...

    def result_when_stuck(self, seat: Seat) -> Result:
        """How the game ends when `seat` has legal moves, but none that the rule allows."""
        ...


class NoRepetitions:
    """No move may lead to a position that the game has already seen; who has no other move loses."""

    id = "no-repetitions"
    title = "no repetitions"

    def legal_moves(self, rules: Any, past: Sequence[Any], moves: Sequence[Any]) -> Sequence[Any]:
        """Those of `moves` that lead to a position not in `past` (oldest first, the current one last)."""
        seen = set(past)
        return tuple(move for move in moves if rules.play(past[-1], move) not in seen)

    def result_when_stuck(self, seat: Seat) -> Result:
        """The other side wins."""
        return Result(other(seat), reason="every move would repeat a position")
