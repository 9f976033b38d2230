"""Ayòayò: sowing, relays and captures of four; every reachable position has a proven margin."""

from __future__ import annotations

from collections.abc import Mapping

from onlymove_engines.core.game import Facts, Game, Repetition
from onlymove_engines.core.value import Value

from . import coach, live, notation, picture, rules
from .analyst import AyoayoAnalyst
from .index import INDEX, SYMMETRIES
from .notation import SET_UP, forbidden_by, in_words
from .prove import prove
from .rules import START, Cell, Position
from .styles import STYLES, minimax_move
from .table import AyoayoSolver, survey


def start(options: Mapping[str, str], seed: int) -> Position:
    """Four seeds in every pit."""
    return START


def load_minimax() -> None:
    """Compile or load the style that looks a few plies ahead."""
    minimax_move(START, 1)


def margin_to_come(position: Position, value: Value) -> int | None:
    """The margin to come for the side to move; finished: what the sweep still gives it, 0 after a majority."""
    if rules.has_majority(position):
        return 0
    if rules.result(position) is not None:
        return rules.seeds_of(position.pits, position.to_move)
    return value.margin


def leads_back(here: Position, there: Position) -> bool:
    """Whether play may come back to a position: only by quiet moves, and only closed boards go round."""
    return here.captured == there.captured and max(here.pits + there.pits) < rules.CAPTURED_AT


GAME: Game[Position, Cell] = Game(
    id="ayoayo",
    seats=rules.SEATS,
    facts=Facts(has_margin=True, plays_by_search=True),
    rules=rules,
    notation=notation,
    painter=picture,
    start=start,
    folder=__name__,
    index=INDEX,
    solver=AyoayoSolver(),
    survey=survey,
    set_up=SET_UP,
    digest_sources=("rules.py", "index.py", "codes.py"),
    open_analyst=AyoayoAnalyst,
    units=(live.load_search,),
    seldom=(load_minimax, live.load_deepening),
    styles=STYLES,
    symmetries=SYMMETRIES,
    repetition=Repetition(2, rules.repeated, leads_back),
    score=margin_to_come,
    points=lambda position: position.captured,
    points_left=lambda position: sum(position.pits),
    remarks=coach.remarks,
    lesson_tests=coach.LESSON_TESTS,
    claims=coach.CLAIMS,
    in_words=in_words,
    forbidden_by=forbidden_by,
    direct_keys=notation.DIRECT_KEYS,
    overlay_title="preview",
    prove=prove,
    own_side_below=True,
)

GAMES = (GAME,)
