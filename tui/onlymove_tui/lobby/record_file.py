"""Reads and writes the files of one side of a shared game: its record, and its player's secrets. Contains no code for
particular games.

A record is a file that only its owner can append to and everyone can read. A line counts once it is complete. A file
that other users could have written is refused.

The lines are everything that one side can say, as JSON objects (docs/formats.md). `time` is when the line was written,
by its writer's own clock. `read` is how many lines of the other side's record its writer had read by then. In a line
about a decision, `epoch` is the number of undos so far that both players agreed to, and `ply` the number of moves
before the decision.

A hash commits a player to a hidden choice without showing it. The hash covers the game, the side and the decision, so
it fits no other move and nobody else can reuse it. Its nonce comes from a secret that only its owner can read. If the
player's app is killed after committing, it can therefore still reveal the choice later. The secret is written once,
before the record that needs it.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta
from onlymove_engines.core.errors import OnlymoveError
from onlymove_engines.core.files import open_regular, read_regular
from onlymove_engines.core.text import HARMFUL
from onlymove_engines.core.value import Seat
from onlymove_tables.lock import try_lock

from onlymove_tui.store.profiles import open_own_file

VERSION = 3
"""Challenges and games of other versions are ignored."""
MAX_LINE_LENGTH = 4096
"""In bytes. The longest position of any game needs a tenth of this."""

NAME = re.compile(r"^[A-Za-z0-9_.@-]{1,100}\Z")
Name = Annotated[str, Meta(pattern=NAME.pattern)]
"""A player's name, which is shown on other users' terminals."""
Id = Annotated[str, Meta(pattern=r"^[a-z2-7]{16}\Z")]
"""The random id of a challenge, or of a player who wants to join it."""
Text = Annotated[str, Meta(pattern=rf"^[^\t\n\r{HARMFUL}]{{0,1000}}\Z")]
"""Text that can safely be shown in an error, in one line."""
Stamp = Annotated[float, Meta(ge=0, le=1e11)]
Count = Annotated[int, Meta(ge=0, le=10**6)]
Uid = Annotated[int, Meta(ge=0, le=2**32 - 1)]
"""The number of an account. Directory services use large numbers, from about 10^9 on."""
OneOfTwo = Annotated[int, Meta(ge=0, le=1)]


class RequestKind(Enum):
    """What one side may ask of the other."""

    DRAW = "draw"
    UNDO = "undo"


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """A line of a record. `time` is when it was written, by its writer's own clock. `read` is how many lines of the
    other record its writer had read. `seen` is there if the writer's clock was running. It says since when: since the
    writer's app first showed the decision, or since the writer's line before."""

    time: Stamp = 0.0
    read: Count = 0
    seen: Stamp | None = None


class Opening(Message, frozen=True, kw_only=True, tag="open"):
    """The first line of a player who opens a challenge. `challenge_id` is its id, `start` a position as text, `rule` a
    house rule, `seat` the opener's seat, and `clock` a time control as a player types it. `wanted` names the player who
    may join. It is empty if anyone may. With `has_code`, a player who joins must prove that they know the code."""

    version: int
    challenge_id: Id = msgspec.field(name="table")
    name: Name
    game: Text
    start: Text
    seat: OneOfTwo
    rule: Text = ""
    clock: Text = ""
    wanted: Text = ""
    has_code: bool = False


class Joining(Message, frozen=True, kw_only=True, tag="join"):
    """The first line of a player who wants to join. `proof` shows that the player knows the code."""

    version: int
    challenge_id: Id = msgspec.field(name="table")
    joiner: Id
    name: Name
    proof: Text = ""


class Accepting(Message, frozen=True, kw_only=True, tag="accept"):
    """The opener accepts this player, whose record belongs to the account `uid`. The game begins."""

    joiner: Id
    uid: Uid


class Refusing(Message, frozen=True, kw_only=True, tag="refuse"):
    """The opener refuses this player of the account `uid`."""

    joiner: Id
    uid: Uid


class Closing(Message, frozen=True, kw_only=True, tag="close"):
    """The opener withdraws the challenge."""


class DecisionMessage(Message, frozen=True, kw_only=True):
    """A line that is about one decision."""

    epoch: Count
    ply: Count


class Moving(DecisionMessage, frozen=True, kw_only=True, tag="move"):
    """A move by the side to move."""

    move: Text


class Committing(DecisionMessage, frozen=True, kw_only=True, tag="commit"):
    """The hash of a hidden choice, in a game where both sides move at once (see `commitment`)."""

    fixed: Text


class Revealing(DecisionMessage, frozen=True, kw_only=True, tag="reveal"):
    """A hidden choice, revealed after both sides have committed."""

    nonce: Text
    move: Text


class Asking(DecisionMessage, frozen=True, kw_only=True, tag="ask"):
    """A request for a draw, or for an undo to the position after `back_to` moves. The next move cancels it."""

    wish: RequestKind
    back_to: Count = 0


class Answering(Message, frozen=True, kw_only=True, tag="answer"):
    """The answer to line `asked` of the other side's record, counted from 0."""

    asked: Count
    agrees: bool


class Resigning(Message, frozen=True, kw_only=True, tag="resign"):
    """The writer resigns or, with `is_late`, has run out of time."""

    is_late: bool = False


RecordLine: TypeAlias = (
    Opening
    | Joining
    | Accepting
    | Refusing
    | Closing
    | Moving
    | Committing
    | Revealing
    | Asking
    | Answering
    | Resigning
)

_READER: msgspec.json.Decoder[RecordLine] = msgspec.json.Decoder(RecordLine)


def parse_line(line: bytes) -> RecordLine | None:
    """Return the message in a line without its newline, or `None` if it cannot be understood."""
    try:
        return _READER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def format_line(line: RecordLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


LARGEST = 1 << 20
"""The largest size of a record in bytes. This is enough for about five thousand moves."""
MAX_LINES = LARGEST // 64
"""The most lines of a record. No valid line is shorter than 64 bytes."""
READABLE = 0o644


class FileClock:
    """The clock of the file system that holds the records, in seconds since 1970. No user can set its times."""

    def read(self, found: os.stat_result) -> float:
        """Return when a file was last changed."""
        return found.st_ctime

    def touch(self, file: int) -> None:
        """Change an open file now, but not its contents."""
        os.utime(file)


FILE_CLOCK = FileClock()


class RecordTrouble(OnlymoveError):
    """A record cannot be read or written."""


def describe_fault(found: os.stat_result) -> str:
    """Return why a file cannot be a record. Empty for a plain file of allowed size that only its owner can write."""
    if not stat.S_ISREG(found.st_mode):
        return "is not a regular file"
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "can be changed by other users"
    return "is too long" if found.st_size > LARGEST else ""


class RecordReader:
    """Reads one record of the account `uid` as it grows. `lines` has a `None` for each line that cannot be understood.
    `changed` is when the file was last changed, by the clock of the file system: the lines are at least as old. `whole`
    counts the bytes in the complete lines so far."""

    def __init__(self, path: Path, uid: int, files: FileClock) -> None:
        self.path = path
        self.uid = uid
        self.lines: list[RecordLine | None] = []
        self.changed = 0.0
        self.whole = 0
        self._files = files
        try:
            self._file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise RecordTrouble(f"a record of this game cannot be read: {error.strerror}") from None
        with close_on_error(self):
            if self._checked().st_uid != uid:
                raise RecordTrouble("a record of this game belongs to another user")

    def _checked(self) -> os.stat_result:
        """Return the state of the file. Raises RecordTrouble if it is no longer a valid record or was cut short."""
        found = os.fstat(self._file)
        wrong = describe_fault(found) or ("was cut short" if found.st_size < self.whole else "")
        if wrong:
            raise RecordTrouble(f"a record of this game {wrong}")
        return found

    @property
    def damaged(self) -> int | None:
        """The number of the first line that cannot be understood, counted from 1, or `None`."""
        return self.lines.index(None) + 1 if None in self.lines else None

    @property
    def acceptance(self) -> Accepting | None:
        """The line in which the opener accepted a player, or `None`."""
        return next((line for line in self.lines if isinstance(line, Accepting)), None)

    def look(self, most: int = LARGEST) -> bool:
        """Read the complete lines that are new in the first `most` bytes. Returns whether there are any. Raises
        RecordTrouble."""
        found = self._checked()
        self.changed = self._files.read(found)
        end = min(found.st_size, most)
        if end <= self.whole:
            return False
        some = os.pread(self._file, end - self.whole, self.whole)
        *lines, _ = some.split(b"\n")
        if len(self.lines) + len(lines) > MAX_LINES:
            raise RecordTrouble("a record of this game is too long")
        self.whole += sum(len(line) + 1 for line in lines)
        self.lines += [parse_line(line) if len(line) < MAX_LINE_LENGTH else None for line in lines]
        return bool(lines)

    def close(self) -> None:
        os.close(self._file)


@contextmanager
def close_on_error(reader: RecordReader) -> Iterator[None]:
    """Close the record's file if the block raises."""
    try:
        yield
    except BaseException:
        reader.close()
        raise


class RecordWriter:
    """Appends to your own record. A line is written completely or not at all, and is on disk when the call returns."""

    def __init__(self, file: int) -> None:
        self._file = file

    @classmethod
    def create(cls, path: Path, first: RecordLine) -> RecordWriter:
        """Create a record with its first line. Raises RecordTrouble if it exists or cannot be written."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with file_errors():
            file = os.open(path, flags, READABLE)
            os.fchmod(file, READABLE)  # The umask would remove some permissions.
        writer = cls(file)
        try:
            writer.write_message(first)
        except RecordTrouble:
            writer.close()
            path.unlink()
            raise
        return writer

    @classmethod
    def reopen(cls, path: Path, whole: int) -> RecordWriter:
        """Reopen your record, in which `whole` bytes are complete lines. The rest is cut off. It comes from a process
        that was killed, and nobody has read it as a line. Raises RecordTrouble."""
        with file_errors():
            file = open_regular(path, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW)
            if os.fstat(file).st_size > whole:  # Otherwise the file must not change: its time says when it last grew.
                os.ftruncate(file, whole)
        return cls(file)

    def write_message(self, message: RecordLine) -> None:
        """Append a line. If that fails, the record stays as it was and RecordTrouble is raised."""
        line = format_line(message)
        if len(line) > MAX_LINE_LENGTH or parse_line(line) is None:
            raise RecordTrouble("this cannot be saved, because it could not be read back")
        with file_errors():
            before = os.fstat(self._file).st_size
            if before + len(line) > LARGEST:
                raise RecordTrouble("the record of this game is full")
            written = os.write(self._file, line)
            if written < len(line):
                os.ftruncate(self._file, before)
                raise RecordTrouble("this game cannot be saved: the disk is full")
            os.fdatasync(self._file)

    def touch(self, files: FileClock) -> None:
        """Show that you are waiting at your challenge."""
        with file_errors():
            files.touch(self._file)

    def close(self) -> None:
        os.close(self._file)


@contextmanager
def file_errors() -> Iterator[None]:
    """Turn file errors into RecordTrouble. Its line names no folder, because a kiosk must not show any."""
    try:
        yield
    except OSError as error:
        raise RecordTrouble(f"this game cannot be saved: {error.strerror}") from None


CODE_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of a code, without those that look alike."""
CODE_LENGTH = 6
PBKDF2_ROUNDS = 100_000
"""Rounds of PBKDF2, about 30 ms for each try. The proof that a player knows the code is in a record until the game
begins. This is too slow for anyone to find a code of six characters in that time."""


def prove_code(code: str, challenge_id: str, joiner: str, uid: int) -> str:
    """Return a proof that the writer of a record knows the code. It is valid only for this joiner and account."""
    salt = f"{challenge_id} {joiner} {uid}".encode()
    return hashlib.pbkdf2_hmac("sha256", code.strip().lower().encode(), salt, PBKDF2_ROUNDS).hex()


def commitment(challenge_id: str, seat: Seat, epoch: int, ply: int, nonce: str, move: str) -> str:
    return hashlib.sha256(f"{challenge_id} {seat} {epoch} {ply} {nonce} {move}".encode()).hexdigest()


ENDING = ".json"


class OwnSecrets(msgspec.Struct, frozen=True, kw_only=True):
    """Your secrets for one challenge or game. `uid` is its opener's account. `joiner` is empty if that is you."""

    challenge_id: Id = msgspec.field(name="table")
    secret: str
    uid: int
    joiner: str = ""
    code: str = ""

    def nonce(self, seat: Seat, epoch: int, ply: int) -> str:
        decision = f"{self.challenge_id} {seat} {epoch} {ply}".encode()
        return hmac.new(bytes.fromhex(self.secret), decision, "sha256").hexdigest()

    def fix(self, seat: Seat, epoch: int, ply: int, move: str) -> str:
        return commitment(self.challenge_id, seat, epoch, ply, self.nonce(seat, epoch, ply), move)


@dataclass(frozen=True)
class SecretsFolder:
    folder: Path

    def put(self, own: OwnSecrets) -> None:
        """Save the secrets of a new game. Raises RecordTrouble."""
        with file_errors():
            file = open_own_file(self._path(own.challenge_id), os.O_WRONLY | os.O_EXCL)
            with os.fdopen(file, "wb") as stream:
                stream.write(msgspec.json.encode(own))
                stream.flush()
                os.fsync(file)

    def get(self, challenge_id: str) -> OwnSecrets | None:
        try:
            return msgspec.json.decode(read_regular(self._path(challenge_id), LARGEST), type=OwnSecrets)
        except (OSError, msgspec.DecodeError):
            return None

    def list_all(self) -> Iterator[OwnSecrets]:
        """Yield the secrets of your challenges and shared games, even of games that ended recently."""
        for path in sorted(self.folder.glob(f"*{ENDING}")):
            if (own := self.get(path.name.removesuffix(ENDING))) is not None:
                yield own

    def forget(self, challenge_id: str) -> None:
        with suppress(OSError):
            self._path(challenge_id).unlink()

    def occupy(self, challenge_id: str) -> int:
        """Lock a game for this process, until the returned descriptor is closed. Raises RecordTrouble."""
        with file_errors():
            file = open_regular(self._path(challenge_id), os.O_RDWR)
        with suppress(OSError):
            if try_lock(file):
                return file
        os.close(file)
        raise RecordTrouble("you have this game open in another session, so leave it there first")

    def _path(self, challenge_id: str) -> Path:
        return self.folder / f"{challenge_id}{ENDING}"
