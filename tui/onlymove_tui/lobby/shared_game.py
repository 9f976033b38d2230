"""A game that is shared with another login, as one of its players or a spectator sees it: reads both records, writes
one's own, and is the remote side of a match.

Whatever a player does is in its record before it counts. Nothing here starts a thread or waits: the owner calls `look`
several times a second while the game goes on.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from time import time
from weakref import finalize

import msgspec
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.match.clock import TimeControl
from onlymove_engines.match.match import Keeper, Match
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players
from onlymove_engines.play.session import AnySession, Session

from onlymove_tui.lobby.accounts import Person
from onlymove_tui.lobby.commitments import Commitments
from onlymove_tui.lobby.messages import (
    Accepting,
    Answering,
    Asking,
    Claiming,
    Committing,
    Moving,
    Opening,
    RecordLine,
    Resigning,
    Revealing,
    Wish,
)
from onlymove_tui.lobby.record_file import RecordReader, RecordTrouble, RecordWriter
from onlymove_tui.lobby.replay import Replay, Request, in_order, line_of

BEAT_SECONDS = 2.0
"""How often a player gives a sign of life."""
ALIVE_SECONDS = 6.0
"""Without one for so long, somebody is away."""
GRACE_SECONDS = 2.0
"""How long after its end the other side's time is claimed: a move that was made in time has been read by then."""
LONGEST_NAME = 24
"""Letters of a name that are shown beside a board."""


def is_alive(touched: float, now: float) -> bool:
    """Whether the owner of a record that was touched then gave a sign of life not long ago, whatever was done to the
    host's time since."""
    return abs(now - touched) < ALIVE_SECONDS


@dataclass(frozen=True)
class Side:
    """One of the two: who sits there, and what it has written."""

    person: Person
    reader: RecordReader


@dataclass(frozen=True)
class OwnSide:
    """What only oneself has: the writer of the own record, the hidden choices, and the lock that keeps other processes
    of the same player out (a file to close)."""

    seat: Seat
    writer: RecordWriter
    hiding: Commitments
    lock: int


class SharedGame:
    """A game that has begun. `own` is `None` for a spectator; `standing` is where it stands as far as is known. What
    writes raises RecordTrouble."""

    def __init__(
        self,
        game: AnyGame,
        sides: tuple[Side, Side],
        begin: int,
        own: OwnSide | None,
        clock: Callable[[], float] = time,
    ) -> None:
        opening, accepted = sides[0].reader.lines[0], sides[0].reader.lines[begin - 1]
        assert isinstance(opening, Opening), "a record begins with how the game was offered"
        assert isinstance(accepted, Accepting), "and a game with who is accepted"
        self.game = game
        self.opening = opening
        self.line = line_of(game, opening)
        self.session: AnySession = Session.of(self.line)
        """The game as it stands; what is done to it here counts nowhere."""
        self.own = own
        self._sides = sides
        self._begin = begin
        self._began = accepted.time
        self._clock = clock
        self._beaten = 0.0
        self._is_left = False
        self.standing = self._replayed()
        # The lock is given back as well where a board that was being opened is let go of before anybody has seen it.
        self._unlock = None if own is None else finalize(self, os.close, own.lock)

    # Who sits where.

    def person(self, seat: Seat) -> Person:
        return self._side(seat).person

    def is_here(self, seat: Seat) -> bool:
        """Whether this side gave a sign of life not long ago."""
        return is_alive(self._side(seat).reader.touched, self._clock())

    def left(self) -> tuple[float, float] | None:
        """Seconds that each side has, where there is a clock."""
        clock = self.standing.clock
        return None if clock.control is None else clock.left(self._clock())

    @property
    def damage(self) -> str:
        """That a record has a line which says nothing that is known."""
        for seat in (0, 1):
            if (number := self._side(seat).reader.damaged) is not None:
                whose = "your record" if self.own and self.own.seat == seat else "the other side's record"
                whose = whose if self.own else f"the record of {self.game.seats[seat]}"
                return f"{whose} is damaged at line {number}; the game goes on without that line"
        return ""

    def _side(self, seat: Seat) -> Side:
        return self._sides[seat != self.opening.seat]

    # Looking.

    def look(self) -> bool:
        """Read what is new; show a choice that both have fixed; claim time. Returns whether the game stands elsewhere,
        or something is asked. Raises RecordTrouble."""
        if self._is_left:
            return False
        news = [side.reader.look() for side in self._sides]
        before = self.standing
        if any(news):
            self.standing = self._replayed()
        if self.own is not None and not self.standing.is_over:
            if abs(self._clock() - self._beaten) >= BEAT_SECONDS:
                self._beaten = self._clock()
                self.own.writer.beat(self._beaten)
            self._do_what_is_due(self.own)
        return any(news) or self.standing is not before

    def _replayed(self) -> Replay:
        first, second = self._sides
        lines = in_order((first.reader.lines, second.reader.lines), (self._begin, 1))
        return Replay(self.line, self.opening, self._began, lines)

    def _do_what_is_due(self, own: OwnSide) -> None:
        """What a side owes without being asked."""
        standing, now = self.standing, self._clock()
        if len(standing.fixed) == 2 and own.seat not in standing.shown:
            if (move := self.chosen()) is not None:
                nonce = own.hiding.nonce(standing.epoch, standing.ply)
                text = self._spelled(move)
                self._say(Revealing(epoch=standing.epoch, ply=standing.ply, nonce=nonce, move=text))
        elif standing.clock.is_late(own.seat, now):
            self._say(Resigning(is_late=True))
        elif standing.clock.is_late(other(own.seat), now - GRACE_SECONDS):
            self._say(Claiming(epoch=standing.epoch, ply=standing.ply))

    # The remote side of a match.

    def read(self) -> tuple[Sequence[Move], Result | None, Mapping[Seat, Move]]:
        chosen = self.chosen()
        hidden = {} if self.own is None or chosen is None else {self.own.seat: chosen}
        return self.standing.moves, self.standing.agreed, hidden

    def send_move(self, move: Move) -> None:
        """One's own move, or hidden choice."""
        own, standing, text = self._player(), self.standing, self._spelled(move)
        where = (standing.epoch, standing.ply)
        if self.game.facts.simultaneous:
            self._say(Committing(epoch=where[0], ply=where[1], fixed=own.hiding.fix(*where, text)))
        else:
            self._say(Moving(epoch=where[0], ply=where[1], move=text))

    def chosen(self) -> Move | None:
        """What one has fixed in this round."""
        own, standing = self.own, self.standing
        if own is None or own.seat not in standing.fixed:
            return None
        moves = {self._spelled(move): move for move in self.session.moves_of(own.seat)}
        text = own.hiding.find(standing.epoch, standing.ply, standing.fixed[own.seat], moves)
        return None if text is None else moves[text]

    def send_resignation(self) -> None:
        self._say(Resigning())

    def ask_for_draw(self) -> None:
        self.ask(Wish.DRAW)

    # Requests.

    def ask(self, wish: Wish, back_to: int = 0) -> None:
        """Ask the other side, which answers when it likes. A request stands until it is answered or the game has gone
        on; till then there is no other, except that one agrees to a draw by asking for it too."""
        theirs = self.request()
        agrees = wish is Wish.DRAW and theirs is not None and theirs.wish is Wish.DRAW
        if self._player().seat in self.standing.requests and not agrees:
            raise RecordTrouble("you have asked already: the other side has not answered yet")
        self._say(Asking(epoch=self.standing.epoch, ply=self.standing.ply, wish=wish, back_to=back_to))

    def request(self) -> Request | None:
        """What the other side asks for."""
        return None if self.own is None else self.standing.requests.get(other(self.own.seat))

    def own_request(self) -> Request | None:
        """What the other side has been asked for."""
        return None if self.own is None else self.standing.requests.get(self.own.seat)

    def ask_undo(self, match: Match) -> bool:
        """Ask the other side to go back to one's own last decision. Returns whether there is one."""
        own, to_move = self.own, self.game.rules.to_move
        earlier = [] if own is None or match.session.is_over else list(match.node.lineage())[1:]
        target = next((node for node in earlier if own and to_move(node.position) in (None, own.seat)), None)
        if target is not None:
            self.ask(Wish.UNDO, target.ply)
        return target is not None

    def answer(self, agrees: bool) -> None:
        """Answer what the other side asks, if it still does."""
        if (asked := self.request()) is not None:
            self._say(Answering(asked=asked.line, agrees=agrees))

    # Writing.

    def _player(self) -> OwnSide:
        assert self.own is not None, "a spectator says nothing"
        return self.own

    def _spelled(self, move: Move) -> str:
        return self.game.notation.format_move(self.session.position, move)

    def _say(self, said: RecordLine) -> None:
        """Write a line, and see what comes of it: it counts as everybody reads it."""
        own = self._player()
        if self._is_left:
            raise RecordTrouble("you have left this table")
        mine, theirs = self._side(own.seat).reader, self._side(other(own.seat)).reader
        stamp = max([self._clock(), *(line.time for line in mine.lines[-1:] if line is not None)])
        own.writer.say(msgspec.structs.replace(said, time=stamp, seen=len(theirs.lines)))
        mine.look()
        self.standing = self._replayed()

    def close(self) -> None:
        """Leave, once is enough; the game can be gone on with."""
        if self._is_left:
            return
        self._is_left = True
        for side in self._sides:
            side.reader.close()
        if self.own is not None and self._unlock is not None:
            self.own.writer.close()
            self._unlock()


class SharedClock:
    """A clock that the records keep: they know whose time runs, and who has lost on it."""

    late: Seat | None = None

    def __init__(self, shared: SharedGame, control: TimeControl) -> None:
        self.shared = shared
        self.control = control

    @property
    def left(self) -> tuple[float, float]:
        return self.shared.left() or (0.0, 0.0)

    def start(self, seat: Seat | None, ply: int) -> None: ...

    def lose(self, seat: Seat) -> None: ...


def shared_match(
    shared: SharedGame, session: AnySession, coaching: Coaching, keeper: Keeper | None, random: Random
) -> Match:
    """The game that is read from the records, without training."""
    match = Match(session, coaching, False, keeper, random, shared)
    if (control := shared.standing.clock.control) is not None:
        match.timing = SharedClock(shared, control)
    return match


def shared_of(match: Match) -> SharedGame:
    assert isinstance(match.remote, SharedGame), "it is shared"
    return match.remote


def players_of(shared: SharedGame, by: int) -> Players:
    """Both players: oneself, and others by the names that the account `by` knows them by."""
    own = None if shared.own is None else shared.own.seat
    first, second = (
        HUMAN if seat == own else Player(PlayerKind.ELSEWHERE, name=shared.person(seat).named(by)[:LONGEST_NAME])
        for seat in (0, 1)
    )
    return first, second
