"""What a program reads of a value: its remoteness and its score, where the game has them."""

from __future__ import annotations

from typing import TypeAlias

from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Draw, Estimate, Mixed, Value

AnyValue: TypeAlias = "Value | Estimate | Mixed | None"


def remoteness_of(game: AnyGame, value: AnyValue, drawn_in: int | None = None) -> int | None:
    """Plies to the end; `None` for games that do not count them. A draw has an end only where the game is over: then
    it is so many plies away as `drawn_in` says."""
    if not isinstance(value, Value) or game.facts.has_margin:
        return None
    return drawn_in if isinstance(value, Draw) else value.remoteness


def score_of(game: AnyGame, position: AnyPosition, value: AnyValue) -> int | None:
    """The game's score for a value, where it has one."""
    return game.score(position, value) if game.score is not None and isinstance(value, Value) else None
