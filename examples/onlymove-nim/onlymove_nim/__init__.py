"""Nim: a game that is nothing but its rules."""

from __future__ import annotations

from onlymove_engines.core.game import Facts, Game

from . import notation, picture, rules
from .rules import START, Position, Take

GAME: Game[Position, Take] = Game(
    id="nim",
    seats=("First", "Second"),
    facts=Facts(max_plies=sum(START.heaps)),
    rules=rules,
    notation=notation,
    painter=picture,
    start=lambda options, seed: START,
    folder=__name__,
)

GAMES = (GAME,)
