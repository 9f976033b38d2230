"""Keeps one game on disk while it is played."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from onlymove_engines.core.judgement import Objective
from onlymove_engines.play.ladder import Scored
from onlymove_engines.play.session import AnySession

from .database import StoreTrouble
from .games import Draft, GameStore
from .rows import COPIED, GameNumber, Setup

RESUMED = "went on after its end"
"""Why an end of a game does not count that was rated before."""


class Timing(Protocol):
    """A clock that runs while the game is played."""

    @property
    def left(self) -> tuple[float, float]:
        """Seconds that each side has."""
        ...


class Autosave:
    """Keeps one game on disk. When the disk fails, play goes on and `trouble` holds the line to show."""

    def __init__(self, store: GameStore, session: AnySession, setup: Setup, number: GameNumber | None = None) -> None:
        self.store = store
        self.session = session
        self.setup = setup
        self.number = number
        self.timing: Timing | None = None
        self.trouble = store.trouble

    @property
    def may_count(self) -> bool:
        """Whether nothing has come in between yet that keeps the game from counting for the player's rating."""
        return not self.setup.unrated

    def teach(self, training: bool, objective: Objective) -> None:
        """From the next save on the game is kept with this training and this objective."""
        self.setup = replace(self.setup, training=training, objective=objective)

    def rate(self, why_not: str, scored: Scored | None) -> None:
        """Why the game will not count for the player's rating, or what it counts for: the first that is said. A game
        that was rated when it ended stays so, also when it is taken back."""
        setup, is_over = self.setup, self.session.is_over
        if setup.unrated or (setup.rated is not None and is_over):
            return
        if why_not or setup.rated is not None:
            self.setup = replace(setup, unrated=why_not or RESUMED)
        elif scored is not None:
            self.setup = replace(setup, rated=replace(scored, ended=self.store.now()))

    def draft(self) -> Draft | None:
        """The game as it stands; `None` for one in which nothing was tried, which has no row."""
        root = self.session.line.root
        if self.number is None and not (root.children or root.attempts or root.hinted):
            return None
        if self.timing is not None and not self.session.is_over:
            self.setup = replace(self.setup, left=self.timing.left)
        return self.store.draft(self.session, self.setup, self.number)

    def write(self, draft: Draft) -> str:
        """Put a draft on disk. Returns what is wrong, or nothing."""
        known = self.number
        try:
            (self.number,) = self.store.write([(draft, known)])
        except StoreTrouble as trouble:
            self.trouble = str(trouble)
        else:
            self.trouble = self.store.trouble
            if known not in (None, self.number):
                self.setup = replace(self.setup, rated=None, unrated=self.setup.unrated or COPIED)
        return self.trouble

    def save(self) -> str:
        """Write the game as it stands; call it after every change.

        Returns what is wrong, or nothing; tried again at the next change when something is.
        """
        draft = self.draft()
        return self.trouble if draft is None else self.write(draft)
