"""Ayòayò is played by sowing seeds, with relays and captures of four. Every position that play can reach has a proven
margin."""

from __future__ import annotations

from onlymove_engines.core.facts import read_facts
from onlymove_engines.core.game import Game, Play, Solved, Voice
from onlymove_engines.core.repetition import Repetition
from onlymove_engines.core.value import Value

from . import coach, live, notation, picture, rules
from .advice import list_batches
from .analyst import AyoayoAnalyst
from .encoding import ENCODING
from .index import INDEX, SYMMETRIES
from .notation import SET_UP, describe_position, forbidden_by
from .prove import prove
from .rules import START, Cell, Position
from .styles import STYLES, minimax_move
from .table import AyoayoSolver


def load_minimax() -> None:
    minimax_move(START, 1)


def margin_to_come(position: Position, value: Value) -> int | None:
    """Return the margin to come for the side to move. In a finished game, this is what the final sweep still gives it,
    or 0 if a side has more than half of the seeds."""
    if rules.has_majority(position):
        return 0
    if rules.result(position) is not None:
        return rules.seeds_of(position.pits, position.to_move)
    return value.margin


def leads_back(here: Position, there: Position) -> bool:
    """Whether play may lead from `here` back to `there`. That is only possible without a capture and if every pit holds
    at most 3 seeds."""
    return here.captured == there.captured and max(here.pits + there.pits) < rules.CAPTURED_AT


GAME: Game[Position, Cell] = Game(
    seats=rules.SEATS,
    facts=read_facts(__name__, "ayoayo"),
    rules=rules,
    notation=notation,
    painter=picture,
    start=lambda _options, _seed: START,
    play=Play(
        set_up=SET_UP,
        styles=STYLES,
        repetition=Repetition(2, rules.repeated, leads_back),
        points=lambda position: position.captured,
        points_left=lambda position: sum(position.pits),
        direct_keys=notation.DIRECT_KEYS,
        overlay_title="preview",
        overlay_when_new=True,
        own_side_below=True,
    ),
    solved=Solved(
        index=INDEX,
        encoding=lambda: ENCODING,
        solver=AyoayoSolver(),
        statistics=list_batches,
        digest_sources=("rules.py", "index.py", "codes.py"),
        open_analyst=AyoayoAnalyst,
        kernels=(live.load_search,),
        rare_kernels=(load_minimax, live.load_deepening),
        symmetries=SYMMETRIES,
        score=margin_to_come,
        prove=prove,
    ),
    voice=Voice(
        hints=coach.describe_moves,
        lesson_tests=coach.LESSON_TESTS,
        reasons=coach.CLAIMS,
        describe_position=describe_position,
        forbidden_by=forbidden_by,
    ),
)

GAMES = (GAME,)
