"""The definition of Orbito."""

from __future__ import annotations

from onlymove_engines.core.facts import read_facts
from onlymove_engines.core.game import Game, Play, Solved, Voice
from onlymove_engines.core.scene import Role

from . import picture
from .advice import list_batches
from .analyst import OrbitoAnalyst
from .coach import LESSON_TESTS, REASONS, collect_hints
from .codes import score_of
from .encoding import ENCODING
from .index import INDEX, SYMMETRIES, make_numbering
from .live import OrbitoLiveAnalyst
from .notation import NOTATION, SET_UP, describe_position, forbidden_by
from .rules import RULES, START, Move, Position
from .styles import STYLES
from .table import OrbitoSolver

GAME: Game[Position, Move] = Game(
    seats=("White", "Black"),
    facts=read_facts(__name__, "orbito"),
    rules=RULES,
    notation=NOTATION,
    painter=picture,
    start=lambda _options, _seed: START,
    play=Play(set_up=SET_UP, styles=STYLES, overlay_title="next shift", seat_roles=(Role.WHITE, Role.BLACK)),
    solved=Solved(
        symmetries=SYMMETRIES,
        index=INDEX,
        encoding=lambda: ENCODING,
        solver=OrbitoSolver(),
        statistics=list_batches,
        digest_sources=("rules.py", "index.py", "codes.py"),
        open_analyst=lambda sections: (
            OrbitoLiveAnalyst(GAME) if sections is None else OrbitoAnalyst(sections["scores"])
        ),
        kernels=(make_numbering,),  # with a table of values, Orbito needs no compiled code to play
        score=score_of,
    ),
    voice=Voice(
        hints=collect_hints,
        lesson_tests=LESSON_TESTS,
        reasons=REASONS,
        describe_position=describe_position,
        forbidden_by=forbidden_by,
    ),
)

GAMES = (GAME,)
