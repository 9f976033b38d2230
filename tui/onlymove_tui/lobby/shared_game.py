"""A game between two users, seen by one of the players or a spectator.

It reads both records, writes the player's own, and is the remote side of a match. Whatever a player does is in the
record before it counts. Nothing here starts a thread or waits. The owner calls `look` several times a second.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from weakref import finalize

import msgspec
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.match.clock import TimeControl
from onlymove_engines.match.match import Match, Saver
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players
from onlymove_engines.play.session import AnySession

from onlymove_tui.lobby.accounts import Person
from onlymove_tui.lobby.record_file import (
    Accepting,
    Answering,
    Asking,
    Claiming,
    Committing,
    Moving,
    Opening,
    OwnSecrets,
    RecordLine,
    RecordReader,
    RecordTrouble,
    RecordWriter,
    RequestKind,
    Resigning,
    Revealing,
)
from onlymove_tui.lobby.replay import Replay, Request, merge_records, start_line

BEAT_SECONDS = 2.0
"""How often a player gives a sign of life."""
ALIVE_SECONDS = 6.0
"""A player who has given no sign of life for this long counts as away."""
GRACE_SECONDS = 2.0
"""How long to wait before claiming the opponent's time, so that a move that was made in time is read first."""
LONGEST_NAME = 24
"""How many characters of a name are shown beside a board."""


def is_alive(touched: float, now: float) -> bool:
    """Whether the owner of a record touched at this time is online, even if the host's clock was set back."""
    return abs(now - touched) < ALIVE_SECONDS


@dataclass(frozen=True)
class OwnSide:
    """What only the player at this seat has. `lock` is an open file that keeps out other processes of this player."""

    seat: Seat
    writer: RecordWriter
    secrets: OwnSecrets
    lock: int


@dataclass(eq=False)
class SharedGame:
    """A game that has begun. The opener comes first in `people` and `readers`. `own` is `None` for a spectator.
    `standing` is the state of the game, as far as the records were read. Methods that write raise RecordTrouble."""

    game: AnyGame
    opening: Opening
    accepted: Accepting
    people: tuple[Person, Person]
    readers: tuple[RecordReader, RecordReader]
    own: OwnSide | None
    clock: Callable[[], float]

    def __post_init__(self) -> None:
        self.line = start_line(self.game, self.opening)
        self._beaten = 0.0
        self._is_left = False
        self.standing = self._replay()
        # This also releases the lock if the game is dropped before a board has opened.
        self._unlock = None if self.own is None else finalize(self, os.close, self.own.lock)

    def person(self, seat: Seat) -> Person:
        return self.people[seat != self.opening.seat]

    def is_here(self, seat: Seat) -> bool:
        return is_alive(self._reader(seat).touched, self.clock())

    @property
    def damage(self) -> str:
        """Describe the first unreadable line of a record. Empty if there is none."""
        for seat in (0, 1):
            if (number := self._reader(seat).damaged) is not None:
                whose = "your record" if self.own and self.own.seat == seat else "your opponent's record"
                whose = whose if self.own else f"the record of {self.game.seats[seat]}"
                return f"{whose} is damaged at line {number}; the game continues without it"
        return ""

    def _reader(self, seat: Seat) -> RecordReader:
        return self.readers[seat != self.opening.seat]

    def look(self) -> bool:
        """Read new lines. Then write what is due: reveal your choice once both sides have committed, claim a win on
        time, or lose on time. Returns whether anything has changed. Raises RecordTrouble."""
        if self._is_left:
            return False
        news = [reader.look() for reader in self.readers]
        before = self.standing
        if any(news):
            self.standing = self._replay()
        if self.own is not None and not self.standing.is_over:
            if abs(self.clock() - self._beaten) >= BEAT_SECONDS:
                self._beaten = self.clock()
                self.own.writer.set_heartbeat(self._beaten)
            self._write_due_lines(self.own)
        return any(news) or self.standing is not before

    def _replay(self) -> Replay:
        first, second = self.readers
        begin = first.lines.index(self.accepted) + 1
        lines = merge_records((first.lines, second.lines), (begin, 1))
        return Replay(self.line, self.opening, self.accepted.time, lines)

    def _write_due_lines(self, own: OwnSide) -> None:
        """Reveal your choice, resign because your time is up, or claim a win on time."""
        standing, now = self.standing, self.clock()
        if len(standing.fixed) == 2 and own.seat not in standing.shown:
            if (move := self.find_choice()) is not None:
                nonce = own.secrets.nonce(own.seat, standing.epoch, standing.ply)
                self._decide(Revealing, nonce=nonce, move=self._format_move(move))
        elif standing.clock.is_late(own.seat, now):
            self._write(Resigning(is_late=True))
        elif standing.clock.is_late(other(own.seat), now - GRACE_SECONDS):
            self._decide(Claiming)

    def read(self) -> tuple[Sequence[Move], Result | None, Mapping[Seat, Move]]:
        chosen = self.find_choice()
        hidden = {} if self.own is None or chosen is None else {self.own.seat: chosen}
        return self.standing.moves, self.standing.agreed, hidden

    def send_move(self, move: Move) -> None:
        """Write your own move, or commit to a hidden choice."""
        own, standing, text = self.get_own(), self.standing, self._format_move(move)
        if self.game.facts.simultaneous:
            self._decide(Committing, fixed=own.secrets.fix(own.seat, standing.epoch, standing.ply, text))
        else:
            self._decide(Moving, move=text)

    def find_choice(self) -> Move | None:
        """Return your hidden choice in this round, or `None`."""
        own, standing = self.own, self.standing
        if own is None or own.seat not in standing.fixed:
            return None
        for move in standing.session.moves_of(own.seat):
            fixed = own.secrets.fix(own.seat, standing.epoch, standing.ply, self._format_move(move))
            if fixed == standing.fixed[own.seat]:
                return move
        return None

    def send_resignation(self) -> None:
        self._write(Resigning())

    def ask_for_draw(self) -> None:
        self.ask(RequestKind.DRAW)

    def ask(self, wish: RequestKind, back_to: int = 0) -> None:
        """Send your opponent a request. It stays open until it is answered or the next move is made, and until then you
        cannot ask again. If your opponent has offered a draw, asking for a draw accepts it. Raises RecordTrouble."""
        theirs = self.find_request()
        agrees = wish is RequestKind.DRAW and theirs is not None and theirs.kind is RequestKind.DRAW
        if self.get_own().seat in self.standing.requests and not agrees:
            raise RecordTrouble("you have already asked, and your opponent has not answered yet")
        self._decide(Asking, wish=wish, back_to=back_to)

    def find_request(self) -> Request | None:
        """Return your opponent's open request, or `None`."""
        return None if self.own is None else self.standing.requests.get(other(self.own.seat))

    def find_own_request(self) -> Request | None:
        return None if self.own is None else self.standing.requests.get(self.own.seat)

    def ask_undo(self, match: Match) -> bool:
        """Ask your opponent to go back to your last decision. Returns `False` if there is none."""
        own = self.own
        earlier = [] if own is None or match.session.is_over else match.node.path()[-2::-1]
        target = next((node for node in earlier if own and node.to_move in (None, own.seat)), None)
        if target is not None:
            self.ask(RequestKind.UNDO, target.ply)
        return target is not None

    def answer(self, agrees: bool) -> None:
        """Answer your opponent's request, if it is still open."""
        if (asked := self.find_request()) is not None:
            self._write(Answering(asked=asked.line, agrees=agrees))

    def get_own(self) -> OwnSide:
        assert self.own is not None, "you are only watching this game"
        return self.own

    def _format_move(self, move: Move) -> str:
        return self.game.notation.format_move(self.standing.session.position, move)

    def _decide(self, kind: type[Moving | Committing | Revealing | Asking | Claiming], **content: Any) -> None:
        """Write a line about the present decision."""
        self._write(kind(epoch=self.standing.epoch, ply=self.standing.ply, **content))

    def _write(self, line: RecordLine) -> None:
        """Write a line to your record and read it back, so that it counts for you as for everyone else."""
        own = self.get_own()
        if self._is_left:
            raise RecordTrouble("you have left this game")
        mine, theirs = self._reader(own.seat), self._reader(other(own.seat))
        stamp = max([self.clock(), *(last.time for last in mine.lines[-1:] if last is not None)])
        own.writer.write_message(msgspec.structs.replace(line, time=stamp, seen=len(theirs.lines)))
        mine.look()
        self.standing = self._replay()

    def close(self) -> None:
        """Leave the game. It can be continued later. Calling this again does nothing."""
        if not self._is_left:
            self._is_left = True
            for reader in self.readers:
                reader.close()
            if self.own is not None and self._unlock is not None:
                self.own.writer.close()
                self._unlock()


@dataclass(eq=False)
class SharedClock:
    """The clock of a match between two users. The records say whose clock runs and who has lost on time."""

    shared: SharedGame
    control: TimeControl
    late_seat: Seat | None = None

    @property
    def seconds_left(self) -> tuple[float, float]:
        return self.shared.standing.clock.compute_left(self.shared.clock())

    def start(self, seat: Seat | None, ply: int) -> None: ...

    def lose_on_time(self, seat: Seat) -> None: ...


def make_shared_match(
    shared: SharedGame, session: AnySession, coaching: Coaching, saver: Saver | None, random: Random
) -> Match:
    """Return a match for a shared game, without training."""
    match = Match(session, coaching, False, saver, random, shared)
    if (control := shared.standing.clock.control) is not None:
        match.clock = SharedClock(shared, control)
    return match


def get_shared_game(match: Match) -> SharedGame:
    assert isinstance(match.remote, SharedGame), "it is shared"
    return match.remote


def list_players(shared: SharedGame, by: int) -> Players:
    """Return both players. Other users are named as the account `by` sees them."""
    own = None if shared.own is None else shared.own.seat
    first, second = (
        HUMAN if seat == own else Player(PlayerKind.ELSEWHERE, name=shared.person(seat).format_name(by)[:LONGEST_NAME])
        for seat in (0, 1)
    )
    return first, second
