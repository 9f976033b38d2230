"""A challenge: its opener waits for an opponent, and whoever wants to join waits to be accepted."""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from onlymove_engines.core.value import Seat, other
from onlymove_engines.match.clock import read_control
from onlymove_engines.play.line import find_house_rule

from onlymove_tui.lobby.accounts import OPENED, SEAT, Person, RecordFile, accounts_called
from onlymove_tui.lobby.commitments import OwnSecrets, is_proof, new_code, new_secret, proof_of
from onlymove_tui.lobby.lobby import Lobby, LobbyEntry, acceptance, lobby_entries, may_join
from onlymove_tui.lobby.messages import VERSION, Accepting, Closing, Joining, Opening, Refusing
from onlymove_tui.lobby.record_file import RecordTrouble, RecordWriter
from onlymove_tui.lobby.replay import line_of
from onlymove_tui.lobby.shared_game import BEAT_SECONDS, OwnSide, SharedGame, is_alive

ID_SIGNS = "abcdefghijklmnopqrstuvwxyz234567"
MOST_TRIES = 10
"""How often somebody of another account may try to join a table; after that the account is not looked at any more."""
MOST_TRIES_OF_OWN = 100
"""The same for one's own account, which many profiles may share."""


@dataclass(frozen=True, slots=True)
class Terms:
    """A game as its opener wants it. `wanted` names who may join, empty: anybody; or whoever knows a code."""

    game: str
    start: str
    seat: Seat
    rule: str = ""
    clock: str = ""
    wanted: str = ""
    has_code: bool = False


def new_id() -> str:
    return "".join(secrets.choice(ID_SIGNS) for _ in range(16))


class OpenChallenge:
    """A game that this player offers: it begins when somebody who may join is accepted."""

    def __init__(self, lobby: Lobby, kept: OwnSecrets) -> None:
        self.lobby = lobby
        self.table = kept.table
        self.code = kept.code
        self._lock = lobby.secrets.occupy(kept.table)
        try:
            self.reader, self.opening = lobby.read_opening(kept.table, kept.uid)
        except RecordTrouble:
            os.close(self._lock)
            raise
        self._writer = RecordWriter.reopen(self.reader.path, self.reader.whole)
        wanted, me = self.opening.wanted, lobby.who.uid
        self._invited = accounts_called(wanted, me) if wanted else None
        refused = [(said.uid, said.joiner) for said in self.reader.lines if isinstance(said, Refusing)]
        self._seen = set(refused)
        self._tries = Counter(uid for uid, _ in refused)
        self._beaten = 0.0
        self._is_left = False

    @classmethod
    def open(cls, lobby: Lobby, wanted: Terms) -> OpenChallenge:
        """Open a table. Raises OnlymoveError for a game that there is not, or a place that is not safe."""
        lobby.folders.check()
        game = lobby.find_game(wanted.game)
        game.notation.parse_position(wanted.start)
        find_house_rule(game, wanted.rule)
        read_control(wanted.clock)
        table = new_id()
        code = new_code() if wanted.has_code else ""
        path = lobby.new_record(f"{table}{OPENED}")
        kept = OwnSecrets(table=table, secret=new_secret(), uid=lobby.who.uid, code=code)
        lobby.secrets.put(kept)
        opening = Opening(
            time=lobby.clock(), version=VERSION, table=table, name=lobby.who.name, game=wanted.game, start=wanted.start,
            seat=wanted.seat, rule=wanted.rule, clock=wanted.clock, wanted=wanted.wanted, has_code=wanted.has_code,
        )  # fmt: skip
        begin_record(lobby, table, path, opening)
        return cls(lobby, kept)

    def look(self) -> bool:
        """See who wants to join, one at a time, and take the first who may. Returns whether the game has begun. Raises
        RecordTrouble."""
        if self._is_left:
            return False
        if abs(self.lobby.clock() - self._beaten) >= BEAT_SECONDS:
            self._beaten = self.lobby.clock()
            self._writer.beat(self._beaten)
        self.reader.look()
        if acceptance(self.reader)[1] is not None:
            return True
        joiners = [found for uid in self._accounts() if (found := self._next_of(uid)) is not None]
        # An account that tries again and again keeps nobody else waiting.
        uid, record = min(joiners, key=lambda found: (self._tries[found[0]], found[1].touched), default=(0, None))
        return record is not None and self._decide(uid, record.name.partition(".")[2])

    def _accounts(self) -> Iterable[int]:
        """Those that may have sent somebody: at a table for somebody by name only those that the name can mean."""
        accounts = self.lobby.folders.accounts() if self._invited is None else self._invited
        me = self.lobby.who.uid
        return [uid for uid in accounts if self._tries[uid] < (MOST_TRIES_OF_OWN if uid == me else MOST_TRIES)]

    def _next_of(self, uid: int) -> tuple[int, RecordFile] | None:
        """The first of an account who wants to join and has not been looked at."""
        records = reversed(self.lobby.folders.records(uid, SEAT, f"{self.table}."))
        return next(((uid, one) for one in records if (uid, one.name.partition(".")[2]) not in self._seen), None)

    def _decide(self, uid: int, joiner: str) -> bool:
        """Take somebody who wants to join, or not."""
        self._seen.add((uid, joiner))
        self._tries[uid] += 1
        try:
            reader, joining = self.lobby.read_joining(self.table, joiner, uid)
        except RecordTrouble:
            return False
        reader.close()
        now = self.lobby.clock()
        if self.opening.has_code:
            is_wanted = is_proof(joining.proof, self.code, self.table, joiner, uid)
        else:
            is_wanted = may_join(self.opening, self.reader.uid, Person(uid, joining.name))
        if not is_wanted:
            self._writer.say(Refusing(time=now, joiner=joiner, uid=uid))
            return False
        self._writer.say(Accepting(time=now, joiner=joiner, uid=uid, seen=1))
        return True

    def withdraw(self) -> None:
        """Wait for nobody any more: the table is gone, whether or not that can still be written."""
        with suppress(RecordTrouble):
            self._writer.say(Closing(time=self.lobby.clock()))
        self.reader.path.unlink(missing_ok=True)
        self.lobby.secrets.forget(self.table)

    def close(self) -> None:
        """Leave, once is enough; the table stays open."""
        if self._is_left:
            return
        self._is_left = True
        self.reader.close()
        self._writer.close()
        os.close(self._lock)


class JoinedChallenge:
    """A game of somebody else that this player asks to join."""

    def __init__(self, lobby: Lobby, kept: OwnSecrets) -> None:
        self.lobby = lobby
        self.table = kept.table
        self.opener = kept.uid
        self.joiner = kept.joiner
        self.reader, self.opening = lobby.read_opening(kept.table, kept.uid)
        self._is_left = False

    @classmethod
    def join(cls, lobby: Lobby, table: str, opener: int, code: str = "") -> JoinedChallenge:
        """Ask to sit down at a table that the account `opener` has opened. Raises OnlymoveError."""
        lobby.folders.check()
        if (kept := lobby.secrets.get(table)) is not None and kept.uid == opener:
            if not kept.joiner:
                raise RecordTrouble("this is your own table")
            return cls(lobby, kept)
        reader, opening = lobby.read_opening(table, opener)
        reader.close()
        if opening.version != VERSION:
            raise RecordTrouble("this table was opened by another version of onlymove")
        if acceptance(reader)[1] is not None:
            raise RecordTrouble("somebody else sits at this table by now")
        if not (opening.has_code or may_join(opening, opener, lobby.who)):
            raise RecordTrouble("this table is for somebody else")
        line_of(lobby.find_game(opening.game), opening)
        joiner = new_id()
        path = lobby.new_record(f"{table}.{joiner}{SEAT}")
        kept = OwnSecrets(table=table, secret=new_secret(), uid=opener, joiner=joiner)
        lobby.secrets.put(kept)
        proof = proof_of(code, table, joiner, lobby.who.uid) if opening.has_code else ""
        joining = Joining(
            time=lobby.clock(), seen=1, version=VERSION, table=table, joiner=joiner, name=lobby.who.name, proof=proof
        )
        begin_record(lobby, table, path, joining)
        return cls(lobby, kept)

    def look(self) -> bool:
        """Returns whether one has been accepted. Raises RecordTrouble when one will not be."""
        if self._is_left:
            return False
        self.reader.look()
        accepted, me = acceptance(self.reader)[1], (self.joiner, self.lobby.who.uid)
        if accepted is not None and (accepted.joiner, accepted.uid) == me:
            return True
        why = ""
        if accepted is not None:
            why = "somebody else sits at this table by now"
        elif any(isinstance(said, Refusing) and (said.joiner, said.uid) == me for said in self.reader.lines):
            why = "that is not the code of this table" if self.opening.has_code else "this table is for somebody else"
        elif any(isinstance(said, Closing) for said in self.reader.lines):
            why = "the table is closed"
        if why:
            self.withdraw()
            raise RecordTrouble(why)
        return False

    @property
    def is_alive(self) -> bool:
        """Whether the opener is there to let one sit down."""
        return is_alive(self.reader.touched, self.lobby.clock())

    def withdraw(self) -> None:
        self.lobby.seat(self.table, self.joiner, self.lobby.who.uid).unlink(missing_ok=True)
        self.lobby.secrets.forget(self.table)

    def close(self) -> None:
        """Leave, once is enough."""
        if not self._is_left:
            self._is_left = True
            self.reader.close()


def join_or_wait(lobby: Lobby, table: str, opener: int, code: str = "") -> OpenChallenge | JoinedChallenge:
    """A table that nobody plays at yet, to wait on at if it is one's own, or else to be let sit down at. Raises
    OnlymoveError."""
    kept = lobby.secrets.get(table)
    if kept is not None and (kept.uid, kept.joiner) == (opener, ""):
        return OpenChallenge(lobby, kept)
    return JoinedChallenge.join(lobby, table, opener, code)


def begin_record(lobby: Lobby, table: str, path: Path, first: Opening | Joining) -> None:
    """One's own record at a table. Raises RecordTrouble; then nothing of the table is kept."""
    try:
        RecordWriter.create(path, first).close()
    except RecordTrouble:
        lobby.secrets.forget(table)
        raise


def find_rematch_place(lobby: Lobby, table: SharedGame, own: OwnSide, swapped: bool) -> OpenChallenge | JoinedChallenge:
    """Where the other of the two waits for the same game once more, else a table at which one waits for it, the sides
    as they were or changed. Raises OnlymoveError."""
    if (there := find_another(lobby, table, own, lobby_entries(lobby))) is not None:
        return join_or_wait(lobby, there.table, there.uid)
    opening, seat = table.opening, other(own.seat) if swapped else own.seat
    name = opponent(lobby, table, own)
    return OpenChallenge.open(lobby, Terms(opening.game, opening.start, seat, opening.rule, opening.clock, name))


def find_another(lobby: Lobby, table: SharedGame, own: OwnSide, listed: Iterable[LobbyEntry]) -> LobbyEntry | None:
    """The table at which the other of the two waits for this one, else where this one waits already."""
    name = opponent(lobby, table, own)
    there = [
        one
        for one in listed
        if one.opening.game == table.opening.game and not one.has_begun and one.opening.wanted
        if (one.first == name and one.is_open) or (one.is_mine and name in (one.first, one.opening.wanted))
    ]
    return min(there, key=lambda one: one.is_mine, default=None)


def opponent(lobby: Lobby, table: SharedGame, own: OwnSide) -> str:
    """Whom one has played against, by the name that a table is opened for."""
    return table.person(other(own.seat)).named(lobby.who.uid)
