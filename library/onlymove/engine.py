"""An engine that chooses moves."""

from __future__ import annotations

from random import Random
from time import monotonic

from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.errors import GameOver
from onlymove_engines.core.game import AnyGame
from onlymove_engines.match.limits import MOVE_SECONDS
from onlymove_engines.play.players import Opponent

from onlymove.position import Position


class Engine:
    """Chooses as the engines of the app do, by a style at a strength; lots are drawn from a seed."""

    def __init__(self, card: AnyGame, opponent: Opponent, seed: int | None = None) -> None:
        self._card = card
        self._opponent = opponent
        self._lots = Random(seed)

    def __repr__(self) -> str:
        return f"<Engine {self._opponent.style.id}@{self._opponent.strength} of {self._card.id}>"

    @property
    def analyst(self) -> AnyAnalyst:
        """Who knows the values that it plays by."""
        return self._opponent.analyst

    def choose(self, position: Position, seat: int | None = None, seconds: float = MOVE_SECONDS) -> str:
        """The move that it plays; where both sides move at once that of `seat` (0 or 1). Raises GameOver, and
        ValueError for a missing seat and for a position of another game."""
        rules, state = self._card.rules, position.state_in(self._card)
        if position.is_over:
            raise GameOver("the game is over")
        budget = Budget.seconds(seconds, monotonic)
        mover = rules.to_move(state)
        if mover is not None:
            moves = rules.legal_moves(state)
            chosen = self._opponent.choose(state, mover, moves, self._lots, budget)
            return self._card.notation.format_move(state, chosen)
        if seat is None:
            raise ValueError("both sides move at once: say for which seat, 0 or 1")
        options = position.moves_of(seat)
        return str(self._opponent.choose_hidden(state, seat, options, self._lots, budget))
