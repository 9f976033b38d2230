"""The learning path of a game: its lessons, a first game against the weakest level, and three rounds of drills that get
longer."""

from __future__ import annotations

from random import Random
from typing import Final, TypeAlias

from onlymove_engines.coach.drill import Drill, Origin, draw_positions
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.game import AnyGame
from onlymove_engines.match.match import Match
from onlymove_engines.play.players import HUMAN, Player, Players, read_player
from onlymove_engines.play.session import Session

from onlymove_tui.play.drills import Practice
from onlymove_tui.play.lessons import Course
from onlymove_tui.play.phrases import DRILL_WORDS
from onlymove_tui.store.learning import DRILL_STAGES, Learned, Milestone, next_stage

NextStep: TypeAlias = Course | Match | Practice

ROUND = 3
"""How many positions a round of drills has."""
BY_LENGTH: Final = (Origin.WIN_IN_ONE, Origin.WIN_IN_THREE, Origin.ONLY_MOVE)
"""The themes of the rounds in games that count plies."""
BY_RESULT: Final = (Origin.CONVERT, Origin.HOLD, Origin.ONLY_MOVE)
"""The themes in games that count points, or in which both sides move at once."""


class NothingToLearn(OnlymoveError):
    """Raised when there is nothing more to learn. The message says why."""


def find_theme(game: AnyGame, stage: Milestone) -> Origin | None:
    """Return the theme of a stage's drills, or `None` for a stage without drills."""
    themes = BY_RESULT if game.facts.simultaneous or game.facts.has_margin else BY_LENGTH
    return themes[DRILL_STAGES.index(stage)] if stage in DRILL_STAGES else None


def stage_title(game: AnyGame, stage: Milestone) -> str:
    """Return a stage in a few words, such as `a first game` or `win in 1`."""
    theme = find_theme(game, stage)
    if theme is not None:
        return DRILL_WORDS[theme]
    return "a first game" if stage is Milestone.FIRST_GAME else "lessons"


def first_game(game: AnyGame, seed: int) -> Session[object, object]:
    """Return a game against the weakest level from the usual start. The person moves first."""
    engine: Player = read_player(game, game.facts.levels[0].id if game.facts.levels else "random")
    players: Players = (HUMAN, engine)
    return Session(game, game.start({}, seed), players)


def find_drills(game: AnyGame, analyst: AnyAnalyst, random: Random, stage: Milestone) -> list[Drill]:
    """Return positions for a stage's round of drills. Empty for a stage without drills."""
    theme = find_theme(game, stage)
    return [] if theme is None else list(draw_positions(game, analyst, random, theme, ROUND))


def next_keys(game: AnyGame, learned: Learned | None, key: str = "l") -> tuple[tuple[str, str], ...]:
    """Return the key that leads to the next step, with its name. Empty after the last step."""
    stage = None if learned is None else next_stage(learned)
    return () if stage is None else ((key, f"next: {stage_title(game, stage)}"),)
