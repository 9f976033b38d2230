"""Orbito: two turning rings, four in a row, strongly solved."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.analysis import Sections
from onlymove_engines.core.game import Facts, Game, Symmetry

from .analyst import TableAnalyst
from .coach import remarks
from .index import INDEX, turned_move, turned_position
from .live import LiveAnalyst
from .notation import NOTATION
from .rules import RULES, START, Move, Position
from .scene import PAINTER
from .scores import score_of
from .solve import OrbitoSolver
from .styles import STYLES


def start(_options: Mapping[str, str], _seed: int) -> Position:
    """The empty board; there is nothing to choose."""
    return START


def open_analyst(sections: Sections | None) -> TableAnalyst | LiveAnalyst:
    """Answers from the table, or by live search."""
    return LiveAnalyst() if sections is None else TableAnalyst(sections["scores"])


def warm() -> None:
    """Make the tables of numbers; with a table, Orbito needs no kernel to play."""
    INDEX.number(START)


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
    solver=OrbitoSolver(),
    digest_sources=("rules.py", "numbering.py", "index.py", "scores.py"),
    open_analyst=open_analyst,
    warm=warm,
    styles=STYLES,
    score=score_of,
    remarks=remarks,
    overlay_title="next shift",
)

GAMES = (GAME,)
