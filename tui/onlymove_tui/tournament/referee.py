"""One game between two contestants: whose turn it is, who has failed, when it is over. Starts no process.

What may be played and how a game ends by the rules is `play.conventions`' to know. What only a match ends — a fault,
adjudication, too many plies — is agreed on in the line, so that the record says it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from onlymove_engines.core.errors import IllegalMove
from onlymove_engines.core.game import AnyGame, AnyPosition
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Move, Outcome, Seat, Value, other
from onlymove_engines.play.line import AnyLine, find_house_rule
from onlymove_engines.play.session import AnySession, Session

from onlymove_tui.tournament.contestant import Contestant, Fault, FaultKind

MAX_PLIES = 1000
"""No game of strong players that can go round lasts so long; one of others is drawn then."""

Probe: TypeAlias = Callable[[Any], Value | None]
"""The proven value of a position for the side to move, where it is on record."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What two contestants agree on. `adjudicate`: a game is over as soon as the table knows it to be won within so
    many plies (where points count: as soon as it knows the result); `None`: it is played to its end."""

    house_rule: str = ""
    adjudicate: int | None = None
    max_plies: int = MAX_PLIES


PLAIN_TERMS = Terms()
"""A game is played to its end by the rules."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A game that is over: its line, which knows the result, who has failed, which programs the contestants were, and
    whose time was measured by what, `None` where no clock could decide anything."""

    line: AnyLine
    faults: Mapping[Seat, Fault]
    identities: tuple[str, str]
    clocks: tuple[str, str] | None

    @property
    def result(self) -> Result:
        """How it ended."""
        assert self.line.result is not None, "the referee ends every game"
        return self.line.result


class Referee:
    """Conducts one game."""

    def __init__(
        self,
        game: AnyGame,
        start: AnyPosition,
        contestants: tuple[Contestant, Contestant],
        terms: Terms,
        probe: Probe | None = None,
    ) -> None:
        self.contestants = contestants
        self.terms = terms
        self.probe = probe
        self.session: AnySession = Session(game, start, house_rule=find_house_rule(game, terms.house_rule))
        self.faults: dict[Seat, Fault] = {}

    def conduct(self, seeds: tuple[int, int]) -> Finished:
        """Play it; each contestant gets its seed. What is no Fault of a contestant is raised."""
        session = self.session
        try:
            for seat, contestant in enumerate(self.contestants):
                try:
                    contestant.begin(session.game, session.position, seat, seeds[seat])
                except Fault as fault:
                    self.faults[seat] = fault
            while not session.is_over and not self.faults:
                self.advance()
        finally:
            for contestant in self.contestants:
                contestant.end()
        if self.faults:
            session.line.agreed = self.forfeit()
        first, second = self.contestants
        clocks = (first.clock, second.clock) if first.is_timed or second.is_timed else None
        return Finished(session.line, self.faults, (first.identity, second.identity), clocks)

    def advance(self) -> None:
        """One move, or one round of simultaneous moves; then the match's own ends."""
        session = self.session
        seats = (0, 1) if session.to_move is None else (session.to_move,)
        chosen = {seat: self.asked(seat) for seat in seats}
        if self.faults:
            return
        for seat, move in chosen.items():
            if session.to_move is None:
                session.commit(seat, move)
            else:
                session.play(move)
        if not session.is_over:
            session.line.agreed = self.cut_short()

    def asked(self, seat: Seat) -> Move:
        """What the contestant chooses; its fault is noted, and what it chose means nothing then."""
        try:
            move = self.contestants[seat].choose(self.session, seat)
            self.session.check(seat, move)
        except Fault as fault:
            self.faults[seat] = fault
            return None
        except IllegalMove as refusal:
            self.faults[seat] = Fault(FaultKind.ILLEGAL, str(refusal))
            return None
        return move

    def forfeit(self) -> Result:
        """How a game ends in which somebody has failed: both, and it is drawn."""
        told = "; ".join(
            f"{self.session.game.seats[seat]}: {fault.kind.value}: {fault.text}" for seat, fault in self.faults.items()
        )
        loser = next(iter(self.faults))
        return Result(None if len(self.faults) > 1 else other(loser), reason=told)

    def cut_short(self) -> Result | None:
        """How the match ends a game that the rules would let go on."""
        if (adjudged := self.adjudged()) is not None:
            return adjudged
        if self.session.node.ply >= self.terms.max_plies:
            return Result(None, reason=f"drawn after {self.terms.max_plies} plies")
        return None

    def adjudged(self) -> Result | None:
        """The result that the table knows, if that is near enough."""
        seat = self.session.to_move
        if self.terms.adjudicate is None or self.probe is None or seat is None:
            return None
        value = self.probe(self.session.position)
        if value is None or not is_near(value, self.terms.adjudicate):
            return None
        winner = {Outcome.WIN: seat, Outcome.LOSS: other(seat), Outcome.DRAW: None}[value.outcome]
        return Result(winner, reason="adjudicated by the table")


def is_near(value: Value, plies: int) -> bool:
    """Whether a game of this value counts as decided: known to the point, or over within so many plies. Other draws are
    there from the start on, and are to be kept."""
    return value.margin is not None or (value.remoteness is not None and value.remoteness <= plies)
