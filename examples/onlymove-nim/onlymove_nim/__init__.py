"""Nim: a game that is nothing but its rules."""

from __future__ import annotations

from onlymove.authoring import Game, read_facts

from . import notation, picture, rules
from .rules import START, Position, Take

GAME: Game[Position, Take] = Game(
    seats=("First", "Second"),
    facts=read_facts(__name__, "nim"),
    rules=rules,
    notation=notation,
    painter=picture,
    start=lambda options, seed: START,
)

GAMES = (GAME,)
