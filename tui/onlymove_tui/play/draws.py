"""When a draw that is offered is taken."""

from __future__ import annotations

from onlymove_engines.coach.in_line import Known
from onlymove_engines.core.value import Mixed, Outcome, Seat
from onlymove_engines.play.session import AnySession


def is_taken(session: AnySession, values: Known | None, seat: Seat) -> bool:
    """Whether the player at `seat` agrees to a draw: a person does, who sits at the same keyboard."""
    return session.players[seat].is_human or gives_up_nothing(values, session.to_move, seat)


def gives_up_nothing(values: Known | None, mover: Seat | None, engine: Seat) -> bool:
    """Whether a draw is known to be no worse for `engine` than to play on; `values` are those of `mover`'s moves."""
    if isinstance(values, Mixed):
        return values.exact and values.value_for(engine) <= values.tolerance()
    best = None if values is None else values.best_value()
    if best is None:
        return False
    return (best if mover == engine else -best).outcome <= Outcome.DRAW
