"""A question whose answer counts only once it has been seen. Knows neither; time comes from its owner."""

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
