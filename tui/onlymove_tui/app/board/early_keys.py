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
    """Keys for `entering`; `command_of` tells which command a key has."""

    def __init__(self, entering: Entering, command_of: Callable[[str], str | None]) -> None:
        self.entering = entering
        self.command_of = command_of
        self.kept: list[str] = []

    def keep(self, key: str) -> bool:
        """For later, if it enters a move. Returns whether it does."""
        enters = key in self.entering.keys or self.command_of(key) in (*STEPS, "choose")
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
        step = STEPS.get(self.command_of(key) or "")
        if step is not None and not self.entering.is_steered:
            self.entering.move_cursor(*step)
        return True

    def _target(self, key: str) -> Target | None:
        return self.entering.aim if self.command_of(key) == "choose" else self.entering.target_of(key)
