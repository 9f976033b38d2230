"""How much of a bank of time a player who plans ahead gives to one move. Reads no clock."""

from __future__ import annotations

from onlymove_engines.core.game import AnyGame, AnyPosition

MOVES_TO_GO = 30
"""A bank is spread over so many own moves to come: a larger share early, when more is open."""
USED_AT_MOST = 0.5
SAFETY = 0.05
"""Seconds of the bank that are never planned for."""


def planned_seconds(game: AnyGame, position: AnyPosition, left: float, increment: float, full: float) -> float:
    """Seconds for a move at `position` with `left` of a bank that holds `full`, into which `increment` come back after
    it: as the game plans them, else an even share."""
    if game.plan_time is not None:
        return game.plan_time(position, left, increment, full)
    return max(0.0, min(increment + left / MOVES_TO_GO, USED_AT_MOST * left, left - SAFETY))
