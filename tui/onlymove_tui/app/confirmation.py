"""Questions that have to be read before an answer counts."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from onlymove_tui.play.keys import Phrase, split_phrase

TOO_QUICK = "Too quick: read the question first. "

SECONDS = 0.4
"""How long a question must be on the screen before a key can answer it. This is longer than a key takes to arrive."""


class Guard:
    """Decides whether a question has been on the screen long enough for an answer to count. Its time, measured by
    `clock`, starts when the question is painted, which is when `painted` calls a function. `later` calls one after some
    seconds. `opened` is called when answers begin to count."""

    def __init__(
        self,
        clock: Callable[[], float],
        painted: Callable[[Callable[[], None]], object],
        later: Callable[[float, Callable[[], None]], object],
        opened: Callable[[], None] = lambda: None,
    ) -> None:
        self._clock, self._painted, self._later, self._opened = clock, painted, later, opened
        self._opens_at = inf

    def restart(self) -> None:
        """Ignore answers until the question that is painted next has been on the screen for a moment."""
        self._opens_at = inf
        self._painted(self._start)

    def _start(self) -> None:
        self._opens_at = self._clock() + SECONDS
        self._wait()

    def _wait(self) -> None:
        if self.is_open:
            self._opened()
        else:
            self._later(min(SECONDS, self._opens_at - self._clock()), self._wait)

    @property
    def is_open(self) -> bool:
        return self._clock() >= self._opens_at


class Confirmation(Guard):
    """Asks before a command is carried out. `asked` is the command that waits for an answer, if any."""

    asked = ""

    def ask(self, command: str, question: Phrase) -> Phrase:
        """Return an empty text if this command was asked about, and the player has seen the question and gives the
        command again. Otherwise, ask: return what to say, which is the question."""
        was_asked = self.asked == command
        if was_asked and self.is_open:
            self.asked = ""
            return ""
        self.asked = command
        if was_asked:
            return (TOO_QUICK, *split_phrase(question))
        self.restart()
        return question

    def withdraw(self) -> None:
        """Ask no longer."""
        self.asked = ""
