"""Questions whose answer counts only once they have been seen, and commands that want their key twice.

Time comes from the owner.
"""

from __future__ import annotations

from collections.abc import Callable

SECONDS = 0.4
"""How long a question stands on screen before a key can be meant for it: longer than a key that was on its way."""


class Guard:
    """Begins when the question is asked; its time runs from when it was painted, as `clock` has it.

    `later` calls something after so many seconds; `opened` is called when an answer counts.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        later: Callable[[float, Callable[[], None]], object],
        opened: Callable[[], None],
    ) -> None:
        self._clock, self._later, self._opened = clock, later, opened
        self._painted: float | None = None

    def ask(self) -> None:
        """A question is asked, and not on the screen yet."""
        self._painted = None

    def paint(self) -> None:
        """It stands on the screen."""
        self._painted = self._clock()
        self._wait()

    def _wait(self) -> None:
        if remaining := self._remaining:
            self._later(remaining, self._wait)
        else:
            self._opened()

    @property
    def _remaining(self) -> float:
        return SECONDS if self._painted is None else max(0.0, self._painted + SECONDS - self._clock())

    @property
    def is_open(self) -> bool:
        """Whether an answer counts."""
        return not self._remaining


class Confirming:
    """The command that was asked about last. `painted` calls something once the question stands on the screen."""

    def __init__(self, guard: Guard, painted: Callable[[Callable[[], None]], object]) -> None:
        self._guard = guard
        self._painted = painted
        self._asked = ""

    def is_given(self, command: str) -> bool:
        """Whether this command was asked about, and the question has been seen; if it was not asked, it is now."""
        if self._asked != command:
            self._asked = command
            self._guard.ask()
            self._painted(self._guard.paint)
            return False
        is_meant = self._guard.is_open
        if is_meant:
            self._asked = ""
        return is_meant

    @property
    def is_asking(self) -> bool:
        """Whether a command was asked about and the question still stands."""
        return bool(self._asked)

    def is_withdrawn(self, command: str | None) -> bool:
        """Any other command than the one asked about goes on with the game. Returns whether that ended a question."""
        is_other = self.is_asking and command != self._asked
        if is_other:
            self._asked = ""
        return is_other

    def forget(self) -> None:
        """Nothing is asked any more."""
        self._asked = ""
