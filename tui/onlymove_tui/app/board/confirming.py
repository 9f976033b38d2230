"""Commands that want their key twice, the second time once the question has been seen. Knows none of them."""

from __future__ import annotations

from onlymove_tui.app.board.guard import Guard
from onlymove_tui.app.screens.base_screen import BaseScreen


class Confirming:
    """The command of a screen that was asked about last."""

    def __init__(self, screen: BaseScreen) -> None:
        self._screen = screen
        self._guard = Guard(screen.services.clock, screen.set_timer, lambda: None)
        self._asked = ""

    def is_given(self, command: str) -> bool:
        """Whether this command was asked about, and the question has been seen; if it was not asked, it is now."""
        if self._asked != command:
            self._asked = command
            self._guard.ask()
            self._screen.call_after_refresh(self._guard.paint)
            return False
        is_meant = self._guard.is_open
        if is_meant:
            self._asked = ""
        return is_meant

    @property
    def is_asking(self) -> bool:
        """Whether a command was asked about and the question still stands."""
        return bool(self._asked)

    def is_withdrawn(self, key: str) -> bool:
        """Any other key goes on. Returns whether that ended a question."""
        is_other = self.is_asking and not self._screen.is_key_of(key, self._asked)
        if is_other:
            self._asked = ""
        return is_other

    def forget(self) -> None:
        """Nothing is asked any more."""
        self._asked = ""
