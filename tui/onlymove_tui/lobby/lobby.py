"""The lobby, where the players of one host find each other: games to continue, challenges to accept, and games to
watch.

It also removes old records. An administrator makes one folder for all accounts (docs/hosting.md). Without it, the
profiles of one account share a folder of their own. Other accounts cannot slow this down, because only the beginnings
of their newest records are read, and a record is read again only after it has changed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.facts import GameId
from onlymove_engines.core.game import AnyGame
from onlymove_engines.core.value import other
from onlymove_engines.live.clock import BadClock, read_control

from onlymove_tui.lobby.accounts import LIMITS, OPENED, Folders, Limits, Person, RecordFile
from onlymove_tui.lobby.presence import (
    REAL_CLOCKS,
    Clocks,
    LifeSign,
    find_life_sign,
    is_alive,
    read_life_sign,
)
from onlymove_tui.lobby.record_file import (
    LARGEST,
    MAX_LINE_LENGTH,
    VERSION,
    Accepting,
    Closing,
    Joining,
    Opening,
    OwnSecrets,
    RecordReader,
    RecordTrouble,
    RecordWriter,
    SecretsFolder,
    close_on_error,
)
from onlymove_tui.lobby.shared_game import OwnSide, SharedGame

VARIABLE = "ONLYMOVE_ROOMS"
FOR_ALL = Path("/var/lib/onlymove/rooms")


def find_lobby_folder(own: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder where players meet: the one in the environment, or that for all accounts, or the own one."""
    if named := environ.get(VARIABLE):
        return Path(named)
    return FOR_ALL if FOR_ALL.is_dir() else own


class Lobby:
    """The lobby in `folder`, seen by the player `who`, who alone can read `secrets`. A challenge is identified by its
    id and the account that opened it, because another account may use the same id."""

    def __init__(
        self, folder: Path, secrets: SecretsFolder, who: Person, find_game: Callable[[GameId], AnyGame],
        clocks: Clocks = REAL_CLOCKS, limits: Limits = LIMITS,
    ) -> None:  # fmt: skip
        self.folders = Folders(folder, who.uid, clocks.time_of_day, clocks.files, limits)
        self.limits = limits
        self.secrets = secrets
        self.who = who
        self.find_game = find_game
        self.clock = clocks.time_of_day
        self.clocks = clocks
        self.ended: set[str] = set()
        """Your own games that are known to be over."""
        self.beginnings: Beginnings = {}

    def read_opening(self, challenge_id: str, uid: int, most: int = LARGEST) -> tuple[RecordReader, Opening]:
        """Read an opener's record, at most `most` bytes. Returns its reader and first line. Raises RecordTrouble."""
        reader = RecordReader(self.folders.path_of(uid, challenge_id), uid, self.clocks.files)
        with close_on_error(reader):
            reader.look(most)
            first = reader.lines[0] if reader.lines else None
            if not isinstance(first, Opening) or first.challenge_id != challenge_id:
                raise RecordTrouble("this is not the record of a challenge")
            if first.version != VERSION:
                raise RecordTrouble("this comes from another version of onlymove")
            try:
                read_control(first.clock)
            except BadClock as refusal:
                raise RecordTrouble(f"the clock of this game is not valid: {refusal}") from None
        return reader, first

    def read_joining(self, challenge_id: str, joiner: str, uid: int) -> tuple[RecordReader, Joining]:
        """Read the first line of a joiner's record. Returns its reader and that line. Raises RecordTrouble."""
        reader = RecordReader(self.folders.path_of(uid, challenge_id, joiner), uid, self.clocks.files)
        with close_on_error(reader):
            reader.look(MAX_LINE_LENGTH)
            first = reader.lines[0] if reader.lines else None
            if not isinstance(first, Joining) or (first.challenge_id, first.joiner) != (challenge_id, joiner):
                raise RecordTrouble("this is not the record of a player who joins")
        return reader, first

    def resume_game(self, challenge_id: str) -> SharedGame:
        """Reopen one of your own games. Raises RecordTrouble, for example if nobody has joined yet."""
        if (secrets := self.secrets.get(challenge_id)) is None:
            raise RecordTrouble("this game no longer exists, because its records were deleted")
        return self.open_game(challenge_id, secrets.uid, secrets)

    def open_game(self, challenge_id: str, uid: int, secrets: OwnSecrets | None = None) -> SharedGame:
        """Open a game of the account `uid`, to watch it, or with your `secrets` to play. Raises RecordTrouble."""
        with ExitStack() as cleanup:
            lock = -1 if secrets is None else self.secrets.occupy(challenge_id)
            if secrets is not None:
                cleanup.callback(os.close, lock)
            reader, opening = self.read_opening(challenge_id, uid)
            cleanup.callback(reader.close)
            if (accepted := reader.acceptance) is None:
                raise RecordTrouble("no other player has joined this game")
            if secrets is not None and not has_seat(secrets, accepted, self.who.uid):
                raise RecordTrouble("another player has joined this game")
            joined, joining = self.read_joining(challenge_id, accepted.joiner, accepted.uid)
            cleanup.callback(joined.close)
            joined.look()
            own = None
            if secrets is not None:
                mine, seat = (joined, other(opening.seat)) if secrets.joiner else (reader, opening.seat)
                writer = RecordWriter.reopen(mine.path, mine.whole)
                cleanup.callback(writer.close)
                life = LifeSign(mine.path, self.clocks.files)
                cleanup.callback(life.close)
                own = OwnSide(seat, writer, life, secrets, lock)
            people, game = (Person(reader.uid, opening.name), Person(joined.uid, joining.name)), opening.game
            shared = SharedGame(self.find_game(game), opening, accepted, people, (reader, joined), own, self.clocks)
            cleanup.pop_all()
        return shared


def has_seat(secrets: OwnSecrets, accepted: Accepting, uid: int) -> bool:
    """Whether the player with these secrets plays in this game, as the opener or as the accepted player."""
    return not secrets.joiner or (secrets.joiner, uid) == (accepted.joiner, accepted.uid)


MAX_BYTES = 1 << 17
"""How many bytes of another account's records are read for one list."""
SHORT_BEGINNING, LONG_BEGINNING = 2048, 1 << 14
"""How many bytes of a record are read for the list. The short beginning is usually enough to see the offer and who has
joined. It is not if many players were refused first."""
DAY = 24 * 3600.0
WEEK = 7 * DAY
QUARTER = 90 * DAY
"""An unfinished game is removed if neither player has returned to it for this long."""


@dataclass(frozen=True, slots=True)
class LobbyEntry:
    """A challenge or game in the list, opened by the account `uid`. `first` is the opener's name, and `second` that of
    the other player once the game has begun. It `is_mine` if you opened it, play in it or have asked to join it, and
    `is_joining` if you did not open it. It `is_alive` while one of its players is online, and `is_gone` when it is no
    longer in the lobby. It `is_waiting` until a player is `accepted`, whose record is `joined`."""

    challenge_id: str
    uid: int
    opening: Opening
    first: str
    second: str = ""
    is_mine: bool = False
    is_joining: bool = False
    is_alive: bool = False
    is_gone: bool = False
    is_waiting: bool = field(default=False, compare=False)
    accepted: Accepting | None = field(default=None, compare=False)
    joined: Path | None = field(default=None, compare=False)

    def is_same(self, other: LobbyEntry) -> bool:
        """Whether both entries are about the same challenge or game, even if its state has changed."""
        return (self.uid, self.challenge_id) == (other.uid, other.challenge_id)

    @property
    def has_begun(self) -> bool:
        return bool(self.second)

    @property
    def is_open(self) -> bool:
        """Whether another player is online and waits for an opponent."""
        return self.is_alive and not (self.is_mine or self.has_begun)

    @property
    def is_free(self) -> bool:
        """Whether you can join without a code."""
        return self.is_open and not self.opening.has_code

    @property
    def is_for_me(self) -> bool:
        """Whether another player is waiting and has challenged you by name."""
        return self.is_open and bool(self.opening.wanted)

    @property
    def rank(self) -> int:
        """The entry's place in the list, lowest first. The order is: challenges to you, your own games, your own
        challenges, challenges to anyone, challenges whose opener is away, and games to watch."""
        if self.is_for_me:
            return 0
        if self.is_mine:
            return 1 if self.has_begun else 2
        return 5 if self.has_begun else 3 if self.is_alive else 4


Beginnings: TypeAlias = dict[tuple[int, str], tuple[RecordFile, LobbyEntry | None]]
"""The records of other players, by account and challenge, and the entries that were read from them for the last list.
There is no entry if a file is not the record of a challenge."""


def list_entries(lobby: Lobby) -> list[LobbyEntry]:
    """Return the challenges and games to list, by rank, then those with a player online, then the newest."""
    lobby.folders.check()
    mine = {secrets.challenge_id: secrets for secrets in lobby.secrets.list_all()}
    found = [listed for secrets in mine.values() if (listed := _own_entry(lobby, secrets)) is not None]
    known, lobby.beginnings = lobby.beginnings, {}
    for uid in lobby.folders.accounts():
        others = sorted(_entries_of(lobby, uid, mine, known), key=lambda one: one.rank)
        found += others if uid == lobby.who.uid else others[: lobby.limits.listed]
    return sorted(found, key=lambda one: (one.rank, not one.is_alive, -one.opening.time))


def pin_marked(found: Sequence[LobbyEntry], marked: LobbyEntry, place: int) -> list[LobbyEntry]:
    """Return the list with the selected entry at index `place`, where it was, even if it is gone. The player may be
    about to press Enter on it."""
    others = [one for one in found if not one.is_same(marked)]
    now = next((one for one in found if one.is_same(marked)), replace(marked, is_gone=True))
    return [*others[:place], now, *others[place:]]


def _own_entry(lobby: Lobby, secrets: OwnSecrets) -> LobbyEntry | None:
    """Return the entry of one of your own games or challenges, or `None` if there is nothing to continue."""
    if secrets.challenge_id in lobby.ended:
        return None
    entry = _read_entry(lobby, secrets.challenge_id, secrets.uid, LARGEST)
    if entry is None:
        return None
    if entry.accepted is None:
        return replace(entry, is_mine=True, is_joining=bool(secrets.joiner)) if entry.is_waiting else None
    if has_seat(secrets, entry.accepted, lobby.who.uid):
        # In a finished game, neither player gives signs of life.
        return None if is_over(lobby, secrets) else replace(entry, is_mine=True)
    return entry if entry.is_alive else None


def _entries_of(lobby: Lobby, uid: int, mine: Container[str], known: Beginnings) -> Iterator[LobbyEntry]:
    """Yield an account's challenges that you may join, and its games that are being played now."""
    is_trusted, bytes_left = uid == lobby.who.uid, MAX_BYTES
    for record in lobby.folders.records(uid, OPENED)[: None if is_trusted else lobby.limits.records]:
        if record.name in mine:
            continue
        before, entry = known.get((uid, record.name), (None, None))
        # Once a player has joined, the beginning no longer changes.
        is_settled = before is not None and (before.size == record.size or (entry is not None and entry.has_begun))
        if before is None or before.inode != record.inode or not is_settled:
            if bytes_left <= 0 and not is_trusted:
                continue
            entry = _read_entry(lobby, record.name, uid, LONG_BEGINNING)
            bytes_left -= min(record.size, LONG_BEGINNING if entry and entry.is_waiting else SHORT_BEGINNING)
        lobby.beginnings[uid, record.name] = (record, entry)
        if entry is None:
            continue
        entry = _check_life(lobby, entry, record.touched)
        is_for_me = may_join(entry.opening, uid, lobby.who) or entry.opening.has_code
        if entry.is_alive if entry.has_begun else entry.is_waiting and is_for_me:
            yield entry


def _check_life(lobby: Lobby, entry: LobbyEntry, touched: float) -> LobbyEntry:
    """Return the entry, alive or not. `touched` is when the opener's record was last touched."""
    signs, files = [touched], lobby.clocks.files
    if entry.joined is not None and entry.accepted is not None:
        opened = lobby.folders.path_of(entry.uid, entry.challenge_id)
        signs += read_life_sign(opened, entry.uid, files), read_life_sign(entry.joined, entry.accepted.uid, files)
    return replace(entry, is_alive=any(is_alive(sign, lobby.clock()) for sign in signs))


def _read_entry(lobby: Lobby, challenge_id: str, uid: int, most: int) -> LobbyEntry | None:
    """Read at most `most` bytes of a record, until it says how the challenge ended. Returns `None` if it is not the
    record of a challenge."""
    try:
        reader, opening = lobby.read_opening(challenge_id, uid, SHORT_BEGINNING)
        with closing(reader):
            if is_waiting(reader):
                reader.look(most)
        me, accepted = lobby.who.uid, reader.acceptance
        entry = LobbyEntry(challenge_id, uid, opening, Person(uid, opening.name).format_name(me))
        entry = replace(entry, is_waiting=is_waiting(reader), accepted=accepted)
        if accepted is not None:
            joined, joining = lobby.read_joining(challenge_id, accepted.joiner, accepted.uid)
            joined.close()
            entry = replace(entry, second=Person(joined.uid, joining.name).format_name(me), joined=joined.path)
    except RecordTrouble:
        return None
    return _check_life(lobby, entry, reader.changed)


def is_waiting(reader: RecordReader) -> bool:
    return not any(isinstance(line, Accepting | Closing) for line in reader.lines)


def is_over(lobby: Lobby, secrets: OwnSecrets) -> bool:
    """Whether a game has ended or its records can no longer be read."""
    try:
        with closing(lobby.open_game(secrets.challenge_id, secrets.uid)) as game:
            has_ended = game.standing.is_over
    except OnlymoveError:
        return True
    if has_ended:
        lobby.ended.add(secrets.challenge_id)
    return has_ended


def remove_old_records(lobby: Lobby) -> None:
    """Remove your records of finished games after a week, of other games after 90 days, and of challenges that nobody
    joined a day after you last waited. The secrets of games without records are removed too."""
    for secrets in list(lobby.secrets.list_all()):
        owner = lobby.who.uid if secrets.joiner else secrets.uid
        path = lobby.folders.path_of(owner, secrets.challenge_id, secrets.joiner)
        files = lobby.clocks.files
        try:
            left = max(files.read(os.lstat(path)), read_life_sign(path, lobby.who.uid, files))
        except OSError:
            lobby.secrets.forget(secrets.challenge_id)
            continue
        age = lobby.clock() - left
        if age <= DAY:
            continue
        try:
            reader, _ = lobby.read_opening(secrets.challenge_id, secrets.uid)
        except RecordTrouble:
            is_done = age > WEEK
        else:
            reader.close()
            has_begun = reader.acceptance is not None
            is_done = not has_begun or age > QUARTER or (age > WEEK and is_over(lobby, secrets))
        if is_done:
            path.unlink(missing_ok=True)
            find_life_sign(path).unlink(missing_ok=True)
            lobby.secrets.forget(secrets.challenge_id)


def may_join(opening: Opening, uid: int, who: Person) -> bool:
    """Whether a player may join a challenge that the account `uid` opened. Does not check the code."""
    return not opening.wanted or who.is_called(opening.wanted, uid)
