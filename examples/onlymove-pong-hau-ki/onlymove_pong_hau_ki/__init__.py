"""Pong Hau K'i: a game that can go in circles, solved from nothing but its rules."""

from __future__ import annotations

from onlymove.authoring import THREEFOLD, Game, Play, Solved, read_facts

from . import notation, picture, rules
from .rules import MIRROR, START, Point, Position

GAME: Game[Position, Point] = Game(
    facts=read_facts(__name__, "ponghauki"),
    seats=("First", "Second"),
    rules=rules,
    notation=notation,
    painter=picture,
    start=lambda options, seed: START,
    play=Play(repetition=THREEFOLD),
    solved=Solved(symmetries=(MIRROR,)),
)

GAMES = (GAME,)
