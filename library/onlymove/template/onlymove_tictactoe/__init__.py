"""The definition of tic-tac-toe."""

from __future__ import annotations

from onlymove.authoring import Game, Solved, read_facts

from . import notation, picture, rules
from .encoding import make_encoding
from .rules import START, SYMMETRIES, Cell, Position

GAME: Game[Position, Cell] = Game(
    facts=read_facts(__name__, "tictactoe"),
    seats=("X", "O"),
    rules=rules,
    notation=notation,
    painter=picture,
    start=lambda _options, _seed: START,
    solved=Solved(symmetries=SYMMETRIES, encoding=make_encoding),
)

GAMES = (GAME,)
