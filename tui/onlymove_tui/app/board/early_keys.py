"""Keys of a move that come before it is the player's turn: a few are kept, and served when it is.

None of them completes a move: that would be played on a position which nobody has seen.
"""

from __future__ import annotations

from collections.abc import Callable

from onlymove_engines.core.rules import Target
from onlymove_tui.app.board.entering import Entering

MOST = 8
"""More are leant on, not meant."""
STEPS = {"left": (-1, 0), "right": (1, 0), "above": (0, -1), "below": (0, 1)}
"""The commands that move the cursor."""


class EarlyKeys:
    """Keys for `entering`; `means` tells whether a key is that of a command."""

    def __init__(self, entering: Entering, means: Callable[[str, str], bool]) -> None:
        self.entering = entering
        self.means = means
        self.kept: list[str] = []

    def keep(self, key: str) -> bool:
        """For later, if it enters a move. Returns whether it does."""
        enters = key in self.entering.keys or any(self.means(key, command) for command in (*STEPS, "choose"))
        if enters and len(self.kept) < MOST:
            self.kept.append(key)
        return enters

    def serve(self) -> None:
        """It is the player's turn now. After a key that cannot be served the others mean nothing either."""
        keys, self.kept = self.kept, []
        all(map(self._is_served, keys))

    def _is_served(self, key: str) -> bool:
        target = self._target(key)
        if target is not None:
            return not self.entering.completes(target) and not self.entering.pick(target)
        for command, step in STEPS.items():
            if self.means(key, command) and not self.entering.is_steered:
                self.entering.move_cursor(*step)
        return True

    def _target(self, key: str) -> Target | None:
        return self.entering.aim if self.means(key, "choose") else self.entering.target_of(key)
