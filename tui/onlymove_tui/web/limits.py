"""How often a client of the web server may do what costs the host something."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

MINUTE = 60.0

STARTS_OF_PROFILE = 20
"""How many apps are started for one profile in a minute. Each start takes about a second of processor time. A page is
loaded again whenever its window gets another size."""

STARTS_OF_PLACE = 3
"""How many apps are started for one address in a minute, for each place that the address may have. So a class behind
one router can come in at once and reload the page."""


class Starts:
    """Counts the apps that were started in the last minute. One address may have `places` places."""

    def __init__(self, places: int) -> None:
        self._most_of_address = max(STARTS_OF_PROFILE, STARTS_OF_PLACE * places)
        self._latest: deque[tuple[float, str, str | None]] = deque()

    def take(self, profile: str, address: str | None, now: float) -> bool:
        """Count one more start, unless the profile or the address has had too many. `now` is in seconds and never goes
        back. `None` stands for addresses that have no limit."""
        while self._latest and self._latest[0][0] <= now - MINUTE:
            self._latest.popleft()
        of_profile = sum(whose == profile for _, whose, _ in self._latest)
        of_address = sum(where == address for _, _, where in self._latest if where is not None)
        if of_profile >= STARTS_OF_PROFILE or of_address >= self._most_of_address:
            return False
        self._latest.append((now, profile, address))
        return True


LINES_IN_MINUTE = 20

TOO_MANY_LINES = "there are more such messages, which are left out for a minute"


class LimitedReport:
    """Passes lines on to `tell`, but only so many in a minute, because clients can cause them."""

    def __init__(self, tell: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._clock = tell, clock
        self._begun, self._count = clock(), 0

    def __call__(self, text: str) -> None:
        if (now := self._clock()) >= self._begun + MINUTE:
            self._begun, self._count = now, 0
        self._count += 1
        if self._count <= LINES_IN_MINUTE:
            self._tell(text)
        elif self._count == LINES_IN_MINUTE + 1:
            self._tell(TOO_MANY_LINES)
