"""Orbito: two turning rings, four in a row, strongly solved."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.analysis import Columns
from onlymove_engines.core.game import Facts, Game
from onlymove_engines.core.scene import Role

from .analyst import OrbitoAnalyst
from .coach import CLAIMS, LESSON_TESTS, remarks
from .codes import score_of
from .index import INDEX, SYMMETRIES, numbering
from .live import OrbitoLiveAnalyst
from .notation import NOTATION, SET_UP, forbidden_by, in_words
from .picture import PAINTER
from .rules import RULES, START, Move, Position
from .styles import STYLES
from .table import OrbitoSolver, statistics


def start(_options: Mapping[str, str], _seed: int) -> Position:
    """The empty board; there is nothing to choose."""
    return START


def open_analyst(sections: Columns | None) -> OrbitoAnalyst | OrbitoLiveAnalyst:
    return OrbitoLiveAnalyst() if sections is None else OrbitoAnalyst(sections["scores"])


def load_numbers() -> None:
    """Make the tables of numbers; with a table, Orbito needs no kernel to play."""
    numbering()


GAME: Game[Position, Move] = Game(
    id="orbito",
    seats=("White", "Black"),
    facts=Facts(max_plies=16),
    rules=RULES,
    notation=NOTATION,
    painter=PAINTER,
    start=start,
    folder=__name__,
    symmetries=SYMMETRIES,
    index=INDEX,
    solver=OrbitoSolver(),
    survey=statistics,
    set_up=SET_UP,
    digest_sources=("rules.py", "index.py", "codes.py"),
    open_analyst=open_analyst,
    units=(load_numbers,),
    styles=STYLES,
    score=score_of,
    remarks=remarks,
    lesson_tests=LESSON_TESTS,
    claims=CLAIMS,
    in_words=in_words,
    forbidden_by=forbidden_by,
    overlay_title="next shift",
    seat_roles=(Role.WHITE, Role.BLACK),
)

GAMES = (GAME,)
