"""Orbito: two turning rings, four in a row, strongly solved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from onlymove_engines.core.analysis import Solver
from onlymove_engines.core.game import Facts, Game, Symmetry

from .coach import remarks
from .index import INDEX, turned_move, turned_position
from .notation import NOTATION
from .rules import RULES, START, Move, Position
from .scene import PAINTER
from .scores import score_of
from .styles import STYLES


def start(_options: Mapping[str, str], _seed: int) -> Position:
    """The empty board; there is nothing to choose."""
    return START


def load_solver() -> Solver[Position, Move]:
    """The workshop; nothing is compiled until it must be."""
    from .solve import OrbitoSolver  # noqa: PLC0415 - the card is read without it

    solver: Any = OrbitoSolver()
    found: Solver[Position, Move] = solver
    return found


GAME: Game[Position, Move] = Game(
    id="orbito",
    title="Orbito",
    pitch="Four in a row on two turning rings: the board moves after every turn",
    solved="first player wins in 16",
    seats=("White", "Black"),
    facts=Facts(max_moves=135, max_plies=16),
    rules=RULES,
    notation=NOTATION,
    painter=PAINTER,
    start=start,
    folder=__name__,
    symmetries=(Symmetry("quarter turn", turned_position, turned_move),),
    index=INDEX,
    table=True,
    digest_sources=("rules.py", "numbering.py", "index.py", "scores.py"),
    load_solver=load_solver,
    styles=STYLES,
    score=score_of,
    remarks=remarks,
    overlay_title="next shift",
)

GAMES = (GAME,)
