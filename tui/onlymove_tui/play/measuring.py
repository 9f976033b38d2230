"""What a game measures besides values, in words for both front ends: what it means, stands wherever it is shown."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Seat, other


def measure_meant(game: AnyGame, seat: Seat) -> str:
    """`Heat: more and nearer wins for Top +, for Bottom -`, before leads of `seat`."""
    assert game.measure is not None, "it is shown"
    seats = f"for {game.seats[seat]} +, for {game.seats[other(seat)]} -"
    return f"{game.measure.title}: {game.measure.words} {seats}"


def lead_said(lead: float) -> str:
    """`+1.2`."""
    return f"{lead:+z.1f}"


def leads_said(game: AnyGame, position: AnyPosition, leads: Mapping[Move, float]) -> str:
    """`Heat: more and nearer wins for Top +, for Bottom -: b3 +1.2, c4 -0.3`; nothing where none is known."""
    if not leads:
        return ""
    told = (f"{game.said(position, move)} {lead_said(lead)}" for move, lead in leads.items())
    return f"{measure_meant(game, game.rules.to_move(position) or 0)}: {', '.join(told)}."
