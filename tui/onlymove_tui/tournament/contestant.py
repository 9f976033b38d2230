"""Who plays in a match: what a referee asks of it, what it may use, and how it fails. Knows no game."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Protocol

from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.value import Move, Seat
from onlymove_engines.play.session import AnySession


class FaultKind(enum.Enum):
    """How a contestant can fail."""

    TIMEOUT = "timeout"
    CRASH = "crash"
    NONSENSE = "nonsense"
    ILLEGAL = "illegal"
    FLOOD = "flood"


class Fault(Exception):
    """A contestant has failed, which loses its game. `text` says what happened, in one line."""

    def __init__(self, kind: FaultKind, text: str) -> None:
        super().__init__(text)
        self.kind = kind
        self.text = text


@dataclass(frozen=True, slots=True)
class Limits:
    """What either side may use: `nodes` a move, or `seconds` a move, or a `bank` of seconds, which is full at the start
    and never holds more, into which `increment` seconds come back after every move. `None`: no such limit."""

    nodes: int | None = None
    seconds: float | None = None
    bank: float | None = None
    increment: float = 0.0

    def __str__(self) -> str:
        """`1000 nodes`, `0.5 s`, `10+0.2 s`, or `-` without limits."""
        if self.bank is not None:
            return f"{self.bank:g}+{self.increment:g} s"
        if self.seconds is not None:
            return f"{self.seconds:g} s"
        return "-" if self.nodes is None else f"{self.nodes} nodes"

    @property
    def are_timed(self) -> bool:
        """Whether a clock decides anything under these limits."""
        return self.bank is not None or self.seconds is not None


NO_LIMITS = Limits()


class Contestant(Protocol):
    """One side of a game. The referee calls `begin`, then `choose` for every move, then `end`, whatever happened."""

    name: str
    """As the record names it."""
    identity: str
    """Which program it is, of ours which style and strength; known once it has begun, empty where it never says so."""
    clock: str
    """What its time is measured by: `cpu` or `wall`."""
    is_timed: bool
    """Whether it can lose by that; known once it has begun."""

    def begin(self, game: AnyGame, start: AnyPosition, seat: Seat, seed: int) -> None:
        """A game begins. Everything it leaves to chance follows from `seed`. Raises Fault."""
        ...

    def choose(self, session: AnySession, seat: Seat) -> Move:
        """Its move now; where both move at once its own part of the round. Changes nothing. Raises Fault."""
        ...

    def end(self) -> None:
        """The game is over: nothing of it may go on running. Never raises."""
        ...
