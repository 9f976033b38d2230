"""The definition of Pokémon Tic-Tac-Toe."""

from __future__ import annotations

from onlymove_engines.core.budget import Budget
from onlymove_engines.core.facts import read_facts
from onlymove_engines.core.game import Game, Play, Solved, Voice

from . import picture
from .advice import list_batches
from .analyst import PokemonAnalyst
from .coach import LESSON_TESTS, REASONS, collect_hints
from .encoding import ENCODING
from .index import INDEX, SYMMETRIES
from .live import PokemonLiveAnalyst
from .notation import NOTATION, SET_UP, SIZES, describe_move, describe_position, forbidden_by
from .protocol import SeedDialect, score_value
from .rules import RULES, SEATS, START, Placement, Position
from .styles import STYLES
from .table import PokemonSolver


def load_search() -> None:
    """Compile or load the live search. The table needs no compiled code."""
    PokemonLiveAnalyst(POKEMON).analyse(START, Budget(depth=1))


POKEMON: Game[Position, Placement] = Game(
    seats=SEATS,
    facts=read_facts(__name__, "pokemon"),
    rules=RULES,
    notation=NOTATION,
    painter=picture,
    start=lambda _options, _seed: START,
    play=Play(
        set_up=SET_UP,
        styles=STYLES,
        protocols={"seed": SeedDialect},
        direct_keys={str(number): target for number, target in enumerate(SIZES, start=1)},
        hand=SIZES,
    ),
    solved=Solved(
        symmetries=SYMMETRIES,
        index=INDEX,
        encoding=lambda: ENCODING,
        digest_sources=("rules.py", "index.py", "codes.py"),
        solver=PokemonSolver(),
        statistics=list_batches,
        open_analyst=lambda sections: PokemonLiveAnalyst(POKEMON) if sections is None else PokemonAnalyst(sections),
        kernels=(load_search,),
        score=lambda _position, value: score_value(value),
    ),
    voice=Voice(
        describe_move=describe_move,
        hints=collect_hints,
        lesson_tests=LESSON_TESTS,
        reasons=REASONS,
        describe_position=describe_position,
        forbidden_by=forbidden_by,
    ),
)

GAMES = (POKEMON,)
