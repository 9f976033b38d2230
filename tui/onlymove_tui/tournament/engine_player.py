"""A style of our own as a contestant. Knows no other program."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Final

from onlymove_engines import __version__
from onlymove_engines.core.analysis import AnyAnalyst
from onlymove_engines.core.budget import Budget, Clock
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.match.engine import thought
from onlymove_engines.match.terms import Effort
from onlymove_engines.play.players import Player, planned_seconds, spell_player
from onlymove_engines.play.session import AnySession, Session

from onlymove_tui.tournament.contestant import Limits
from onlymove_tui.tournament.fair_clock import Meter

CLOCKS: Final[dict[str, Clock]] = {"cpu": time.process_time, "wall": time.monotonic}


class EnginePlayer:
    """Plays one side by a style at a strength.

    `open_analyst` is called anew for every game: what a search remembers of one game never changes another, so that
    games do not depend on who played which before. A style that does not look at the clock takes what it takes, and
    loses like any program when that is too much. `clock` is the CPU time of this process (`cpu`), or `wall` where
    the time of its opponent can be measured by nothing else.
    """

    def __init__(
        self,
        name: str,
        player: Player,
        open_analyst: Callable[[], AnyAnalyst],
        limits: Limits,
        clock: str = "cpu",
    ) -> None:
        self.name = name
        self.player = player
        self.open_analyst = open_analyst
        self.limits = limits
        self.clock = clock
        self.is_timed = limits.are_timed
        self.identity = f"onlymove {__version__}"

    def begin(self, game: AnyGame, start: AnyPosition, seat: Seat, seed: int) -> None:
        """A fresh analyst, fresh dice, a full bank."""
        self.identity = f"onlymove {__version__} {spell_player(game, self.player)}"
        self.analyst = self.open_analyst()
        self.dice = Random(seed)
        name = "CPU" if self.clock == "cpu" else self.clock
        self.meter = Meter(name, CLOCKS[self.clock], self.limits) if self.is_timed else None

    def choose(self, session: AnySession, seat: Seat) -> Move:
        """What the style plays. Raises Fault when that took too long."""
        seen = Session.of(session.line, (self.player, self.player))
        if self.meter is None:
            return thought(seen, seat, self.analyst, self.dice)(Budget(nodes=self.limits.nodes))
        left = self.meter.start()
        seconds = left if self.limits.bank is None else self.planned(session, left)
        question = thought(seen, seat, self.analyst, self.dice, effort=Effort(seconds))
        move = question(Budget(CLOCKS[self.clock]))
        self.meter.stop()
        return move

    def planned(self, session: AnySession, left: float) -> float:
        """Seconds for the next move, with so many in the bank."""
        return planned_seconds(session.game, session.position, left, self.limits.increment, self.limits.bank or 0.0)

    def end(self) -> None:
        """Let go of what the search remembers."""
        del self.analyst
