"""Dots and Boxes: a game with points in which a player may move several times in a row."""

from __future__ import annotations

from onlymove.authoring import Game, Play, Solved, read_facts

from . import notation, picture, rules
from .rules import START, SYMMETRIES, Line, Position

GAME: Game[Position, Line] = Game(
    facts=read_facts(__name__, "dotsandboxes"),
    seats=("First", "Second"),
    rules=rules,
    notation=notation,
    painter=picture,
    start=lambda options, seed: START,
    play=Play(points=rules.points, points_left=rules.points_left),
    solved=Solved(symmetries=SYMMETRIES),
)

GAMES = (GAME,)
