"""The definitions of Tobito and Haneto."""

from __future__ import annotations

from functools import partial

from onlymove_engines.core.facts import read_facts
from onlymove_engines.core.game import NO_REPETITIONS, Game, Option, Play, Solved, Voice
from onlymove_engines.core.repetition import THREEFOLD

from . import picture
from .advice import list_batches
from .analyst import HEAT, TobitoAnalyst
from .coach import LESSON_TESTS, REASONS, collect_hints
from .encoding import make_encoding
from .index import SYMMETRIES, TobitoIndex
from .live import TobitoLiveAnalyst
from .notation import NAMES, TobitoNotation, describe_pick, describe_position, forbidden_by, set_up_of
from .rules import BOTTOM, GOAL, HANETO, RULES, SIDES, TOBITO, TOP, Move, Position, Variant
from .styles import STYLES
from .table import TobitoSolver

WHO_BEGINS = Option(
    "begins", "Moves first", SIDES, SIDES[TOP], about="The side that makes the first move.",
    read=lambda position: SIDES[position.to_move],
)  # fmt: skip
GOAL_NAMES = tuple(NAMES[cell] for cell in GOAL[TOP]), tuple(NAMES[cell] for cell in GOAL[BOTTOM])


def _game(variant: Variant) -> Game[Position, Move]:
    return Game(
        seats=SIDES,
        facts=read_facts(__name__, variant.name),
        rules=RULES,
        notation=TobitoNotation(variant),
        painter=picture,
        start=lambda options, _: variant.start_for(BOTTOM if options.get(WHO_BEGINS.id) == SIDES[BOTTOM] else TOP),
        play=Play(
            options=(WHO_BEGINS,),
            set_up=set_up_of(variant),
            goals=GOAL_NAMES,
            styles=STYLES,
            house_rules=(NO_REPETITIONS,),
            repetition=THREEFOLD,
        ),
        solved=Solved(
            symmetries=SYMMETRIES,
            index=TobitoIndex(variant),
            encoding=partial(make_encoding, variant),
            solver=TobitoSolver(variant),
            statistics=partial(list_batches, variant),
            digest_sources=("rules.py", "index.py", "codes.py"),
            open_analyst=lambda sections: (
                TobitoLiveAnalyst(variant) if sections is None else TobitoAnalyst(variant, sections)
            ),
        ),
        voice=Voice(
            hints=collect_hints,
            lesson_tests=LESSON_TESTS,
            measure=HEAT,
            reasons=REASONS,
            describe_position=describe_position,
            describe_pick=describe_pick,
            forbidden_by=forbidden_by,
        ),
    )


GAMES = (_game(TOBITO), _game(HANETO))
