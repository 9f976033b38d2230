"""Finds an engine's move. The search is a function that a worker can run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from onlymove_engines.coach.values import Known, Search, find_values
from onlymove_engines.core.analysis import Analysis, AnyAnalysis, AnyAnalyst
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.live import limits
from onlymove_engines.play.players import FULL_STRENGTH, MoveChooser, Player, PlayerKind, find_style
from onlymove_engines.play.session import AnySession, Session


@dataclass(frozen=True, slots=True)
class Effort:
    """Limits on an engine's search: seconds (`None`: the game's usual limit), and depth in plies or rounds."""

    seconds: float | None = None
    depth: int | None = None


FREE = Effort()
"""No limit is set."""


def prepare_thought(
    session: AnySession,
    seat: Seat,
    analyst: AnyAnalyst | None,
    random: Random,
    known: Known | None = None,
    effort: Effort = FREE,
) -> Search[Move]:
    """Return a function that finds the move of the engine at `seat`, to be run in a worker. `known` holds what is
    already known about the moves here. An engine with limits of its own does not use it, and an engine below full
    strength ignores the game's history. Without an `analyst`, the engine uses a simple rule or a random move, and the
    simple rule more often if it is strong. Raises KeyError for a style that the game does not have."""
    position, moves, player = session.position, tuple(session.moves_of(seat)), session.players[seat]
    if analyst is None:
        plain = session.game.play.plain_choice
        if plain is None or random.random() * FULL_STRENGTH >= player.strength:
            return lambda _: random.choice(moves)
        return lambda _: plain(position, seat)
    engine = MoveChooser(analyst, find_style(session.game, player.style), player.strength)
    tree, node = session.tree, session.node

    def find(budget: Budget) -> AnyAnalysis:
        found = find_values(tree, node, analyst, budget) if known is None or effort != FREE else known
        assert isinstance(found, Analysis), "engines below full strength and in simultaneous games do not ask"
        return found

    def think(budget: Budget) -> Move:
        if effort.seconds is not None and budget.clock is not None:
            budget = replace(budget, deadline=budget.clock() + effort.seconds)
        elif node.to_move is None:
            budget = budget.limit_seconds(limits.MOVE_SECONDS)
        is_asking = player.strength >= FULL_STRENGTH
        budget = replace(budget, depth=effort.depth)
        return engine.choose(position, seat, moves, random, budget, find if is_asking else None)

    return think


def warm_up(game: AnyGame, analyst: AnyAnalyst) -> None:
    """Choose a move with no time to search. This loads all code, so that the engine's first move is not delayed."""
    session: AnySession = Session(game, players=(Player(PlayerKind.ENGINE), Player(PlayerKind.ENGINE)))
    nothing = Budget(clock=lambda: 0.0, deadline=0.0)
    find_values(session.tree, session.node, analyst, nothing)
    prepare_thought(session, session.to_move or 0, analyst, Random(0))(nothing)
