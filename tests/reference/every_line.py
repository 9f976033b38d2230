"""Finds what a position is worth after earlier positions, by following every line to its end. It uses no table, and
works only for very small games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from onlymove_engines.core.analysis import Analysis, Summary
from onlymove_engines.core.budget import UNLIMITED, Budget
from onlymove_engines.core.game import Game
from onlymove_engines.core.repetition import Repetition
from onlymove_engines.core.rules import M, P
from onlymove_engines.core.value import Margin, Outcome, Seat, Value, proven
from onlymove_engines.play.tree import Conventions


def count_nothing(_position: object, _seat: Seat) -> int:
    """Return the lead in a game without points."""
    return 0


@dataclass(frozen=True)
class EveryLine(Generic[P, M]):
    """Follows every line of a game. `lead(position, seat)` is what `seat` has captured so far minus what the other side
    has."""

    law: Conventions[P, M]
    lead: Callable[[P, Seat], int] = count_nothing

    def value(self, past: Sequence[P]) -> Value:
        """Return the value for the side to move in the last of these positions."""
        seat, ended = self.law.game.rules.to_move(past[-1]), self.law.result(past)
        assert seat is not None
        if ended is None:
            return max(self.moves(past).values())
        if ended.score is None and self.lead is count_nothing:
            return ended.value_for(seat)
        if ended.score is None:
            return Margin(ended.outcome_for(seat), -self.lead(past[-1], seat))
        last = ended.score[seat] - ended.score[1 - seat]
        return Margin(ended.outcome_for(seat), last - self.lead(past[-1], seat))

    def moves(self, past: Sequence[P]) -> dict[M, Value]:
        """Return the value of each move that is allowed there."""
        return {move: self.value_after(past, move) for move in self.law.list_allowed(past)}

    def value_after(self, past: Sequence[P], move: M) -> Value:
        child = self.law.game.rules.play(past[-1], move)
        return self.step_value_back(past[-1], child, self.value([*past, child]))

    def step_value_back(self, position: P, child: P, value: Value) -> Value:
        """Return what a move from `position` to `child` is worth, if the child is worth `value` to the side to move
        there."""
        seat, next_seat = self.law.game.rules.to_move(position), self.law.game.rules.to_move(child)
        assert seat is not None
        assert next_seat is not None
        sign = 1 if seat == next_seat else -1
        if isinstance(value, Margin):
            gain = self.lead(child, seat) - self.lead(position, seat)
            return Margin(Outcome(sign * value.outcome), sign * value.margin + gain)
        plies = None if value.remoteness is None else value.remoteness + 1
        return proven(Outcome(sign * value.outcome), plies)


@dataclass
class PlainAnalyst(Generic[P, M]):
    """Gives the values that a table would have, as if the game began in each position. A line ends when a position
    occurs again. At the start of a game, this gives the same value as endless play would."""

    game: Game[P, M]
    lead: Callable[[P, Seat], int] = count_nothing

    def __post_init__(self) -> None:
        assert self.game.play.repetition is not None
        once = replace(
            self.game, play=replace(self.game.play, repetition=Repetition(2, self.game.play.repetition.result))
        )
        self.lines = EveryLine(Conventions(once), self.lead)
        self.known: dict[P, Value] = {}

    def is_reachable(self, position: P) -> bool:
        return True

    def probe(self, position: P) -> Value:
        if position not in self.known:
            self.known[position] = self.lines.value([position])
        return self.known[position]

    def analyse(self, position: P, budget: Budget = UNLIMITED) -> Analysis[M]:
        children = {move: self.game.rules.play(position, move) for move in self.game.rules.legal_moves(position)}
        moves = {m: self.lines.step_value_back(position, child, self.probe(child)) for m, child in children.items()}
        return Analysis(self.probe(position), dict(moves))

    def summarise(self, positions: Sequence[P]) -> Iterable[Summary]:
        raise NotImplementedError
