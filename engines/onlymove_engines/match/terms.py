"""What a match is told from outside: how its tutor is to behave, how much its engines search, and who keeps it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from onlymove_engines.coach.judge import DEFAULT_BANDS, Bands, OnBad
from onlymove_engines.core.budget import Budget
from onlymove_engines.core.judgement import Objective
from onlymove_engines.play.ladder import Scored


@dataclass(frozen=True, slots=True)
class Coaching:
    """How the tutor behaves: what happens to a bad move, what is played for, where the lines are drawn."""

    on_bad: OnBad = OnBad.ASK
    objective: Objective = Objective.RESULT
    bands: Bands = DEFAULT_BANDS
    undo_limit: int = 1
    hint_straight: bool = False


@dataclass(frozen=True, slots=True)
class Effort:
    """How long and how deep engines search for a move, where they search: seconds, and plies or rounds. `None`: as long
    as a question of this game may take, as deep as that reaches."""

    seconds: float | None = None
    depth: int | None = None

    def bound(self, budget: Budget) -> Budget:
        """A budget of this much from now, with the clock and the stop signal of `budget`."""
        deadline = budget.deadline
        if self.seconds is not None and budget.clock is not None:
            deadline = budget.clock() + self.seconds
        return replace(budget, deadline=deadline, depth=self.depth)


FREE = Effort()
"""Nobody has asked for more or less."""


class Keeper(Protocol):
    """Keeps a game, whose session it has been given."""

    @property
    def may_count(self) -> bool:
        """Whether nothing has come in between yet that keeps the game from counting for the player's rating."""
        ...

    def teach(self, training: bool, objective: Objective) -> None:
        """From the next save on the game is kept with this training and this objective."""
        ...

    def rate(self, why_not: str, scored: Scored | None) -> None:
        """Why the game will not count for the player's rating, if something has come in between; else, when it is over,
        what it counts for. Whatever was said first holds."""
        ...

    def save(self) -> str:
        """Keep the game as it stands; the line that says what is wrong with that, or nothing."""
        ...
