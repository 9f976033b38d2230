"""Finds the next step for a player who is learning a game: lessons, a first game, or a round of drills."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.match.match import Match

from onlymove_tui.app.services import Services
from onlymove_tui.play.drills import Practice
from onlymove_tui.play.learning_path import find_drills, first_game, stage_title
from onlymove_tui.play.lessons import Course
from onlymove_tui.store.games import GameStore
from onlymove_tui.store.learning import NOTHING_LEARNED, Learned, Milestone, next_stage

NextStep: TypeAlias = Course | Match | Practice


class NothingToLearn(OnlymoveError):
    """There is no next step. The text gives the reason."""


def find_next_step(services: Services, game_id: GameId) -> NextStep:
    """Return the next step, or the lessons again if there is no step left. Call it in a worker. Raises
    OnlymoveError."""
    game, store = services.library.find_game(game_id), services.store
    learned = NOTHING_LEARNED if store is None else store.lessons.of_game(game_id)
    course, stage = services.find_course(game_id), next_stage(learned)
    if not course.steps:
        raise NothingToLearn(f"{game.facts.title} has no lessons.")
    if store is None or stage in (None, Milestone.LESSONS):
        return course
    if stage is Milestone.FIRST_GAME:
        seed = services.matches.new_seed()
        return services.matches.make(first_game(game, seed), {}, seed, services.settings.training)
    analyst, note = services.find_analyst(game)
    drills = [] if analyst is None or note else find_drills(game, analyst, services.random, stage)
    queue = store.drills.filter_open(drills)
    practice = Practice(queue, services.library.find_game, services.preferences.coaching(), store.drills)
    practice.milestone = stage
    if not practice.begin():
        raise NothingToLearn(note or practice.trouble or "No position found. Try again.")
    return practice


def reach(store: GameStore, game_id: GameId, milestone: Milestone) -> Callable[[], Learned]:
    """Return a function for a worker. It stores that the player has reached a milestone, and returns what the player
    has learned so far."""

    def note() -> Learned:
        store.lessons.reach(game_id, milestone)
        return store.lessons.of_game(game_id)

    return note


def next_keys(game: AnyGame, learned: Learned | None, key: str = "l") -> tuple[tuple[str, str], ...]:
    """Return the key that leads to the next step, with its name. Empty after the last step."""
    stage = None if learned is None else next_stage(learned)
    return () if stage is None else ((key, f"next: {stage_title(game, stage)}"),)
