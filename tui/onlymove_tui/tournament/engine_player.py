"""A style of our own as a contestant. Knows no other program; the clock is this process's CPU time."""

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
from onlymove_engines.play.players import Player, spell_player
from onlymove_engines.play.session import AnySession, Session
from onlymove_engines.play.time_plan import planned_seconds

from onlymove_tui.tournament.contestant import Limits
from onlymove_tui.tournament.fair_clock import Meter

CPU_CLOCK: Final[Clock] = time.process_time


class EnginePlayer:
    """Plays one side by a style at a strength.

    `open_analyst` is called anew for every game: what a search remembers of one game never changes another, so that
    games do not depend on who played which before. Seconds a move are what a search is told; a style that does not
    look at the clock takes what it takes. Only a bank can be overdrawn.
    """

    clock = "cpu"

    def __init__(self, name: str, player: Player, open_analyst: Callable[[], AnyAnalyst], limits: Limits) -> None:
        self.name = name
        self.player = player
        self.open_analyst = open_analyst
        self.limits = limits
        self.is_timed = limits.are_timed
        self.identity = f"onlymove {__version__}"

    def begin(self, game: AnyGame, start: AnyPosition, seat: Seat, seed: int) -> None:
        """A fresh analyst, fresh dice, a full bank."""
        self.identity = f"onlymove {__version__} {spell_player(game, self.player)}"
        self.analyst = self.open_analyst()
        self.dice = Random(seed)
        self.bank = None if self.limits.bank is None else Meter("CPU", CPU_CLOCK, self.limits)

    def choose(self, session: AnySession, seat: Seat) -> Move:
        """What the style plays. Raises Fault when the bank is overdrawn."""
        seconds = self.limits.seconds if self.bank is None else self.planned(session, self.bank.start())
        budget = Budget(nodes=self.limits.nodes) if seconds is None else Budget(CPU_CLOCK)
        seen = Session.of(session.line, (self.player, self.player))
        move = thought(seen, seat, self.analyst, self.dice, effort=Effort(seconds))(budget)
        if self.bank is not None:
            self.bank.stop()
        return move

    def planned(self, session: AnySession, left: float) -> float:
        """Seconds for the next move, with so many in the bank."""
        return planned_seconds(session.game, session.position, left, self.limits.increment, self.limits.bank or 0.0)

    def end(self) -> None:
        """Let go of what the search remembers."""
        del self.analyst
