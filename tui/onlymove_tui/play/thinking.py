"""What an engine at the table has to think about, as something a worker can carry out. Starts no thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Seat
from onlymove_engines.play.opponent import Opponent, find_style
from onlymove_engines.play.session import Player, PlayerKind, Session

Thought: TypeAlias = Callable[[Budget], Any]
"""Finds a move within a budget, and changes nothing."""


def thought(session: Session[Any, Any], seat: Seat, analyst: Any, random: Random) -> Thought:
    """What the engine in the player of `seat` has to think about now, to be carried out in a worker.

    `analyst` is the authority on the game's values, or `None`. Raises KeyError for a style the game does not have.
    """
    position, moves, player = session.position, session.moves_of(seat), session.players[seat]
    if analyst is None or not session.game.styles:
        return lambda budget: _any_best(analyst, position, moves, random, budget)
    engine = Opponent(analyst, find_style(session.game, player.style), player.strength)
    if session.to_move is None:
        return lambda budget: engine.choose_hidden(position, seat, moves, random, budget)
    return lambda budget: engine.choose(position, seat, moves, random, budget)


def rehearse(game: AnyGame, analyst: Any) -> None:
    """A look and an engine's choice without any time: what both load for the first time is not taken from the time
    of the first move."""
    session: Session[Any, Any] = Session(game, players=(Player(PlayerKind.ENGINE), Player(PlayerKind.ENGINE)))
    nothing = Budget(clock=lambda: 0.0, deadline=0.0)
    look = analyst.mixed if session.to_move is None else analyst.analyse
    look(session.position, nothing)
    thought(session, session.to_move or 0, analyst, Random(0))(nothing)


def _any_best(analyst: Any, position: Any, moves: Sequence[Any], random: Random, budget: Budget) -> Any:
    """For a game without styles: one of the co-best moves, or any where nothing is known."""
    best = [] if analyst is None else [move for move in analyst.analyse(position, budget).best() if move in moves]
    return random.choice(best or list(moves))
