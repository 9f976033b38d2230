"""Keeps the game on a board without making the board wait: what changed is drafted at once and written by a worker.

Knows no screen. A board shows a change when it is written, so nothing is seen that could still be lost.
"""

from __future__ import annotations

from collections import deque
from threading import Lock

from onlymove_engines.core.judgement import Objective
from onlymove_engines.play.ladder import Scored

from onlymove_tui.store.games import Autosave
from onlymove_tui.store.rows import StoredGame


class Keeping:
    """The keeper of a match. All but `write` belongs to the thread that plays."""

    def __init__(self, autosave: Autosave) -> None:
        self.autosave = autosave
        self._drafts: deque[StoredGame] = deque()
        self._writing = Lock()

    @property
    def may_count(self) -> bool:
        """Whether nothing has come in between yet that keeps the game from counting for the player's rating."""
        return self.autosave.may_count

    def teach(self, training: bool, objective: Objective) -> None:
        """From the next save on the game is kept with this training and this objective."""
        self.autosave.teach(training, objective)

    def rate(self, why_not: str, scored: Scored | None) -> None:
        """Why the game does not count for the player's rating, or what it counts for."""
        self.autosave.rate(why_not, scored)

    def save(self) -> str:
        """The game as it stands is to be written. What is wrong with that is known when it has been tried."""
        draft = self.autosave.draft()
        if draft is not None:
            self._drafts.append(draft)
        return ""

    @property
    def is_behind(self) -> bool:
        """Whether something is not on disk yet."""
        return bool(self._drafts) or self._writing.locked()

    def write(self) -> str:
        """Write what there is, the newest draft of several; any thread may. Returns what is wrong, or nothing."""
        with self._writing:
            while self._drafts:
                draft = self._drafts.popleft()
                if not self._drafts:
                    self.autosave.write(draft)
        return self.autosave.trouble
