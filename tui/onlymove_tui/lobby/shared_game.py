"""A game between two users, seen by one of the players or a spectator.

It reads both records, writes the player's own, and is the remote side of a live game. Whatever a player does is in the
record before it counts. Nothing here starts a thread or waits. The owner calls `look` several times a second.

A player's own app measures how long the player thinks. While the app runs, nobody else can say that the player is out
of time. If the app does not run, the clock of the file system counts from the last line on. A player who is away has
lost on time when the opponent's sign of life comes too long after that line (`_measure_waiting`). The player's own app
counts by the same clock after the player has come back (`_count_absence`). It finds the player late whenever the
opponent has. So both see the same result.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from weakref import finalize

import msgspec
from onlymove_engines.coach.judge import Coaching
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.rules import Result
from onlymove_engines.core.value import Move, Seat, other
from onlymove_engines.live.clock import TimeControl
from onlymove_engines.live.live_game import LiveGame, Saver
from onlymove_engines.play.players import HUMAN, Player, PlayerKind, Players
from onlymove_engines.play.session import AnySession

from onlymove_tui.lobby.accounts import Person
from onlymove_tui.lobby.presence import ALIVE_SECONDS, BEAT_SECONDS, Clocks, LifeSign, is_alive, read_life_sign
from onlymove_tui.lobby.record_file import (
    Accepting,
    Answering,
    Asking,
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
from onlymove_tui.lobby.replay import NOT_AWAY, Replay, Request, merge_records, start_line

GRACE_SECONDS = 2.0
"""How much longer than their time a player who is away must be waited for to have lost."""
MAX_NAME_LENGTH = 24
"""How many characters of a name are shown beside a board."""


def find_latest(lines: Iterable[RecordLine | None]) -> float:
    """Return the latest time in these lines of one record."""
    return max((line.time for line in lines if line is not None), default=0.0)


@dataclass(frozen=True)
class OwnSide:
    """What only the player at this seat has. `lock` is an open file that keeps out other processes of this player."""

    seat: Seat
    writer: RecordWriter
    life: LifeSign
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
    clocks: Clocks

    def __post_init__(self) -> None:
        self.tree = start_line(self.game, self.opening)
        self._is_left = False
        self._ahead = 0.0 if self.own is None else self._find_latest(self.own) - self.clocks.steady()
        self._beaten = self.clocks.steady()
        self._was_away = True
        self._shown: dict[Seat, tuple[object, float]] = {}
        """For each running clock, the decision and what was left before it, and since when the clock has run."""
        self.standing = self._replay(NOT_AWAY)
        if self.own is not None and not self.standing.is_over:
            self.own.life.give()
        self._read_files()
        # This also releases the lock if the game is dropped before a board has opened.
        self._unlock = None if self.own is None else finalize(self, os.close, self.own.lock)

    def person(self, seat: Seat) -> Person:
        return self.people[seat != self.opening.seat]

    def is_here(self, seat: Seat) -> bool:
        """Whether this player's app is running the game. For a player, the clock of the file system decides."""
        now = self.clocks.time_of_day() if self.own is None else self.own.life.at
        return is_alive(self._lives[seat], now)

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
        """Give a sign of life, and read new lines. Then write what is due: reveal your choice once both sides have
        committed, or say that your time is up. Returns whether anything has changed. Raises RecordTrouble."""
        if self._is_left:
            return False
        before = self.standing
        own = None if before.is_over else self.own
        if own is not None and self.clocks.steady() - self._beaten >= BEAT_SECONDS:
            self._give_sign_of_life(own)
        has_news = self._read_files()
        if own is not None and not self.standing.is_over:
            self._write_due_lines(own)
        return has_news or self.standing is not before

    def _give_sign_of_life(self, own: OwnSide) -> None:
        self._beaten = self.clocks.steady()
        self._was_away |= own.life.give()

    def _read_files(self) -> bool:
        """Read what is new. Returns whether there are new lines. Raises RecordTrouble."""
        # What ends a wait is read before the records, and who is here after them. So a move in time is never missed.
        claims = self._read_life_signs()
        news = [reader.look() for reader in self.readers]
        self._lives = self._read_life_signs()
        waited = self._measure_waiting(claims)
        standing = self.standing
        if any(news) or standing.absentee is not None or standing.clock.find_late(waited) is not None:
            replayed = self._replay(waited)
            self.standing = replayed if any(news) or replayed.absentee != standing.absentee else standing
        if self._was_away:
            self._was_away = False
            self._count_absence()
        else:
            self._start_clocks()
        return any(news)

    def _read_life_signs(self) -> tuple[float, float]:
        """Return when the player at each seat last gave a sign of life, by the clock of the file system."""
        first, second = (self._reader(seat) for seat in (0, 1))
        files = self.clocks.files
        return read_life_sign(first.path, first.uid, files), read_life_sign(second.path, second.uid, files)

    def _find_last_change(self) -> float:
        """Return the time of the last line in both records, or a later time, by the clock of the file system."""
        return max(reader.changed for reader in self.readers)

    def _measure_waiting(self, claims: tuple[float, float]) -> tuple[float, float]:
        """Return for how many seconds each player, being away, has kept the opponent waiting since the last line,
        beyond the grace period. The wait lasts until the opponent's sign of life in `claims`. Whether you are late
        yourself, your own app says."""
        mine = None if self.own is None else self.own.seat
        waited = [0.0, 0.0]
        for seat in (0, 1):
            claim = claims[other(seat)]
            if seat != mine and claim - self._lives[seat] >= ALIVE_SECONDS:
                waited[seat] = claim - self._find_last_change() - GRACE_SECONDS
        return waited[0], waited[1]

    def _replay(self, waited: tuple[float, float]) -> Replay:
        first, second = self.readers
        begin = first.lines.index(self.accepted) + 1
        began = find_latest(first.lines[:begin]), find_latest(second.lines[:1])
        lines = merge_records((first.lines, second.lines), (begin, 1))
        return Replay(self.tree, self.opening, began, lines, waited)

    def _find_latest(self, own: OwnSide) -> float:
        return find_latest(self._reader(own.seat).lines)

    def now(self) -> float:
        """Return your own time, in which your lines are dated. While the game is open it goes on steadily, even if the
        time of day of this machine is changed."""
        return self.clocks.steady() + self._ahead

    def _start_clocks(self) -> None:
        """Note since when each running clock has run: since your app first showed you the decision, or since the last
        line of this player that took time."""
        clock, before = self.standing.clock, self._shown
        self._shown = {}
        for seat in clock.running:
            state = self.standing.decision, clock.left[seat]
            known, since = before.get(seat, (None, 0.0))
            self._shown[seat] = state, since if known == state else self.now()

    def _count_absence(self) -> None:
        """Let the clock of the file system count the time since the last line, because your app was not running."""
        self._start_clocks()
        here, missed = max(self._lives), 0.0
        if (own := self.own) is not None:
            here = own.life.at
            gone = max(0.0, here - self._reader(own.seat).changed)
            missed = max(0.0, self._find_latest(own) + gone - self.now())
            self._ahead += missed
        since = self.now() - max(0.0, here - self._find_last_change())
        self._shown = {seat: (state, min(at + missed, since)) for seat, (state, at) in self._shown.items()}

    @property
    def seconds_left(self) -> tuple[float, float]:
        """The seconds that both players have left, as far as this app can know. Below 0 if a player does not say so."""
        left = self.standing.clock.left.copy()
        for seat, (_, since) in self._shown.items():
            left[seat] -= self.now() - since
        return left[0], left[1]

    def _write_due_lines(self, own: OwnSide) -> None:
        """Reveal your choice, or say that your time is up."""
        standing = self.standing
        is_due = len(standing.fixed) == 2 and own.seat not in standing.shown
        move = self.find_choice() if is_due else None
        if move is not None:
            nonce = own.secrets.nonce(own.seat, standing.epoch, standing.ply)
            self._decide(Revealing, nonce=nonce, move=self._format_move(move))
        elif own.seat in self._shown and self.seconds_left[own.seat] <= 0:
            self._write(Resigning(is_late=True))

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

    def ask_undo(self, live: LiveGame) -> bool:
        """Ask your opponent to go back to your last decision. Returns `False` if there is none."""
        own = self.own
        earlier = [] if own is None or live.session.is_over else live.node.path()[-2::-1]
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

    def _decide(self, kind: type[Moving | Committing | Revealing | Asking], **content: Any) -> None:
        """Write a line about the present decision."""
        self._write(kind(epoch=self.standing.epoch, ply=self.standing.ply, **content))

    def _write(self, line: RecordLine) -> None:
        """Write a line to your record and read it back, so that it counts for you as for everyone else."""
        own = self.get_own()
        if self._is_left:
            raise RecordTrouble("you have left this game")
        self._give_sign_of_life(own)
        if self._was_away:
            self._read_files()
        mine, theirs = self._reader(own.seat), self._reader(other(own.seat))
        seen = self._shown[own.seat][1] if own.seat in self._shown else None
        own.writer.write_message(msgspec.structs.replace(line, time=self.now(), seen=seen, read=len(theirs.lines)))
        mine.look()
        self.standing = self._replay(NOT_AWAY)
        self._start_clocks()

    def close(self) -> None:
        """Leave the game. It can be continued later. Calling this again does nothing."""
        if not self._is_left:
            self._is_left = True
            for reader in self.readers:
                reader.close()
            if self.own is not None and self._unlock is not None:
                self.own.writer.close()
                self.own.life.close()
                self._unlock()


@dataclass(eq=False)
class SharedClock:
    """The clock of a live game between two users. The records say whose clock runs and who has lost on time."""

    shared: SharedGame
    control: TimeControl
    late_seat: Seat | None = None

    @property
    def seconds_left(self) -> tuple[float, float]:
        return self.shared.seconds_left

    def start(self, seat: Seat | None, ply: int) -> None: ...

    def lose_on_time(self, seat: Seat) -> None: ...


def make_shared_game(
    shared: SharedGame, session: AnySession, coaching: Coaching, saver: Saver | None, random: Random
) -> LiveGame:
    """Return a live game for a shared game, without training."""
    control = shared.standing.clock.control
    clock = None if control is None else SharedClock(shared, control)
    return LiveGame(session, coaching, False, saver, random, shared, clock)


def get_shared_game(live: LiveGame) -> SharedGame:
    assert isinstance(live.remote, SharedGame), "it is shared"
    return live.remote


def list_players(shared: SharedGame, by: int) -> Players:
    """Return both players. Other users are named as the account `by` sees them."""
    own = None if shared.own is None else shared.own.seat
    first, second = (
        HUMAN
        if seat == own
        else Player(PlayerKind.ELSEWHERE, name=shared.person(seat).format_name(by)[:MAX_NAME_LENGTH])
        for seat in (0, 1)
    )
    return first, second
