"""How much of each game a player has learned: steps of its lessons, and milestones."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from onlymove_engines.coach.judge import Coaching, OnBad
from onlymove_engines.core.facts import GameId

from onlymove_tui.store.database import Database
from onlymove_tui.store.rows import UNFINISHED


class Milestone(enum.Enum):
    """What a player can reach in learning a game, such as the end of its lessons or a first finished game."""

    RULES = "rules"
    """The player has opened the page with the rules."""
    LESSONS = "lessons"
    """The player has finished the lessons."""
    FIRST_GAME = "first-game"
    """The player has finished a game. The history shows this, so it is not stored."""
    FIRST_DRILLS = "first-drills"
    SECOND_DRILLS = "second-drills"
    THIRD_DRILLS = "third-drills"
    """The player has finished the first, second or third round of drills. Each round is longer than the one before."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What a player has learned of a game: the number of finished lesson steps, and the milestones reached."""

    steps: int = 0
    reached: frozenset[Milestone] = frozenset()


NOTHING_LEARNED = Learned()

DRILL_STAGES: Final = (Milestone.FIRST_DRILLS, Milestone.SECOND_DRILLS, Milestone.THIRD_DRILLS)
STAGES: Final = (Milestone.LESSONS, Milestone.FIRST_GAME, *DRILL_STAGES)
"""The stages of the learning path, in order."""


def is_newcomer(learned: Learned) -> bool:
    return Milestone.FIRST_GAME not in learned.reached


def adapt_coaching(coaching: Coaching, learned: Learned) -> Coaching:
    """Return coaching that suits what this player has learned. Training does not stop a move until the player can know
    the rules. Until the player has finished a game, only moves that change the result are stopped."""
    if coaching.on_bad is OnBad.ASK and not (learned.steps or learned.reached):
        coaching = replace(coaching, on_bad=OnBad.MARK, awaits_rules=True)
    return replace(coaching, for_newcomer=is_newcomer(learned))


def next_stage(learned: Learned) -> Milestone | None:
    return next((stage for stage in STAGES if stage not in learned.reached), None)


class LessonStore:
    """A player's learning progress in all games. Every method raises StoreTrouble if the disk fails."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read_learned(self) -> Mapping[GameId, Learned]:
        """Return what the player has learned, by game. Milestones that this version does not know are ignored."""
        query = f"""SELECT game, CAST(steps AS INTEGER), NULL FROM lesson
            UNION ALL SELECT game, NULL, name FROM milestone
            UNION ALL SELECT DISTINCT game, NULL, '{Milestone.FIRST_GAME.value}' FROM game
                WHERE people > 0 AND NOT imported AND result <> '{UNFINISHED}'"""
        known = {milestone.value: milestone for milestone in Milestone}
        found: dict[GameId, Learned] = {}
        for game, steps, name in self._database.rows(query):
            before = found.get(game, NOTHING_LEARNED)
            if steps is not None:
                found[game] = replace(before, steps=steps)
            elif name in known:
                found[game] = replace(before, reached=before.reached | {known[name]})
        return found

    def read_game(self, game: GameId) -> Learned:
        return self.read_learned().get(game, NOTHING_LEARNED)

    def save(self, game: GameId, steps: int, reached: Iterable[Milestone] = ()) -> None:
        """Store the number of finished steps, which never goes down, and the milestones reached."""
        with self._database.begin_transaction() as connection:
            if steps:
                connection.execute(
                    "INSERT INTO lesson VALUES (?, ?)"
                    " ON CONFLICT (game) DO UPDATE SET steps = max(steps, excluded.steps)",
                    (game, steps),
                )
            for milestone in reached:
                connection.execute("INSERT OR IGNORE INTO milestone VALUES (?, ?)", (game, milestone.value))

    def finish_step(self, game: GameId, total: int, steps: int) -> None:
        """Store that the first `steps` of a game's `total` lesson steps are finished."""
        self.save(game, steps, [Milestone.LESSONS] if steps == total else [])

    def reach(self, game: GameId, milestone: Milestone) -> Learned:
        """Store that the player has reached a milestone. Return what the player has learned so far."""
        self.save(game, 0, [milestone])
        return self.read_game(game)
