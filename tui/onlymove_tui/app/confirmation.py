"""Questions that have to be read before an answer counts."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from onlymove_tui.app.commands import BEHIND_THE_GATE
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
    """Asks the player, with `say`, before a command is carried out. Giving the command again confirms it. `asked` is
    the command that waits for that, if any."""

    def __init__(
        self,
        clock: Callable[[], float],
        painted: Callable[[Callable[[], None]], object],
        later: Callable[[float, Callable[[], None]], object],
        say: Callable[[Phrase], object],
    ) -> None:
        super().__init__(clock, painted, later)
        self._say = say
        self.asked = ""

    def allows(self, command: str, question: Phrase) -> bool:
        """Return whether a command is confirmed. If it is not, ask, or say that the answer came too soon."""
        was_asked = self.asked == command
        if was_asked and self.is_open:
            self.asked = ""
            return True
        self.asked = command
        self._say((TOO_QUICK, *split_phrase(question)) if was_asked else question)
        if not was_asked:
            self.restart()
        return False

    def withdraw(self) -> None:
        """Ask no longer."""
        self.asked = ""

    def withdraws(self, command: str | None) -> bool:
        """If a question is asked, and this is not the command that answers it, withdraw the question. Return whether
        that is all that the command does then."""
        if not self.asked or command == self.asked:
            return False
        self.withdraw()
        self._say("")
        return command not in BEHIND_THE_GATE
