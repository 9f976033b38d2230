"""Challenges to other users. A player opens a challenge, others ask to join it, and the opener accepts one of them."""

from __future__ import annotations

import hmac
import os
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from onlymove_engines.core.value import Seat, other
from onlymove_engines.live.clock import read_control
from onlymove_engines.play.tree import find_house_rule

from onlymove_tui.lobby.accounts import SEAT, Person, find_accounts, name_record
from onlymove_tui.lobby.lobby import Lobby, LobbyEntry, list_entries, may_join
from onlymove_tui.lobby.presence import BEAT_SECONDS, is_alive
from onlymove_tui.lobby.record_file import (
    CODE_LENGTH,
    CODE_SIGNS,
    VERSION,
    Accepting,
    Closing,
    Joining,
    Opening,
    OwnSecrets,
    RecordTrouble,
    RecordWriter,
    Refusing,
    prove_code,
)
from onlymove_tui.lobby.replay import start_line
from onlymove_tui.lobby.shared_game import SharedGame

ID_SIGNS = "abcdefghijklmnopqrstuvwxyz234567"
MAX_TRIES = 10
"""How often the players of another account may try to join a challenge. After that, the account is ignored."""
MAX_TRIES_OF_OWN = 100
"""The same limit for your own account, which may have many profiles."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The game that an opener offers. Its fields are those of an `Opening`."""

    game: str
    start: str
    seat: Seat
    rule: str = ""
    clock: str = ""
    wanted: str = ""
    has_code: bool = False


def new_id(signs: str = ID_SIGNS, length: int = 16) -> str:
    return "".join(secrets.choice(signs) for _ in range(length))


class OpenChallenge:
    """A challenge that you opened. The game begins when you accept a player."""

    def __init__(self, lobby: Lobby, own: OwnSecrets) -> None:
        self.lobby = lobby
        self.challenge_id = own.challenge_id
        self.code = own.code
        self._lock = lobby.secrets.occupy(own.challenge_id)
        try:
            self.reader, self.opening = lobby.read_opening(own.challenge_id, own.uid)
        except RecordTrouble:
            os.close(self._lock)
            raise
        self._writer = RecordWriter.reopen(self.reader.path, self.reader.whole)
        wanted, me = self.opening.wanted, lobby.who.uid
        self._invited = find_accounts(wanted, me) if wanted else None
        self._seen = {(line.uid, line.joiner) for line in self.reader.lines if isinstance(line, Refusing)}
        self._beaten = 0.0
        self._is_left = False

    @classmethod
    def open(cls, lobby: Lobby, wanted: Terms) -> OpenChallenge:
        """Open a challenge. Raises OnlymoveError if the game is unknown or the common folder is not safe."""
        lobby.folders.check()
        game = lobby.find_game(wanted.game)
        game.notation.parse_position(wanted.start)
        find_house_rule(game, wanted.rule)
        read_control(wanted.clock)
        code = new_id(CODE_SIGNS, CODE_LENGTH) if wanted.has_code else ""
        own = OwnSecrets(challenge_id=new_id(), secret=secrets.token_hex(32), uid=lobby.who.uid, code=code)
        begin_record(lobby, own, Opening, **asdict(wanted))
        return cls(lobby, own)

    def look(self) -> bool:
        """Answer the next player who wants to join. Returns `True` once the game has begun. Raises RecordTrouble."""
        if self._is_left:
            return False
        if abs(self.lobby.clock() - self._beaten) >= BEAT_SECONDS:
            self._beaten = self.lobby.clock()
            self._writer.touch(self.lobby.clocks.files)
        self.reader.look()
        if self.reader.acceptance is not None:
            return True
        # Accounts that have tried often come last, so they do not hold up the others.
        tries = Counter(uid for uid, _ in self._seen)
        found = min(self._list_joiners(tries), key=lambda one: (tries[one[0]], one[1]), default=None)
        return found is not None and self._decide(found[0], found[2])

    def _list_joiners(self, tries: Counter[int]) -> Iterator[tuple[int, float, str]]:
        """Yield the account, the time of the request, and the id of each player who wants to join and has no answer
        yet. Only accounts that can be meant and have not tried too often are searched."""
        folders, me = self.lobby.folders, self.lobby.who.uid
        for uid in folders.accounts() if self._invited is None else self._invited:
            if tries[uid] < (MAX_TRIES_OF_OWN if uid == me else MAX_TRIES):
                for record in folders.records(uid, SEAT, f"{self.challenge_id}."):
                    joiner = record.name.partition(".")[2]
                    if (uid, joiner) not in self._seen:
                        yield uid, record.touched, joiner

    def _decide(self, uid: int, joiner: str) -> bool:
        self._seen.add((uid, joiner))
        try:
            reader, joining = self.lobby.read_joining(self.challenge_id, joiner, uid)
        except RecordTrouble:
            return False
        reader.close()
        now = self.lobby.clock()
        if self.opening.has_code:
            proof = prove_code(self.code, self.challenge_id, joiner, uid)
            is_wanted = hmac.compare_digest(joining.proof.encode(), proof.encode())
        else:
            is_wanted = may_join(self.opening, self.reader.uid, Person(uid, joining.name))
        if is_wanted:
            self._writer.write_message(Accepting(time=now, joiner=joiner, uid=uid, read=1))
        else:
            self._writer.write_message(Refusing(time=now, joiner=joiner, uid=uid))
        return is_wanted

    def withdraw(self) -> None:
        """Withdraw the challenge and delete its record, even if the withdrawal cannot be written to it."""
        with suppress(RecordTrouble):
            self._writer.write_message(Closing(time=self.lobby.clock()))
        self.reader.path.unlink(missing_ok=True)
        self.lobby.secrets.forget(self.challenge_id)

    def close(self) -> None:
        """Stop waiting, but do not withdraw the challenge. Calling this again does nothing."""
        if not self._is_left:
            self._is_left = True
            self.reader.close()
            self._writer.close()
            os.close(self._lock)


class JoinedChallenge:
    """Another player's challenge that you have asked to join."""

    def __init__(self, lobby: Lobby, own: OwnSecrets) -> None:
        self.lobby = lobby
        self.challenge_id = own.challenge_id
        self.opener = own.uid
        self.joiner = own.joiner
        self.reader, self.opening = lobby.read_opening(own.challenge_id, own.uid)
        self._is_left = False

    @classmethod
    def join(cls, lobby: Lobby, challenge_id: str, opener: int, code: str = "") -> JoinedChallenge:
        """Ask to join a challenge that the account `opener` opened. Raises OnlymoveError."""
        lobby.folders.check()
        if (own := lobby.secrets.get(challenge_id)) is not None and own.uid == opener:
            if not own.joiner:
                raise RecordTrouble("this is your own challenge")
            return cls(lobby, own)
        reader, opening = lobby.read_opening(challenge_id, opener)
        reader.close()
        if reader.acceptance is not None:
            raise RecordTrouble("another player has joined this game")
        if not (opening.has_code or may_join(opening, opener, lobby.who)):
            raise RecordTrouble("this challenge is for another player")
        start_line(lobby.find_game(opening.game), opening)
        joiner = new_id()
        own = OwnSecrets(challenge_id=challenge_id, secret=secrets.token_hex(32), uid=opener, joiner=joiner)
        proof = prove_code(code, challenge_id, joiner, lobby.who.uid) if opening.has_code else ""
        begin_record(lobby, own, Joining, read=1, joiner=joiner, proof=proof)
        return cls(lobby, own)

    def look(self) -> bool:
        """Return `True` once the opener has accepted you. Raises RecordTrouble if that can no longer happen."""
        if self._is_left:
            return False
        self.reader.look()
        me = (self.joiner, self.lobby.who.uid)
        if (accepted := self.reader.acceptance) is not None:
            if (accepted.joiner, accepted.uid) == me:
                return True
            why = "another player has joined this game"
        elif any(isinstance(line, Refusing) and (line.joiner, line.uid) == me for line in self.reader.lines):
            wrong_code, other_player = "this is not the code for the challenge", "this challenge is for another player"
            why = wrong_code if self.opening.has_code else other_player
        elif any(isinstance(line, Closing) for line in self.reader.lines):
            why = "this challenge was withdrawn"
        else:
            return False
        self.withdraw()
        raise RecordTrouble(why)

    @property
    def is_alive(self) -> bool:
        return is_alive(self.reader.changed, self.lobby.clock())

    def withdraw(self) -> None:
        self.lobby.folders.path_of(self.lobby.who.uid, self.challenge_id, self.joiner).unlink(missing_ok=True)
        self.lobby.secrets.forget(self.challenge_id)

    def close(self) -> None:
        """Stop reading. Calling this again does nothing."""
        if not self._is_left:
            self._is_left = True
            self.reader.close()


def join_or_wait(lobby: Lobby, challenge_id: str, opener: int, code: str = "") -> OpenChallenge | JoinedChallenge:
    """Wait again for an opponent if this challenge is your own. Otherwise ask to join it. Raises OnlymoveError."""
    own = lobby.secrets.get(challenge_id)
    if own is not None and (own.uid, own.joiner) == (opener, ""):
        return OpenChallenge(lobby, own)
    return JoinedChallenge.join(lobby, challenge_id, opener, code)


def begin_record(lobby: Lobby, own: OwnSecrets, kind: type[Opening | Joining], **content: Any) -> None:
    """Save your secrets, and create your record with its first line. Raises RecordTrouble or NoLobby."""
    path = lobby.folders.make_own() / name_record(own.challenge_id, own.joiner)
    first = kind(time=lobby.clock(), version=VERSION, challenge_id=own.challenge_id, name=lobby.who.name, **content)
    lobby.secrets.put(own)
    try:
        RecordWriter.create(path, first).close()
    except RecordTrouble:
        lobby.secrets.forget(own.challenge_id)
        raise


def find_rematch_place(lobby: Lobby, shared: SharedGame, swapped: bool) -> OpenChallenge | JoinedChallenge:
    """Return a challenge to play the same game again, with the same sides or with sides `swapped`. It is your
    opponent's challenge if there is one, and otherwise a new one. Raises OnlymoveError."""
    if (there := find_next_challenge(lobby, shared, list_entries(lobby))) is not None:
        return join_or_wait(lobby, there.challenge_id, there.uid)
    opening, own = shared.opening, shared.get_own().seat
    seat, name = other(own) if swapped else own, opponent_name(lobby, shared)
    return OpenChallenge.open(lobby, Terms(opening.game, opening.start, seat, opening.rule, opening.clock, name))


def find_next_challenge(lobby: Lobby, shared: SharedGame, listed: Iterable[LobbyEntry]) -> LobbyEntry | None:
    """Return your opponent's challenge to you. If there is none, return your challenge to your opponent, or `None`."""
    name = opponent_name(lobby, shared)
    there = [
        one
        for one in listed
        if one.opening.game == shared.opening.game and not one.has_begun and one.opening.wanted
        if (one.first == name and one.is_open) or (one.is_mine and name in (one.first, one.opening.wanted))
    ]
    return min(there, key=lambda one: one.is_mine, default=None)


def opponent_name(lobby: Lobby, shared: SharedGame) -> str:
    """Return your opponent's name in this game, as you write it in a challenge."""
    return shared.person(other(shared.get_own().seat)).format_name(lobby.who.uid)
