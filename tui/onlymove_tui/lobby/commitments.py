"""What one side of a shared game keeps secret: hidden choices, the code of a challenge, and the folder they are in.

A hash commits a player to a choice. It covers game, side and decision, so no other move fits it and nobody else can
use it. Its nonce comes from a secret that only its owner can read: a player whose app is killed after committing can
still reveal the choice. The secret is written once, before the record that needs it.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from onlymove_engines.core.value import Seat
from onlymove_tables.lock import try_lock

from onlymove_tui.lobby.messages import Id
from onlymove_tui.lobby.record_file import RecordTrouble
from onlymove_tui.store.profiles import open_own_file

CODE_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without characters that look like others."""
CODE_LENGTH = 6
STRETCHED = 100_000
"""Rounds of PBKDF2: some 30 ms a try. The proof that a player knows the code stands in a record until the game begins,
and in that time nobody can find a code of six characters from it."""


def new_secret() -> str:
    return secrets.token_hex(32)


def new_code() -> str:
    return "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))


def proof_of(code: str, table: str, joiner: str, uid: int) -> str:
    """Proof that the owner of a record knows the code. It is of no use to another joiner or account."""
    salt = f"{table} {joiner} {uid}".encode()
    return hashlib.pbkdf2_hmac("sha256", code.strip().lower().encode(), salt, STRETCHED).hex()


def is_proof(proof: str, code: str, table: str, joiner: str, uid: int) -> bool:
    return hmac.compare_digest(proof.encode(), proof_of(code, table, joiner, uid).encode())


class Commitments:
    """The hidden choices of one side of a shared game."""

    def __init__(self, secret: str, table: str, seat: Seat) -> None:
        self._secret = bytes.fromhex(secret)
        self._table = table
        self._seat = seat

    def nonce(self, epoch: int, ply: int) -> str:
        decision = f"{self._table} {self._seat} {epoch} {ply}".encode()
        return hmac.new(self._secret, decision, "sha256").hexdigest()

    def fix(self, epoch: int, ply: int, move: str) -> str:
        return commitment(self._table, self._seat, epoch, ply, self.nonce(epoch, ply), move)

    def find(self, epoch: int, ply: int, hidden: str, moves: Iterable[str]) -> str | None:
        """Which of these moves `hidden` commits to; `None`: none of them."""
        return next((move for move in moves if self.fix(epoch, ply, move) == hidden), None)


def commitment(table: str, seat: Seat, epoch: int, ply: int, nonce: str, move: str) -> str:
    return hashlib.sha256(f"{table} {seat} {epoch} {ply} {nonce} {move}".encode()).hexdigest()


ENDING = ".json"


class OwnSecrets(msgspec.Struct, frozen=True, kw_only=True):
    """Your side of a challenge or shared game, whose id is `table`. `joiner` is empty if you opened it; `uid` is the
    opener's account."""

    table: Id
    secret: str
    uid: int
    joiner: str = ""
    code: str = ""


class SecretsFolder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, own: OwnSecrets) -> None:
        """Save this. Raises RecordTrouble."""
        try:
            file = open_own_file(self._path(own.table), os.O_WRONLY | os.O_EXCL)
            with os.fdopen(file, "wb") as stream:
                stream.write(msgspec.json.encode(own))
                stream.flush()
                os.fsync(file)
        except OSError as error:
            raise RecordTrouble(f"this game cannot be saved: {error.strerror}") from None

    def get(self, table: str) -> OwnSecrets | None:
        try:
            return msgspec.json.decode(self._path(table).read_bytes(), type=OwnSecrets)
        except (OSError, msgspec.DecodeError):
            return None

    def all(self) -> Iterator[OwnSecrets]:
        """Your challenges and shared games, also those that ended not long ago."""
        for path in sorted(self.folder.glob(f"*{ENDING}")):
            if (own := self.get(path.name.removesuffix(ENDING))) is not None:
                yield own

    def forget(self, table: str) -> None:
        with suppress(OSError):
            self._path(table).unlink()

    def occupy(self, table: str) -> int:
        """Lock a game for this process until the file that is returned is closed. Raises RecordTrouble."""
        try:
            file = os.open(self._path(table), os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise RecordTrouble(f"this game cannot be saved: {error.strerror}") from None
        with suppress(OSError):
            if try_lock(file):
                return file
        os.close(file)
        raise RecordTrouble("you have this game open in another login; leave it there first")

    def _path(self, table: str) -> Path:
        return self.folder / f"{table}{ENDING}"
