"""The definition of Pokémon Tic-Tac-Toe."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.analysis import Columns
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.game import Facts, Game
from onlymove_engines.core.value import Value

from .analyst import PokemonAnalyst
from .coach import CLAIMS, LESSON_TESTS, remarks
from .index import INDEX, SYMMETRIES
from .live import PokemonLiveAnalyst
from .notation import NOTATION, SET_UP, SIZES, forbidden_by, in_words, say_move
from .picture import PokemonPainter
from .protocol import SeedDialect, score
from .rules import RULES, SEATS, START, Placement, Position
from .styles import STYLES
from .table import PokemonSolver, survey


def start(_options: Mapping[str, str], _seed: int) -> Position:
    """The empty board, Squirtle to move: the game has one beginning."""
    return START


def card_score(_position: Position, value: Value) -> int:
    """The seed's score of a value for the side to move."""
    return score(value)


def open_analyst(sections: Columns | None) -> PokemonAnalyst | PokemonLiveAnalyst:
    """Answers from the table, or by live search without one."""
    return PokemonLiveAnalyst() if sections is None else PokemonAnalyst(sections)


def load_search() -> None:
    """Compile or load live search; the table answers without compiled kernels."""
    PokemonLiveAnalyst().analyse(START, Budget(depth=1))


POKEMON: Game[Position, Placement] = Game(
    id="pokemon",
    seats=SEATS,
    facts=Facts(max_plies=12),
    rules=RULES,
    notation=NOTATION,
    painter=PokemonPainter(),
    start=start,
    folder=__name__,
    symmetries=SYMMETRIES,
    index=INDEX,
    digest_sources=("rules.py", "index.py", "codes.py"),
    solver=PokemonSolver(),
    survey=survey,
    set_up=SET_UP,
    open_analyst=open_analyst,
    units=(load_search,),
    styles=STYLES,
    score=card_score,
    say_move=say_move,
    remarks=remarks,
    lesson_tests=LESSON_TESTS,
    claims=CLAIMS,
    in_words=in_words,
    forbidden_by=forbidden_by,
    protocols={"seed": SeedDialect},
    direct_keys={str(number): target for number, target in enumerate(SIZES, start=1)},
)

GAMES = (POKEMON,)
