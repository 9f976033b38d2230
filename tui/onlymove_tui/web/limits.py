"""How long the web server waits for a client or an app, and how often a client may do what costs the host something."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client of the server may take. The limits in seconds are for one connection or one app."""

    head_seconds: float = 10.0
    """How long a client may take to send its first request. A browser sends it at once. A connection that a browser
    opens in advance may be closed, because the browser then opens another."""

    answer_seconds: float = 120.0
    """How long a connection stays open after each request. The largest file of the page has half a megabyte, which
    takes 80 seconds at 50 kbit/s."""

    closing_seconds: float = 2.0
    """How long a browser may take to agree that the connection is closed."""

    heartbeat_seconds: float = 15.0
    """How often the server checks that a browser is still there."""

    leaving_seconds: float = 4.0
    """How long an app may take to save and quit before it is killed. It needs no more than two seconds."""

    starts_of_profile: int = 20
    """How many apps are started for one profile in a minute. Each start takes about a second of processor time. A page
    is loaded again whenever its window gets another size."""

    starts_of_place: int = 3
    """How many apps are started for one address in a minute, for each place that the address may have. So a class
    behind one router can come in at once and reload the page."""


LIMITS = Limits()


class Starts:
    """Counts the apps that were started in the last minute. One address may have `places` places."""

    def __init__(self, places: int, limits: Limits = LIMITS) -> None:
        self._most_of_profile = limits.starts_of_profile
        self._most_of_address = max(limits.starts_of_profile, limits.starts_of_place * places)
        self._latest: deque[tuple[float, str, str | None]] = deque()

    def take(self, profile: str, address: str | None, now: float) -> bool:
        """Count one more start, unless the profile or the address has had too many. `now` is in seconds and never goes
        back. `None` stands for addresses that have no limit."""
        while self._latest and self._latest[0][0] <= now - MINUTE:
            self._latest.popleft()
        of_profile = sum(whose == profile for _, whose, _ in self._latest)
        of_address = sum(where == address for _, _, where in self._latest if where is not None)
        if of_profile >= self._most_of_profile or of_address >= self._most_of_address:
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
