"""Orbito: two turning rings, four in a row, strongly solved."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.game import Facts, Game

from .notation import NOTATION
from .rules import RULES, START, Move, Position
from .scene import PAINTER


def start(_options: Mapping[str, str], _seed: int) -> Position:
    """The empty board; there is nothing to choose."""
    return START


GAME: Game[Position, Move] = Game(
    id="orbito",
    title="Orbito",
    pitch="Four in a row on two turning rings: the board moves after every turn",
    solved="first player wins in 16",
    seats=("White", "Black"),
    facts=Facts(max_moves=135, max_plies=16, has_kernel=False),
    rules=RULES,
    notation=NOTATION,
    painter=PAINTER,
    start=start,
    folder=__name__,
    overlay_title="next shift",
)

GAMES = (GAME,)
