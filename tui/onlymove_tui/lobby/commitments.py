"""Your secrets in a shared game: your hidden choices, the code of a challenge, and the folder that stores them.

A hash commits a player to a choice without showing it. The hash covers the game, the side and the decision, so it fits
no other move and nobody else can reuse it. Its nonce comes from a secret that only its owner can read. If the player's
app is killed after committing, it can therefore still reveal the choice later. The secret is written once, before the
record that needs it.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec
from onlymove_engines.core.value import Seat
from onlymove_tables.lock import try_lock

from onlymove_tui.lobby.record_file import Id, RecordTrouble, file_errors
from onlymove_tui.store.profiles import open_own_file

CODE_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The characters of a code, without those that look alike."""
CODE_LENGTH = 6
STRETCHED = 100_000
"""Rounds of PBKDF2, about 30 ms for each try. The proof that a player knows the code is in a record until the game
begins. This is too slow for anyone to find a code of six characters in that time."""


def prove_code(code: str, challenge_id: str, joiner: str, uid: int) -> str:
    """Return a proof that the writer of a record knows the code. It is valid only for this joiner and account."""
    salt = f"{challenge_id} {joiner} {uid}".encode()
    return hashlib.pbkdf2_hmac("sha256", code.strip().lower().encode(), salt, STRETCHED).hex()


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


class SecretsFolder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

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
            return msgspec.json.decode(self._path(challenge_id).read_bytes(), type=OwnSecrets)
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
            file = os.open(self._path(challenge_id), os.O_RDWR | os.O_CLOEXEC)
        with suppress(OSError):
            if try_lock(file):
                return file
        os.close(file)
        raise RecordTrouble("you have this game open in another session, so leave it there first")

    def _path(self, challenge_id: str) -> Path:
        return self.folder / f"{challenge_id}{ENDING}"
